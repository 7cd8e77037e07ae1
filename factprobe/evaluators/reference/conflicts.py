"""Checks that find evidence against a right name in a reply.

Each check returns the reason in words, or an empty string.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rapidfuzz.distance import DamerauLevenshtein, JaroWinkler, Prefix

from factprobe.evaluators.reference.features import Evidence
from factprobe.evaluators.reference.mentions import Name, QuestionTokens, Reply, Span
from factprobe.reading.assertion import Cue, Kind, cues_in, status
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.forms import states
from factprobe.reading.tokens import common_keys, is_sign
from factprobe.reading.values import Value, is_ordinal, values_in
from factprobe.text import fold

_IDENTITY = 1_000
"""Numbers below this distinguish names; larger ones may be years."""
_LONGEST_NAME = 5
"""Maximal number of words of a line or sentence that is only a name."""
_LONGEST_CONCLUSION = 14
_SLIP = 0.6
"""Minimal similarity of two words of which one may be a misspelling of the other."""
_PERSON = vocabulary("asks_person")
_TURNS: frozenset[Kind] = frozenset(("contrast", "corrects", "answers"))
_ALIKE = 0.85
"""Minimal similarity of two spellings of a name (Katherine, Catherine)."""
_BESIDE = frozenset((" ", "-", ". "))
"""Separators of the words of a name."""
_MARK = re.compile(r"\s*[^\w\s]")
_REMARK = re.compile("[-–—•(]")
"""Mark before a line that adds something: a list item, a source, an aside."""
_LABEL = re.compile(":")
_SHARED = 0.75
"""Minimal share of leading letters that two forms of a word have in common."""
_MOST_ITEMS = 5
"""Maximal number of items of a list that counts as several answers; a longer list was probably asked for."""
_SEGMENT_END = re.compile(r"\n|[!?;](?=\s|$)|(?<=\w\w\w\w)\.(?=\s|$)|(?<=[\d)\"'])\.(?=\s|$)|=")
_CLAUSE_END = re.compile(r"\n|[,;:!?()](?=\s|$)|(?<=\w\w\w\w)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|=")


def check_identity(evidence: Evidence) -> str:
    """Return why every mention is another name: it has another number, sign or letter, or is longer.

    Longer names are only checked if there is a single right name.
    """
    reply, names, question = evidence.reply, evidence.names, evidence.question
    reasons = [
        _other_identity(reply, span, evidence.name, question)
        or ("" if len(names) > 1 else _longer_name(reply, span, evidence.name, question))
        for span in evidence.mentions
    ]
    return reasons[0] if reasons and all(reasons) else ""


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
    if key.isdigit() and other.isdigit():
        return max(int(key), int(other)) < _IDENTITY
    return len(key) == len(other) == 1 and key.isalpha() and other.isalpha()


def _longer_name(reply: Reply, span: Span, name: Name, question: QuestionTokens) -> str:
    """Return why a reply is only a longer name; type words, titles and first names of a person are not counted."""
    start, end = span
    if name.value is not None or tuple(reply.keys[start:end]) != name.keys or not reply.raw[start][0].isupper():
        return ""
    first, last = _run(reply, span)
    common = common_keys()
    if any(reply.keys[i] not in common for i in (*range(first), *range(last, len(reply)))):
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
    for i in range(first - 1, max(first - _LONGEST_NAME, 0) - 1, -1):
        if reply.gap(i + 1) not in _BESIDE:
            break
        if _may_be_of_name(reply, i):
            first = i
        elif reply.raw[i].lower() not in particles:
            break
    for i in range(last, min(last + _LONGEST_NAME, len(reply))):
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
    ):
        return ""
    raw, own = fold(reply.raw[said[0]]), fold(evidence.name.words.raw[-1])
    if Prefix.similarity(raw, own) >= _SHARED * min(len(raw), len(own)):
        return ""  # another form of the word
    alike = DamerauLevenshtein.normalized_similarity(raw, own) >= _SLIP
    is_word = is_known(raw) or DamerauLevenshtein.distance(raw, own) > 1
    return f"says {raw!r}, which is another word than {own!r}" if alike and is_word else ""


def check_assertion(evidence: Evidence) -> str:
    """Return how a reply negates or attributes all mentions; empty if one of them is affirmed."""
    reply, question = evidence.reply, evidence.question
    cues = cues_in(reply, question.keys)
    if not cues or question.denies():
        return ""
    told = [status(reply, span, cues) for span in evidence.mentions]
    if not told or "affirmed" in told:
        return ""
    if "denied" in told:
        return f"denies {evidence.name.text!r}"
    return (
        f"says others believe {evidence.name.text!r}"
        if "believed" in told
        else f"names one beside {evidence.name.text!r}"
    )


def check_retraction(evidence: Evidence) -> str:
    """Return why a reply retracts the right name: it asks for it, or goes on with "but" and another name."""
    reply, question = evidence.reply, evidence.question
    if not evidence.mentions:
        return ""
    end = max(end for _, end in evidence.mentions)
    if all("?" in reply.source[reply.ends[end - 1] :][:2] for _, end in evidence.mentions) and end < len(reply):
        return f"asks whether it is {evidence.name.text!r}"
    cues = [cue for cue in cues_in(reply, question.keys) if cue.kind in _TURNS and cue.start >= end]
    function = vocabulary("function")
    turns = [cue for cue in cues if reply.raw[cue.start].lower() not in function or _stands_alone(reply, cue)]
    own, common = {*evidence.name.keys}, common_keys()
    for cue in turns[:1]:
        for i in range(cue.end, len(reply)):
            is_name = (reply.raw[i][0].isupper() or reply.raw[i][0].isdigit()) and reply.keys[i] not in common
            if is_name and reply.keys[i] not in own and reply.keys[i] not in question.keys:
                return f"turns from {evidence.name.text!r} to {reply.raw[i]!r}"
    return ""


def _stands_alone(reply: Reply, cue: Cue) -> bool:
    """Return whether a cue is an interjection ("no, …", "no wait") and no determiner ("no other town")."""
    return (
        cue.end - cue.start > 1
        or cue.kind == "contrast"
        or _MARK.match(reply.source, reply.ends[cue.end - 1]) is not None
    )


def check_bounds(evidence: Evidence) -> str:
    """Return why a reply gives a bound (more than 5, before 1990) or a decade in place of the value."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    if evidence.name.value is None or not evidence.mentions:
        return ""
    cues = {cue.end: cue for cue in cues_in(reply, question.keys) if cue.kind == "beyond"}
    is_round = (evidence.name.value.number or 1) % 100 == 0
    is_meant = any(cue.kind == "beyond" for name in names for cue in cues_in(name.words))
    if not is_round and not is_meant and all(start in cues for start, _ in evidence.mentions):
        return f"leaves {evidence.name.text!r} behind"
    is_decade = all(reply.source[reply.ends[end - 1] :][:1] == "s" for _, end in evidence.mentions)
    return f"says the decade, not {evidence.name.text!r}" if is_decade else ""


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


