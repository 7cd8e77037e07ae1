"""Parser of the options of a multiple-choice question, and of the answer that names the right one."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from factprobe.errors import format_list
from factprobe.inputs.base import UnusableError
from factprobe.inputs.record_values import parse_index, parse_printed, plain
from factprobe.reading.language import table

_LABELLED = {"label", "text"}
"""Keys of data sets that store the labels and the texts of options separately."""
_LABEL_START = r"(?:\*\*|__)?[(\[（]?(?P<label>[A-Za-z]|\d{1,2})"
_LABEL_END = r"[)\]）、．：](?:\*\*|__)?[ \t]*|[.:](?:\*\*|__)?[ \t]+|(?:\*\*|__)[).:]?[ \t]+"
_LINE_LABEL = re.compile(
    rf"^[ \t]*(?:[-+*•][ \t]+)?{_LABEL_START}(?:{_LABEL_END}|[ \t]+[-–—][ \t]+)(?=\S)", re.MULTILINE
)
_INLINE_LABEL = re.compile(rf"(?<![^\s,;]){_LABEL_START}(?:{_LABEL_END})(?=\S)")
_NUMBERS_FROM_0 = tuple(map(str, range(26)))
_LABELS = (tuple(ascii_uppercase), tuple(ascii_lowercase), _NUMBERS_FROM_0, (*_NUMBERS_FROM_0[1:], "26"))
_COLUMN = re.compile(r"(?i:(?:option|choice)s?)[\W_]*(?P<label>[A-Za-z]|\d{1,2})|(?P<letter>[A-Z])")
"""Name of a column that holds one option, such as `option_a` or `A`."""
_BEFORE_OPTIONS = re.compile(r"(?:(?:^|[\n.?!:;…。？！：])[ \t]*|[ \t]{2,})$")
"""End of the text before two options within a line: the end of a sentence, or a gap."""
_BETWEEN_OPTIONS = re.compile(r"[\s,;/|]+$|\s+[-–—•]\s*$")
_ASKS_FOR_COUNT = re.compile(rf"\b(?:{'|'.join(table('question_kind')['count'])})\b", re.IGNORECASE)
_NUMBER_WORDS = {word for words in table("number").values() for word in words}
LIKELY_LETTERS = ascii_uppercase[:10]
"""Letters that are taken for labels of options, even if no option is known to have them."""
_LETTER_IN_REPLY = re.compile(r"(?<![\w'’])(?:[A-J](?![\w'’])|[a-j](?:[).:]|\W*$))")


def without_labels(value: Any) -> tuple[Any, tuple[str, ...]]:
    """Return the texts of labelled options, sorted by label, and the labels.

    Any other value is returned with `()`; if it is a printed list or mapping, it is parsed.

    Labelled options are a mapping, `{"A": "Lima", "B": "Cusco"}`, two lists, `{"label": ["1", "2"], "text": [...]}`, a
    list of `{"label": "A", "text": ...}`, or one of these printed as text. The labels are returned as `()` if they are
    A, B, C … in this order, since answers can name any option by its letter; other labels are needed to read an answer
    such as `2`.

    Raises:
        UnusableError: The labels are neither letters from A on nor numbers from 0 or 1 on.
    """
    value = parse_printed(value) if isinstance(value, str) else value
    if (pair := _labels_and_texts(value)) is None:
        return value, ()
    given = [str(label).upper() for label in pair[0]]
    labels = next((labels[: len(given)] for labels in _LABELS if {*given} == {*labels[: len(given)]}), None)
    if labels is None:
        valid = "A, B, C … or 0, 1, 2 … or 1, 2, 3 …"
        raise UnusableError(f"the options have the labels {format_list([*map(str, pair[0])])}; labels must be {valid}")
    texts = [pair[1][given.index(label)] for label in labels]
    return texts, () if given == [*ascii_uppercase[: len(given)]] else labels


def _labels_and_texts(value: Any) -> tuple[Sequence[Any], Sequence[Any]] | None:
    """Return the labels and the texts of labelled options, in their order in `value`; None for any other value."""
    items = value if isinstance(value, list | tuple) else ()
    if items and all(isinstance(item, Mapping) and item.keys() == _LABELLED for item in items):
        return [item["label"] for item in items], [item["text"] for item in items]
    if not isinstance(value, Mapping):
        return None
    if value.keys() != _LABELLED:
        texts = [*map(plain, value.values())]
        are_texts = len(texts) > 1 and not any(isinstance(text, Mapping | list | tuple) for text in texts)
        return ([*value], texts) if are_texts else None
    labels, texts = plain(value["label"]), plain(value["text"])
    are_lists = isinstance(labels, list | tuple) and isinstance(texts, list | tuple)
    return (labels, texts) if are_lists and len(labels) == len(texts) > 0 else None


@lru_cache(maxsize=1 << 6)
def option_columns(names: tuple[str, ...]) -> tuple[Mapping[str, str], bool]:
    """Return the names of the option columns (`option_a`, `choice_2`, `A`) by label, and whether each has a prefix.

    With fewer than two option columns, the result is `({}, False)`.
    """
    index = {(match["label"] or match["letter"]).upper(): match for name in names if (match := _COLUMN.fullmatch(name))}
    for labels in _LABELS:
        run = [*takewhile(index.__contains__, labels)]
        if len(run) > 1:
            return {label: index[label][0] for label in run}, all(index[label]["label"] for label in run)
    return {}, False


def is_label_list(name: str, labels: Container[str]) -> bool:
    """Return whether a text consists of labels of options: `B`, `(B)`, `A, C`."""
    parts = re.findall(r"\w+", name.upper())
    return bool(parts) and all(part in labels for part in parts)


def has_options_from_0(question: str, choices: Sequence[str]) -> bool:
    """Return whether a question's text lists its options with numbers from 0."""
    lines = [choice.partition("\n")[0].strip().casefold() for choice in choices]
    for pattern in (_LINE_LABEL, _INLINE_LABEL) if choices and "0" in question else ():
        run = _find_last_run([*pattern.finditer(question)], _NUMBERS_FROM_0)
        starts = [question[match.end() :].casefold() for match in run]
        if len(run) == len(lines) and all(map(str.startswith, starts, lines)):
            return True
    return False


