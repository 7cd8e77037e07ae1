"""Parser of claim labels in a model's reply; ambiguous labels are ignored."""

from __future__ import annotations

import re
from collections.abc import Collection

from factprobe.reading.assertion import denies
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.structure.cleaning import clean
from factprobe.reading.structure.reasoning import without_reasoning
from factprobe.reading.verdict_replies import KEYS, parse_whole, read_judge
from factprobe.records import CLAIM_LABELS, ClaimLabel
from factprobe.text import normalise

_LABELS: dict[str, ClaimLabel] = {label.lower(): label for label in CLAIM_LABELS}
_LABEL = re.compile(rf"\b(?:{'|'.join(_LABELS)})\b", re.IGNORECASE)
_LABEL_BY_WORD: dict[str, ClaimLabel] = {
    **_LABELS,
    **{form: label for label in CLAIM_LABELS for form in table("verdict_forms").get(label, ())},
}
"""Label for each word that may express it, such as `entailed`."""
_LABEL_WORDS = "|".join(_LABEL_BY_WORD)
_LABEL_WORD = re.compile(rf"\b(?:{_LABEL_WORDS})\b", re.IGNORECASE)
_LABEL_FORMS = {
    label: re.compile(rf"\b(?:{'|'.join(table('verdict_words')[label])})", re.IGNORECASE) for label in CLAIM_LABELS
}
_PUNCTUATION = r"""[\s*_"'`.,:;()\[\]{}<>#|\\/$=•‣→“”‘’«»„–—✓✔✅-]"""
"""Character of punctuation or markup that may surround a label; not ≠ or ✗, which negate it."""
_INLINE_PUNCTUATION = rf"(?!\n){_PUNCTUATION}"
_MAX_CHARS = 20_000
"""Maximum length of a reply in characters, without its reasoning."""
_REASON_WORD = rf"(?:{phrases('verdict_why')})"
_IS = rf"(?:\s+(?:{phrases('verdict_is')})\b)?"
_SUBJECT = (
    rf"(?:{phrases('verdict_lead')}"
    rf"|(?:(?:the\s+)?(?:{phrases('verdict_claim')})|{phrases('verdict_pronoun')})(?=\s+(?:{phrases('verdict_is')})\b))"
)
_REFERENCE = phrases("verdict_reference")
_OPENING = rf"(?:(?:{phrases('verdict_conclusion')})\b,?\s+|(?:{phrases('verdict_according')})\s+(?:{_REFERENCE}),\s+)?"
_LEADING = rf"{_PUNCTUATION}*{_OPENING}(?:{_SUBJECT}{_IS}{_PUNCTUATION}+)?({_LABEL_WORDS})"
_ALONE = re.compile(rf"{_LEADING}(?:{_PUNCTUATION}|!)*", re.IGNORECASE)
_EXPLAINED = re.compile(rf"{_LEADING}[\s*_]*(?:(?:[.:;,!]|\s[-–—]|\s{_REASON_WORD})[*_]*\s|\().*", re.IGNORECASE)
"""Line that begins with the label, followed by a reason."""
_HEADING = re.compile(
    rf"^(?:{_INLINE_PUNCTUATION})*(?:{phrases('verdict_lead')}){_IS}[^\S\n]*:(?:{_INLINE_PUNCTUATION})*$\n",
    re.IGNORECASE | re.MULTILINE,
)
_CLAIM = re.compile(rf"(?:(?:{phrases('verdict_claim')}) ?)?(\d{{1,9}})", re.IGNORECASE)
_NUMBER = rf"{_PUNCTUATION}*(?:(?:{phrases('verdict_claim')})\s+)?(\d{{1,9}})"
_NUMBERED_LABEL = rf"{_NUMBER}(?:{_PUNCTUATION}+{_SUBJECT})?(?:{_IS}{_PUNCTUATION}+)({_LABEL_WORDS})"
_NUMBERED_ALONE = re.compile(rf"{_NUMBERED_LABEL}(?:{_PUNCTUATION}|!)*", re.IGNORECASE)
_NUMBERED_EXPLAINED = re.compile(
    rf"{_NUMBERED_LABEL}[\s*_\"'`|]*(?:[.:;,!(\[|]|//|\s[-–—]|[-=]>|→|\s{_REASON_WORD}\b)[*_]*.*", re.IGNORECASE
)
"""Numbered label followed by a reason."""
_REASON = re.compile(rf"\W*(?:{phrases('verdict_reason')})\b\W*:|\s*\([^()]*\)\s*\Z", re.IGNORECASE)
"""Beginning of a reason, or a reason in brackets."""
_NUMBER_PREFIX = re.compile(rf"{_NUMBER}\b", re.IGNORECASE)
_LABEL_AS_VERB = re.compile(
    rf"{_PUNCTUATION}*{_OPENING}(?:(?:{_REFERENCE})\s+(\w+)\s+(?:the\s+)?(?:{phrases('verdict_claim')})"
    rf"|(?:the\s+)?(?:{phrases('verdict_claim')})\s+(contradicts)\s+(?:{_REFERENCE}))(?:{_PUNCTUATION}|!)*",
    re.IGNORECASE,
)
"""Sentence with the label as verb between reference and claim ("The reference supports the claim")."""
_REFERENCE_PREFIX = re.compile(rf"(?:{_REFERENCE})\b")
_NAME_OR_NUMBER = re.compile(r"(?<=\w )[A-Z]|\d{3}")
"""Capital after a word, as in names, or number with three digits, which numbers no claim."""
_LABEL_NAMED = re.compile(rf"\b(?:{phrases('verdict_lead')})\b")
_PART_BOUNDARY = re.compile(
    rf"\n|[,;](?=\W{{0,9}}\d{{1,9}}\W)|\s(?=\(\d{{1,9}}\)\s|(?:{phrases('verdict_claim')})\s\d{{1,9}}\s)", re.IGNORECASE
)
_CLAUSE_BOUNDARY = re.compile(r"[\n.,:;!?()|]+|\s[-–—]+\s")
_SENTENCE_END = re.compile(r"[.!。][\s*_\"'”’)]*\Z")


