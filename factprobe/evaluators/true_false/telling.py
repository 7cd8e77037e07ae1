"""Whether a sentence of a reply says what a statement says, in its own words: no graph is needed to see that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from factprobe.evaluators.true_false.stated import Clause, Stated, clauses_in, is_adverb, passed_over
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.words import Text
from factprobe.text import normalise

_WEIGHS = vocabulary("telling_weighs")
BREAKS = vocabulary("telling_breaks")
_TURNS = vocabulary("telling_turns")
_MODAL = vocabulary("telling_modal")
_IS, _WAS = vocabulary("telling_is"), vocabulary("telling_was")
_THERE, _BY = vocabulary("telling_there"), vocabulary("telling_passive")
_VERB_ENDINGS, _PAST_ENDINGS = in_order("telling_verb_ending"), in_order("telling_past_ending")
_TELLS_NOTHING = vocabulary("telling_tells_nothing")
_PRONOUNS = vocabulary("subject_pronoun") | vocabulary("binary_it")
_LINKS = vocabulary("link_and", "link_or")
_NOT = vocabulary("binary_bare_not")
_BESIDE_SUBJECT = vocabulary("telling_mostly", "particle", "telling_is", "telling_was", "telling_now")
_ROOM = 5
"""Words that may stand between those of the statement, besides one for each of these."""
_NAME_OF_SUBJECT = 2
"""Words of the statement for which a pronoun may stand."""


class Placed(Struct, frozen=True):
    """Where a clause has the words of a statement, counted from its first word."""

    subject: tuple[int, ...]
    """Those before the verb; empty where a pronoun stands for them."""
    verb: int
    """Behind what all the others stand."""
    rest: tuple[int, ...]


def affirmation(statement: Stated, text: Text) -> str:
    """The clause of a reply that says what the statement says; empty where none does.

    Args:
        statement: what is asked about; one in which nothing matters, or that denies, is said by none.
        text: the reply.
    """
    if len(statement.words) < 2 or not _adds_something(statement, text):
        return ""
    return next((written(clause) for clause in clauses_in(text) if says(statement, clause)), "")


def _adds_something(statement: Stated, text: Text) -> bool:
    """Whether a reply is more than the statement, or the question, again."""
    if normalise(text.source) == normalise(statement.text):
        return False
    return statement.asks or not statement.plain.issuperset(set(text.words) - passed_over() - vocabulary("binary_head"))


def says(statement: Stated, clause: Clause) -> bool:
    """Whether a clause says what a statement says."""
    clause = without_contrast(statement, clause)
    if not {*statement.words[_NAME_OF_SUBJECT:], *statement.adverbs}.issubset(clause.keys()):
        return False
    turned = _with_front_behind(clause)
    return any(
        fits(statement, one, placed)
        for one in ((clause, turned) if turned else (clause,))
        for placed in placed_in(statement, one)
    )


def without_contrast(statement: Stated, clause: Clause) -> Clause:
    """A clause without the denial of something else at its end: spiders are arachnids, not insects."""
    words, keys = clause.words(), clause.keys()
    for at, word in enumerate(words[1:], 1):
        joins = "," in clause.text.mark[clause.places[at]] or words[at - 1] in _LINKS
        if word in _NOT and joins and set(keys[at:]).isdisjoint(statement.words):
            end = at - 1 if words[at - 1] in _LINKS else at
            return Clause(clause.text, clause.places[:end], clause.is_first)
    return clause


def _with_front_behind(clause: Clause) -> Clause | None:
    """A clause with what stands before its first comma behind the rest: In a vacuum, a candle would burn."""
    places = clause.places
    comma = next((i for i, place in enumerate(places) if i and "," in clause.text.mark[place]), 0)
    return Clause(clause.text, (*places[comma:], *places[:comma]), clause.is_first) if comma else None


def placed_in(statement: Stated, clause: Clause) -> Iterator[Placed]:
    """The ways in which a clause has all the words of a statement: those of its subject before those said of it."""
    words, keys, own = clause.words(), clause.keys(), statement.words
    if statement.is_there:
        for at in range(len(words) - 1):
            if words[at] in _THERE and (rest := _in_order(own, keys, at + 1)):
                yield Placed((), at + 1, rest)
        return
    least = 2 if own[0] in _WEIGHS else 1
    for count in range(least, len(own)):
        verbs = _IS if statement.is_copular else {own[count]}
        for at, word in enumerate(words if statement.is_copular else keys):
            if word not in verbs:
                continue
            behind = at + 1 if statement.is_copular else at
            rest = _in_order(own[count:], keys, behind)
            if rest and (subject := _before(own[:count], own[count:], keys, at)) is not None:
                yield Placed(subject, behind, rest)
            elif rest and clause.is_first and _is_pronoun(words[:at], count, len(own) - count):
                yield Placed((), behind, rest)
    yield from _turned(statement, words, keys)


def _is_pronoun(words: Sequence[str], count: int, rest: int) -> bool:
    """Whether a pronoun stands for some words of a statement: It was built for the fair."""
    return words[:1] != [] and words[0] in _PRONOUNS and count <= min(_NAME_OF_SUBJECT, rest)


def _in_order(own: Sequence[str], keys: Sequence[str], start: int) -> tuple[int, ...]:
    """Where some words stand one behind the other; empty where they do not."""
    found: list[int] = []
    for one in own:
        at = next((i for i in range(start, len(keys)) if keys[i] == one), -1)
        if at < 0:
            return ()
        found.append(at)
        start = at + 1
    return tuple(found)


def _before(own: Sequence[str], others: Sequence[str], keys: Sequence[str], end: int) -> tuple[int, ...] | None:
    """Where the words of a subject stand before its verb; None where one does not, or another word of the statement."""
    if not (set(own) <= set(keys[:end])) or not set(others).isdisjoint(set(keys[:end]) - set(own)):
        return None
    return tuple(i for i, one in enumerate(keys[:end]) if one in own)


def _turned(statement: Stated, words: Sequence[str], keys: Sequence[str]) -> Iterator[Placed]:
    """The active for the passive, and the passive for the active."""
    own, is_passive = statement.words, not _BY.isdisjoint(statement.plain)
    if is_passive == (not _BY.isdisjoint(words)) or not set(own) <= set(keys):
        return
    if is_passive:
        told = f" {' '.join(statement.text.casefold().split())}"
        agent = next((one for one in own for by in _BY if f" {by} {one}" in told), "")
        if agent and agent in keys and all(keys.index(agent) <= keys.index(one) for one in own):
            at = keys.index(agent)
            yield Placed((at,), at + 1, tuple(sorted(keys.index(one) for one in own if one != agent)))
        return
    at = next(i for i, word in enumerate(words) if word in _BY)
    if own[0] in keys[at + 1 : at + 4] and own[-1] in keys[:at]:
        first, *rest = (i for i, one in enumerate(keys) if one in own)
        yield Placed((first,), first + 1, tuple(rest))


def fits(statement: Stated, clause: Clause, placed: Placed) -> bool:
    """Whether a clause that has the words of a statement says what they say."""
    words = clause.words()
    own = {*placed.subject, *placed.rest}
    breaks = (BREAKS - statement.plain) | (_MODAL if _MODAL.isdisjoint(statement.plain) else frozenset())
    first, last = min(own), max(own)
    if not breaks.isdisjoint(words) or not _TELLS_NOTHING.isdisjoint(words[:first]):
        return False
    turns = _TURNS - statement.plain
    if any(words[i] in turns and not is_adverb(words[i + 1]) for i in range(last)):  # almost always
        return False
    if statement.is_now and not _WAS.isdisjoint(words[first : last + 1]):
        return False
    if not _is_subject(clause, placed):
        return False
    if last - first + 1 - len(own) > len(own) + _ROOM or _goes_on(clause, last):
        return False
    return all(
        _says_no_other(clause, start, end)
        for start, end in zip([placed.verb - 1, *placed.rest], placed.rest, strict=False)
    )


def _is_subject(clause: Clause, placed: Placed) -> bool:
    """Whether the words before the verb speak of the statement's subject: not of its mother, nor of some of it."""
    words, text = clause.words(), clause.text
    if not placed.subject:
        return True
    asides = _asides(clause, placed)
    for at in range(placed.verb):
        word, place = words[at], clause.places[at]
        if at in placed.subject or at in asides or word in passed_over():
            continue
        is_name = text.capital[place] and not {at - 1, at + 1, at + 2}.isdisjoint(placed.subject)
        if not (is_name or is_adverb(word) or word in _BESIDE_SUBJECT):
            return False
    return True


