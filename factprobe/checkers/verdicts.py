"""Parser of labels in a model's reply; a label counts only where it is unambiguous."""

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
_READ_AS: dict[str, ClaimLabel] = {
    **_LABELS,
    **{form: label for label in CLAIM_LABELS for form in table("verdict_forms").get(label, ())},
}
"""Label by each word that may express it."""
_ANY = "|".join(_READ_AS)
_SAID = re.compile(rf"\b(?:{_ANY})\b", re.IGNORECASE)
_FORMS = {
    label: re.compile(rf"\b(?:{'|'.join(table('verdict_words')[label])})", re.IGNORECASE) for label in CLAIM_LABELS
}
_MARK = r"""[\s*_"'`.,:;()\[\]{}<>#|\\/$=•‣→“”‘’«»„–—✓✔✅-]"""
"""Punctuation and markup that may surround a label; signs such as ≠ or ✗ are excluded."""
_IN_LINE = rf"(?!\n){_MARK}"
_LONGEST = 20_000
"""Maximum length of a reply in characters, without its reasoning."""
_WHY = rf"(?:{phrases('verdict_why')})"
_IS = rf"(?:\s+(?:{phrases('verdict_is')})\b)?"
_SUBJECT = (
    rf"(?:{phrases('verdict_lead')}"
    rf"|(?:(?:the\s+)?(?:{phrases('verdict_claim')})|{phrases('verdict_pronoun')})(?=\s+(?:{phrases('verdict_is')})\b))"
)
_REFERENCE = phrases("verdict_reference")
_OPENING = rf"(?:(?:{phrases('verdict_conclusion')})\b,?\s+|(?:{phrases('verdict_according')})\s+(?:{_REFERENCE}),\s+)?"
_LEADING = rf"{_MARK}*{_OPENING}(?:{_SUBJECT}{_IS}{_MARK}+)?({_ANY})"
_ALONE = re.compile(rf"{_LEADING}(?:{_MARK}|!)*", re.IGNORECASE)
_EXPLAINED = re.compile(rf"{_LEADING}[\s*_]*(?:(?:[.:;,!]|\s[-–—]|\s{_WHY})[*_]*\s|\().*", re.IGNORECASE)
"""Line that begins with the label, followed by a reason."""
_LEAD = re.compile(
    rf"^(?:{_IN_LINE})*(?:{phrases('verdict_lead')}){_IS}[^\S\n]*:(?:{_IN_LINE})*$\n", re.IGNORECASE | re.MULTILINE
)
_CLAIM = re.compile(rf"(?:(?:{phrases('verdict_claim')}) ?)?(\d{{1,9}})", re.IGNORECASE)
_NUMBER = rf"{_MARK}*(?:(?:{phrases('verdict_claim')})\s+)?(\d{{1,9}})"
_TO_NUMBER = rf"{_NUMBER}(?:{_MARK}+{_SUBJECT})?(?:{_IS}{_MARK}+)({_ANY})"
_NUMBERED = re.compile(rf"{_TO_NUMBER}(?:{_MARK}|!)*", re.IGNORECASE)
_NUMBERED_WHY = re.compile(
    rf"{_TO_NUMBER}[\s*_\"'`|]*(?:[.:;,!(\[|]|//|\s[-–—]|[-=]>|→|\s{_WHY}\b)[*_]*.*", re.IGNORECASE
)
"""Numbered label followed by a reason."""
_REASON = re.compile(rf"\W*(?:{phrases('verdict_reason')})\b\W*:|\s*\([^()]*\)\s*\Z", re.IGNORECASE)
"""Beginning of a reason, or a reason in brackets."""
_OF_NUMBER = re.compile(rf"{_NUMBER}\b", re.IGNORECASE)
_RELATED = re.compile(
    rf"{_MARK}*{_OPENING}(?:(?:{_REFERENCE})\s+(\w+)\s+(?:the\s+)?(?:{phrases('verdict_claim')})"
    rf"|(?:the\s+)?(?:{phrases('verdict_claim')})\s+(contradicts)\s+(?:{_REFERENCE}))(?:{_MARK}|!)*",
    re.IGNORECASE,
)
"""Sentence in which a form of the label is the verb between reference and claim."""
_OF_REFERENCE = re.compile(rf"(?:{_REFERENCE})\b")
_OF_VALUE = re.compile(r"(?<=\w )[A-Z]|\d{3}")
"""Pattern of names, and of numbers larger than those of claims."""
_LABEL_NAMED = re.compile(rf"\b(?:{phrases('verdict_lead')})\b")
_PARTED = re.compile(
    rf"\n|[,;](?=\W{{0,9}}\d{{1,9}}\W)|\s(?=\(\d{{1,9}}\)\s|(?:{phrases('verdict_claim')})\s\d{{1,9}}\s)", re.IGNORECASE
)
_CLAUSE = re.compile(r"[\n.,:;!?()|]+|\s[-–—]+\s")
_ENDS = re.compile(r"[.!。][\s*_\"'”’)]*\Z")