def read_label(reply: str, untrusted: Collection[str] = ()) -> tuple[dict[int, ClaimLabel], str]:
    """Parse the label of a single claim and return it under number 0, or return no label and the reason.

    The label is accepted as the value of a JSON object in which no field is false. It is also accepted at the beginning
    of the first line, or alone in the last line after whole sentences, if the rest names no other label and has no
    negation. With labels other than Entailment, the rest may say that the reference does not state the claim. JSON
    objects quoted from `untrusted`, the texts of others in the prompt, are ignored.
    """
    if len(without_reasoning(reply)) > _MAX_CHARS:
        return {}, _TOO_LONG
    judge_reply = read_judge(reply, untrusted)
    verdict = judge_reply.verdict(_LABELS)
    if verdict and not any(value is False for value in verdict[1].values()):
        return {0: verdict[0]}, ""
    text = judge_reply.text
    several = sum(form.search(text) is not None for form in _LABEL_FORMS.values()) > 1
    if several or not _LABEL_WORD.search(text):
        named = "several labels" if several else "no label"
        return {}, f"the reply names {named}" if reply.strip() else "the reply is empty"
    lines = [line.strip() for line in _HEADING.sub("", clean(text)).splitlines() if line.strip()] or [""]
    alone = _ALONE.fullmatch(lines[0].removeprefix("1. "))
    if alone is None and len(lines) > 1 and _SENTENCE_END.search(lines[-2][-9:]):
        alone = _ALONE.fullmatch(lines[-1])
    if alone is None and (explained := _EXPLAINED.fullmatch(lines[0])) and _names_no_other(text, explained[1]):
        alone = explained
    if (
        alone is None
        and (related := _LABEL_AS_VERB.fullmatch(lines[0]))
        and (related[1] or related[2]).lower() in _LABEL_BY_WORD
    ):
        alone = related
    word = (alone[1] or alone[alone.lastindex or 1]).lower() if alone else ""
    if alone is None or (word not in _LABELS and lines[0][0] in "{["):  # data must have an exact label
        return {}, "the reply names a label, but not alone in a line"
    label = _LABEL_BY_WORD[word]
    if _is_in_doubt(text, label):
        return {}, "the reply denies something beside the label"
    return {0: label}, ""


