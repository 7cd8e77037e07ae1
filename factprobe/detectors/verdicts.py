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
    text = without_reasoning(reply).strip()
    if fenced := _FENCED.fullmatch(text):
        text = fenced[1]
    if not text.strip():
        return None, (), "the reply is empty"
    try:
        found = msgspec.convert(json.loads(text, object_pairs_hook=_object), _Reply)
    except _TwiceError as error:
        return None, (), str(error)
    except msgspec.ValidationError as error:
        return None, (), f"the reply is no verdict: {one_line(str(error))}"
    except (ValueError, RecursionError):
        return None, (), "the reply is not one JSON object"
    return _LABELS[found.verdict], tuple(filter(None, map(one_line, found.reason))), ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _TwiceError("the reply names a key twice")
    return found
