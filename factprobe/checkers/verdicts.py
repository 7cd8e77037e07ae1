"""The labels in a model's reply: each alone in its decisive place, or it is no verdict."""

from __future__ import annotations

import re

from factprobe.reading.cleaning import clean, without_reasoning
from factprobe.records import CLAIM_LABELS, ClaimLabel

_LABELS: dict[str, ClaimLabel] = {label.lower(): label for label in CLAIM_LABELS}
_ANY = "|".join(_LABELS)
_LABEL = re.compile(rf"\b(?:{_ANY})\b", re.IGNORECASE)
_ALONE = re.compile(rf"[^\w?]*({_ANY})[^\w?]*", re.IGNORECASE)
_NUMBERED = re.compile(rf"\W*(?:[^\W\d]+\s+)?(\d{{1,9}})[^\w?]+({_ANY})[^\w?]*", re.IGNORECASE)
_PARTED = re.compile(r"\n|[,;](?=\W*\d+\W)")


def read_label(reply: str) -> tuple[dict[int, ClaimLabel], str]:
    """The label of the claim that was asked about, number 0, or why there is none.

    It stands alone in the first or the last line, and the reply names no other.
    """
    named = {_LABELS[found.lower()] for found in _LABEL.findall(without_reasoning(reply))}
    if len(named) > 1:
        return {}, "the reply names several labels"
    lines = [line for line in clean(reply).splitlines() if line.strip()] or [""]
    alone = _ALONE.fullmatch(lines[0]) or _ALONE.fullmatch(lines[-1])
    if alone:
        return {0: _LABELS[alone[1].lower()]}, ""
    if named:
        return {}, "the reply names a label, but not alone in a line"
    return {}, "the reply names no label" if reply.strip() else "the reply is empty"


def read_labels(reply: str, count: int) -> tuple[dict[int, ClaimLabel], str]:
    """The labels of several claims by their numbers from 0, and why those have none that are missing.

    Args:
        reply: with a number from 1 and a label for each claim.
        count: of the claims that were asked about; a reply that numbers others too may mean any of them.
    """
    said: dict[int, set[ClaimLabel]] = {}
    for part in _PARTED.split(without_reasoning(reply)):
        found = _NUMBERED.fullmatch(part)
        if found:
            said.setdefault(int(found[1]) - 1, set()).add(_LABELS[found[2].lower()])
    if not said.keys() <= set(range(count)):
        return {}, "the reply numbers other claims than those asked about"
    labels = {number: label for number, (label, *others) in said.items() if not others}
    return labels, "" if len(labels) == count else "the reply has no clean label for the claim"