def _asides(clause: Clause, placed: Placed) -> set[int]:
    """The words between commas, or before the first, that stand beside the subject."""
    text = clause.text
    item = [text.items[place] for place in clause.places]
    own = {item[at] for at in (*placed.subject, *placed.rest, placed.verb - 1)}
    return {at for at in range(len(item)) if item[at] not in own}


def _goes_on(clause: Clause, last: int) -> bool:
    """Whether the last word is only the beginning of a name, or of a word for something else."""
    text, places = clause.text, clause.places
    behind = places[last + 1] if last + 1 < len(places) else len(text)
    if behind == len(text) or behind != places[last] + 1 or text.words[behind] in vocabulary("function"):
        return False
    if text.mark[behind] or text.capital[behind]:
        return text.mark[behind] == "-" or (not text.mark[behind] and text.capital[places[last]])
    for i in range(behind, places[-1] + 1):
        word = text.words[i]
        if text.mark[i]:
            break
        if word in vocabulary("function") or word.endswith(_VERB_ENDINGS) or is_adverb(word):
            return False
    return True


def _says_no_other(clause: Clause, start: int, end: int) -> bool:
    """Whether no other name, figure or verb of a list stands between two words: born in Bonn and died in Vienna."""
    text, words = clause.text, clause.words()
    inside = range(start + 1, end)
    if not any(words[i] in _LINKS or "," in text.mark[clause.places[i]] for i in [*inside, end]):
        return True
    return not any(
        text.capital[clause.places[i]] or words[i].isdigit() or words[i].endswith(_PAST_ENDINGS)
        for i in inside
        if words[i] not in passed_over()
    )


def written(clause: Clause) -> str:
    """A clause as it was written."""
    text = clause.text
    return text.source[text.span(min(clause.places))[0] : text.span(max(clause.places))[1]]
