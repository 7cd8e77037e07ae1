"""Reading a reply: what is taken off before it is judged, and whether it declines to answer."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import msgspec

from factprobe.text import normalise

_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_REASONING_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"^```\w*\s*\n?|\n?```$")
_EMPHASIS = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\n]+)\*|`([^`\n]+)`")
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_LEAD = re.compile(r"^(?:(?:the|my|final|correct)\s+)*answers?\s*(?::|\bis\b:?)\s*", re.IGNORECASE)
_QUOTES = "\"'“”‘’«»"


def clean(reply: str) -> str:
    """The reply without reasoning blocks, markdown, wrapping quotes, `Answer:`, `\\boxed{}` and JSON around it."""
    text = _REASONING_END.split(_REASONING.sub("", reply))[-1].strip()  # a chat template may have opened the block
    text = _FENCE.sub("", text).strip()
    if text[:1] in "{[":
        text = _from_json(text)
    boxed = _BOXED.findall(text)
    text = boxed[-1] if boxed else _EMPHASIS.sub(lambda found: found[found.lastindex or 0], text)
    text = _LEAD.sub("", text.strip())
    if len(text) > 1 and text[0] in _QUOTES and text[-1] in _QUOTES:
        text = text.strip(_QUOTES)
    return text.strip()


def declines(normalised: str) -> bool:
    """Whether a normalised reply declines to answer: by a phrase anywhere in it, or by a word that is all of it."""
    return normalised in _abstentions()[1] or _abstentions()[0].search(normalised) is not None


def without_abstentions(normalised: str) -> str:
    """A normalised text without its phrases of abstention: the "no" of "no idea" is none."""
    return _abstentions()[0].sub(" ", normalised)


@cache
def _abstentions() -> tuple[re.Pattern[str], frozenset[str]]:
    lines = files("factprobe.evaluators").joinpath("abstentions.txt").read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if line and not line.startswith("#")]
    whole = frozenset(normalise(line[1:]) for line in entries if line.startswith("="))
    phrases = sorted({normalise(line) for line in entries if not line.startswith("=")}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b"), whole


def _from_json(text: str) -> str:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text
    if isinstance(value, dict):
        lowered = {str(key).lower(): found for key, found in value.items()}
        value = next((lowered[key] for key in ("answer", "answers", "response") if key in lowered), text)
    if isinstance(value, list):
        return "\n".join(str(item) for item in value)
    return str(value)
