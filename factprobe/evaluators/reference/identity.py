"""Rules against names that only resemble the right one. The docstring of a rule completes "The reply …"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from rapidfuzz.distance import JaroWinkler

from factprobe.evaluators.reference.features import NameEvidence
from factprobe.evaluators.reference.prepared_texts import Name, QuestionTokens, ReplyWords, Span
from factprobe.evaluators.reference.reference_reading import rejection_rule
from factprobe.reading.language import vocabulary
from factprobe.reading.names.regions import is_in_other_region, states
from factprobe.reading.tokenisation.tokens import common_keys, is_sign
from factprobe.text import fold, normalise

_MAX_DIGITS = 3
"""Maximum number of digits of a number that distinguishes two names; longer numbers may be years."""
_MAX_ADDED_WORDS = 5
"""Maximum number of words before and after a mention that may belong to a longer name."""
_MIN_SPELLING_SIMILARITY = 0.85
"""Minimum similarity of two spellings of a name ("Katherine", "Catherine")."""
_MAX_PERSON_WORDS = 6
"""Maximum number of words of a reply that is only a person's name."""
_MAX_INITIALS = 3
_NAME_SEPARATORS = frozenset((" ", "-", ". "))
"""Separators between the words of a name."""

_HEDGES = vocabulary("hedge") - vocabulary("prefix", "contrast")
"""Hedges that begin no name (probably, but not East)."""


@rejection_rule("other_name")
def other_name(evidence: NameEvidence) -> str:
    """Has the right name with another number, letter, sign or region, or is only a longer name."""
    reply, name, question = evidence.reply, evidence.name, evidence.question
    why = [_other_identity(reply, span, name, question) for span in evidence.mentions]
    if len(evidence.names) == 1:
        why = [
            one or _longer_name(reply, span, name, question) for one, span in zip(why, evidence.mentions, strict=True)
        ]
    return next(filter(None, why), "") if why and all(why) else ""


def _other_identity(reply: ReplyWords, span: Span, name: Name, question: QuestionTokens) -> str:
    """Return why a mention is another name, by a number, sign, letter or region; empty if it is not."""
    if name.value is None and len(name.keys) > 1:
        if all(key[0].isdigit() for key in name.keys):
            return "" if _has_in_order(reply, span, name) else f"has other numbers than {name.text!r}"
        if why := _lacks_identity(reply, span, name, question):
            return why
    end = span[1]
    if end == len(reply) or name.value is not None:
        return ""
    if is_in_other_region(reply, end, [name.text]):
        return f"is in another region than {name.text!r}"
    is_sign_behind = is_sign(reply.keys[end]) and reply.keys[end] == reply.raw[end] and reply.keys[end] not in name.keys
    is_code = name.text.isupper() or name.words.raw[-1][0].isdigit()
    is_longer_code = is_code and not reply.gap(end) and reply.keys[end].isalnum() and reply.raw[end] != "s"
    return f"goes on with {reply.raw[end]!r}" if is_sign_behind or is_longer_code else ""


def _has_in_order(reply: ReplyWords, span: Span, name: Name) -> bool:
    """Return whether a mention has all numbers of a ratio or score (3:2), in order, with at most one other word."""
    numbers = [key for key in reply.keys[slice(*span)] if key[0].isdigit()]
    return tuple(numbers) == name.keys and span[1] - span[0] <= len(name.keys) + 1


def _lacks_identity(reply: ReplyWords, span: Span, name: Name, question: QuestionTokens) -> str:
    """Return why a mention lacks a sign of the name, or has another number or letter in its place; empty if it fits."""
    start, end = span
    adjacent = [reply.keys[i] for i in range(max(start - 1, 0), min(end + 1, len(reply)))]
    for key in name.telling:
        if key in question.fixed or key in adjacent:
            continue
        if is_sign(key) or (key.isdecimal() and " " not in name.text):
            return f"lacks the sign or number of {name.text!r}"
        if any(_is_rival(key, other) and other not in name.keys and other not in question.fixed for other in adjacent):
            return f"has another number or letter than {name.text!r}"
    return ""


def _is_rival(key: str, other: str) -> bool:
    """Return whether two keys are both small numbers or both single letters."""
    if key.isdecimal() and other.isdecimal():
        return max(len(key.lstrip("0")), len(other.lstrip("0"))) <= _MAX_DIGITS
    return len(key) == len(other) == 1 and key.isalpha() and other.isalpha()


def _longer_name(reply: ReplyWords, span: Span, name: Name, question: QuestionTokens) -> str:
    """Return why a reply is only a longer name than the right one; empty if it is not.

    Type words, titles and first names before a mention make no longer name.
    """
    first, last = _run(reply, span)
    common = common_keys()
    if any(reply.keys[i] not in common for i in chain(range(first), range(last, len(reply)))):
        return ""
    words = added_words(reply, span, name, question)
    is_person = not vocabulary("asks_person", "title").isdisjoint(question.raw)
    is_coded = any(key[0].isdigit() for key in name.keys)  # Samsung Galaxy S21
    is_state = fold(name.text) in states()  # Westchester County of New York
    if is_person or is_coded or (_ends_with_kind(reply.raw[first : span[0]]) and not is_state):
        words = [i for i in words if i > span[0]]
    is_given = is_person and fold(name.text) in vocabulary("given")  # Diana Spencer for Diana
    if not words or is_given or _is_region_phrase(reply, (span[1], last), name):
        return ""
    return f"is the longer name {reply.text_of((first, last))!r}"