def check_list(evidence: Evidence) -> str:
    """Return why a reply is only a list of names of which some are wrong."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    parts = [*_parts(reply)]
    if not 1 < len(parts) <= _MOST_ITEMS or any(re.search(r"[.!?]\s*\n", reply.gap(start)) for start, _ in parts[1:]):
        return ""
    if not all(_is_bare(reply, part) and reply.raw[part[0]].isalpha() for part in parts):
        return ""
    right = [{*name.telling} for name in names]
    are_right = []
    for part in parts:
        keys = {key for key in reply.keys[slice(*part)] if key not in common_keys()}
        if fold(reply.text_of(part)) in vocabulary("region") or keys <= question.keys:
            continue
        are_right.append(any(keys <= one or one <= keys for one in right))
    if are_right[:1] == [True] and len(parts) > 2 and all(reply.gap(start) == ", " for start, _ in parts[1:]):
        return ""  # what follows says where it is
    is_place = len(parts) == 2 and reply.gap(parts[1][0]) == ", " and are_right[-1:] == [True]
    mixed = True in are_right and False in are_right
    return "is a list of names that are not all right" if mixed and not is_place else ""


def _parts(reply: Reply) -> Iterator[Span]:
    """Yield the spans of list items, in one line or several."""
    links = {*in_order("link_and"), *in_order("link_or")}
    start = 0
    for i in range(len(reply) + 1):
        if i == len(reply) or reply.keys[i] in links or (i > start and re.search(r"[,;|/\n]", reply.gap(i))):
            if i > start:
                yield start, i
            start = i + 1 if i < len(reply) and reply.keys[i] in links else i


def check_values(evidence: Evidence) -> str:
    """Return why a reply gives another value, in a clause that has more words of the question than the right one's."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    right = [name.value for name in names if name.value is not None]
    values = values_in(reply.source) if right else []
    if len(values) < 2:
        return ""
    common = common_keys()
    told: list[tuple[frozenset[str], bool, Value]] = []
    for value in values:
        start = reply.word_at(value.start)
        first, last = _clause(reply, start)
        keys = frozenset(key for key in reply.keys[first:last] if key in question.keys and key not in common)
        if "?" in reply.source[reply.ends[last - 1] :][:2]:
            continue
        is_asked = question.keys.issuperset(reply.keys[start : max(reply.word_at(value.end), start + 1)])
        if not is_asked and not is_ordinal(reply.source[value.start : value.end]):
            told.append((keys, any(value.answers(one) for one in right), value))
    best = [keys for keys, is_right, _ in told if is_right]
    for keys, is_right, value in told:
        if not is_right and _is_of_kind(value, right) and best and all(one < keys for one in best):
            return f"gives {reply.source[value.start : value.end]!r} as the value that is asked for"
    return ""