def read_label(reply: str, shown: Collection[str] = ()) -> tuple[dict[int, ClaimLabel], str]:
    """Parse the label of a single claim and return it under number 0, or return no label and the reason.

    The label is accepted as the value of a JSON object without a false field. It is also accepted alone in the first
    line, at that line's beginning, or alone in the last line after whole sentences, if the rest names no other label
    and has no negation. For labels other than Entailment, the rest may deny that the reference states the claim. JSON
    objects quoted from `shown`, the untrusted texts of the prompt, are ignored.
    """
    if len(without_reasoning(reply)) > _LONGEST:
        return {}, _TOO_LONG
    found = read_judge(reply, shown)
    verdict = found.verdict(_LABELS)
    if verdict and not any(value is False for value in verdict[1].values()):
        return {0: verdict[0]}, ""
    text = found.text
    several = sum(form.search(text) is not None for form in _FORMS.values()) > 1
    if several or not _SAID.search(text):
        named = "several labels" if several else "no label"
        return {}, f"the reply names {named}" if reply.strip() else "the reply is empty"
    lines = [line.strip() for line in _LEAD.sub("", clean(text)).splitlines() if line.strip()] or [""]
    alone = _ALONE.fullmatch(lines[0].removeprefix("1. "))
    if alone is None and len(lines) > 1 and _ENDS.search(lines[-2][-9:]):
        alone = _ALONE.fullmatch(lines[-1])
    if alone is None and (explained := _EXPLAINED.fullmatch(lines[0])) and _says_once(text, explained[1]):
        alone = explained
    if alone is None and (related := _RELATED.fullmatch(lines[0])) and (related[1] or related[2]).lower() in _READ_AS:
        alone = related
    word = (alone[1] or alone[alone.lastindex or 1]).lower() if alone else ""
    if alone is None or (word not in _LABELS and lines[0][0] in "{["):  # data must have an exact label
        return {}, "the reply names a label, but not alone in a line"
    label = _READ_AS[word]
    if _is_in_doubt(text, label):
        return {}, "the reply denies something beside the label"
    return {0: label}, ""


def read_labels(reply: str, count: int) -> tuple[dict[int, ClaimLabel], str]:
    """Parse the labels of several claims, by index of the claim, and return them with the fault if one is missing.

    Each label needs a line with its number, alone or followed by a reason. The reason must name no other label, and may
    only deny what the reference states. A reply of nothing but labels, one for each claim, has them in order. Lines
    without a number may not contain negations or labels, except a line marked as the reason for the label above it. A
    reply with numbers that the prompt's `count` claims do not have is rejected.
    """
    fault = "the reply has no clean label for the claim"
    said: dict[int, set[ClaimLabel | None]] = {}
    text, last = without_reasoning(reply), None
    if len(text) > _LONGEST:
        return {}, _TOO_LONG
    if fields := _of_fields(text) or _in_order(text, count):
        said = fields
        text = ""
    for part in _PARTED.split(text):
        found = _NUMBERED.fullmatch(part) or _match_explained_label(part)
        if found:
            last = _READ_AS[found[2].lower()]
            said.setdefault(int(found[1]) - 1, set()).add(last)
        elif last and _REASON.match(part) and not (_names_other(part, last) or _is_in_doubt(part, last)):
            continue
        elif _denies(part) or any(form.search(part) for form in _FORMS.values()):
            of = _OF_NUMBER.match(part)
            if of is None or not 0 < int(of[1]) <= count:
                return {}, fault
            said.setdefault(int(of[1]) - 1, set()).add(None)
    if not said.keys() <= set(range(count)):
        return {}, "the reply numbers other claims than those asked about"
    labels = {number: label for number, (label, *others) in said.items() if label and not others}
    return labels, "" if len(labels) == count else fault


