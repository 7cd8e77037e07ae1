"""What a reply says of a statement in its own words: that another date holds, that the name belongs to someone else."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec import Struct

from factprobe.evaluators.short import stems
from factprobe.reading.abstention import declines
from factprobe.reading.asked import Asked, shown_in
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.index import EntityIndex, answers_of
from factprobe.reading.names.tables import Mention
from factprobe.reading.reading import Reading
from factprobe.reading.stance.clauses import stem
from factprobe.reading.stance.commitment import Stance
from factprobe.reading.values import Value, value_of, values_in
from factprobe.reading.words import Text, name_words, words_in
from factprobe.records import Entity, Message, Question, Statement
from factprobe.text import normalise

_POINTS = re.compile(phrases("binary_points"))
_CITES = re.compile(phrases("binary_cites"))
_TITLE = re.compile(rf"(?:{phrases('binary_true')}|{phrases('binary_false')})", re.IGNORECASE)
_ALSO = re.compile(rf"\b(?:{phrases('binary_also')})\b")
_KIN = re.compile(phrases("binary_kin"))
_FAMILY = re.compile(rf"\b(?:{phrases('binary_family')})")
_MARRIED = re.compile(rf"\b(?:{phrases('binary_married')})")
_OF_TWO = vocabulary("binary_of_two")
"""They tell apart two who bear one name."""
_PARTNERS = vocabulary("binary_partner")
_FEW = 10
"""Names of one reply that are each read with the words around them."""
_LONG = 40
"""Letters of a date in words."""
_PRONOUNS = vocabulary("binary_subject")
_STAND_INS = vocabulary("binary_pronoun")
"""What may stand for the name that a statement gives."""
_DENIAL = phrases("binary_denial")
_THERE = re.compile(rf"\b(?:{_DENIAL}) (?P<verb>(?:\w+ ){{1,3}}?)(?:{phrases('binary_there')})\b")
_DENIES = re.compile(rf"\b(?:{_DENIAL}|{phrases('binary_denial_of_name')})\b")
_OPEN = re.compile(rf"\b(?:{phrases('binary_open')})\b")
"""A denial that leaves open whether the statement holds."""
_STOP = re.compile(r"[.!\n]+(?:\s|$)")
_ROUND = 0.05
"""How far a rounded number may be from the one it stands for."""


class Blank(Struct, frozen=True):
    """A true/false question as another one: which name belongs where its statement shows one?"""

    question: Question
    """Who asks for the shown name has it for the right answer."""
    truth: Entity | None
    """What the graph has in its place; None where the statement shows it."""
    shown: Statement
    template: str


def blank_of(index: EntityIndex, asked: Asked) -> Blank | None:
    """What a true/false question asks for when its shown name is left out; None where it shows no statement."""
    question, statement, shown = asked.question, asked.statement, shown_in(index, asked)
    if statement is None or shown is None:
        return None
    sought = question.sought
    given = statement.at("subject" if sought == "object" else "object")
    frame = statement.with_ends(*((given, "____") if sought == "object" else ("____", given)), sought)
    identity = f"{question.question_id.rpartition(':')[0]}:ask_{sought}"
    ends = (question.relation, question.subject_uri, question.object_uri)
    prompts = (Message("user", frame.text),)
    blank = Question(identity, "single_answer", prompts, (shown,), *ends, statement=frame)
    right = question.object_uri if sought == "object" else question.subject_uri
    truth = None if question.answers == "correct" else index.entities(question).get(right)
    return Blank(blank, truth, statement, asked.template)


def retold(index: EntityIndex, asked_of_it: Asked, reply: str) -> str | None:
    """The side that a reply takes on a statement by what it tells in its place; None where it takes none."""
    statement = blank_of(index, asked_of_it)
    if statement is None or _OPEN.search(reply):
        return None
    asked = statement.question
    given = index.asked_about(asked)
    if given is not None and _TITLE.fullmatch(given.label):
        reply = re.sub(rf"\b{given.label}\b", "it", reply)
    reading = Reading(index, asked, _with_full_names(reply, statement))
    text, mentions, said = reading.text, reading.mentions, reading.stance
    shown = {answer.uri for answer in answers_of(asked)}
    is_shown = [bool(m.uris & shown) or not _differs(index, asked, text, m) for m in mentions]
    also = frozenset[str]() if statement.truth else index.truths(asked)  # what holds beside it denies nothing
    others = [i for i in said.chosen if not is_shown[i] and also.isdisjoint(mentions[i].uris)]
    affirmed = any(mentions[i].uris & shown for i in said.chosen)
    is_sure = not declines(" ".join(text.words))
    if is_sure and _gives_away(index, statement, text, mentions, is_shown):
        return "incorrect"
    if others and (not affirmed or not is_shown[said.chosen[-1]]):
        is_last = affirmed and _is_true(text, mentions[said.chosen[-1]], statement)
        return "incorrect" if is_last or (not affirmed and _tells(text, mentions, others, said, statement)) else None
    if not affirmed and is_sure:
        denied = any(is_shown[i] for i in said.ruled_out) or (not mentions and _names_another(text, statement))
        return "incorrect" if denied else None
    if others or not is_sure or not _has_more(text, mentions):
        return None
    states = not said.unasked.issuperset(said.chosen) or _shares_a_word(text, statement.template)
    states = states or (bool(index.values(asked)) and text.words[0] in _PRONOUNS)
    return "correct" if states and _says(text, mentions, statement) else None


def _with_full_names(reply: str, statement: Blank) -> str:
    """The reply with the whole name for a part of it that only the shown name or only the true one has: Emily, Anne."""
    names = [statement.question.answers[0].label] if not isinstance(statement.question.answers, str) else []
    names += [statement.truth.label] if statement.truth else []
    if any(value_of(name) is not None for name in names):
        return reply
    asked = set(name_words(statement.question.prompts[-1].content))
    whole: dict[str, str] = {}
    for name in names:
        elsewhere = {word for other in names if other != name for word in name_words(other)}
        own = [word for word in name_words(name) if len(word) > 2 and word not in elsewhere | asked]
        whole.update((word, name) for word in own if len(name_words(name)) > 1 and not _is_common(word))
    text = Text(reply)
    if len(names) > 1:  # "the elder Bush" is the other bearer of a name that the statement shows without such a word
        last = name_words(names[1])[-1]
        if any(text.words[i - 1] in _OF_TWO and text.words[i] == last for i in range(1, len(text))):
            whole[last] = names[1]
    cut = [i for i, word in enumerate(text.words) if word.removesuffix("s") in whole or word in whole]
    spans = {
        text.span(i): whole.get(text.words[i]) or whole[text.words[i].removesuffix("s")]
        for i in cut
        if _is_alone(text, i)
    }
    return text.replaced((start, end, name) for (start, end), name in spans.items() if start < end)


def _is_common(word: str) -> bool:
    return word in vocabulary("function", "kind", "hedge", "title", "prefix")


def says_again(asked: Asked, reply: str) -> bool:
    """Whether a reply is the statement with a pronoun for the name that the question gives: He was born in Ulm."""
    statement = asked.statement
    if statement is None:
        return False
    start, end = statement.subject if asked.question.sought == "object" else statement.object
    before, after = _flat(statement.text[:start]), _flat(statement.text[end:].removeprefix("'s"))
    whole = _flat(reply)
    if not (whole.startswith(before) and whole.endswith(after)):
        return False
    return whole[len(before) : len(whole) - len(after)].strip() in _STAND_INS


def _flat(text: str) -> str:
    return " ".join(words_in(normalise(text)))


def _is_alone(text: Text, i: int) -> bool:
    """Whether a word with a capital is no part of a longer name."""
    before = i > 0 and not text.mark[i] and text.capital[i - 1] and not _is_common(text.words[i - 1])
    after = i + 1 < len(text) and not text.mark[i + 1] and text.capital[i + 1]
    return text.capital[i] and not before and not after


def _gives_away(
    index: EntityIndex, statement: Blank, text: Text, mentions: Sequence[Mention], is_shown: Sequence[bool]
) -> bool:
    """Whether a reply gives the shown name to another than the statement does: That would be Laozi."""
    subjects = index.subjects(text, statement.question, mentions)
    for parts, skipped in ((text.sentences, text.asks), (text.items, set())):
        others = {parts[i] for i, other in subjects.items() if other}
        others -= {parts[i] for i, other in subjects.items() if not other and text.words[i - 1] != "not"}
        if not others - skipped:
            continue
        words: dict[int, list[str]] = {}
        for i, word in enumerate(text.words):
            if i not in subjects:
                words.setdefault(parts[i], []).append(word)
        names: dict[int, list[bool]] = {}
        for mention, is_of_shown in zip(mentions, is_shown, strict=True):
            names.setdefault(parts[mention.start], []).append(is_of_shown)
        for part in others - skipped:
            flat = " ".join(words.get(part, ()))
            if not _ALSO.search(flat) and (all(names[part]) if part in names else _POINTS.search(flat)):
                return True
    flat = " ".join(text.words)
    return _is_of_kin(flat, statement.template) or _denies_there(flat, stems(statement.template, ()))


def _denies_there(flat: str, predicate: Collection[str]) -> bool:
    """Whether a reply denies of a name before it what the statement says: He lived in Warsaw, he wasn't born there."""
    if _CITES.search(flat):
        return False
    return any(stem(word) in predicate for found in _THERE.finditer(flat) for word in found["verb"].split())


