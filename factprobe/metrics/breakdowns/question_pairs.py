"""Pairs of questions about the same item, such as a statement and its negation."""

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
from factprobe.metrics.scores import ALL
from factprobe.records import Question

Item = TypeVar("Item")


class ModelTask(NamedTuple):
    """Generator, model and task of questions."""

    generator: str
    model: str
    task: str
    """Question type, or another name for questions that can be compared."""


class RelationRow(ModelRow, frozen=True, kw_only=True):
    """Row about a relation, or all."""

    relation: str = ALL


class TaskRow(RelationRow, frozen=True, kw_only=True):
    """Row about a relation in one task."""

    task: str = ""
    """Question type, or `in words` for all that are answered in words."""


class AskedTwice(Breakdown):
    """Breakdown of items that a generator asks in two ways, which keeps unmatched outcomes of one relation only."""

    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._current = ("", "", "")
        """Generator, model and relation of the unmatched outcomes."""
        self._open: dict[tuple[ModelTask, Hashable], tuple[str, dict[bool, Any]]] = {}
        self._pairs: dict[ModelTask, dict[str, list[tuple[Any, Any, str]]]] = {}

    def pair(self, generator: str, model: str, question: Question, item: Hashable, value: Any, *, second: bool) -> None:
        """Add the first or second outcome of an item, whose key is unique within question type and relation."""
        if self._current != (generator, model, question.relation):
            self._match_pairs()
            self._current = generator, model, question.relation
        asked = ModelTask(generator, model, question.question_type)
        self._open.setdefault((asked, item), (question.subject_uri, {}))[1][second] = value

    def pairs(self) -> Iterator[tuple[dict[str, Any], Sequence[Any], Sequence[Any], Sequence[str]]]:
        """Yield the names of each row, the first and second outcomes of its items, and the items' subjects.

        The row of all relations comes before those of each relation of a task.
        """
        self._match_pairs()
        for asked, relations in self._pairs.items():
            for relation, pairs in with_all(relations).items():
                firsts, seconds, subjects = zip(*pairs, strict=True)
                yield {"kg": self.kg, "relation": relation, **asked._asdict()}, firsts, seconds, subjects

    def _match_pairs(self) -> None:
        """Keep the pairs of the finished relation, and drop its unmatched outcomes."""
        for (asked, _), (subject, outcomes) in self._open.items():
            if len(outcomes) == 2:
                by_relation = self._pairs.setdefault(asked, {})
                pair = outcomes[False], outcomes[True], subject
                by_relation.setdefault(self._current[2], []).append(pair)
        self._open = {}


class IntegerColumns:
    """Columns of whole numbers, eight bytes each, with a row for each question."""

    def __init__(self, *names: str) -> None:
        self._columns = {name: array("q") for name in names}

    def add(self, *row: int) -> None:
        """Add a row."""
        for column, value in zip(self._columns.values(), row, strict=True):
            column.append(value)

    def __getitem__(self, name: str) -> NDArray[np.int64]:
        return np.array(self._columns[name], np.int64)

    def find(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the value of the column `right` in the row of each key, or -1 for a key that is missing."""
        own = self["key"]
        order = np.argsort(own, kind="stable")
        at = order[np.minimum(np.searchsorted(own, keys, sorter=order), len(own) - 1)]
        return np.where(own[at] == keys, self["right"][at], -1)


def number_labels() -> defaultdict[str, int]:
    """Return a mapping that numbers labels from 0 in the order in which they are looked up."""
    return defaultdict(count().__next__)


def right_of(question: Question) -> str | list[str]:
    """Return the right answer: `correct` or `incorrect`, or the sorted URIs of the answers."""
    answers = question.answers
    return answers if isinstance(answers, str) else sorted(answer.uri for answer in answers)


def same_question(question: Question) -> int:
    """Return a signed 64-bit hash of what a question asks, which is the same in every process.

    It depends on the id, the right answers, the options, the entity shown in a statement, and the steps. It does not
    depend on wording, passage, order of options, or whether a placeholder replaces the subject (`given="none"`).
    """
    asked = repr((question.question_id, right_of(question), sorted(question.choices), question.shown, question.path))
    return int.from_bytes(blake2b(asked.encode(), digest_size=8).digest(), "big", signed=True)


def with_all(relations: Mapping[str, list[Item]]) -> dict[str, list[Item]]:
    """Return the items of each relation, preceded by the items of all relations under `all`."""
    return {ALL: [item for items in relations.values() for item in items], **relations}
