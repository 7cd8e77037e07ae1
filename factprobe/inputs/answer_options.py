"""Options of a multiple-choice question, and the right one among them."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

from factprobe.inputs.base import UnusableError
from factprobe.inputs.record_values import parse_index

_LABELLED = {"label", "text"}
"""Keys of options in data sets that store letters and texts separately."""


def option_texts(value: Any) -> Any:
    """Return options without their letters or numbers; anything else unchanged.

    They may be a mapping, `{"A": "Lima", "B": "Cusco"}`, or lists of both, `{"label": ["A", "B"], "text": [...]}`.
    """
    if not isinstance(value, Mapping):
        return value
    labels, texts = (value["label"], value["text"]) if value.keys() == _LABELLED else ([*value], [*value.values()])
    if not isinstance(labels, list | tuple) or not isinstance(texts, list | tuple) or len(labels) != len(texts):
        return value
    named = "".join(str(label).upper() for label in labels)
    return texts if named and ascii_uppercase.startswith(named) else value


def find_right_option(name: str, choices: tuple[str, ...], *, by_number: bool) -> str:
    """Return the option that an answer names by its text, its letter or its number.

    Args:
        name: the answer.
        choices: the options in the order shown.
        by_number: whether the answer is a number, which may be the index of an option, from 0.

    Raises:
        UnusableError: it names none, or one by its text and another by its number.
    """
    named = [choice for choice in choices if choice.casefold() == name.casefold()]
    place = parse_index(name) if by_number else None
    placed = [choices[place]] if place is not None and place < len(choices) else []
    if named and placed and named != placed:
        what = f"the right answer {name} is the text of an option and the number of another; write its text, as a text"
        raise UnusableError(what)
    letter = ascii_uppercase.find(name.upper()) if len(name) == 1 and name.isascii() else -1
    if not named and 0 <= letter < len(choices):
        return choices[letter]
    if not named and not placed:
        raise UnusableError(f"the right answer {name!r} is none of the options, nor the letter of one")
    return (named or placed)[0]
