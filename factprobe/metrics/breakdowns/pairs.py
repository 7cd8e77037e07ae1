"""Pairs of questions asked in two ways, by generator, model, task and relation."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from hashlib import blake2b
from typing import Generic, NamedTuple, TypeVar

from factprobe.metrics.scores import ALL
from factprobe.records import Question

Value = TypeVar("Value")
Item = TypeVar("Item")


class ModelTask(NamedTuple):
    """A generator, model and task."""

    generator: str
    model: str
    task: str


class Pairs(Generic[Value]):
    """Matching of outcomes in two ways, which holds no more than one relation's unmatched outcomes."""

    def __init__(self) -> None:
        self._of = ("", "", "")
        self._open: dict[tuple[ModelTask, Hashable], tuple[str, dict[bool, Value]]] = {}
        self._pairs: dict[ModelTask, dict[str, list[tuple[Value, Value, str]]]] = {}

    def add(self, asked: ModelTask, relation: str, item: Hashable, subject: str, value: Value, *, second: bool) -> None:
        """Add an outcome; they come relation by relation, and model by model.

        Args:
            asked: who asks whom to do what.
            relation: that it is about.
            item: what both ways have in common, within the task and the relation.
            subject: the URI of its subject entity.
            value: what came of it.
            second: whether it is the second way.
        """
        if self._of != (asked.generator, asked.model, relation):
            self._settle()
            self._of = asked.generator, asked.model, relation
        self._open.setdefault((asked, item), (subject, {}))[1][second] = value

    def groups(self) -> Iterator[tuple[ModelTask, str, tuple[list[Value], list[Value], list[str]]]]:
        """Yield for each task all relations together and then each relation, with both values and the subjects."""
        self._settle()
        for asked, relations in self._pairs.items():
            for relation, pairs in with_all(relations).items():
                yield (
                    asked,
                    relation,
                    ([one for one, *_ in pairs], [two for _, two, _ in pairs], [s for *_, s in pairs]),
                )

    def _settle(self) -> None:
        """Keep the pairs of the finished relation, and drop the rest."""
        for (asked, _), (subject, ways) in self._open.items():
            if len(ways) == 2:
                of_task = self._pairs.setdefault(asked, {})
                of_task.setdefault(self._of[2], []).append((ways[False], ways[True], subject))
        self._open = {}


def right_of(question: Question) -> str | list[str]:
    """Return the right answer: the side, or the sorted URIs of the answers."""
    answers = question.answers
    return answers if isinstance(answers, str) else sorted(answer.uri for answer in answers)


def same_question(question: Question) -> int:
    """Return a signed 64-bit hash of what a question asks, the same in every process.

    Wording, passage and order of options do not matter.

    Another is one with another id, other right answers or options, another false statement or other steps. One without
    its subject (`given`) has the number of the one with it.
    """
    asked = repr((question.question_id, right_of(question), sorted(question.choices), question.shown, question.path))
    return int.from_bytes(blake2b(asked.encode(), digest_size=8).digest(), "big", signed=True)


def with_all(relations: Mapping[str, list[Item]]) -> dict[str, list[Item]]:
    """Return the items of all relations together, then those of each relation."""
    return {ALL: [item for items in relations.values() for item in items], **relations}
