"""Parsing of the options of a multiple-choice question, and of its right option."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from factprobe.inputs.base import UnusableError
from factprobe.inputs.record_values import parse_index

_LABELLED = {"label", "text"}
"""Keys of options in data sets that store letters and texts separately."""
_OPTION_LINE = re.compile(r"^[ \t]*\(?(?P<letter>[A-Z])[).:][ \t]+(?P<text>\S.*)$", re.MULTILINE)


def option_texts(value: Any) -> Any:
    """Return the texts of labelled options; any other value is returned unchanged.

    Labelled options are a mapping, `{"A": "Lima", "B": "Cusco"}`, or two lists, `{"label": ["A", "B"], "text": [...]}`.
    """
    if (found := _labels_and_texts(value)) is None:
        return value
    named = "".join(str(label).upper() for label in found[0])
    return found[1] if named and ascii_uppercase.startswith(named) else value


def _labels_and_texts(value: Any) -> tuple[Sequence[Any], Sequence[Any]] | None:
    """Return the labels and the texts of labelled options; None for any other value."""
    if not isinstance(value, Mapping):
        return None
    labels, texts = (value["label"], value["text"]) if value.keys() == _LABELLED else ([*value], [*value.values()])
    are_lists = isinstance(labels, list | tuple) and isinstance(texts, list | tuple)
    return (labels, texts) if are_lists and len(labels) == len(texts) else None


def numbered(value: Any) -> tuple[Any, tuple[str, ...]]:
    """Return options without their labels, and the labels if they are numbers.

    Data sets on the hub have `{"label": ["1", "2"], "text": [...]}` (ARC) or lists of `{"label": "A", "text": ...}`.
    Numeric labels show whether numbers count from 0; letters are read without labels.
    """
    items = value if isinstance(value, list | tuple) else ()
    if items and all(isinstance(one, Mapping) and one.keys() == _LABELLED for one in items):
        value = {key: [one[key] for one in items] for key in ("label", "text")}
    if not isinstance(value, Mapping) or value.keys() != _LABELLED or (found := _labels_and_texts(value)) is None:
        return value, ()
    names = tuple(map(str, found[0]))
    are_numbers = len({*names}) == len(names) and all(name.isdecimal() for name in names)
    return (found[1], names) if are_numbers else (value, ())


def options_in(question: str, answers: Collection[str]) -> tuple[str, ...]:
    r"""Return the options in a question's text, one on each line after a letter, if all answers are such letters.

    BIG-bench-hard has this format: "Options:\n(A) Lima\n(B) Cusco", with the answer "(B)".
    """
    found = list(_OPTION_LINE.finditer(question))
    letters = "".join(one["letter"] for one in found)
    if len(found) < 2 or not ascii_uppercase.startswith(letters):
        return ()
    is_letter = all(answer.strip("(). ") in [*letters] for answer in answers)
    return tuple(one["text"].strip() for one in found) if is_letter else ()


def find_right_option(
    name: str, choices: tuple[str, ...], *, by_number: bool, labels: Sequence[str] = (), given_by: str = ""
) -> str:
    """Return the option that an answer gives by its text, letter, number (from 0, if `by_number`) or label.

    `labels` are numeric labels of the options, if shown; the answer is then one of them. `given_by` is `text` or
    `letter` if it is known which of them an answer is that could be both.

    Raises:
        UnusableError: The answer gives no option, or several.
    """
    named = {choice for choice in choices if choice == name}
    named = named or {choice for choice in choices if choice.casefold() == name.casefold()}
    place = labels.index(name) if name in labels else parse_index(name) if by_number and not labels else None
    sign, place = ("letter", _letter_place(name)) if place is None else ("number", place)
    placed = {choices[place]} if place is not None and place < len(choices) else set()
    known = {"text": named, "letter": placed}.get(given_by) or named | placed
    if not known:
        raise UnusableError(f"the right answer {name!r} is none of the options, nor the letter of one")
    if len(known) > 1:
        both = f"the text of an option and the {sign} of another" if placed - named else "written like several options"
        raise UnusableError(f"the right answer {name} is {both}; write the letter of the right one, as (B)")
    return known.pop()


def _letter_place(name: str) -> int | None:
    """Return the place of the option with a letter, `B` or `(B)`; None for any other text."""
    letter = name.strip("().") if len(name) > 1 else name
    return ascii_uppercase.index(letter.upper()) if len(letter) == 1 and letter.isascii() and letter.isalpha() else None
