"""Replies in the sample logs of lm-evaluation-harness, written with `--log_samples`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from math import nan
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct

from factprobe.inputs.answer_options import has_option, options_in, without_labels
from factprobe.inputs.base import Record, UnusableError
from factprobe.inputs.record_values import parse_index, split_items
from factprobe.inputs.table_formats import Json
from factprobe.storage import DeferredProblems, Lines

_KEYS = (b'"doc_id"', b'"doc"', b'"target"', b'"arguments"', b'"resps"')
_QUESTIONS = ("question", "query", "problem", "instruction", "prompt", "input", "goal", "text")
"""Keys of the question in the documents of tasks, in order of preference."""
_OPTIONS = ("choices", "options")
"""Keys of the options in the documents of tasks."""
_FINAL_ANSWER = re.compile(r"(?:^|\n)#### *(\S[^\n]*?)\s*\Z")
"""Final answer at the end of a solution, as in GSM8K."""


class LmEval(Json):
    """Input format of `samples_<task>_<time>.jsonl` (version 0.4), for generated replies or choices by log-likelihood.

    The system is the name of the folder, and the relation is the task. With several filters, the file has each sample
    several times; those of the first filter are read, with their unfiltered replies. The question is taken from a usual
    key of the document, such as `question`, or is the whole prompt. `columns.question=doc.<name>` and
    `columns.answers=doc.<name>` choose other keys.
    """

    by_content: ClassVar[bool] = True
    name_pattern: ClassVar[re.Pattern[str] | None] = re.compile(r"samples_(.+?)(?:_(\d{4}-\d\d-\d\dT[\d.:-]+))?")
    sorted_by: ClassVar[str] = "task"
    infinities: ClassVar[Mapping[str, str]] = {"-Infinity": "-inf"}

    @classmethod
    def task_and_time(cls, path: Path) -> tuple[str, str] | None:
        """Return the task and the time in a file's name; None if it lacks either."""
        named = cls.name_pattern.fullmatch(path.stem) if cls.name_pattern else None
        return (named[1], named[2]) if named and named[2] else None

    @classmethod
    def claims(cls, path: Path, start: bytes) -> bool:
        """Return whether a file is a sample log of the harness."""
        line = start.partition(b"\n")[0]
        is_cut = len(line) == len(start)
        return super().claims(path, start) and all(key in line for key in (_KEYS[:2] if is_cut else _KEYS))

    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield a record for each sampled reply."""
        file_columns = {"relation": self.title(self.path), "system": self.path.parent.name.replace("__", "/")}
        first_filter: Any = None
        for where, sample in super().records():
            first_filter = sample.get("filter") if first_filter is None else first_filter
            if sample.get("filter") == first_filter:
                yield from ((where, {**sample, **file_columns, **record}) for record in _records_of(sample))

    def count(self) -> int | None:
        """Return the number of samples of the first filter."""
        filters = [sample.filter for sample in Lines(self.path, _Filtered, DeferredProblems())]
        return filters.count(filters[0]) if filters else 0


class _Filtered(Struct):
    filter: Any = None


def _records_of(sample: Record) -> Iterator[Record]:
    """Yield a record for each reply of one sample, with the default column names."""
    doc = sample.get("doc")
    requests = _request_pairs(sample.get("arguments"))
    prompt = str(requests[0][0]) if requests else ""
    doc = doc if isinstance(doc, Mapping) else {}
    known = (doc.get(name) for name in _QUESTIONS)
    question = next((text for text in known if isinstance(text, str) and _is_question(text)), prompt)
    answers = _answers(sample.get("target"))
    columns = {"id": sample.get("doc_id"), "question": question, "prompt": prompt, "answers": answers}
    replies = sample.get("resps")
    replies = replies if isinstance(replies, list) else []
    scores = _scores(replies)
    if scores and len(scores) == len(requests):
        choices = [str(continuation).strip() for _, continuation in requests]
        likeliest = choices[scores.index(max(scores))]
        right = _options_labelled_right(doc, choices) or [_option(name, choices) for name in _as_list(answers)]
        columns |= {"choices": choices, "answers": right, "given_by": "text"}
        yield {**columns, "response": likeliest, "loglikelihoods": scores}
        return
    options = next((texts for name in _OPTIONS if (texts := _options_of(doc.get(name)))), [])
    texts = [*map(str, options)]
    if all(text in prompt for text in texts) and all(map(partial(has_option, texts), _as_list(answers))):
        right = [_option(name, texts) if isinstance(name, int) else name for name in _as_list(answers)]
        columns |= {"choices": options, "answers": right}
    elif texts := _options_in_prompt(prompt, question, _as_list(answers)):
        columns |= {"choices": texts}
    replies_of_first = replies[0] if replies and isinstance(replies[0], list) else replies[:1]
    yield from ({**columns, "response": reply} for reply in replies_of_first or [None])


def _is_question(text: str) -> bool:
    """Return whether a text may be a question: not one word in ASCII letters, as in COPA ("cause" or "effect")."""
    text = text.strip()
    return bool(text) and not (text.isascii() and text.isalpha())


def _answers(target: Any) -> Any:
    """Return the right answers in a target: the final answer of a solution, the items of a list, or the target itself.

    A text such as "[1, 2]", with several numbers, is one answer: a vector.
    """
    if not isinstance(target, str):
        return target
    solved = _FINAL_ANSWER.search(target)
    items = [solved[1]] if solved else split_items(target)
    return [target] if len(items) > 1 and all(isinstance(item, int | float) for item in items) else items


def _options_of(value: Any) -> list[Any]:
    """Return the texts of a document's options; empty if their format is unknown."""
    try:
        texts = without_labels(value)[0]
    except UnusableError:
        return []
    return texts if isinstance(texts, list) else []


