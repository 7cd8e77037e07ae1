"""Extraction of the answer from a JSON object or list."""

from __future__ import annotations

from typing import Any

import msgspec

from factprobe.reading.language import in_order, vocabulary

_ANSWER_KEYS = in_order("answer_key")
_NO_ANSWER = in_order("abstention_whole")[0]
"""What is returned for JSON whose answer is null."""
_FALSE_WORD = in_order("false_key")[0]
_PLAIN_KEYS, _REASON_KEYS = vocabulary("plain_key"), vocabulary("reason_key")


def answer_of_json(text: str) -> str:
    """Return the answers in a JSON text, or in the only JSON object of a text, one a line; without JSON, the text."""
    start, end = text.find("{"), text.rfind("}") + 1
    for part in (text, text[start:end]) if text[0] in "{[" or '"' in text else ():
        try:
            value = msgspec.json.decode(part)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            continue
        if isinstance(value, dict | list):
            answers = _leaves(value)
            return "\n".join(answers) if answers or "null" not in part else _NO_ANSWER
    return text


def _leaves(value: Any) -> list[str]:
    """Return the answers in a JSON value: of an object, the value of its answer key, else all but explanations."""
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item)]
    if not isinstance(value, dict):
        return [] if value is None else [str(value)]
    lowered = {key.lower().replace(" ", "_").replace("-", "_"): found for key, found in value.items()}
    key = next((key for key in _ANSWER_KEYS if key in lowered), None)
    if key and lowered[key] is not None:
        return _leaves(lowered[key])
    rest = {key: found for key, found in value.items() if key.lower() not in _REASON_KEYS} or value
    if any(isinstance(found, str) for found in rest.values()):  # scores of names are no answers
        rest = {key: found for key, found in rest.items() if not isinstance(found, float)}
    if len(rest) == 1 and not any(isinstance(found, bool) for found in rest.values()):
        return _leaves([*rest.values()])
    lines = []
    for name, found in rest.items():
        if isinstance(found, bool):
            lines += [name.replace("_", " ")] if found else []
        elif isinstance(found, dict | list):
            lines += _leaves(found)
        elif found is not None:
            lines.append(str(found) if name.lower() in _PLAIN_KEYS else f"{name.replace('_', ' ')}: {found}")
    return lines or [f"{_FALSE_WORD} {name.replace('_', ' ')}" for name in rest]
