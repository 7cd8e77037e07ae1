"""The verdict in the reply of a judge of hallucinations: an object with a verdict and its reasons."""

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
"""Of a reply that is a verdict with one reason; short, lest it be cut off."""
_HALF = re.compile("[\ud800-\udfff]")
"""Of a character: a lone surrogate, which JSON can spell and no file can hold."""
_BLANK = " \t\r\n`\ufeff"
_NO_VERDICT = "the reply is not one JSON object with a valid verdict"


def read_verdict(reply: str, shown: Collection[str] = ()) -> tuple[HallucinationLabel | None, tuple[str, ...], str]:
    """Return the label of a reply, the reasons that it gives, and what is wrong where there is no label.

    It is that of the last object with a verdict and a reason, which may be a text or a list of texts.

    Args:
        reply: as a model gave it.
        shown: texts that others wrote and the judge was shown, of which no object counts.
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
    return label, tuple(filter(None, (one_line(_whole(reason)) for reason in reasons))), ""


def _by_score(reply: JudgeReply) -> tuple[HallucinationLabel, Mapping[str, Any]] | None:
    """Return the label that the last score stands for, from 0 (factual) to 1, as Opik's judges reply."""
    for fields in reversed(reply.values):
        score = fields.get("score") if isinstance(fields, dict) and KEYS[0] not in fields else None
        if isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1 and score != 0.5:
            return HALLUCINATION if score > 0.5 else NOT_HALLUCINATION, fields
    return None


def _whole(text: str) -> str:
    """The text with U+FFFD for each half of a character, as the texts of replies have it."""
    return _HALF.sub("\ufffd", text)
