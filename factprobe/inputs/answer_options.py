"""Parser of the options of a multiple-choice question, and of the right one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from factprobe.inputs.base import UnusableError
from factprobe.inputs.record_values import parse_index
from factprobe.reading.language import table

_LABELLED = {"label", "text"}
"""Keys of options in data sets that store letters and texts separately."""
_OPEN = r"(?:\*\*|__)?[(\[（]?(?P<label>[A-Za-z]|\d{1,2})"
_CLOSE = r"[)\]）、．：](?:\*\*|__)?[ \t]*|[.:](?:\*\*|__)?[ \t]+|(?:\*\*|__)[).:]?[ \t]+"
_LINE_LABEL = re.compile(rf"^[ \t]*(?:[-+*•][ \t]+)?{_OPEN}(?:{_CLOSE}|[ \t]+[-–—][ \t]+)(?=\S)", re.MULTILINE)
_INLINE_LABEL = re.compile(rf"(?<![^\s,;]){_OPEN}(?:{_CLOSE})(?=\S)")
_LABELS = (tuple(ascii_uppercase), tuple(ascii_lowercase), tuple(map(str, range(1, 27))))
_BEFORE_OPTIONS = re.compile(r"(?:(?:^|[\n.?!:;…。？！：])[ \t]*|[ \t]{2,})$")
"""Text before the first of two options within a line: a sentence, or a gap."""
_BETWEEN_OPTIONS = re.compile(r"[\s,;/|]+$|\s+[-–—•]\s*$")
_COUNTS = re.compile(rf"\b(?:{'|'.join(table('question_kind')['count'])})\b", re.IGNORECASE)
_NUMBER_WORDS = {word for words in table("number").values() for word in words}
_LETTER_IN_REPLY = re.compile(r"(?<![\w'’])(?:[A-J](?![\w'’])|[a-j](?:[).:]|\W*$))")


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


def without_labels(value: Any) -> tuple[Any, tuple[str, ...]]:
    """Return options without their labels, and their labels if these are numbers.

    Data sets on the hub have `{"label": ["1", "2"], "text": [...]}` (ARC) or lists of `{"label": "A", "text": ...}`.
    Numeric labels show whether answers count from 0; letters are also understood without labels.
    """
    items = value if isinstance(value, list | tuple) else ()
    if items and all(isinstance(one, Mapping) and one.keys() == _LABELLED for one in items):
        value = {key: [one[key] for one in items] for key in ("label", "text")}
    if not isinstance(value, Mapping) or value.keys() != _LABELLED or (found := _labels_and_texts(value)) is None:
        return value, ()
    names = tuple(map(str, found[0]))
    are_numbers = len({*names}) == len(names) and all(name.isdecimal() for name in names)
    return (found[1], names) if are_numbers else (value, ())


def options_in(question: str, answers: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    r"""Return the options in a question's text, and their labels if these are numbers.

    Options are a run of two or more labels in order, A, a or 1 being the first, at the starts of lines or within a
    line; the answers must all be such labels. BIG-bench-hard has this format: "Options:\n(A) Lima\n(B) Cusco", with the
    answer "(B)". A numbered list after "How many" has no options, since its answer is a count.
    """
    given = {answer.strip("()[]*.: ").upper() for answer in answers}
    for pattern in (_LINE_LABEL, _INLINE_LABEL):
        found = list(pattern.finditer(question))
        for labels in _LABELS[: 2 if _COUNTS.search(question) else 3]:
            run = _last_run(found, labels)
            if not given <= {one["label"].upper() for one in run}:
                continue
            if len(run) == 2 and pattern is _INLINE_LABEL and not _BEFORE_OPTIONS.search(question[: run[0].start()]):
                continue
            ends = [one.start() for one in run[1:]] + [len(question)]
            texts = [question[one.end() : end].partition("\n")[0] for one, end in zip(run, ends, strict=True)]
            names = tuple(one["label"] for one in run if one["label"].isdigit())
            return tuple(_BETWEEN_OPTIONS.sub("", text.strip()) for text in texts), names
    return (), ()


def _last_run(found: Sequence[re.Match[str]], labels: Sequence[str]) -> Sequence[re.Match[str]]:
    """Return the matches from the last one of the first label on, if all follow in order and are two or more."""
    found = [one for one in found if one["label"] in labels]
    first = max((i for i, one in enumerate(found) if one["label"] == labels[0]), default=len(found))
    run = found[first:]
    is_run = len(run) > 1 and tuple(one["label"] for one in run) == tuple(labels[: len(run)])
    return run if is_run else ()


def lacks_label(answers: Collection[str], reply: str) -> bool | None:
    """Return whether a reply has no label of an option; None if the right answers are not such labels, A-J or 1-9."""
    if all(re.fullmatch(r"\(?[A-Ja-j][).]*", answer) for answer in answers):
        return not _LETTER_IN_REPLY.search(reply)
    if all(re.fullmatch(r"\(?[1-9][).]*", answer) for answer in answers):
        return not re.search(r"\d", reply) and _NUMBER_WORDS.isdisjoint(re.findall(r"\w+", reply.casefold()))
    return None


def find_right_option(
    name: str, choices: tuple[str, ...], *, by_number: bool, labels: Sequence[str] = (), given_by: str = ""
) -> str:
    """Return the option that an answer names by its text, letter, number (from 0, if `by_number`) or label.

    If the question shows `labels`, which are numeric, the answer is one of them. `given_by` is `text` or `letter` if it
    is known which of these an answer is that could be both.

    Raises:
        UnusableError: The answer names no option, or several.
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
