"""Rules against replies that mention the right answer without asserting it: negation, retraction, list, and so on.

The docstring of a rule completes "The reply …".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rapidfuzz.distance import Indel

from factprobe.evaluators.reference.features import NameEvidence
from factprobe.evaluators.reference.identity import added_words
from factprobe.evaluators.reference.prepared_texts import Name, QuestionTokens, ReplyWords, Span, name_of
from factprobe.evaluators.reference.reference_reading import (
    MAX_SHORT_WORDS,
    ReferenceReading,
    is_short_and_complete,
    reject,
    rejection_rule,
)
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.reading.assertion import Kind, Status, cues_in, is_possessor, status
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.regions import is_region_text
from factprobe.reading.tokenisation.segments import starts_of_parts
from factprobe.reading.tokenisation.tokens import common_keys
from factprobe.reading.values.value_parsing import values_in
from factprobe.records import Question

_MAX_NAME_WORDS = 5
"""Maximum number of words of a line or sentence that is only a name."""
_CONTRASTS: frozenset[Kind] = frozenset(("contrast", "corrects", "answers"))
_REMARK = re.compile("[-–—•(]")
"""Pattern of a mark before additional information: a bullet, dash or bracket."""
_MAX_ITEMS = 5
"""Maximum number of items of a list that is wrong as an answer; longer lists were probably asked for."""
_SEGMENT_END = re.compile(r"\n|[!?;](?=\s|$)|(?<=\w\w\w\w)\.(?=\s|$)|(?<=[\d)\"'])\.(?=\s|$)|=")


@rejection_rule("denied", when=lambda reading: len(reading.reply_words) <= MAX_SHORT_WORDS)
def denied(evidence: NameEvidence) -> str:
    """Mentions the right name only as negated, as what others believe, or in relation to another (Austen's sister)."""
    reply, question = evidence.reply, evidence.question
    cues = cues_in(reply, question.keys)
    not_in_longer_names = [span for span in evidence.mentions if not added_words(reply, span, evidence.name, question)]
    statuses: list[Status] = [
        "related" if is_possessor(reply, span[1]) else status(reply, span, cues, question.keys)
        for span in not_in_longer_names or evidence.mentions
    ]
    is_related = {*statuses} == {"related"} and evidence.name.value is not None  # a number has no relatives
    if not statuses or "affirmed" in statuses or is_related or reply.at.keys().isdisjoint(evidence.wanted):
        return ""
    return f"mentions {evidence.name.text!r} only as {statuses[0]}"


@rule("reference.known_wrong", "incorrect")
def known_wrong(reading: ReferenceReading, question: Question) -> Judgment | None:
    """Is an answer known to be wrong, or resembles one more than any right answer, apart from words of the question."""
    reply = reading.reply_words
    if not question.wrong or len(reply) > MAX_SHORT_WORDS:
        return None
    ignored = common_keys() | reading.question_tokens.keys
    content = [key for key in reply.keys if key not in ignored]

    def likeness(name: Name) -> float:
        return Indel.normalized_similarity(content, [key for key in name.keys if key not in ignored])

    wrong = max(map(name_of, question.wrong), key=likeness)
    is_denied, denies = (any(cue.kind == "denies" for cue in cues_in(words)) for words in (reply, wrong.words))
    if is_denied != denies or likeness(wrong) <= max(map(likeness, reading.right_names)):
        return None
    return reject(reading, f"is like {wrong.text!r}, which is known to be wrong")


@rejection_rule("turns_away", when=is_short_and_complete)
def retracts(evidence: NameEvidence) -> str:
    """Asks whether it is the right name, or goes on to another: "but", "no, wait", "the correct answer is"."""
    reply, question = evidence.reply, evidence.question
    if not evidence.mentions:
        return ""
    end = max(end for _, end in evidence.mentions)
    if all("?" in reply.source[reply.ends[end - 1] :][:2] for _, end in evidence.mentions) and end < len(reply):
        return f"asks whether it is {evidence.name.text!r}"
    turns = (cue.end for cue in cues_in(reply, question.keys) if cue.kind in _CONTRASTS and cue.start >= end)
    ignored = common_keys(), evidence.name.keys, question.keys
    for i in range(next(turns, len(reply)), len(reply)):
        is_name = reply.raw[i][0].isupper() or reply.raw[i][0].isdigit()
        if is_name and not any(reply.keys[i] in keys for keys in ignored):
            return f"turns from {evidence.name.text!r} to {reply.raw[i]!r}"
    return ""


@rejection_rule("list", when=is_short_and_complete)
def lists_names(evidence: NameEvidence) -> str:
    """Is only a list of two to five names or values, of which some are right and some are wrong."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    parts = [*_parts(reply)]
    if not 1 < len(parts) <= _MAX_ITEMS or "(" in reply.source or not all(_is_bare(reply, part) for part in parts):
        return ""
    gaps = [reply.gap(start) for start, _ in parts[1:]]
    firsts, articles = [reply.raw[start] for start, _ in parts], vocabulary("article")
    is_added = any(word.islower() and word not in articles for word in firsts[1:])  # "Paris, on the Seine"
    if is_added or len({word.isalpha() for word in firsts}) > 1 or any(re.search(r"[.!?]\s*\n", gap) for gap in gaps):
        return ""
    right = [{*name.telling} for name in names]
    are_right = []
    for part in parts:
        keys = {key for key in reply.keys[slice(*part)] if key not in common_keys()}
        is_location = part != parts[0] and reply.gap(part[0]) == ", " and _is_apposition(reply, part)
        if not (is_location or keys <= question.keys):
            are_right.append(any(keys <= right_keys or right_keys <= keys for right_keys in right))
    is_place = {*gaps} == {", "} and (
        are_right[-1:] == [True]
        if len(parts) == 2
        else are_right[:1] == [True] and is_region_text(reply.text_of(parts[-1]))
    )
    is_mixed = True in are_right and False in are_right
    return "is a list of names that are not all right" if is_mixed and not is_place else ""


def _is_apposition(reply: ReplyWords, part: Span) -> bool:
    """Return whether an item is a region, or has a title as its last word or before "of" (Princess of Wales)."""
    words = [raw.lower() for raw in reply.raw[slice(*part)]]
    titles = (word for word, next_word in pairwise([*words, ""]) if not next_word or next_word in vocabulary("name_of"))
    return is_region_text(reply.text_of(part)) or not vocabulary("title").isdisjoint(titles)


def _parts(reply: ReplyWords) -> Iterator[Span]:
    """Yield the spans of the items in a list, in one line or several."""
    links = {*in_order("link_and"), *in_order("link_or")}
    start = 0
    for i in range(len(reply) + 1):
        if i == len(reply) or reply.keys[i] in links or (i > start and re.search(r"[,;|/\n]", reply.gap(i))):
            if i > start:
                yield start, i
            start = i + 1 if i < len(reply) and reply.keys[i] in links else i


@rejection_rule("concludes", when=lambda reading: reading.is_complete)
def concludes(evidence: NameEvidence) -> str:
    """Concludes with another answer, or gives another one in a line of its own."""
    reply, question = evidence.reply, evidence.question
    right = [name.value for name in evidence.names if name.value is not None]
    denials = [cue.start for cue in cues_in(reply, question.keys) if cue.kind == "denies"]
    for segment in _answers(evidence):
        before = reply.source[: reply.starts[segment[0]]]
        if any(start in range(*segment) for start in denials) or before.count("(") > before.count(")"):
            continue  # what is in brackets adds to an answer: 12.5 (n = 40)
        if right:
            values = values_in(reply.gap(segment[0]).rpartition("=")[2] + reply.text_of(segment))
            is_right = any(value.answers(right_value) for value in values for right_value in right)
            numbers = {key for key in reply.keys[slice(*segment)] if key[0].isdigit()}
            # a number of the question is no answer, but the check of one: 12, because 12 × 12 = 144
            is_other = bool(values) and not is_right and not (numbers and question.keys >= numbers)
        elif not {*evidence.wanted}.isdisjoint(reply.keys[slice(*segment)]):
            return ""
        else:
            names = (reply.keys[i] for i in reply.capitals if i in range(*segment))
            is_other = not question.keys.issuperset(names)
        if is_other:
            return f"gives {reply.text_of(segment)!r} as its answer"
    return ""


def _answers(evidence: NameEvidence) -> Iterator[Span]:
    """Yield spans that look like an answer: after "so", "the answer is" or "=", or alone in the first or last line."""
    reply = evidence.reply
    segments = [*pairwise([*starts_of_parts(reply, _SEGMENT_END), len(reply)])]
    if len(segments) < 2:
        return
    first, last = segments[0], segments[-1]
    cues, is_last_bare = cues_in(reply), _is_bare(reply, last)
    is_alike = evidence.name.value is not None or last[1] - last[0] == len(evidence.name.keys) > 1
    if "=" in reply.gap(last[0]) or (is_last_bare and is_alike and "\n\n" in reply.gap(last[0])):
        yield last
    for start, end in reversed(segments[1:]):
        leads = [cue for cue in cues if cue.kind == "answers" or (cue.kind == "concludes" and cue.start == start)]
        rest = max((cue.end for cue in leads if start <= cue.start < end), default=end), end
        if _is_bare(reply, rest) or _repeats(reply, rest, evidence.question):
            yield rest
    if is_last_bare and not _is_bare(reply, segments[-2]) and "\n" in reply.gap(last[0]):
        yield last
    if _is_bare(reply, first) and not _is_bare(reply, segments[1]) and "=" not in reply.gap(segments[1][0]):
        yield first


def _repeats(reply: ReplyWords, segment: Span, question: QuestionTokens) -> bool:
    """Return whether a span has a word of the question, and at most one new lower-case word, which is no number."""
    content = [i for i in range(*segment) if reply.keys[i] not in common_keys()]
    new = [i for i in content if reply.keys[i] not in question.keys and reply.raw[i].islower()]
    is_counted = any(reply.keys[i].isdecimal() for i in new)  # a number other than the question's
    return any(reply.keys[i] in question.keys for i in content) and len(new) < 2 and not is_counted


def _is_bare(reply: ReplyWords, segment: Span) -> bool:
    """Return whether a line or sentence is only a name or a value."""
    start, end = segment
    if not 0 < end - start <= _MAX_NAME_WORDS or _REMARK.search(reply.gap(start)[-2:]):
        return False
    after = reply.source[reply.ends[end - 1] :].lstrip("\"'*”")[:1]
    if after in ("!", "?") or any(":" in reply.gap(i) for i in range(start + 1, end)):
        return False
    particles = vocabulary("name_particle")
    telling = [i for i in range(start, end) if reply.keys[i] not in common_keys() and reply.raw[i] not in particles]
    return bool(telling) and all(reply.raw[i][0].isupper() or not reply.raw[i][0].isalpha() for i in telling)
