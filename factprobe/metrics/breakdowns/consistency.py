"""Consistency of a model's knowledge over question forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from factprobe.metrics.breakdowns.base import Breakdown
from factprobe.metrics.statistics.intervals import Interval, rate_interval
from factprobe.question_types import kind_or_plain
from factprobe.records import Grade, Question
from factprobe.text import format_count


class Consistency(Struct, frozen=True):
    """Shares of facts known by form of question, in [0, 1], higher is better.

    The last four are over the facts that were asked in two forms or more; None where there is none.
    """

    by_form: dict[str, Interval]
    """Share of facts known in each form, over the facts asked in it."""
    facts: int
    """Number of facts asked in two forms or more."""
    mean: Interval | None
    """Mean share of their forms in which these are known: "knows 61 %"."""
    some: Interval | None
    """Share of them known in at least one form."""
    every: Interval | None
    """Share of them known in every form asked: "in every form 38 %"."""


def consistency(
    facts: Sequence[str],
    forms: Sequence[str],
    known: Sequence[bool],
    clusters: Sequence[str] | None = None,
    confidence: float = 0.95,
) -> Consistency:
    """Compute the consistency of facts over their question forms.

    As the accuracy and the consistency of a fact over paraphrases (Elazar et al. 2021, Transactions of the ACL 9,
    section 3), with a fact known in every form taken as consistent. Lucky guesses count as knowledge here, so that
    forms with few options seem better known, and `every` is the more guarded figure.

    Args:
        facts: the fact that each question is about; failed questions are to be left out.
        forms: the form of each question; a fact asked more than once in a form is known in it if it is each time.
        known: whether each question was answered rightly.
        clusters: the subject entity of each question, by default each fact its own; one fact has one.
        confidence: how often the intervals are to cover the truth.

    Raises:
        ValueError: lengths that differ.
    """
    groups: dict[str, str] = {}
    found: dict[str, dict[str, bool]] = {}
    for fact, form, right, cluster in zip(facts, forms, known, facts if clusters is None else clusters, strict=True):
        of_fact = found.setdefault(fact, {})
        of_fact[form] = of_fact.get(form, True) and bool(right)
        groups[fact] = cluster

    def share(values: dict[str, float]) -> Interval | None:
        parts = list(values.values())
        return rate_interval(parts, np.ones(len(parts)), [groups[fact] for fact in values], confidence=confidence)

    several = {fact: list(of_fact.values()) for fact, of_fact in found.items() if len(of_fact) > 1}
    by_form = {
        form: share({fact: of_fact[form] for fact, of_fact in found.items() if form in of_fact})
        for form in sorted(set(forms))
    }
    return Consistency(
        by_form={form: interval for form, interval in by_form.items() if interval is not None},
        facts=len(several),
        mean=share({fact: sum(rights) / len(rights) for fact, rights in several.items()}),
        some=share({fact: any(rights) for fact, rights in several.items()}),
        every=share({fact: all(rights) for fact, rights in several.items()}),
    )


class FactConsistency(Consistency, frozen=True, kw_only=True):
    """Knowledge of a graph's facts by form of question, for one model."""

    kg: str
    generator: str
    model: str


class ByForm(Breakdown):
    """Consistency over the facts that a generator asks in several forms."""

    title = "Facts in all their forms"
    note = "Over the facts that were asked in two forms or more; not corrected for guessing."
    heads: ClassVar[Mapping[str, str]] = {
        "facts": "facts",
        "mean": "known on average",
        "some": "in some form",
        "every": "in every form",
    }
    main = "every"
    in_summary = False
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._forms: dict[tuple[str, str], _Forms] = {}

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade; see the base class."""
        if grade.verdict != "failed" and question.object_uri and not question.given:  # else it is about no known fact
            self._forms.setdefault((generator, model), _Forms()).add(grade, question)

    def rows(self) -> Sequence[FactConsistency]:
        """Return the rows; see the base class."""
        return [
            FactConsistency(
                **asdict(consistency(forms.facts, forms.forms, forms.known, forms.subjects)),
                kg=self.kg,
                generator=generator,
                model=model,
            )
            for (generator, model), forms in self._forms.items()
        ]

    @classmethod
    def sentence(cls, row: FactConsistency) -> str:
        """Return a sentence; see the base class."""
        if not row.facts:
            return ""
        return f"{format_count(row.facts, 'fact')} in several forms: {{mean}} known, {{every}} in every form"


def known_facts(grade: Grade, question: Question) -> dict[tuple[str, str], bool]:
    """Yield the facts of a question by subject and object URI, and whether each is known.

    A question for a set is about each of its facts, known where the answer is among those that are named.
    """
    if not kind_or_plain(question.question_type).is_set or isinstance(question.answers, str):
        return {(question.subject_uri, question.object_uri): grade.verdict == "correct"}
    by_object = question.sought == "object"
    return {
        (question.subject_uri, answer.uri) if by_object else (answer.uri, question.object_uri): answer.uri
        in grade.matched
        for answer in question.answers
    }


class _Forms:
    """Fact, form and correctness of each question."""

    def __init__(self) -> None:
        self.facts: list[str] = []
        self.forms: list[str] = []
        self.known: list[bool] = []
        self.subjects: list[str] = []

    def add(self, grade: Grade, question: Question) -> None:
        """Add one question."""
        for (one, other), right in known_facts(grade, question).items():
            self.facts.append(f"{one}\0{other}\0{question.relation}")
            self.forms.append(question.form)
            self.known.append(right)
            self.subjects.append(one)
