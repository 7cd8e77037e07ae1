"""Reversal gap: knowledge of facts from the subject's end and from the object's end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from factprobe.metrics.breakdowns.base import Breakdown
from factprobe.metrics.breakdowns.question_pairs import ModelTask, Pairs
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Interval
from factprobe.metrics.statistics.paired import paired_shares
from factprobe.question_types import kind_or_plain
from factprobe.records import Grade, Question


class Reversal(Struct, frozen=True):
    """Knowledge of a relation's facts that a model was asked for from both ends in one task; shares in [0, 1]."""

    facts: int
    """Number of facts."""
    object: Interval
    """Share of facts whose object is known; higher is better."""
    subject: Interval
    """Share of facts whose subject is known; higher is better."""
    gap: Interval
    """`object` minus `subject`, in [-1, 1]: 0 is best; above 0, subjects are known less often."""
    kg: str = ""
    generator: str = ""
    model: str = ""
    relation: str = ALL
    """Relation, or `all`."""
    task: str = ""
    """Question type."""


def reversal(
    objects: Sequence[bool], subjects: Sequence[bool], clusters: Sequence[str] | None = None
) -> Reversal | None:
    """Compute the reversal gap of facts in the same order; None without facts.

    The source is Berglund et al. 2023, *The Reversal Curse*, section 2.2, which measures it on celebrities.

    Args:
        objects: whether the object of each fact is known, given the subject.
        subjects: whether the subject of each fact is known, given the object.
        clusters: the subject entity of each fact; by default facts are independent.

    Raises:
        ValueError: the lengths differ.
    """
    found = paired_shares(objects, subjects, clusters)
    return Reversal(len(objects), *found) if found else None


class BothEnds(Breakdown):
    """Breakdown of facts that a generator asks from both ends.

    Only equal tasks are paired: a single answer in words, or a choice among equally many options. Questions for all
    answers are left out, and so are true/false statements, which show both ends.
    """

    title = "Facts from both ends"
    note = (
        "Over the facts that were asked from both ends in the same task: a single answer in words, or a choice among "
        "equally many options. The gap is the share of known objects minus the share of known subjects."
    )
    heads: ClassVar[Mapping[str, str]] = {
        "relation": "relation",
        "task": "task",
        "facts": "facts",
        "object": "object known",
        "subject": "subject known",
        "gap": "gap",
    }
    main = "gap"
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._pairs = Pairs[bool]()

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade; see the base class."""
        kind = kind_or_plain(question.question_type)
        if grade.verdict == "failed" or isinstance(question.answers, str) or kind.is_set or not question.object_uri:
            return
        asked = ModelTask(generator, model, question.question_type)
        item = len(question.choices), question.subject_uri, question.object_uri
        known, second = grade.verdict == "correct", question.sought == "subject"
        self._pairs.add(asked, question.relation, item, question.subject_uri, known, second=second)

    def rows(self) -> Sequence[Reversal]:
        """Return the rows, with the row of all relations first."""
        return [
            replace(found, kg=self.kg, relation=relation, **asked._asdict())
            for asked, relation, pairs in self._pairs.groups()
            if (found := reversal(*pairs))
        ]

    @classmethod
    def sentence(cls, row: Reversal) -> str:
        """Return a sentence; see the base class."""
        if row.relation != ALL:
            return ""
        return "{task}: of {facts} facts asked from both ends {object} of the objects known, {subject} of the subjects"
