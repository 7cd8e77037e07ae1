"""Reading a reply: what is taken off before it is judged, and whether it declines to answer."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import msgspec

from factprobe.text import normalise

_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^```\w*\s*\n?|\n?```$")
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)([^*`\n]+?)(?<=\S)\1")
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_LEAD = re.compile(r"^(?:(?:the|my|final|correct)\s+)*answers?\s*(?::|\bis\b:?)\s*", re.IGNORECASE)
_QUOTES = "\"'“”‘’«»"


def clean(reply: str) -> str:
    """The reply without reasoning blocks, markdown, wrapping quotes, `Answer:`, `\\boxed{}` and JSON around it."""
    text = _REASONING.sub("", reply).strip()
    text = _FENCE.sub("", text).strip()
    if text[:1] in "{[":
        text = _from_json(text)
    boxed = _BOXED.findall(text)
    text = boxed[-1] if boxed else _EMPHASIS.sub(r"\2", text)
    text = _LEAD.sub("", text.strip())
    while len(text) > 1 and text[0] in _QUOTES and text[-1] in _QUOTES:
        text = text[1:-1].strip()
    return text.strip()


def declines(normalised: str) -> bool:
    """Whether a normalised reply holds a phrase of abstention, as whole words."""
    return _abstention().search(normalised) is not None


@cache
def _abstention() -> re.Pattern[str]:
    lines = files("factprobe.evaluators").joinpath("abstentions.txt").read_text(encoding="utf-8").splitlines()
    phrases = sorted({normalise(line) for line in lines if line and not line.startswith("#")}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b")


def _from_json(text: str) -> str:
    try:
        value = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    if isinstance(value, dict):
        lowered = {str(key).lower(): found for key, found in value.items()}
        value = next((lowered[key] for key in ("answer", "answers", "response") if key in lowered), text)
    if isinstance(value, list):
        return "\n".join(str(item) for item in value)
    return str(value)
