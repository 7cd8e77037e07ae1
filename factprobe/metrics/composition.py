"""Whether who knows two facts also knows what follows from them together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from factprobe.metrics.breakdowns import Breakdown
from factprobe.metrics.consistency import known_facts
from factprobe.metrics.intervals import Interval, share
from factprobe.metrics.pairs import ModelTask, with_all
from factprobe.metrics.scores import ALL
from factprobe.question_types import kind_or_plain
from factprobe.records import Grade, Hop, Question, RelationCount


class CompositionScores(Struct, frozen=True):
    """Facts that follow from two others, all three of them asked for in the same task; shares in [0, 1]."""

    facts: int
    """How many."""
    both_steps: int
    """Those of them of which both steps are known."""
    gap: Interval | None
    """The compositionality gap: the share of these that are not known themselves; lower is better. None where there
    are none."""
    without: Interval | None
    """The share known of the facts of which a step is not: by a shortcut, or by luck. None where there are none."""


def composition(
    known: Sequence[bool], steps: Sequence[bool], clusters: Sequence[str] | None = None, confidence: float = 0.95
) -> CompositionScores:
    """The compositionality gap (Press et al. 2023, *Measuring and Narrowing the Compositionality Gap*, section 3).

    Args:
        known: of each fact whether it is known.
        steps: of each whether both facts that it follows from are; where it follows in several ways, those of one.
        clusters: the subject entity of each fact, by default its own.
        confidence: how often the intervals are to cover the truth.

    Raises:
        ValueError: lengths that differ.
    """
    groups = list(clusters) if clusters is not None else [str(at) for at in range(len(known))]
    rows = list(zip(known, steps, groups, strict=True))

    def of(values: list[tuple[bool, str]]) -> Interval | None:
        return share([value for value, _ in values], [group for _, group in values], confidence)

    both = [(right, group) for right, step, group in rows if step]
    return CompositionScores(
        facts=len(rows),
        both_steps=len(both),
        gap=of([(not right, group) for right, group in both]),
        without=of([(right, group) for right, step, group in rows if not step]),
    )


class RelationComposition(CompositionScores, frozen=True, kw_only=True):
    """How a model knows the facts of a relation that two others make, and those that they follow from, in one task."""

    kg: str
    generator: str
    model: str
    relation: str
    """`all` for all of them."""
    task: str
    """`in words`, for one answer or several, or the type of a question with options."""


_Reached = dict[str, dict[str, bool]]
"""From each entity those that a step leads to, and whether that is known."""


class TwoSteps(Breakdown):
    """Over the facts that follow from two others, and were asked for like both of them, which a model knows.

    A fact follows in as many ways as there are entities in the middle whose two facts were asked for.
    """

    title = "Facts that follow from two"
    note = (
        "Over the facts of compositions both of whose steps were asked for too, in words or with options. The gap is "
        "the share that is not known where both steps are; what is known without them is a shortcut, or luck."
    )
    heads: ClassVar[Mapping[str, str]] = {
        "relation": "relation",
        "task": "task",
        "facts": "facts",
        "both_steps": "both steps known",
        "gap": "gap",
        "without": "known without",
    }
    main = "gap"
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._paths: dict[str, tuple[Hop, ...]] = {}
        self._steps: dict[tuple[ModelTask, Hop], _Reached] = {}
        """What is known of each step, by generator, model and task."""
        self._composed: dict[tuple[ModelTask, str], dict[tuple[str, str], bool]] = {}
        """What is known of each composition's facts, by generator, model, task and relation."""

    def begin(self, relations: Iterable[RelationCount]) -> None:
        """See the base class; of the relations that no composition is made of nothing is kept."""
        self._paths = {found.relation: found.path for found in relations if found.path}

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """See the base class."""
        if not self._paths or grade.verdict == "failed" or isinstance(question.answers, str):
            return
        kind = kind_or_plain(question.question_type)
        asked = ModelTask(generator, model, "in words" if kind.named else question.question_type)
        if question.relation in self._paths and question.sought == "object":
            of_relation = self._composed.setdefault((asked, question.relation), {})
            for fact, known in known_facts(grade, question).items():
                of_relation[fact] = of_relation.get(fact, True) and known
        hop = Hop(question.relation, question.sought)
        if any(hop in path for path in self._paths.values()):
            reached = self._steps.setdefault((asked, hop), {})
            for ends, known in known_facts(grade, question).items():
                start, end = ends if hop.sought == "object" else ends[::-1]
                of_start = reached.setdefault(start, {})
                of_start[end] = of_start.get(end, True) and known

    def rows(self) -> Sequence[RelationComposition]:
        """See the base class; the row over all compositions comes first."""
        tasks: dict[ModelTask, dict[str, list[tuple[bool, bool, str]]]] = {}
        for (asked, relation), known in self._composed.items():
            one, other = (self._steps.get((asked, hop), {}) for hop in self._paths[relation])
            for (subject, object_), right in known.items():
                ways = list(_ways(one, other, subject, object_))
                if ways:
                    tasks.setdefault(asked, {}).setdefault(relation, []).append((right, any(ways), subject))
        return [
            RelationComposition(
                **asdict(composition([f[0] for f in facts], [f[1] for f in facts], [f[2] for f in facts])),
                kg=self.kg,
                generator=asked.generator,
                model=asked.model,
                relation=relation,
                task=asked.task,
            )
            for asked, relations in tasks.items()
            for relation, facts in with_all(relations).items()
        ]

    @classmethod
    def sentence(cls, row: RelationComposition) -> str:
        """See the base class."""
        if row.relation != ALL:
            return ""
        return (
            "{task}: of {both_steps} compositions with both steps known {gap} not known; of the others {without} known"
        )


def _ways(one: _Reached, other: _Reached, subject: str, object_: str) -> Iterator[bool]:
    """For each entity in the middle whose two facts were asked for, whether both are known."""
    for middle, known in one.get(subject, {}).items():
        onwards = other.get(middle, {})
        if object_ in onwards:
            yield known and onwards[object_]
