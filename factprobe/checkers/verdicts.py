"""The labels of several claims in a model's reply: each alone with its number, or it is no verdict."""

from __future__ import annotations

import re

from factprobe.reading.cleaning import without_reasoning
from factprobe.records import CLAIM_LABELS, ClaimLabel

_LABELS: dict[str, ClaimLabel] = {label.lower(): label for label in CLAIM_LABELS}
_ANY = "|".join(_LABELS)
_NUMBERED = re.compile(rf"\W*(?:[^\W\d]+\s+)?(\d{{1,9}})[^\w?]+({_ANY})[^\w?]*", re.IGNORECASE)
_PARTED = re.compile(r"\n|[,;](?=\W*\d+\W)")


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
