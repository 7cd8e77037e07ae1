"""Compositionality gap: accuracy on two-hop questions whose single hops are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from factprobe.metrics.breakdowns.base import Breakdown, headers
from factprobe.metrics.breakdowns.consistency import known_facts
from factprobe.metrics.breakdowns.question_pairs import ModelTask, TaskRow, with_total
from factprobe.metrics.statistics.intervals import Interval, share_among
from factprobe.question_types import get_kind_or_default
from factprobe.records import Grade, Hop, Question, RelationCount


class CompositionScores(TaskRow, frozen=True):
    """Shares of composed facts that a model knows or not, by whether it knows both steps of the fact in the same task.

    The gap is that of Press et al. 2023, *Measuring and Narrowing the Compositionality Gap*; None for no facts.
    """

    facts: int
    """Number of composed facts."""
    both_steps: int
    """Number of composed facts with both steps known."""
    gap: Interval | None
    """Compositionality gap: share of unknown facts if both steps are known, in [0, 1]; lower is better."""
    without: Interval | None
    """Share of known facts if a step is unknown, in [0, 1]: known by a shortcut or by luck."""


_StepFacts = dict[str, dict[str, bool]]
"""Facts of one step by start and end entity; True if the model knows the fact."""


class TwoSteps(Breakdown):
    """Breakdown of composed facts asked in one task with both steps, by one or several middle entities."""

    title = "Facts that follow from two"
    note = (
        "Over the composed facts with both steps asked too, in words or with options. The gap is the share of unknown "
        "facts among those with both steps known; facts known without both steps show a shortcut, or luck."
    )
    heads = headers(
        "relation task facts both_steps gap without", both_steps="both steps known", without="known without"
    )
    main = "gap"
    total_sentence = (
        "{task}: of {both_steps} compositions with both steps known {gap} not known; of the others {without} known"
    )
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._paths: dict[str, tuple[Hop, ...]] = {}
        self._steps: dict[tuple[ModelTask, Hop], _StepFacts] = {}
        """Facts of each step, by generator, model and task."""
        self._composed: dict[tuple[ModelTask, str], dict[tuple[str, str], bool]] = {}
        """Composed facts (subject and object) and whether they are known, by generator, model, task and relation."""

    def begin(self, relations: Iterable[RelationCount]) -> None:
        """Keep the paths of the composed relations."""
        self._paths = {relation.relation: relation.path for relation in relations if relation.path}

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade of a composed fact or of one of its steps."""
        if not self._paths or grade.verdict == "failed" or isinstance(question.answers, str):
            return
        kind = get_kind_or_default(question.question_type)
        task = ModelTask(generator, model, "in words" if kind.has_named_answer else question.question_type)
        if question.relation in self._paths and question.sought == "object":
            of_relation = self._composed.setdefault((task, question.relation), {})
            for fact, known in known_facts(grade, question).items():
                of_relation[fact] = of_relation.get(fact, True) and known
        hop = Hop(question.relation, question.sought)
        if any(hop in path for path in self._paths.values()):
            facts = self._steps.setdefault((task, hop), {})
            for ends, known in known_facts(grade, question).items():
                start, end = ends if hop.sought == "object" else ends[::-1]
                of_start = facts.setdefault(start, {})
                of_start[end] = of_start.get(end, True) and known

    def rows(self) -> Sequence[CompositionScores]:
        """Return a row for all composed relations and one for each, by task."""
        tasks: dict[ModelTask, dict[str, list[tuple[bool, bool, str]]]] = {}
        for (task, relation), known in self._composed.items():
            one, other = (self._steps.get((task, hop), {}) for hop in self._paths[relation])
            for (subject, object_), right in known.items():
                onwards = ((is_known, other.get(middle, {})) for middle, is_known in one.get(subject, {}).items())
                ways = [is_known and ends[object_] for is_known, ends in onwards if object_ in ends]
                if ways:
                    tasks.setdefault(task, {}).setdefault(relation, []).append((right, any(ways), subject))
        return [
            self._make_row(facts, relation, task)
            for task, relations in tasks.items()
            for relation, facts in with_total(relations).items()
        ]

    def _make_row(self, facts: Sequence[tuple[bool, bool, str]], relation: str, task: ModelTask) -> CompositionScores:
        """Return a row; `facts` has (fact is known, both steps are known, subject) for each fact."""
        right, with_steps, subjects = zip(*facts, strict=True)
        known, steps, both = np.array(right, bool), np.array(with_steps, bool), sum(with_steps)
        gap, without = share_among(~known, steps, subjects), share_among(known, ~steps, subjects)
        return CompositionScores(len(facts), both, gap, without, kg=self.kg, relation=relation, **task._asdict())
