"""Parser of verdicts in a judge's reply; verdicts that it quotes from the judged text are ignored."""

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
"""Keys of a JSON object that may hold the verdict."""
_OPENING = re.compile(r"[{\[]")
_FENCED = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)\n[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
_MAX_OPENINGS = 200
"""Maximum number of opening brackets of a text at which JSON is searched for."""


class JudgeReply(NamedTuple):
    """Parsed reply of a judge."""

    values: list[Any]
    """JSON objects (with keys in lower case) and lists that are not nested in others, without quoted ones."""
    text: str
    """Reply without reasoning and quoted JSON."""

    def verdict(self, values: Mapping[str, T]) -> tuple[T, Mapping[str, Any]] | None:
        """Return the last valid verdict, with all fields of its JSON object; None if there is none.

        Args:
            values: Verdicts by their spelling in a reply, in lower case.
        """
        for fields in reversed(self.values):
            candidates = [fields[key] for key in KEYS if key in fields] if isinstance(fields, dict) else []
            if len(candidates) == 1 and isinstance(candidates[0], str) and candidates[0].strip().casefold() in values:
                return values[candidates[0].strip().casefold()], fields
        return None

    def fenced(self, shown: Collection[str] = ()) -> str | None:
        """Return the content of the last fenced block; None if there is none or the judged text contains it.

        Args:
            shown: Untrusted texts of the prompt.
        """
        blocks = _FENCED.findall(self.text)
        if not blocks or any(f"\n{_strip_lines(blocks[-1])}\n" in f"\n{_strip_lines(text)}\n" for text in shown):
            return None
        return str(blocks[-1])


def read_judge(reply: str, shown: Collection[str] = ()) -> JudgeReply:
    """Parse a judge's reply.

    A JSON object or list is a quotation if an untrusted text contains it, apart from spacing and case, or has an object
    with all its fields.

    Args:
        reply: Reply of the model.
        shown: Untrusted texts of the prompt.
    """
    text = without_reasoning(reply)
    texts = [_without_spaces(source) for source in shown]
    quotable = [
        _fields(value) for source in shown for _, _, value in _json_in(source, nested=True) if isinstance(value, dict)
    ]
    unquoted, rest, at = [], [], 0
    for start, end, value in _json_in(text, nested=False):
        compact = _without_spaces(text[start:end])
        fields = _fields(value) if isinstance(value, dict) else set()
        if any(compact in source for source in texts) or (fields and any(fields <= other for other in quotable)):
            rest.append(text[at:start])
            at = end
        else:
            unquoted.append(value)
    return JudgeReply(unquoted, "".join([*rest, text[at:]]))


def parse_whole(text: str) -> Any:
    """Return the value of a text that is only JSON, with or without a code fence; None for any other text."""
    blocks = _FENCED.findall(text)
    try:
        return _DECODER.decode(blocks[0] if len(blocks) == 1 and _FENCED.fullmatch(text.strip()) else text.strip())
    except (ValueError, RecursionError):
        return None


def _json_in(text: str, *, nested: bool) -> Iterator[tuple[int, int, Any]]:
    """Yield the start, end and value of the JSON objects and lists in a text, also of nested ones if `nested`."""
    at = 0
    for _ in range(_MAX_OPENINGS):
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
    fields = {key.strip().casefold(): value for key, value in pairs}
    if len(fields) < len(pairs):
        raise ValueError  # the value of a duplicate key is ambiguous
    return fields


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _fields(value: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {(key, _without_spaces(json.dumps(one, sort_keys=True))) for key, one in value.items()}


def _without_spaces(text: str) -> str:
    return "".join(text.split()).casefold()


def _strip_lines(text: str) -> str:
    return "\n".join(line.strip() for line in text.casefold().splitlines())


def read_label(reply: str, labels: Sequence[L], shown: Collection[str] = ()) -> tuple[L | None, str]:
    """Return the label that a reply gives and an empty reason, or None and the reason why it gives none.

    The label is the verdict in a JSON object, or stands alone in the first or last line of a reply that names no other
    label; a lead-in such as "Label:" may precede it.

    Args:
        reply: Reply of the model.
        labels: Valid labels; one may be a part of another.
        shown: Untrusted texts of the prompt; JSON objects quoted from them are ignored.
    """
    by_spelling = {label.casefold(): label for label in labels}
    judge_reply = read_judge(reply, shown)
    if verdict := judge_reply.verdict(by_spelling):
        return verdict[0], ""
    anywhere, alone = _patterns(tuple(labels))
    named = {by_spelling[spelling.casefold()] for spelling in anywhere.findall(judge_reply.text)}
    if len(named) > 1:
        return None, "the reply names several labels"
    lines = [line for line in clean(judge_reply.text).splitlines() if line.strip()] or [""]
    match = alone.fullmatch(lines[0]) or alone.fullmatch(lines[-1])
    if match:
        return by_spelling[match[1].casefold()], ""
    if named:
        return None, "the reply names a label, but not alone in a line"
    return None, "the reply names no label" if reply.strip() else "the reply is empty"


@lru_cache
def _patterns(labels: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a pattern of any label in a text, and a pattern of a line that is only a label."""
    either = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    alone = rf"[^\w?]*(?:{phrases('verdict_lead')}[^\w?]+)?({either})[^\w?]*"
    return re.compile(rf"\b(?:{either})\b", re.IGNORECASE), re.compile(alone, re.IGNORECASE)
