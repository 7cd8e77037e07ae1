"""Parsing of a judge's reply: an object with a verdict and its reasons."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Literal

from factprobe.reading.verdict_replies import KEYS, JudgeReply, read_judge
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, HallucinationLabel
from factprobe.text import one_line

Verdict = Literal["factual", "hallucinated"]
_LABELS: dict[str, HallucinationLabel] = {"factual": NOT_HALLUCINATION, "hallucinated": HALLUCINATION}
GRAMMAR = (
    r'root ::= "{\"verdict\": \"" ("factual" | "hallucinated") "\", \"reason\": [\"" '
    r'[^"\\\x00-\x1f]{1,200} "\"]}"'
)
"""Grammar of a verdict with one reason, short so that it is not cut off."""
_HALF = re.compile("[\ud800-\udfff]")
"""Lone surrogates, which JSON can spell and files cannot hold."""
_BLANK = " \t\r\n`\ufeff"
_NO_VERDICT = "the reply is not one JSON object with a valid verdict"


def read_verdict(reply: str, shown: Collection[str] = ()) -> tuple[HallucinationLabel | None, tuple[str, ...], str]:
    """Return the label of a reply, its reasons, and the error if there is no label.

    The last object with a verdict and a reason counts; the reason may be a text or a list of texts. Objects quoted from
    the texts `shown` to the judge do not count.
    """
    found = read_judge(reply, shown)
    verdict = found.verdict(_LABELS) or _by_score(found)
    if verdict is None:
        return None, (), _NO_VERDICT if found.text.strip(_BLANK) else "the reply is empty"
    label, fields = verdict
    said = fields.get("reason")
    reasons = [said] if isinstance(said, str) else said
    if not isinstance(reasons, list) or not all(isinstance(one, str) for one in reasons):
        return None, (), "the verdict has no reason that is a text or a list of texts"
    return label, tuple(filter(None, (one_line(_HALF.sub("\ufffd", reason)) for reason in reasons))), ""


def _by_score(reply: JudgeReply) -> tuple[HallucinationLabel, Mapping[str, Any]] | None:
    """Return the label for the last score, from 0 (factual) to 1, which Opik's judges give."""
    for fields in reversed(reply.values):
        score = fields.get("score") if isinstance(fields, dict) and KEYS[0] not in fields else None
        if isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1 and score != 0.5:
            return HALLUCINATION if score > 0.5 else NOT_HALLUCINATION, fields
    return None