def read_labels(reply: str, count: int) -> tuple[dict[int, ClaimLabel], str]:
    """Parse the labels of several claims; return them by index of the claim, and an error message if one is missing.

    Each label needs a line with the number of its claim, alone or followed by a reason. The reason must name no other
    label, and its negations must concern the reference. A reply that consists of labels alone, one for each claim, is
    read in order. Other lines may not contain negations or labels, except a line marked as the reason for the label
    above it. A reply with numbers above `count`, the number of claims in the prompt, is rejected.
    """
    fault = "the reply has no clean label for the claim"
    labels_by_claim: dict[int, set[ClaimLabel | None]] = {}
    text, last = without_reasoning(reply), None
    if len(text) > _MAX_CHARS:
        return {}, _TOO_LONG
    if fields := _labels_in_json(text) or _labels_in_order(text, count):
        labels_by_claim = fields
        text = ""
    for part in _PART_BOUNDARY.split(text):
        match = _NUMBERED_ALONE.fullmatch(part) or _match_explained_label(part)
        if match:
            last = _LABEL_BY_WORD[match[2].lower()]
            labels_by_claim.setdefault(int(match[1]) - 1, set()).add(last)
        elif last and _REASON.match(part) and not (_names_other(part, last) or _is_in_doubt(part, last)):
            continue
        elif _denies(part) or any(form.search(part) for form in _LABEL_FORMS.values()):
            numbered = _NUMBER_PREFIX.match(part)
            if numbered is None or not 0 < int(numbered[1]) <= count:
                return {}, fault
            labels_by_claim.setdefault(int(numbered[1]) - 1, set()).add(None)
    if not labels_by_claim.keys() <= set(range(count)):
        return {}, "the reply numbers other claims than those asked about"
    labels = {number: label for number, (label, *others) in labels_by_claim.items() if label and not others}
    return labels, "" if len(labels) == count else fault


def _labels_in_json(text: str) -> dict[int, set[ClaimLabel | None]]:
    """Return the labels of a JSON reply (objects by claim number, or a list of objects with one); else empty."""
    values = parse_whole(text)
    if isinstance(values, dict):
        values = [{"number": key, **entry} for key, entry in values.items() if isinstance(entry, dict)]
    labels_by_claim: dict[int, set[ClaimLabel | None]] = {}
    for entry in values if isinstance(values, list) else ():
        if not isinstance(entry, dict) or any(value is False for value in entry.values()):
            return {}
        labels = [_LABELS.get(str(entry[key]).strip().casefold()) for key in KEYS if key in entry]
        numbers = [
            int(match[1]) for key, value in entry.items() if key not in KEYS and (match := _CLAIM.fullmatch(str(value)))
        ]
        if len(numbers) != 1 or len(labels) != 1:
            return {}
        labels_by_claim.setdefault(numbers[0] - 1, set()).update(labels)
    return labels_by_claim


def _labels_in_order(text: str, count: int) -> dict[int, set[ClaimLabel | None]]:
    """Return the labels of a reply that only lists one for each claim, in lines or as JSON; else empty."""
    values = parse_whole(text)
    if isinstance(values, dict) and len(values) == 1:
        [values] = values.values()
    parts = values if isinstance(values, list) else [line for line in text.splitlines() if line.strip()]
    matches = [_ALONE.fullmatch(part) if isinstance(part, str) else None for part in parts]
    labels = [_LABEL_BY_WORD[match[1].lower()] for match in matches if match]
    return {i: {label} for i, label in enumerate(labels)} if len(labels) == len(matches) == count else {}


_TOO_LONG = f"the reply is longer than {_MAX_CHARS:,} characters"


def _match_explained_label(part: str) -> re.Match[str] | None:
    """Match a numbered label with a reason; return None if the reason casts doubt on the label."""
    match = _NUMBERED_EXPLAINED.fullmatch(part)
    if match is None or not _names_no_other(part, match[2]):
        return None
    label = _LABEL_BY_WORD[match[2].lower()]
    return None if _names_other(part, label) or _is_in_doubt(part, label) else match


def _names_no_other(text: str, word: str) -> bool:
    """Return whether a text names no exact label besides `word`; quoted instructions would name several."""
    return len(_LABEL.findall(text)) == (word.lower() in _LABELS)


def _names_other(text: str, label: ClaimLabel) -> bool:
    return any(form.search(text) for other, form in _LABEL_FORMS.items() if other != label)


def _is_in_doubt(text: str, label: ClaimLabel) -> bool:
    """Return whether a text has a negation that may apply to the label, and not just to the reference."""
    return _denies(text) and (label == "Entailment" or any(map(_may_deny_label, _CLAUSE_BOUNDARY.split(text))))


def _denies(text: str) -> bool:
    """Return whether a text has a negation cue or says no."""
    says_no = any(normalise(part) in vocabulary("says_no") for part in _CLAUSE_BOUNDARY.split(text))
    return says_no or denies(normalise(text))


def _may_deny_label(clause: str) -> bool:
    """Return whether a clause has a negation that may concern the label instead of the reference."""
    plain = normalise(clause)
    names_label = _LABEL_NAMED.search(plain) or any(form.search(plain) for form in _LABEL_FORMS.values())
    return _denies(clause) and bool(
        names_label or not (_REFERENCE_PREFIX.match(plain) or _NAME_OR_NUMBER.search(clause))
    )
