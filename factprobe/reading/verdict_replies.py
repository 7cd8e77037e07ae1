"""Parser of verdicts in a judge's reply, which ignores text that the reply quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from factprobe.reading.language import phrases
from factprobe.reading.structure.cleaning import clean
from factprobe.reading.structure.reasoning import without_reasoning

T = TypeVar("T")
L = TypeVar("L", bound=str)
KEYS = ("verdict", "label", "grade")
"""Keys under which a verdict may be."""
_OPENING = re.compile(r"[{\[]")
_FENCED = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)\n[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
_MOST = 200
"""Maximum number of positions in a text at which JSON is searched."""


class _TwiceError(ValueError):
    """Error for a duplicate key in an object, whose value would be ambiguous."""


class JudgeReply(NamedTuple):
    """Parsed reply of a judge."""

    values: list[Any]
    """Outermost objects (with keys in lower case) and lists, without those that the reply quotes."""
    text: str
    """Reply without reasoning and quoted JSON."""

    def verdict(self, values: Mapping[str, T]) -> tuple[T, Mapping[str, Any]] | None:
        """Return the verdict of the last object that has a valid one, with all its fields; None if there is none.

        Args:
            values: Verdicts by their lower-case spelling in a reply.
        """
        for fields in reversed(self.values):
            said = [fields[key] for key in KEYS if key in fields] if isinstance(fields, dict) else []
            if len(said) == 1 and isinstance(said[0], str) and said[0].strip().casefold() in values:
                return values[said[0].strip().casefold()], fields
        return None

    def fenced(self, shown: Collection[str] = ()) -> str | None:
        """Return the content of the last fenced block; None if it is quoted from a text that the judge was shown.

        Args:
            shown: Untrusted texts of the prompt.
        """
        blocks = _FENCED.findall(self.text)
        if not blocks or any(f"\n{_fold(blocks[-1])}\n" in f"\n{_fold(text)}\n" for text in shown):
            return None
        return str(blocks[-1])


def read_judge(reply: str, shown: Collection[str] = ()) -> JudgeReply:
    """Parse a judge's reply.

    An object or list is a quotation if it occurs in an untrusted text, ignoring spacing and case, or if all its fields
    are in one object there.

    Args:
        reply: Reply of the model.
        shown: Untrusted texts of the prompt.
    """
    text = without_reasoning(reply)
    texts = [_bare(one) for one in shown]
    theirs = [_fields(value) for one in shown for _, _, value in _json_in(one, nested=True) if isinstance(value, dict)]
    own, rest, at = [], [], 0
    for start, end, value in _json_in(text, nested=False):
        written = _bare(text[start:end])
        fields = _fields(value) if isinstance(value, dict) else set()
        if any(written in one for one in texts) or (fields and any(fields <= other for other in theirs)):
            rest.append(text[at:start])
            at = end
        else:
            own.append(value)
    return JudgeReply(own, "".join([*rest, text[at:]]))


def parse_whole(text: str) -> Any:
    """Return the value of a text that is only JSON, possibly in a fence; None if it is not."""
    blocks = _FENCED.findall(text)
    try:
        return _DECODER.decode(blocks[0] if len(blocks) == 1 and _FENCED.fullmatch(text.strip()) else text.strip())
    except (ValueError, RecursionError):
        return None


def _json_in(text: str, *, nested: bool) -> Iterator[tuple[int, int, Any]]:
    """Yield the start, end and value of the JSON objects and lists in a text.

    Args:
        text: Text to search.
        nested: True to yield nested objects and lists as well.
    """
    at = 0
    for _ in range(_MOST):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        start, at = opening.start(), opening.end()
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield start, end, value
        at = at if nested else end


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = {key.strip().casefold(): value for key, value in pairs}
    if len(found) < len(pairs):
        raise _TwiceError
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _fields(value: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {(key, _bare(json.dumps(one, sort_keys=True))) for key, one in value.items()}


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()


def _fold(text: str) -> str:
    return "\n".join(line.strip() for line in text.casefold().splitlines())


def read_label(reply: str, labels: Sequence[L], shown: Collection[str] = ()) -> tuple[L | None, str]:
    """Return the label of a reply, or None and the reason.

    The label is the value of a JSON object, or is alone in the first or last line of a reply that names no other label.
    A lead such as "Label:" may precede it.

    Args:
        reply: Reply of the model.
        labels: Valid labels; one may be a part of another.
        shown: Untrusted texts of the prompt; JSON objects quoted from them are ignored.
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
    """Return patterns for the labels in a text, and for a line with one of them alone."""
    either = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    alone = rf"[^\w?]*(?:{phrases('verdict_lead')}[^\w?]+)?({either})[^\w?]*"
    return re.compile(rf"\b(?:{either})\b", re.IGNORECASE), re.compile(alone, re.IGNORECASE)
