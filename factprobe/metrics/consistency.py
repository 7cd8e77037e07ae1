"""Whether a fact is known in whichever form it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from factprobe.metrics.intervals import Interval, rate_interval


class Consistency(Struct, frozen=True):
    """How often facts are known, by the form of the question; shares in [0, 1], higher is better.

    The last four are over the facts that were asked in two forms or more; None where there is none.
    """

    by_form: dict[str, Interval]
    """The share of facts known in each form, over the facts asked in it."""
    facts: int
    """How many facts were asked in two forms or more."""
    mean: Interval | None
    """The mean over these of the share of their forms in which they are known: "knows 61 %"."""
    some: Interval | None
    """The share of them known in at least one form."""
    every: Interval | None
    """The share of them known in every form that they were asked in: "in every form 38 %"."""


def consistency(
    facts: Sequence[str],
    forms: Sequence[str],
    known: Sequence[bool],
    clusters: Sequence[str] | None = None,
    confidence: float = 0.95,
) -> Consistency:
    """The consistency of facts over their question forms.

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
