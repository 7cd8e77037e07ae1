"""Options of a multiple-choice question, and the right one among them."""

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


def numbered(value: Any) -> tuple[Any, tuple[str, ...]]:
    """Return options that are told apart from their labels, and these where they are numbers.

    The hub has `{"label": ["1", "2"], "text": [...]}` (ARC) and lists of `{"label": "A", "text": ...}`. With labels it
    is certain whether numbers count from 0; letters are read without them.
    """
    if (
        isinstance(value, list | tuple)
        and value
        and all(isinstance(one, Mapping) and one.keys() == _LABELLED for one in value)
    ):
        value = {key: [one[key] for one in value] for key in ("label", "text")}
    if not isinstance(value, Mapping) or value.keys() != _LABELLED:
        return value, ()
    labels, texts = value["label"], value["text"]
    if not isinstance(labels, list | tuple) or not isinstance(texts, list | tuple) or len(labels) != len(texts):
        return value, ()
    names = tuple(map(str, labels))
    return (texts, names) if len({*names}) == len(names) and all(name.isdecimal() for name in names) else (value, ())


def options_in(question: str, answers: Collection[str]) -> tuple[str, ...]:
    r"""Return the options that stand in a question under letters, one a line, where all answers are such letters.

    BIG-bench-hard has them so: "Options:\n(A) Lima\n(B) Cusco", with "(B)" for the answer.
    """
    found = list(_OPTION_LINE.finditer(question))
    letters = "".join(one["letter"] for one in found)
    if len(found) < 2 or not ascii_uppercase.startswith(letters):
        return ()
    is_letter = all(answer.strip("(). ") in [*letters] for answer in answers)
    return tuple(one["text"].strip() for one in found) if is_letter else ()


def find_right_option(name: str, choices: tuple[str, ...], *, by_number: bool, labels: Sequence[str] = ()) -> str:
    """Return the option that an answer names by its text, its letter, its number or its label.

    Args:
        name: Answer.
        choices: Options in the order shown.
        by_number: Whether the answer is a number, which may be the index of an option, from 0.
        labels: Numbers under which the options are shown; an answer is one of them then.

    Raises:
        UnusableError: It names none, or one by its text and another by its number.
    """
    named = [choice for choice in choices if choice.casefold() == name.casefold()]
    place = labels.index(name) if name in labels else parse_index(name) if by_number and not labels else None
    placed = [choices[place]] if place is not None and place < len(choices) else []
    if named and placed and named != placed:
        what = f"the right answer {name} is the text of an option and the number of another; write its text, as a text"
        raise UnusableError(what)
    sign = name.strip("().") if len(name) > 1 else name
    letter = ascii_uppercase.find(sign.upper()) if len(sign) == 1 and sign.isascii() else -1
    if not named and 0 <= letter < len(choices):
        return choices[letter]
    if not named and not placed:
        raise UnusableError(f"the right answer {name!r} is none of the options, nor the letter of one")
    return (named or placed)[0]
