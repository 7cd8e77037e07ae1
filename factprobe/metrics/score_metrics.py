"""Metrics of the score table, in the order of their columns.

An unparsed reply is an attempt that is not correct; a failed question (without a reply) is in no denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from factprobe.metrics.base import ATTEMPTED, REPLIED, Metric, MetricInput, Place, metrics
from factprobe.metrics.calibration import risk_coverage_area
from factprobe.metrics.corrected import corrected_rate
from factprobe.metrics.statistics.intervals import Interval, guess_corrected
from factprobe.question_types import get_kind_or_default
from factprobe.records import Grade, Verdict

_NOWHERE: tuple[Place, ...] = ()
_REPORTS: tuple[Place, ...] = ("markdown", "page")
_OWN = "a definition of factprobe"
_RETRIEVAL = "van Rijsbergen 1979, Information Retrieval, chapter 7"
_OMNISCIENCE = "Artificial Analysis 2025, AA-Omniscience"
_REJECTION = "El-Yaniv and Wiener 2010, Journal of Machine Learning Research 11"


class Ratio(Metric):
    """Base class of metrics that divide the number of verdicts in `part` by the number of verdicts in `whole`."""

    part: ClassVar[Sequence[Verdict]] = ("correct",)
    """Verdicts in the numerator; a verdict listed twice counts twice."""
    whole: ClassVar[Sequence[Verdict]] = REPLIED
    has_interval = True

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return how often the grade's verdict is listed in `part` and in `whole`."""
        return self.part.count(grade.verdict), self.whole.count(grade.verdict)


class GuessCorrected(Ratio):
    """Base class of rates corrected for the chance of a right guess."""

    as_guessed: ClassVar[Sequence[Verdict]] = ()
    """Verdicts that count as a random guess: as correct with the probability 1 / options."""
    over = "questions with a choice"
    least = -1.0
    source = "Frary 1988, Educational Measurement 7(2)"
    places = _REPORTS

    def measure(self, counted: MetricInput) -> Interval | None:
        """Correct the mean rate for the mean chance; None if either is undefined."""
        offered = (counted.options > 1)[:, None] * counted.sums(self.share)
        guessed = offered[:, 1] / np.maximum(counted.options, 1)
        offered[:, 0] += guessed * counted.flags(self.as_guessed)
        plain, chance = counted.interval(offered), counted.ratio(np.column_stack([guessed, offered[:, 1]]))
        return guess_corrected(plain, chance) if plain and chance is not None else None


class _ExactSet(Ratio):
    """Base class of rates of questions that ask for all answers."""

    over = "questions for several answers"
    source = "Tsoumakas, Katakis and Vlahavas 2010, Mining Multi-label Data"
    places = _REPORTS

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return the contributions of a question that asks for all answers; (0, 0) for other questions."""
        return super().share(grade) if get_kind_or_default(grade.question_type).is_set else (0, 0)


class _OfSets(_ExactSet):
    """Base class of metrics that count the single answers of questions that ask for all answers."""

    weights: ClassVar[tuple[int, int]]
    """Weights (0 or 1) of false positives and of false negatives; true positives have the sum of both."""

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return the weighted counts of a question that asks for all answers; (0, 0) for other questions."""
        if not get_kind_or_default(grade.question_type).is_set:
            return 0, 0
        of_wrong, of_missed = self.weights
        right = (of_wrong + of_missed) * grade.true_positives
        return right, right + of_wrong * grade.false_positives + of_missed * grade.false_negatives


class _Ranked(Metric):
    """Base class of metrics of ranked questions."""

    first: ClassVar[int] = 0
    """Largest number of a rank that counts as right, such as 5 for P@5; 0 for the reciprocal rank."""
    over = "ranked questions"
    source = "Petroni et al. 2019, EMNLP (LAMA)"
    has_interval = True
    places = ("table", "page")

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return 1 / rank, or whether the rank is at most `first`, and 1; (0, 0) for questions that are not ranked."""
        if not grade.rank:
            return 0, 0
        return grade.rank <= self.first if self.first else 1 / grade.rank, 1


class PenalisedScore(Metric):
    """(Correct − penalty · incorrect) / all that got a reply, with a penalty of 1; a subclass may set another."""

    penalty: ClassVar[float] = 1.0
    """Points that an incorrect reply loses, at least 0; a subclass sets `least`, the lowest score, to its negative."""
    least = -1.0
    source = _OMNISCIENCE
    has_interval = True
    places = ("markdown",)

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return the points plus the penalty, and 1 plus the penalty, so that their ratio lies in [0, 1]."""
        points = (grade.verdict == "correct") - self.penalty * (grade.verdict == "incorrect")
        is_counted = grade.verdict in REPLIED
        return is_counted * (points + self.penalty), is_counted * (1 + self.penalty)

    def measure(self, counted: MetricInput) -> Interval | None:
        """Compute the ratio with its interval, and rescale both to points; None if it is undefined."""
        interval = counted.interval(counted.sums(self.share))
        return Interval(*(end * (1 + self.penalty) - self.penalty for end in interval.ends)) if interval else None


class ExpectedAccuracy(Ratio):
    """The mean of the grader's probabilities that a reply is correct, 1 or 0 where a rule decided."""

    over = "questions with a reply, if a model graded any of them"
    source = _OWN
    has_interval = False
    places = _NOWHERE

    def measure(self, counted: MetricInput) -> float | None:
        """Compute the mean probability; None if rules decided all grades."""
        replied = counted.flags(REPLIED)
        if np.isnan(counted.probabilities[replied]).all():
            return None
        return counted.ratio(np.column_stack([replied * counted.predictions, replied]))


