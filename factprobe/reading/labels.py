"""The label in a reply that should be one of a few: alone in its decisive place, or none."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TypeVar

from factprobe.reading.cleaning import clean
from factprobe.reading.language import phrases
from factprobe.reading.verdict_replies import read_judge

L = TypeVar("L", bound=str)


def read_label(reply: str, labels: Sequence[L], shown: Collection[str] = ()) -> tuple[L | None, str]:
    """Return the label of a reply, or why there is none.

    It is that of an object, or stands alone in the first or the last line of a reply that names no other; "Label:" and
    the like may stand before it.

    Args:
        reply: as a model gave it.
        labels: what it may be; one may be a part of another.
        shown: texts that others wrote and the model was shown, of which no object counts.
    """
    known = {label.casefold(): label for label in labels}
    read = read_judge(reply, shown)
    if verdict := read.verdict(known):
        return verdict[0], ""
    anywhere, alone = _patterns(tuple(labels))
    named = {known[found.casefold()] for found in anywhere.findall(read.text)}
    if len(named) > 1:
        return None, "the reply names several labels"
    lines = [line for line in clean(read.text).splitlines() if line.strip()] or [""]
    found = alone.fullmatch(lines[0]) or alone.fullmatch(lines[-1])
    if found:
        return known[found[1].casefold()], ""
    if named:
        return None, "the reply names a label, but not alone in a line"
    return None, "the reply names no label" if reply.strip() else "the reply is empty"


@lru_cache
def _patterns(labels: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds the labels in a text, and what a line with one of them alone matches."""
    either = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    alone = rf"[^\w?]*(?:{phrases('verdict_lead')}[^\w?]+)?({either})[^\w?]*"
    return re.compile(rf"\b(?:{either})\b", re.IGNORECASE), re.compile(alone, re.IGNORECASE)
