"""Sample logs of lm-evaluation-harness, written with `--log_samples`."""

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
_SOLVED = re.compile(r"(?:^|\n)#### *(\S[^\n]*?)\s*\Z")
"""Pattern of the final answer of a solution, as in GSM8K."""


class LmEval(Json):
    """Input format of `samples_<task>_<time>.jsonl` (version 0.4), with generated replies or choices by log-likelihood.

    The system is the name of the folder, and the relation is the task. With several filters the file has each reply
    several times; only samples of the first filter are read, with their unfiltered replies. The question is a usual key
    of the document, or else the whole prompt; `columns.question=doc.<name>` and `columns.answers=doc.<name>` choose
    other keys.
    """

    by_content: ClassVar[bool] = True
    name_pattern: ClassVar[re.Pattern[str] | None] = re.compile(r"samples_(.+?)(?:_\d{4}-\d\d-\d\dT[\d.:-]+)?")
    sorted_by: ClassVar[str] = "task"
    infinities: ClassVar[Mapping[str, str]] = {"-Infinity": "-inf"}

    @classmethod
    def claims(cls, path: Path, start: bytes) -> bool:
        """Return whether a file is a sample log of the harness."""
        line = start.partition(b"\n")[0]
        cut = len(line) == len(start)
        return super().claims(path, start) and all(key in line for key in (_KEYS[:2] if cut else _KEYS))

    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield the records, one for each sampled reply."""
        own = {"relation": self.title(self.path), "system": self.path.parent.name.replace("__", "/")}
        used: Any = None
        for where, sample in super().records():
            used = sample.get("filter") if used is None else used
            if sample.get("filter") == used:
                yield from ((where, {**sample, **own, **found}) for found in _read(sample))

    def count(self) -> int | None:
        """Return the number of samples of the first filter."""
        used = [sample.filter for sample in Lines(self.path, _Filtered, DeferredProblems())]
        return used.count(used[0]) if used else 0


class _Filtered(Struct):
    filter: Any = None


def _read(sample: Record) -> Iterator[Record]:
    """Yield the replies of one sample, with the usual column names."""
    doc = sample.get("doc")
    asked = _request_pairs(sample.get("arguments"))
    prompt = str(asked[0][0]) if asked else ""
    doc = doc if isinstance(doc, Mapping) else {}
    known = (doc.get(name) for name in _QUESTIONS)
    question = next((text for text in known if isinstance(text, str) and _is_question(text)), prompt)
    answers = _answers(sample.get("target"))
    found = {"id": sample.get("doc_id"), "question": question, "prompt": prompt, "answers": answers}
    replies = sample.get("resps")
    replies = replies if isinstance(replies, list) else []
    scores = _scores(replies)
    if scores and len(scores) == len(asked):
        choices = [str(continuation).strip() for _, continuation in asked]
        likeliest = choices[scores.index(max(scores))]
        right = _labelled_right(doc, choices) or [_option(name, choices) for name in _as_list(answers)]
        found |= {"choices": choices, "answers": right, "given_by": "text"}
        yield {**found, "response": likeliest, "loglikelihoods": scores}
        return
    options = next((texts for name in _OPTIONS if (texts := _options_of(doc.get(name)))), [])
    texts = [*map(str, options)]
    if all(text in prompt for text in texts) and all(map(partial(has_option, texts), _as_list(answers))):
        right = [_option(name, texts) if isinstance(name, int) else name for name in _as_list(answers)]
        found |= {"choices": options, "answers": right}
    elif texts := _shown_options(prompt, question, _as_list(answers)):
        found |= {"choices": texts}
    own = replies[0] if replies and isinstance(replies[0], list) else replies[:1]
    yield from ({**found, "response": reply} for reply in own or [None])


def _is_question(text: str) -> bool:
    """Return whether a text is more than one word; COPA's `question` is "cause" or "effect"."""
    text = text.strip()
    return bool(text) and not (text.isascii() and text.isalpha())


def _answers(target: Any) -> Any:
    """Return the right answers in a target: the end of a solution, the items of a list, or the target itself.

    A text with a list of numbers is one answer, a vector.
    """
    if not isinstance(target, str):
        return target
    solved = _SOLVED.search(target)
    items = [solved[1]] if solved else split_items(target)
    return [target] if len(items) > 1 and all(isinstance(item, int | float) for item in items) else items


def _options_of(value: Any) -> list[Any]:
    """Return the texts of a document's options; empty if they are in no known form."""
    try:
        texts = without_labels(value)[0]
    except UnusableError:
        return []
    return texts if isinstance(texts, list) else []


def _shown_options(prompt: str, question: str, answers: list[Any]) -> list[str]:
    """Return the lettered options after the question in a prompt, if the answers name them; else nothing."""
    shown = prompt[prompt.rfind(question) :] if question in prompt else ""
    texts, labels = options_in(shown, answers) if all(isinstance(name, str) for name in answers) else ((), ())
    return [*texts] if labels and labels[0] in "Aa" else []


def _as_list(answers: Any) -> list[Any]:
    return answers if isinstance(answers, list) else [answers]


def _labelled_right(doc: Mapping[str, Any], choices: list[str]) -> list[str]:
    """Return the options that a document labels with 1, as in TruthfulQA; empty if it has no labels of them."""
    for part in doc.values():
        if isinstance(part, Mapping) and [str(text).strip() for text in _as_list(part.get("choices"))] == choices:
            labels = _as_list(part.get("labels"))
            return [choice for choice, label in zip(choices, labels, strict=False) if label == 1]
    return []


def _request_pairs(arguments: Any) -> list[tuple[Any, Any]]:
    """Return prompt and continuation of each request, given lists (early versions) or `{"gen_args_0": {...}}`."""
    requests = list(arguments.values()) if isinstance(arguments, Mapping) else arguments
    if not isinstance(requests, list):
        return []
    parts = [list(request.values()) if isinstance(request, Mapping) else request for request in requests]
    return [(part[0], part[1]) for part in parts if isinstance(part, list) and len(part) > 1]


def _scores(replies: list[Any]) -> list[float]:
    """Return the log-likelihood of each request, with NaN for null; empty if the replies are texts."""
    try:
        given = [reply[0][0] for reply in replies if not isinstance(reply[0], str)]
        return [nan if score is None else float(score) for score in given]
    except (IndexError, KeyError, OverflowError, TypeError, ValueError):
        return []


def _option(name: Any, choices: list[str]) -> Any:
    """Return the option that a target names by its number, as in the harness; other targets are unchanged."""
    place = parse_index(str(name))
    return choices[place] if place is not None and place < len(choices) else name
