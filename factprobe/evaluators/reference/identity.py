"""Checks that a mention is the right name and no other: numbers, signs, letters, longer names, similar words.

Each check returns the reason in words, or an empty string.
"""

from __future__ import annotations

from itertools import chain

from rapidfuzz.distance import DamerauLevenshtein, JaroWinkler, Prefix

from factprobe.evaluators.reference.features import Evidence
from factprobe.evaluators.reference.mentions import Name, QuestionTokens, Reply, Span
from factprobe.reading.language import vocabulary
from factprobe.reading.names.forms import states
from factprobe.reading.tokens import common_keys, is_sign
from factprobe.text import fold

_MOST_FIGURES = 3
"""Numbers of so many figures distinguish names; longer ones may be years."""
_MOST_ADDED = 5
"""Maximal number of words before and after a mention that may belong to a longer name."""
_SLIP = 0.6
"""Minimal similarity of two words of which one may be a misspelling of the other."""
_PERSON = vocabulary("asks_person")
_ALIKE = 0.85
"""Minimal similarity of two spellings of a name (Katherine, Catherine)."""
_SHARED = 0.75
"""Minimal share of leading letters that two forms of a word have in common."""
_NO_VOWELS = dict.fromkeys(map(ord, "aeiou"))
_BESIDE = frozenset((" ", "-", ". "))
"""Separators of the words of a name."""


def check_identity(evidence: Evidence) -> str:
    """Return why every mention is another name: it has another number, sign or letter, or is longer.

    Longer names are only checked if there is a single right name.
    """
    reply, names, question = evidence.reply, evidence.names, evidence.question
    found = ""
    for span in evidence.mentions:
        why = _other_identity(reply, span, evidence.name, question)
        if not why and len(names) == 1:
            why = _longer_name(reply, span, evidence.name, question)
        if not why:
            return ""
        found = found or why
    return found


def _other_identity(reply: Reply, span: Span, name: Name, question: QuestionTokens) -> str:
    """Return why a mention has another number, sign, letter or state than the right name."""
    if name.value is None and len(name.keys) > 1:
        if all(key[0].isdigit() for key in name.keys):
            return "" if _has_in_order(reply, span, name) else f"has other numbers than {name.text!r}"
        if why := _lacks_identity(reply, span, name, question):
            return why
    end = span[1]
    if end == len(reply) or name.value is not None:
        return ""
    if _is_elsewhere(reply, end, name):
        return f"is in another state than {name.text!r}"
    is_sign_behind = is_sign(reply.keys[end]) and reply.keys[end] == reply.raw[end] and reply.keys[end] not in name.keys
    is_longer_code = name.text.isupper() and not reply.gap(end) and reply.keys[end].isdigit()
    return f"goes on with {reply.raw[end]!r}" if is_sign_behind or is_longer_code else ""


def _has_in_order(reply: Reply, span: Span, name: Name) -> bool:
    """Return whether a mention has the numbers of a ratio or score in order, with at most one word between them."""
    numbers = [key for key in reply.keys[slice(*span)] if key[0].isdigit()]
    return tuple(numbers) == name.keys and span[1] - span[0] <= len(name.keys) + 1


def _lacks_identity(reply: Reply, span: Span, name: Name, question: QuestionTokens) -> str:
    """Return why a mention lacks a sign of the right name, or has another number or letter in its place."""
    start, end = span
    beside = reply.keys[max(start - 1, 0) : end + 1]
    for key in name.telling:
        if key in question.fixed or key in beside:
            continue
        if is_sign(key):
            return f"lacks the sign of {name.text!r}"
        if any(_is_rival(key, other) and other not in name.keys and other not in question.fixed for other in beside):
            return f"has another number or letter than {name.text!r}"
    return ""


def _is_elsewhere(reply: Reply, end: int, name: Name) -> bool:
    """Return whether a mention is followed by another US state than the one in the name (Portland, Maine)."""
    own = states().get(fold(name.text.rpartition(", ")[2]))
    if own is None or ", " not in name.text or end >= len(reply) or reply.gap(end) not in (", ", " ("):
        return False
    codes = states().values()
    for stop in range(min(end + 3, len(reply)), end, -1):
        words = fold(" ".join(reply.raw[end:stop]))
        state = states().get(words) or (words if words in codes and reply.raw[end].isupper() else None)
        if state is not None:
            return state != own
    return False