def _options_in_prompt(prompt: str, question: str, answers: list[Any]) -> list[str]:
    """Return the options with letters that follow the question in a prompt; empty if the answers do not name any."""
    rest = prompt[prompt.rfind(question) :] if question in prompt else ""
    texts, labels = options_in(rest, answers) if all(isinstance(name, str) for name in answers) else ((), ())
    return [*texts] if labels and labels[0] in "Aa" else []


def _as_list(answers: Any) -> list[Any]:
    return answers if isinstance(answers, list) else [answers]


def _options_labelled_right(doc: Mapping[str, Any], choices: list[str]) -> list[str]:
    """Return the options that a document labels with 1, as in TruthfulQA; empty if it does not label these options."""
    for part in doc.values():
        if isinstance(part, Mapping) and [str(text).strip() for text in _as_list(part.get("choices"))] == choices:
            labels = _as_list(part.get("labels"))
            return [choice for choice, label in zip(choices, labels, strict=False) if label == 1]
    return []


def _request_pairs(arguments: Any) -> list[tuple[Any, Any]]:
    """Return (prompt, continuation) for each request; `arguments` has lists (early versions) or `{"gen_args_0": …}`."""
    requests = list(arguments.values()) if isinstance(arguments, Mapping) else arguments
    if not isinstance(requests, list):
        return []
    parts = [list(request.values()) if isinstance(request, Mapping) else request for request in requests]
    return [(part[0], part[1]) for part in parts if isinstance(part, list) and len(part) > 1]


def _scores(replies: list[Any]) -> list[float]:
    """Return the log-likelihood of each request, with NaN for null; empty if the replies are texts."""
    try:
        scores = [reply[0][0] for reply in replies if not isinstance(reply[0], str)]
        return [nan if score is None else float(score) for score in scores]
    except (IndexError, KeyError, OverflowError, TypeError, ValueError):
        return []


def _option(name: Any, choices: list[str]) -> Any:
    """Return the option at index `name`, from 0; return `name` itself if it is not the index of an option."""
    place = parse_index(str(name))
    return choices[place] if place is not None and place < len(choices) else name