def _ends_with_kind(raw: Sequence[str]) -> bool:
    """Return whether words end with a type and a preposition (Federal Republic of)."""
    words = [fold(word) for word in raw if word.lower() not in vocabulary("article")]
    return (
        len(words) > 1 and words[-1] in vocabulary("name_of") and words[-2] in vocabulary("kind") - vocabulary("title")
    )


def _is_region_phrase(reply: ReplyWords, span: Span, name: Name) -> bool:
    """Return whether a span after a name that is no type is a preposition and a country (Henry VIII of England)."""
    start, end = span
    is_type = fold(name.words.raw[-1]) in vocabulary("kind", "institution", "title")
    is_phrase = start < end and reply.raw[start] in vocabulary("name_of")
    return is_phrase and not is_type and normalise(reply.text_of((start + 1, end))) in vocabulary("region")


def added_words(reply: ReplyWords, span: Span, name: Name, question: QuestionTokens) -> list[int]:
    """Return the indices of the words that make a verbatim mention a longer name; type words make none."""
    start, end = span
    if (
        name.value is not None
        or tuple(reply.keys[start:end]) != name.keys
        or not any(map(str.isupper, reply.raw[start]))
    ):
        return []
    first, last = _run(reply, span)
    around = (*range(first, start), *range(end, last))
    new = [i for i in around if reply.keys[i] not in common_keys() and reply.keys[i] not in question.fixed]
    no_names = vocabulary("kind", "title") | _HEDGES
    is_asked = {i for i in new for word in question.raw if word.startswith(fold(reply.raw[i]))}  # Mount, mountain
    return [i for i in new if i not in is_asked and fold(reply.raw[i]) not in no_names]


def _run(reply: ReplyWords, span: Span) -> Span:
    """Return the span of a mention and the capitalised words and numbers linked to it by spaces or particles."""
    start, end = span
    before = range(start - 1, max(start - _MAX_ADDED_WORDS, 0) - 1, -1)
    after = range(end, min(end + _MAX_ADDED_WORDS, len(reply)))
    first = min(_linked_words(reply, before, 1), default=start)
    return first, max(_linked_words(reply, after, 0), default=end - 1) + 1


def _linked_words(reply: ReplyWords, places: range, gap: int) -> Iterator[int]:
    """Yield the indices of the words that may belong to a name, up to the first that is not linked to the one before.

    Args:
        reply: Words of the reply.
        places: Indices of words from a mention outwards, in either direction.
        gap: 1 if the indices decrease, 0 if they increase.
    """
    particles = vocabulary("within_name", "name_particle", "article")
    for i in places:
        raw = reply.raw[i]
        if reply.gap(i + gap) not in _NAME_SEPARATORS:
            return
        if raw[0].isdigit() or (raw[0].isupper() and reply.keys[i] not in common_keys()):
            yield i
        elif raw.lower() not in particles:
            return


@rejection_rule("other_person")
def other_person(evidence: NameEvidence) -> str:
    """Has another first name or surname in the place of the right person's."""
    reply, question, name = evidence.reply, evidence.question, evidence.name
    no_names = vocabulary("kind", "title", "surname_particle") | _HEDGES
    ignored = common_keys() | question.keys | {*name.keys}
    missing = [key for key in evidence.missing if key not in question.keys and key not in no_names]
    if not missing or len(reply) > _MAX_PERSON_WORDS or len(name.keys) < 2 or name.value or not evidence.mentions:
        return ""
    for span in evidence.mentions:
        added = [reply.raw[i] for i in range(*_run(reply, span)) if reply.keys[i] not in ignored]
        added = [word for word in added if word[0].isupper() and fold(word) not in no_names]
        full = [word for word in added if not _is_initials(word)]
        if not added or any(_is_one_of(word, missing) for word in full or added):
            return ""
    own = [raw for key, raw in zip(name.words.keys, name.words.raw, strict=True) if key in missing]
    return f"has another name in the place of {' '.join(own)!r}"


def _is_initials(word: str) -> bool:
    return word.isupper() and len(word) <= _MAX_INITIALS


def _is_one_of(word: str, missing: Sequence[str]) -> bool:
    """Return whether a word may stand for missing words, as their initials or as another spelling of one of them."""
    if _is_initials(word):
        initials = iter(key[0] for key in missing)
        return all(letter in initials for letter in fold(word))
    plain = fold(word)
    return any(plain[0] == key[0] or JaroWinkler.similarity(plain, key) >= _MIN_SPELLING_SIMILARITY for key in missing)