def _is_of_kin(flat: str, template: str) -> bool:
    """Whether a reply says that it is a relative's, where no relative is asked for: That was his mother."""
    kin = _KIN.search(flat)
    if kin is None or _FAMILY.search(template):
        return False
    return kin["kin"] not in _PARTNERS or not _MARRIED.search(template)


def _shares_a_word(text: Text, template: str) -> bool:
    """Whether a text has a word that its relation turns on: that album, its capital."""
    common = vocabulary("function", "hedge")
    return any(len(word) > 3 and word in text.words and word not in common for word in Text(template).words)


def _names_another(text: Text, statement: Blank) -> bool:
    """Whether a reply puts a name that the graph does not know into the statement: It was written by Thomas Hardy."""
    if isinstance(statement.question.answers, str):
        return False
    lead = Text(statement.question.prompts[-1].content.partition("____")[0]).words
    lead = ["by"] if lead[-1:] == ["by"] else lead[-2:]
    shown = {word for name in statement.question.answers[0].names() for word in name_words(name)}
    for i in range(len(lead), len(text)):
        if text.words[i - len(lead) : i] == lead and text.capital[i] and text.words[i] not in shown:
            sentence = [word for word, of in zip(text.words, text.sentences, strict=True) if of == text.sentences[i]]
            place = text.words[i] in vocabulary("region") or text.words[i] in vocabulary("function")
            return not place and not _CITES.search(" ".join(sentence))
    return False