def check_precision(evidence: Evidence) -> str:
    """Return why a reply gives a less precise date than the question asks for: it has no day."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    if vocabulary("asks_date").isdisjoint(question.raw):
        return ""
    right = [name.value for name in names]
    if not all(value is not None and value.day is not None for value in right):
        return ""
    said = [value for value in values_in(reply.source) if value.year is not None or value.month is not None]
    return "gives no day" if said and all(value.day is None for value in said) else ""


def _clause(reply: Reply, i: int) -> Span:
    first, last = i, i + 1
    while first > 0 and not _CLAUSE_END.search(reply.source, reply.ends[first - 1], reply.starts[first]):
        first -= 1
    while last < len(reply) and not _CLAUSE_END.search(reply.source, reply.ends[last - 1], reply.starts[last]):
        last += 1
    return first, last


def _is_of_kind(value: Value, right: Iterable[Value]) -> bool:
    """Return whether a value is comparable with a right one: the same unit, and no month."""
    return any(value.month is one.month is None and value.unit == one.unit for one in right)


def check_final_answer(evidence: Evidence) -> str:
    """Return why a reply gives another final answer: a line or sentence that is only another name, or a conclusion."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    right = [name.value for name in names if name.value is not None]
    own = {*evidence.name.keys}
    for segment in _answers(reply, question):
        keys = reply.keys[slice(*segment)]
        if not {*evidence.wanted}.isdisjoint(keys):
            return ""
        if right:
            said = values_in(reply.text_of(segment))
            other = any(_is_of_kind(value, right) for value in said)
            is_right = any(value.answers(one) for value in said for one in right)
        else:
            is_right = False
            other = any(
                reply.keys[i] not in own and reply.keys[i] not in question.keys
                for i in reply.capitals
                if segment[0] <= i < segment[1]
            )
        if other and not is_right:
            return f"gives {reply.text_of(segment)!r} as its answer"
    return ""


def _answers(reply: Reply, question: QuestionTokens) -> Iterator[Span]:
    """Yield spans that give an answer by their form: after "so" or "=", or alone on the first or last line."""
    segments = [*_segments(reply)]
    if len(segments) < 2:
        return
    first, last = segments[0], segments[-1]
    bare = [_is_bare(reply, segment) for segment in segments]
    if sum(bare) > 2:
        return
    if "=" in reply.gap(last[0]):
        yield last
    leads = {cue.start: cue.end for cue in cues_in(reply) if cue.kind == "concludes"}
    for start, end in reversed(segments[1:]):
        if start in leads and end - start <= _LONGEST_CONCLUSION:
            behind = leads[start], end
            repeats = any(key in question.keys and key not in common_keys() for key in reply.keys[leads[start] : end])
            if repeats or _is_bare(reply, behind):
                yield behind
    if bare[-1] and not bare[-2] and "\n" in reply.gap(last[0]):
        yield last
    if bare[0] and not bare[1]:
        yield first


def _segments(reply: Reply) -> Iterator[Span]:
    """Yield the spans of lines and sentences, and of both sides of an equals sign."""
    start = 0
    for i in range(1, len(reply) + 1):
        end = reply.starts[i] if i < len(reply) else len(reply.source)
        if i == len(reply) or _SEGMENT_END.search(reply.source, reply.ends[i - 1], end):
            yield start, i
            start = i


def _is_bare(reply: Reply, segment: Span) -> bool:
    """Return whether a span is only a name or a value."""
    start, end = segment
    if not 0 < end - start <= _LONGEST_NAME or _REMARK.search(reply.gap(start)[-2:] if start else ""):
        return False
    behind = reply.source[reply.ends[end - 1] :].lstrip("\"'*”")[:1]
    if behind in ("!", "?") or any(_LABEL.search(reply.gap(i)) for i in range(start + 1, end)):
        return False
    particles = vocabulary("name_particle")
    telling = [i for i in range(start, end) if reply.keys[i] not in common_keys() and reply.raw[i] not in particles]
    return bool(telling) and all(reply.raw[i][0].isupper() or not reply.raw[i][0].isalpha() for i in telling)