def _of_fields(text: str) -> dict[int, set[ClaimLabel | None]]:
    """Return the labels of a reply that is only JSON: an object by number, or a list of objects with numbers."""
    values = parse_whole(text)
    if isinstance(values, dict):
        values = [{"number": key, **one} for key, one in values.items() if isinstance(one, dict)]
    said: dict[int, set[ClaimLabel | None]] = {}
    for one in values if isinstance(values, list) else ():
        if not isinstance(one, dict) or any(value is False for value in one.values()):
            return {}
        labels = [_LABELS.get(str(one[key]).strip().casefold()) for key in KEYS if key in one]
        numbers = [
            int(found[1]) for key, value in one.items() if key not in KEYS and (found := _CLAIM.fullmatch(str(value)))
        ]
        if len(numbers) != 1 or len(labels) != 1:
            return {}
        said.setdefault(numbers[0] - 1, set()).update(labels)
    return said


def _in_order(text: str, count: int) -> dict[int, set[ClaimLabel | None]]:
    """Return the labels of a reply that is only a list of them, in lines or JSON, one for each claim."""
    values = parse_whole(text)
    if isinstance(values, dict) and len(values) == 1:
        [values] = values.values()
    parts = values if isinstance(values, list) else [line for line in text.splitlines() if line.strip()]
    found = [_ALONE.fullmatch(part) if isinstance(part, str) else None for part in parts]
    labels = [_READ_AS[one[1].lower()] for one in found if one]
    return {i: {label} for i, label in enumerate(labels)} if len(labels) == len(found) == count else {}


_TOO_LONG = f"the reply is longer than {_LONGEST:,} characters"


def _match_explained_label(part: str) -> re.Match[str] | None:
    """Match a numbered label with a reason; return None if the reason casts doubt on the label."""
    found = _NUMBERED_WHY.fullmatch(part)
    if found is None or not _says_once(part, found[2]):
        return None
    label = _READ_AS[found[2].lower()]
    return None if _names_other(part, label) or _is_in_doubt(part, label) else found


def _says_once(text: str, word: str) -> bool:
    """Return whether a text names no label but the given word; instructions that it quotes would name several."""
    return len(_LABEL.findall(text)) == (word.lower() in _LABELS)


def _names_other(text: str, label: ClaimLabel) -> bool:
    return any(form.search(text) for other, form in _FORMS.items() if other != label)


def _is_in_doubt(text: str, label: ClaimLabel) -> bool:
    """Return whether a text has a negation that may apply to the label, not only to what the reference states."""
    return _denies(text) and (label == "Entailment" or any(map(_may_deny_label, _CLAUSE.split(text))))


def _denies(text: str) -> bool:
    """Return whether a text has a negation cue or says no."""
    says_no = any(normalise(part) in vocabulary("says_no") for part in _CLAUSE.split(text))
    return says_no or denies(normalise(text))


def _may_deny_label(clause: str) -> bool:
    """Return whether a clause is negated and may concern the label instead of the reference."""
    plain = normalise(clause)
    names_label = _LABEL_NAMED.search(plain) or any(form.search(plain) for form in _FORMS.values())
    return _denies(clause) and bool(names_label or not (_OF_REFERENCE.match(plain) or _OF_VALUE.search(clause)))