def _differs(index: EntityIndex, asked: Question, text: Text, mention: Mention) -> bool:
    """Whether a name or a value cannot be a less exact form of the shown one."""
    shown = [value for values in index.values(asked).values() for value in values]
    if not shown:
        return not mention.uris.intersection(answer.uri for answer in answers_of(asked))
    end = text.starts[mention.end - 1] + len(text.raw[mention.end - 1])
    told = values_in(text.source[text.starts[mention.start] : end])
    return bool(told) and not any(_may_be(one, value) for one in told for value in shown)


def _may_be(said: Value, shown: Value) -> bool:
    if said.month is None and said.year is not None and shown.month is not None:
        return said.year == shown.year
    if said.number is None or shown.number is None or shown.number < 1000 or shown.year is not None:
        return said.answers(shown)
    return abs(said.number - shown.number) <= _ROUND * abs(shown.number)


def _tells(text: Text, mentions: Sequence[Mention], others: Collection[int], said: Stance, statement: Blank) -> bool:
    """Whether a reply says of another name that it is the one; a name alone says nothing of the statement."""
    if not _has_more(text, mentions):
        return False
    return any(i not in said.unasked or _is_true(text, mentions[i], statement) for i in others)


def _is_true(text: Text, mention: Mention, statement: Blank) -> bool:
    """Whether a mention is of what the graph has in the place of the shown name."""
    if statement.truth is None or statement.truth.uri in mention.uris:
        return statement.truth is not None
    truth = value_of(statement.truth.label)
    said = values_in(text.source[text.starts[mention.start] :][:_LONG]) if truth else []
    return truth is not None and any(value.start == 0 and value.answers(truth) for value in said)


def _has_more(text: Text, mentions: Sequence[Mention]) -> bool:
    """Whether there is more in a text than names."""
    named = {i for mention in mentions for i in range(mention.start, mention.end)}
    return any(
        i not in named and word not in vocabulary("article", "link_and", "link_or") for i, word in enumerate(text.words)
    )


def _says(text: Text, mentions: Sequence[Mention], statement: Blank) -> bool:
    """Whether a reply says what the statement says, and does not merely repeat it."""
    echo = normalise(statement.shown.text)
    told = {normalise(sentence) for sentence in _STOP.split(text.source)} - {""}
    if text.asks or normalise(text.source) in (echo, f"statement {echo}") or told == {echo}:
        return False
    named = {i for mention in mentions for i in range(mention.start, mention.end)}
    rest = [i for i in range(len(text)) if i not in named]
    shown = [mention for mention in mentions if mention.uris][:_FEW]
    behind = (i for one in shown for i in rest if i >= one.end and text.items[i] == text.items[one.start])
    denied = any(_DENIES.fullmatch(text.words[i]) and text.depth[i] == text.depth[shown[0].start] for i in behind)
    return not (denied or _CITES.search(" ".join(text.words[i] for i in rest)) or _is_of_unknown(text, rest, statement))


def _is_of_unknown(text: Text, rest: Sequence[int], statement: Blank) -> bool:
    """Whether a reply speaks of a name that is none of the statement's, and not of what the statement is about."""
    asked = set(name_words(statement.shown.text))
    if not _PRONOUNS.isdisjoint(text.words) or any(
        text.capital[i] and (text.words[i] in asked or text.words[i].removesuffix("s") in asked) for i in rest
    ):
        return False
    dated = {i for i in rest if i + 1 < len(text) and text.words[i + 1].isdigit()}
    return any(text.capital[i] and i and i not in dated and not _is_common(text.words[i]) for i in rest)
