"""Pairwise comparison of models on the same questions, and the sample sizes needed to detect a difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import ceil, nan, sqrt
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.random import Generator

from factprobe.inputs.labels import HumanJudgment
from factprobe.metrics.corrected import correct, corrected_difference
from factprobe.metrics.statistics.bootstrap import bootstrap
from factprobe.metrics.statistics.intervals import Clusters, Floats, Interval, codes_of, not_none, renumber
from factprobe.metrics.statistics.paired import design_effect, holm, mcnemar, paired_difference, questions_needed
from factprobe.metrics.strata import ALL
from factprobe.question_types import QuestionType, question_types
from factprobe.records import Grade, Verdict, subject_of

NO_DIFFERENCE = "no difference shown"
"""Text for a pair of models whose difference is not significant after correction."""
DETECTABLE_DIFFERENCE = 0.02
"""Accuracy difference that the reported sample size would detect with a power of 0.8."""


class TypedVerdict(NamedTuple):
    """Verdict on a reply, with the type of the question."""

    question_type: QuestionType
    verdict: Verdict
    probability: float | None
    """Probability that the reply is correct; None if no model estimates it."""


GradeOrVerdict = Grade | TypedVerdict
Winner = Literal["first", "second", "tied"]


class SampleSize(Struct, frozen=True):
    """Sample size needed to detect a given difference."""

    questions: int
    clusters: int


class Comparison(Struct, frozen=True, kw_only=True):
    """Comparison of two models on the questions of one type, or of all types, that both answered."""

    first: str
    second: str
    questions: int
    clusters: int
    both: int
    """Number of questions that both models answered correctly."""
    only_first: int
    only_second: int
    neither: int
    difference: Interval
    """Accuracy of the first minus that of the second, with a clustered score interval that fits `p_clustered`."""
    bootstrap: Interval
    """Difference with a clustered bootstrap interval, which is too narrow for few clusters."""
    p_exact: float
    """P-value of McNemar's exact test, which assumes independent questions."""
    p_mid: float
    """P-value of the mid-p version of McNemar's test, which is less conservative than the exact one."""
    p_clustered: float
    """P-value of the clustered score test; with Holm's correction, it decides the verdict."""
    p_corrected: float
    """P-value `p_clustered` with Holm's correction for the number of pairs."""
    verdict: Winner
    """Better model; `tied` if `p_corrected` is not significant."""
    design_effect: float
    """Factor by which clustering increases the number of questions needed."""
    needed: SampleSize
    """Sample size to detect `DETECTABLE_DIFFERENCE`, if the models differ on the same share of questions as here."""
    question_type: str = ALL
    accuracy_first: float
    accuracy_second: float
    failed: int = 0
    """Number of questions ignored because one of the models gave no reply."""
    one_only: int = 0
    """Number of questions ignored because only one of the models has a grade."""
    labels_first: int = 0
    """Number of the first model's replies with a human label."""
    labels_second: int = 0
    corrected: Interval | None = None
    """Difference of the accuracies corrected by human labels; None unless both models have enough labels."""

    @property
    def better(self) -> str:
        """Name of the better model, or `NO_DIFFERENCE`."""
        return {"first": self.first, "second": self.second}.get(self.verdict, NO_DIFFERENCE)


Grades = Mapping[str, Mapping[str, GradeOrVerdict]]
"""Grades of replies, by model and question id."""
Judgments = Mapping[str, Mapping[str, HumanJudgment]]
"""Human judgments of replies, by model and question id."""


def comparisons(
    graded: Grades, seed: int = 0, cluster_of: Callable[[str], str] = subject_of, judgments: Judgments | None = None
) -> list[Comparison]:
    """Compare every pair of models on the questions that both answered, by question type and in total.

    Holm's correction is over the pairs of a question type. `cluster_of` maps a question id to its cluster, by default
    the subject. Human judgments of some replies correct the differences.
    """
    rows: list[Comparison] = []
    for question_type in (*question_types(), ALL):
        subset = {
            model: {name: grade for name, grade in grades.items() if question_type in (grade.question_type, ALL)}
            for model, grades in graded.items()
        }
        names = list(dict.fromkeys(name for grades in subset.values() for name in grades))
        outcomes = {model: [_is_correct(grades.get(name)) for name in names] for model, grades in subset.items()}
        pairs = compare(outcomes, np.random.default_rng(seed), [*map(cluster_of, names)])
        rows += [_add_judgments(pair, question_type, subset, judgments or {}, cluster_of) for pair in pairs]
    return rows


