"""What was asked in two ways: the pairs of each generator, model and task, relation by relation; the same question."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from hashlib import blake2b
from typing import Generic, NamedTuple, TypeVar

from factprobe.metrics.scores import ALL
from factprobe.records import Question

Value = TypeVar("Value")
Item = TypeVar("Item")


class ModelTask(NamedTuple):
    """Who asks whom to do what."""

    generator: str
    model: str
    task: str


class Pairs(Generic[Value]):
    """Takes in what came of each way, and keeps the pairs; of what was asked in one way no more than one relation's."""

    def __init__(self) -> None:
        self._of = ("", "", "")
        self._open: dict[tuple[ModelTask, Hashable], tuple[str, dict[bool, Value]]] = {}
        self._pairs: dict[ModelTask, dict[str, list[tuple[Value, Value, str]]]] = {}

    def add(self, asked: ModelTask, relation: str, item: Hashable, subject: str, value: Value, *, second: bool) -> None:
        """Takes in what came of one way; of a relation after another, and of a model after another.

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
        """Of each task and relation, and first of all relations, the values of both ways and the subjects."""
        self._settle()
        for asked, relations in self._pairs.items():
            for relation, pairs in with_all(relations).items():
                yield (
                    asked,
                    relation,
                    ([one for one, *_ in pairs], [two for _, two, _ in pairs], [s for *_, s in pairs]),
                )

    def _settle(self) -> None:
        """Keeps the pairs of the relation that is done, and forgets the rest of it."""
        for (asked, _), (subject, ways) in self._open.items():
            if len(ways) == 2:
                of_task = self._pairs.setdefault(asked, {})
                of_task.setdefault(self._of[2], []).append((ways[False], ways[True], subject))
        self._open = {}


def right_of(question: Question) -> str | list[str]:
    """What is right: the side, or the URIs of the answers in alphabetical order."""
    answers = question.answers
    return answers if isinstance(answers, str) else sorted(answer.uri for answer in answers)


def same_question(question: Question) -> int:
    """What a question asks, whatever its words, its passage and the order of its options: a number of 64 bits, with a
    sign, the same in every process.

    Another is one with another id, other right answers or options, another false statement or other steps. One without
    its subject (`given`) has the number of the one with it.
    """
    asked = repr((question.question_id, right_of(question), sorted(question.choices), question.shown, question.path))
    return int.from_bytes(blake2b(asked.encode(), digest_size=8).digest(), "big", signed=True)


def with_all(relations: Mapping[str, list[Item]]) -> dict[str, list[Item]]:
    """The items of each relation, behind those of all of them."""
    return {ALL: [item for items in relations.values() for item in items], **relations}