def _is_rival(key: str, other: str) -> bool:
    """Return whether two keys are both small numbers or both single letters."""
    if key.isdecimal() and other.isdecimal():
        return max(len(key.lstrip("0")), len(other.lstrip("0"))) <= _MOST_FIGURES
    return len(key) == len(other) == 1 and key.isalpha() and other.isalpha()


def _longer_name(reply: Reply, span: Span, name: Name, question: QuestionTokens) -> str:
    """Return why a reply is only a longer name; type words, titles and first names of a person are not counted."""
    start, end = span
    if name.value is not None or tuple(reply.keys[start:end]) != name.keys or not reply.raw[start][0].isupper():
        return ""
    first, last = _run(reply, span)
    common = common_keys()
    if any(reply.keys[i] not in common for i in chain(range(first), range(last, len(reply)))):
        return ""
    kinds = vocabulary("kind", "title")
    added = [
        i
        for i in (*range(first, start), *range(end, last))
        if reply.keys[i] not in common and reply.keys[i] not in question.fixed and fold(reply.raw[i]) not in kinds
    ]
    is_person = not _PERSON.isdisjoint(question.raw)
    if not added or (is_person and added[-1] < start) or reply.text_of((first, last)).isupper():
        return ""
    return f"is the longer name {reply.text_of((first, last))!r}"


def _run(reply: Reply, span: Span) -> Span:
    """Return the span of capitalised words and numbers around a mention, linked by spaces, hyphens or particles."""
    first, last = span
    particles = vocabulary("within_name", "name_particle", "article")
    for i in range(first - 1, max(first - _MOST_ADDED, 0) - 1, -1):
        if reply.gap(i + 1) not in _BESIDE:
            break
        if _may_be_of_name(reply, i):
            first = i
        elif reply.raw[i].lower() not in particles:
            break
    for i in range(last, min(last + _MOST_ADDED, len(reply))):
        if reply.gap(i) not in _BESIDE:
            break
        if _may_be_of_name(reply, i):
            last = i + 1
        elif reply.raw[i].lower() not in particles:
            break
    return first, last


def _may_be_of_name(reply: Reply, i: int) -> bool:
    raw = reply.raw[i]
    return raw[0].isdigit() or (raw[0].isupper() and reply.keys[i] not in common_keys())


def check_word(evidence: Evidence) -> str:
    """Return why a one-word reply is a different word: it is similar, but known or more than one edit away."""
    reply, question = evidence.reply, evidence.question
    from factprobe.reading.frequency import is_known

    common = common_keys()
    said = [i for i, key in enumerate(reply.keys) if key not in common and key not in question.keys]
    if (
        len(said) != 1
        or len(evidence.missing) != 1
        or len(evidence.name.telling) != 1
        or evidence.name.value is not None
        or not evidence.name.words
    ):
        return ""
    raw, own = fold(reply.raw[said[0]]), fold(evidence.name.words.raw[-1])
    is_ending = Prefix.similarity(raw, own) >= _SHARED * min(len(raw), len(own))
    if is_ending and raw.translate(_NO_VOWELS) == own.translate(_NO_VOWELS):
        return ""  # perhaps its form in another language (Roma)
    alike = DamerauLevenshtein.normalized_similarity(raw, own) >= _SLIP
    is_word = is_known(raw) or DamerauLevenshtein.distance(raw, own) > 1
    return f"says {raw!r}, which is another word than {own!r}" if alike and is_word else ""


def check_person(evidence: Evidence) -> str:
    """Return why a reply names another person: another first name or surname replaces a missing one."""
    reply, question = evidence.reply, evidence.question
    name = evidence.name
    if _PERSON.isdisjoint(question.raw) or not evidence.missing or not evidence.mentions or len(name.keys) < 2:
        return ""
    kinds, common = vocabulary("kind", "title"), common_keys()
    missing = [key for key in evidence.missing if key not in question.keys and key not in kinds]
    for span in evidence.mentions:
        first, last = _run(reply, span)
        added = [
            fold(reply.raw[i])
            for i in range(first, last)
            if reply.raw[i][0].isupper()
            and reply.keys[i] not in name.keys
            and reply.keys[i] not in common
            and reply.keys[i] not in question.keys
        ]
        added = [word for word in added if word not in kinds]
        alike = (word[0] == key[0] or JaroWinkler.similarity(word, key) >= _ALIKE for word in added for key in missing)
        if not added or not missing or any(alike):
            return ""
    return f"has another name in the place of {' '.join(missing)!r}"
