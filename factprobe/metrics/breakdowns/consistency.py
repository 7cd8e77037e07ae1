"""Breakdown of facts by question form: does a model know a fact in all forms in which it is asked?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factprobe.metrics.breakdowns.base import Breakdown, ModelRow, headers
from factprobe.metrics.statistics.intervals import Interval, not_none, share
from factprobe.question_types import get_kind_or_default
from factprobe.records import Grade, Question
from factprobe.text import format_count


class Consistency(ModelRow, frozen=True):
    """Shares of a graph's facts that a model knows, in [0, 1], higher is better.

    `mean` is the mean share of a fact's forms in which it is known; `some` and `every` are the shares of facts known in
    at least one form, and in all. They are over the `facts` asked in two forms or more; None if there are none.
    """

    by_form: dict[str, Interval]
    """Share of facts known in each form, over the facts asked in that form."""
    facts: int
    mean: Interval | None
    some: Interval | None
    every: Interval | None


Fact = tuple[str, ...]
"""URIs of subject, object and relation of a fact."""


def consistency(facts: Mapping[Fact, Mapping[str, bool]], **owner: str) -> Consistency:
    """Compute the consistency of knowledge; `facts` has, for each fact and question form, whether it is known.

    The measures follow accuracy and consistency over paraphrases (Elazar et al. 2021, Transactions of the ACL 9,
    section 3). A consistent fact is known in every form. Lucky guesses count as knowledge, which favours forms with few
    options; `every` is affected least. The facts of one subject form a cluster.
    """

    def rate(values: dict[Fact, float]) -> Interval | None:
        return share(list(values.values()), [subject for subject, *_ in values])

    several = {fact: list(forms.values()) for fact, forms in facts.items() if len(forms) > 1}
    all_forms = sorted({form for forms in facts.values() for form in forms})
    return Consistency(
        by_form={
            form: not_none(rate({fact: forms[form] for fact, forms in facts.items() if form in forms}))
            for form in all_forms
        },
        facts=len(several),
        mean=rate({fact: sum(rights) / len(rights) for fact, rights in several.items()}),
        some=rate({fact: any(rights) for fact, rights in several.items()}),
        every=rate({fact: all(rights) for fact, rights in several.items()}),
        **owner,
    )


class FormBreakdown(Breakdown):
    """Breakdown of facts that a generator asks in several forms."""

    title = "Facts in all their forms"
    note = "Over the facts that were asked in two forms or more; not corrected for guessing."
    heads = headers("facts mean some every", mean="known on average", some="in some form", every="in every form")
    main = "every"
    in_summary = False
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._facts: dict[tuple[str, str], dict[Fact, dict[str, bool]]] = {}
        """By generator and model, for each fact and form: True if the fact is known each time it is asked."""

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade of a question about a real fact."""
        if grade.verdict != "failed" and question.object_uri and not question.given:  # about a real fact
            facts = self._facts.setdefault((generator, model), {})
            for ends, right in known_facts(grade, question).items():
                forms = facts.setdefault((*ends, question.relation), {})
                forms[question.form] = forms.get(question.form, True) and right

    def rows(self) -> Sequence[Consistency]:
        """Return the row of each generator and model."""
        return [
            consistency(facts, kg=self.kg, generator=generator, model=model)
            for (generator, model), facts in self._facts.items()
        ]

    @classmethod
    def sentence(cls, row: Consistency) -> str:
        """Return a sentence on facts in several forms; empty if there are none."""
        if not row.facts:
            return ""
        return f"{format_count(row.facts, 'fact')} in several forms: {{mean}} known, {{every}} in every form"


def known_facts(grade: Grade, question: Question) -> dict[tuple[str, str], bool]:
    """Return whether a model knows each fact of a question, by its URIs; each answer of a set is a fact."""
    if not get_kind_or_default(question.question_type).is_set or isinstance(question.answers, str):
        return {(question.subject_uri, question.object_uri): grade.verdict == "correct"}
    known = {answer.uri: answer.uri in grade.matched for answer in question.answers}
    if question.sought == "object":
        return {(question.subject_uri, uri): is_known for uri, is_known in known.items()}
    return {(uri, question.object_uri): is_known for uri, is_known in known.items()}
