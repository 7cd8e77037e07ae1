"""Pairing of questions about the same item, such as a statement and its negation; identity of questions."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import count
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from factprobe.metrics.breakdowns.base import Breakdown, ModelRow
from factprobe.metrics.strata import ALL
from factprobe.records import Question

Item = TypeVar("Item")


class ModelTask(NamedTuple):
    """Questions of one generator and task, answered by one model."""

    generator: str
    model: str
    task: str
    """Question type, or the name of a group of comparable question types, such as `in words`."""


class RelationRow(ModelRow, frozen=True, kw_only=True):
    """Row about one relation, or all relations."""

    relation: str = ALL


class TaskRow(RelationRow, frozen=True, kw_only=True):
    """Row about questions of one task on one relation, or on all relations."""

    task: str = ""
    """Question type, or `in words` for all types that are answered in words."""


class PairedBreakdown(Breakdown):
    """Base class of breakdowns that pair the outcomes of two ways of asking for the same item."""

    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._current = ("", "", "")
        """Generator, model and relation of the outcomes that are not paired yet."""
        self._open: dict[tuple[ModelTask, Hashable], tuple[str, dict[bool, Any]]] = {}
        self._pairs: dict[ModelTask, dict[str, list[tuple[Any, Any, str]]]] = {}

    def add_outcome(
        self, generator: str, model: str, question: Question, item: Hashable, outcome: Any, *, is_second: bool
    ) -> None:
        """Add the outcome of one way of asking; `item` must be unique within model, question type and relation."""
        if self._current != (generator, model, question.relation):
            self._match_pairs()
            self._current = generator, model, question.relation
        task = ModelTask(generator, model, question.question_type)
        self._open.setdefault((task, item), (question.subject_uri, {}))[1][is_second] = outcome

    def pairs(self) -> Iterator[tuple[dict[str, Any], Sequence[Any], Sequence[Any], Sequence[str]]]:
        """Yield identifying columns, first and second outcomes, and subjects of each row, all relations first."""
        self._match_pairs()
        for task, relations in self._pairs.items():
            for relation, pairs in with_total(relations).items():
                firsts, seconds, subjects = zip(*pairs, strict=True)
                yield {"kg": self.kg, "relation": relation, **task._asdict()}, firsts, seconds, subjects

    def _match_pairs(self) -> None:
        """Keep the paired outcomes of the finished relation; drop outcomes of items asked in one way only."""
        for (task, _), (subject, outcomes) in self._open.items():
            if len(outcomes) == 2:
                by_relation = self._pairs.setdefault(task, {})
                pair = outcomes[False], outcomes[True], subject
                by_relation.setdefault(self._current[2], []).append(pair)
        self._open = {}


class IntegerColumns:
    """Growing table of 64-bit integers with named columns and a row for each question."""

    def __init__(self, *names: str) -> None:
        self._columns = {name: array("q") for name in names}

    def add(self, *row: int) -> None:
        """Add a row."""
        for column, value in zip(self._columns.values(), row, strict=True):
            column.append(value)

    def __getitem__(self, name: str) -> NDArray[np.int64]:
        return np.array(self._columns[name], np.int64)

    def right_by_key(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return `right` in the row with each `key`, -1 if no row has it; the table needs both columns and a row."""
        known_keys = self["key"]
        order = np.argsort(known_keys, kind="stable")
        at = order[np.minimum(np.searchsorted(known_keys, keys, sorter=order), len(known_keys) - 1)]
        return np.where(known_keys[at] == keys, self["right"][at], -1)


def number_labels() -> defaultdict[str, int]:
    """Return a mapping that numbers labels from 0 in the order in which they are first looked up."""
    return defaultdict(count().__next__)


def right_answer_key(question: Question) -> str | list[str]:
    """Return the right answer: `correct` or `incorrect`, or the sorted URIs of the answers."""
    answers = question.answers
    return answers if isinstance(answers, str) else sorted(answer.uri for answer in answers)


def question_hash(question: Question) -> int:
    """Return a signed 64-bit hash of what a question asks, stable across processes.

    It depends on the id, the right answers, the options, the entity shown in a statement, and the path of a
    composition, but not on wording, passage, order of options, or whether a placeholder replaces the subject.
    """
    right = right_answer_key(question)
    content = repr((question.question_id, right, sorted(question.choices), question.shown, question.path))
    return int.from_bytes(blake2b(content.encode(), digest_size=8).digest(), "big", signed=True)


def with_total(relations: Mapping[str, list[Item]]) -> dict[str, list[Item]]:
    """Return the items of each relation, preceded by the items of all relations under `all`."""
    return {ALL: [item for items in relations.values() for item in items], **relations}