def compare(
    outcomes: Mapping[str, Sequence[bool | None]],
    rng: Generator,
    clusters: Clusters = None,
    *,
    alpha: float = 0.05,
    resamples: int = 10_000,
) -> list[Comparison]:
    """Compare every pair of models that both answered some questions, in the given order.

    `outcomes` has, for each model and the same questions, True (correct), False or None (no reply). `alpha` is the
    error rate of the corrected tests; intervals have the confidence 1 - alpha and are not corrected.
    """
    pairs = []
    for first, second in combinations(outcomes, 2):
        numbered = enumerate(zip(outcomes[first], outcomes[second], strict=True))
        answered = [(at, one, other) for at, (one, other) in numbered if one is not None and other is not None]
        if not answered:
            continue
        groups = [clusters[at] for at, _, _ in answered] if clusters is not None else None
        table = np.array([answer for _, *answer in answered], float)
        sums = np.column_stack([table[:, 0] - table[:, 1], np.ones(len(table))])
        interval = bootstrap(sums, lambda t: t[..., 0] / t[..., 1], rng, groups, resamples, 1 - alpha)
        pairs.append(_compare_outcomes(first, second, table, groups, not_none(interval), alpha))
    corrected = zip(pairs, holm([pair.p_clustered for pair in pairs]), strict=True)
    return [replace(pair, p_corrected=p, verdict="tied" if p >= alpha else pair.verdict) for pair, p in corrected]


def _compare_outcomes(
    first: str, second: str, table: Floats, clusters: Clusters, bootstrap_interval: Interval, alpha: float
) -> Comparison:
    """Compare the answers of two models, without a correction for the number of pairs."""
    from scipy.special import ndtr

    gains = table[:, 0] - table[:, 1]
    questions, wins, losses = len(gains), int((gains > 0).sum()), int((gains < 0).sum())
    codes = renumber(codes_of(clusters, questions))
    size, effect = int(codes.max()) + 1, design_effect(gains, codes)
    exact, mid = mcnemar(wins, losses)
    spread = sqrt((wins + losses) * effect)
    p_clustered = 2 * float(ndtr(-abs(wins - losses) / spread)) if spread else 1.0
    needed = questions_needed(DETECTABLE_DIFFERENCE, (wins + losses) / questions, effect, alpha)
    both = int((table.sum(axis=1) == 2).sum())
    return Comparison(
        first=first,
        second=second,
        questions=questions,
        clusters=size,
        both=both,
        only_first=wins,
        only_second=losses,
        neither=questions - both - wins - losses,
        difference=paired_difference(table[:, 0], table[:, 1], clusters, 1 - alpha),
        bootstrap=bootstrap_interval,
        p_exact=exact,
        p_mid=mid,
        p_clustered=p_clustered,
        p_corrected=p_clustered,
        verdict="first" if wins > losses else "second",
        design_effect=effect,
        needed=SampleSize(needed, ceil(needed * size / questions)),
        accuracy_first=(both + wins) / questions,
        accuracy_second=(both + losses) / questions,
    )


def _is_correct(grade: GradeOrVerdict | None) -> bool | None:
    return None if grade is None or grade.verdict == "failed" else grade.verdict == "correct"


def _add_judgments(
    pair: Comparison, question_type: str, graded: Grades, judgments: Judgments, cluster_of: Callable[[str], str]
) -> Comparison:
    first, second = graded[pair.first], graded[pair.second]
    common = first.keys() & second.keys()
    ids = [name for name in first if name in common and "failed" not in (first[name].verdict, second[name].verdict)]
    of_first, of_second = (judgments.get(model, {}) for model in (pair.first, pair.second))
    one, other = (
        correct(*correction_input([grades[name] for name in ids], [*map(judged.get, ids)]))
        for grades, judged in ((first, of_first), (second, of_second))
    )
    clusters = [*map(cluster_of, ids)]
    return replace(
        pair,
        question_type=question_type,
        failed=len(common) - pair.questions,
        one_only=len(first) + len(second) - 2 * len(common),
        labels_first=sum(name in of_first for name in ids),
        labels_second=sum(name in of_second for name in ids),
        corrected=corrected_difference(one, other, clusters) if one and other else None,
    )


def correction_input(
    grades: Sequence[GradeOrVerdict], judgments: Sequence[HumanJudgment | None]
) -> tuple[list[float], list[float], list[float]]:
    """Return three lists over replies, to correct their accuracy by human labels.

    They are the predicted probability of being correct (1 or 0 if a rule decided), the human label (NaN if none), and
    the sampling probability (1 without a label).
    """
    predictions = [float(one.verdict == "correct") if one.probability is None else one.probability for one in grades]
    labels = [nan if one is None else one.is_correct for one in judgments]
    return predictions, labels, [1.0 if one is None else one.probability for one in judgments]