class CorrectedAccuracy(Ratio):
    """The accuracy that people would give, estimated from the grades of all replies and people's labels of some."""

    over = "questions with a reply, of which people labelled ten or more; micro averages only"
    source = "Angelopoulos, Duchi and Zrnic 2023, PPI++, arXiv:2311.01453"
    places = _NOWHERE

    def measure(self, counted: MetricInput) -> Interval | None:
        """Correct the mean probability by human labels; None for macro averages."""
        if counted.relations is not None:
            return None
        replied = counted.flags(REPLIED)
        predictions, labels = counted.predictions[replied], counted.labels[replied]
        return corrected_rate(predictions, labels, counted.clusters[replied], counted.chances[replied])


class RiskCoverageArea(Ratio):
    """The area under the risk-coverage curve: the mean share of wrong replies among those of highest confidence.

    An attempt that is not correct is wrong; abstentions are not answered and not counted.
    """

    part = ("incorrect", "unparsed")
    whole = ATTEMPTED
    title = "AURC"
    over = "attempted questions whose reply has a confidence; micro averages only"
    higher_is_better = False
    source = "Geifman, Uziel and El-Yaniv 2019, ICLR, section 2"
    places = ("markdown",)

    def measure(self, counted: MetricInput) -> Interval | None:
        """Compute the area over the attempts that have a confidence; None for macro averages."""
        if counted.relations is not None:
            return None
        used = counted.flags(ATTEMPTED) & ~np.isnan(counted.confidences)
        return risk_coverage_area(counted.confidences[used], counted.flags(self.part)[used], counted.clusters[used])


def _register(name: str, what: str, kind: type[Metric] = Ratio, **attributes: object) -> None:
    metrics.register(name)(type(name, (kind,), {"__doc__": what, **attributes}))


_register(
    "accuracy",
    "Correct / all that got a reply.",
    source="Sokolova and Lapalme 2009, Information Processing & Management 45(4)",
    short="acc.",
)
_register("precision", "Correct / (correct + incorrect + unparsed).", whole=ATTEMPTED, source=_RETRIEVAL, short="prec.")
_register(
    "recall",
    "Correct / all that got a reply: the accuracy, as the counterpart of precision.",
    source=_RETRIEVAL,
    places=_NOWHERE,
)
_register(  # with P = correct / attempted and R = correct / all, 2PR / (P + R) is 2 correct / (attempted + all)
    "f1",
    "The harmonic mean of precision and recall; 0 where nothing was attempted but something could have been.",
    part=("correct", "correct"),
    whole=(*ATTEMPTED, *REPLIED),
    source=_RETRIEVAL,
)
_register(
    "guess_corrected_accuracy",
    "(Accuracy − chance) / (1 − chance), an abstention taken as a guess: 0 for guessing and for declining.",
    GuessCorrected,
    as_guessed=("abstained",),
    title="Corrected for guessing",
    sentence="{} corrected for guessing (0 is chance)",
)
_register(
    "guess_corrected_precision",
    "(Precision − chance) / (1 − chance), over what was attempted: 0 for guessing.",
    GuessCorrected,
    whole=ATTEMPTED,
    title="Attempted, corrected for guessing",
    sentence="{} of what it attempts",
    in_summary=False,
)
_register(
    "exact_set_accuracy",
    "The share of answer sets that are exactly right.",
    _ExactSet,
    title="Exact set",
    sentence="the exact set in {}",
    in_summary=False,
)
_register("set_precision", "True / (true + false positives), over the single answers.", _OfSets, weights=(1, 0))
_register(
    "set_recall",
    "True positives / (true positives + false negatives), over the single answers.",
    _OfSets,
    weights=(0, 1),
)
_register("set_f1", "The harmonic mean of set precision and set recall.", _OfSets, weights=(1, 1), title="Set F1")
_register(
    "mrr",
    "The mean of 1 / rank of the right answer.",
    _Ranked,
    title="MRR",
    source="Voorhees 1999, TREC-8 Question Answering Track Report",
    places=("table", "markdown", "page"),
    replaces=("precision", "f1"),  # equal to the accuracy, since no ranking declines
)
_register("precision_at_5", "The share with the right answer among the first five.", _Ranked, first=5, title="P@5")
_register("precision_at_10", "The share with the right answer among the first ten.", _Ranked, first=10, title="P@10")
_register("coverage", "Attempted / all that got a reply.", part=ATTEMPTED, source=_REJECTION, places=_REPORTS)
_register(
    "abstention_rate",
    "Abstained / all that got a reply: 1 − coverage.",
    part=("abstained",),
    higher_is_better=False,
    source=_REJECTION,
    places=("markdown",),
)
_register(
    "invalid_rate",
    "Unparsed / all that got a reply.",
    part=("unparsed",),
    higher_is_better=False,
    source=_OWN,
    places=_REPORTS,
)
_register(
    "hallucination_rate",
    "Incorrect / (replies − correct).",
    part=("incorrect",),
    whole=("incorrect", "abstained", "unparsed"),
    over="questions not answered correctly",
    higher_is_better=False,
    source=_OMNISCIENCE,
    places=("markdown",),
    in_legend=True,
)
metrics.register("penalised_score")(PenalisedScore)
metrics.register("expected_accuracy")(ExpectedAccuracy)
metrics.register("corrected_accuracy")(CorrectedAccuracy)
metrics.register("aurc")(RiskCoverageArea)
