"""Consistency of judgments on statements and their negations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from factprobe.metrics.breakdowns.base import Breakdown
from factprobe.metrics.breakdowns.question_pairs import ModelTask, Pairs
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Interval, known_share
from factprobe.metrics.statistics.paired import paired_shares
from factprobe.question_types import NEGATED
from factprobe.records import Grade, Question

_PLAIN = {negated: plain for plain, negated in NEGATED.items()}


class Negation(Struct, frozen=True):
    """Judgments of a model on a relation's pairs of a statement and its negation; shares in [0, 1]."""

    pairs: int
    """Number of pairs with both judged."""
    plain: Interval
    """Share of plain statements judged correctly; higher is better."""
    negated: Interval
    """Share of negated statements judged correctly; higher is better."""
    gap: Interval
    """`plain` minus `negated`, in [-1, 1]: 0 is best."""
    both_correct: Interval
    """Share of pairs with both statements called correct, a contradiction; lower is better."""
    both_incorrect: Interval
    """Share of pairs with both statements called incorrect, a contradiction; lower is better."""
    kg: str = ""
    generator: str = ""
    model: str = ""
    relation: str = ALL
    """Relation, or `all`."""


def negation(
    plain: Sequence[tuple[bool, bool | None]],
    negated: Sequence[tuple[bool, bool | None]],
    clusters: Sequence[str] | None = None,
) -> Negation | None:
    """Compute the consistency of judgments on statements and their negations; None without pairs.

    The pairs follow Kassner and Schütze 2020, *Negated and Misprimed Probes for Pretrained Language Models*, section 3,
    whose models complete statements instead of judging them.

    Args:
        plain: whether each statement is judged correctly, and whether it is called correct (None for neither).
        negated: whether each negation is judged correctly, and whether it is called correct, in the same order.
        clusters: the subject entity of each statement; by default statements are independent.

    Raises:
        ValueError: the lengths differ.
    """
    found = paired_shares([right for right, _ in plain], [right for right, _ in negated], clusters)
    if found is None:
        return None
    sides = [(one, other) for (_, one), (_, other) in zip(plain, negated, strict=True)]
    both_correct = known_share([one is other is True for one, other in sides], clusters)
    both_incorrect = known_share([one is other is False for one, other in sides], clusters)
    return Negation(len(plain), *found, both_correct, both_incorrect)


class Negations(Breakdown):
    """Breakdown of statements that a generator asks both plain and negated."""

    title = "Statements and their negations"
    note = (
        "Over the statements that were judged both plain and negated. Calling both correct, or both incorrect, is a "
        "contradiction."
    )
    heads: ClassVar[Mapping[str, str]] = {
        "relation": "relation",
        "pairs": "pairs",
        "plain": "plain right",
        "negated": "negated right",
        "gap": "gap",
        "both_correct": "both called correct",
        "both_incorrect": "both called incorrect",
    }
    main = "both_correct"
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._pairs = Pairs[tuple[bool, bool | None]]()

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade; see the base class."""
        form = question.form
        if grade.verdict == "failed" or (form not in NEGATED and form not in _PLAIN):
            return
        right = grade.verdict == "correct"
        side = (question.answers == "correct") == right if grade.verdict in ("correct", "incorrect") else None
        asked = ModelTask(generator, model, question.question_type)
        item = question.subject_uri, question.object_uri, _PLAIN.get(form, form)
        subject, second = question.subject_uri, form in _PLAIN
        self._pairs.add(asked, question.relation, item, subject, (right, side), second=second)

    def rows(self) -> Sequence[Negation]:
        """Return the rows, with the row of all relations first."""
        return [
            replace(found, kg=self.kg, generator=asked.generator, model=asked.model, relation=relation)
            for asked, relation, pairs in self._pairs.groups()
            if (found := negation(*pairs))
        ]

    @classmethod
    def sentence(cls, row: Negation) -> str:
        """Return a sentence; see the base class."""
        if row.relation != ALL:
            return ""
        rights = "{pairs} statements plain and negated: {plain} and {negated} right"
        return f"{rights}, {{both_correct}} called correct both ways, {{both_incorrect}} incorrect both ways"