def options_in(question: str, answers: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    r"""Return the options in a question's text, and their labels.

    Options are two or more texts after labels in order (from A, a, 0 or 1), at the starts of lines or within a line.
    They count only if all answers are labels of them, or the only answer is the text of one; else the result is
    `((), ())`. BIG-bench-hard has this format: "Options:\n(A) Lima\n(B) Cusco", with the answer "(B)". A numbered list
    after "How many" is no list of options, since the answer is a count.
    """
    answer_labels = {answer.strip("()[]*.: ").upper() for answer in answers}
    for pattern in (_LINE_LABEL, _INLINE_LABEL):
        match = list(pattern.finditer(question))
        for labels in _LABELS[: 2 if _ASKS_FOR_COUNT.search(question) else None]:
            run = _find_last_run(match, labels)
            ends = [*(one.start() for one in run[1:]), len(question)] if run else []
            lines = [question[match.end() : end].partition("\n")[0] for match, end in zip(run, ends, strict=True)]
            texts = tuple(_BETWEEN_OPTIONS.sub("", line.strip()) for line in lines)
            is_text = len(answers) == 1 and {*map(str.casefold, answers)} <= {*map(str.casefold, texts)}
            if not is_text and not answer_labels <= {one["label"].upper() for one in run}:
                continue
            if len(run) == 2 and pattern is _INLINE_LABEL and not _BEFORE_OPTIONS.search(question[: run[0].start()]):
                continue
            return texts, tuple(match["label"] for match in run)
    return (), ()


def _find_last_run(matches: Sequence[re.Match[str]], labels: Sequence[str]) -> Sequence[re.Match[str]]:
    """Return the matches from the last `labels[0]` on, if they are two or more and in the order of `labels`."""
    matches = [match for match in matches if match["label"] in labels]
    first = max((i for i, match in enumerate(matches) if match["label"] == labels[0]), default=len(matches))
    run = matches[first:]
    is_run = len(run) > 1 and tuple(one["label"] for one in run) == tuple(labels[: len(run)])
    return run if is_run else ()


def lacks_label(answers: Collection[str], reply: str) -> bool | None:
    """Return whether a reply has no option label; None if the right answers are neither letters nor digits from 1 on.

    A label is a letter from A to J or, if the right answers are digits, any number in figures or words.
    """
    if all(re.fullmatch(r"\(?[A-Ja-j][).]*", answer) for answer in answers):
        return not _LETTER_IN_REPLY.search(reply)
    if all(re.fullmatch(r"\(?[1-9][).]*", answer) for answer in answers):
        return not re.search(r"\d", reply) and _NUMBER_WORDS.isdisjoint(re.findall(r"\w+", reply.casefold()))
    return None


def find_right_option(
    name: str, choices: tuple[str, ...], *, by_number: bool, labels: Sequence[str] = (), given_by: str = ""
) -> str:
    """Return the option that an answer names by its text, its letter, its label, or its index from 0 (if `by_number`).

    If `labels` are given, a number is read as a label and not as an index. `given_by` resolves answers that could be
    the text of one option and the letter of another: `text`, `letter`, or empty if unknown.

    Raises:
        UnusableError: The answer names no option, or several.
    """
    named = {choice for choice in choices if choice == name}
    named = named or {choice for choice in choices if choice.casefold() == name.casefold()}
    place = labels.index(name) if name in labels else parse_index(name) if by_number and not labels else None
    place = _letter_index(name) if place is None else place
    placed = {choices[place]} if place is not None and place < len(choices) else set()
    options = {"text": named, "letter": placed}.get(given_by) or named | placed
    if not options:
        if is_label_list(name, ascii_uppercase[: len(choices)]):
            what = f"the right answer {name!r} has several letters, but a reply is graded by one option"
            raise UnusableError(f"{what}; columns.separator=',' takes each of them")
        raise UnusableError(f"the right answer {name!r} is none of the options, nor the letter of one")
    if len(options) > 1:
        label_kind = "number" if name.isdecimal() else "letter"
        of_another = f"the text of an option and the {label_kind} of another"
        both = of_another if placed - named else "written like several options"
        raise UnusableError(f"the right answer {name} is {both}; write the letter of the right one, as (B)")
    right = options.pop()
    if choices.count(right) > 1:
        raise UnusableError(f"several options have the text of the right answer, {right!r:.60}")
    return right


def has_option(choices: Sequence[str], name: str | int) -> bool:
    """Return whether an answer names one of the options by its text or letter, or, if an integer, by its index."""
    try:
        find_right_option(str(name), tuple(choices), by_number=isinstance(name, int))
    except UnusableError:
        return False
    return True


def _letter_index(name: str) -> int | None:
    """Return the index of the option with a letter (1 for `B` or `(B)`); None for any other text."""
    letter = name.strip("().") if len(name) > 1 else name
    return ascii_uppercase.index(letter.upper()) if len(letter) == 1 and letter.isascii() and letter.isalpha() else None
