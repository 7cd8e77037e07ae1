"""The verdict in a judge's reply: one JSON object with a verdict and a list of reasons, or none."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

import msgspec
from msgspec import Struct

from factprobe.reading.cleaning import without_reasoning
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, HallucinationLabel
from factprobe.text import one_line

Verdict = Literal["factual", "hallucinated"]
_LABELS: dict[Verdict, HallucinationLabel] = {"factual": NOT_HALLUCINATION, "hallucinated": HALLUCINATION}
GRAMMAR = (
    r'root ::= "{\"verdict\": \"" ("factual" | "hallucinated") "\", \"reason\": [\"" '
    r'[^"\\\x00-\x1f]{1,200} "\"]}"'
)
"""Of a reply that is a verdict with one reason; short, lest it be cut off."""
_FENCED = re.compile(r"```[^\n`]*\n(.*)\n[ \t]*```", re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")
"""Of a character: a lone surrogate, which JSON can spell and no file can hold."""
_LONGEST = 200
"""Characters of what is wrong with a reply, which may quote all of it."""


class _Reply(Struct, forbid_unknown_fields=True):
    """What the judge is asked for."""

    verdict: Verdict
    reason: list[str]


class _TwiceError(ValueError):
    """A key stands twice in an object, so that nobody can tell which is meant."""


def read_verdict(reply: str) -> tuple[HallucinationLabel | None, tuple[str, ...], str]:
    """The label of a reply, the reasons that it gives, and what is wrong where there is no label.

    The reply is the object alone, between a fence of Markdown at most, and behind a reasoning model's thoughts.
    """
    text = without_reasoning(reply).strip().removeprefix("\ufeff")
    if fenced := _FENCED.fullmatch(text):
        text = fenced[1]
    if not text.strip():
        return None, (), "the reply is empty"
    try:
        found = msgspec.convert(_with_verdict(json.loads(text, object_pairs_hook=_object)), _Reply)
    except _TwiceError as error:
        return None, (), str(error)
    except msgspec.ValidationError as error:
        return None, (), f"the reply is no verdict: {one_line(_whole(str(error))):.{_LONGEST}}"
    except (ValueError, RecursionError):
        return None, (), "the reply is not one JSON object"
    return _LABELS[found.verdict], tuple(filter(None, (one_line(_whole(reason)) for reason in found.reason))), ""


def _with_verdict(found: Any) -> Any:
    """Return a reply with the verdict that a score from 0 (factual) to 1 stands for, as Opik's judges reply."""
    score = found.get("score") if isinstance(found, dict) and "verdict" not in found else None
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1 or score == 0.5:
        return found
    others = {key: value for key, value in found.items() if key != "score"}
    return {"verdict": "hallucinated" if score > 0.5 else "factual", **others}


def _whole(text: str) -> str:
    """The text with U+FFFD for each half of a character, as the texts of replies have it."""
    return _HALF.sub("\ufffd", text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _TwiceError("the reply names a key twice")
    return found
