"""Metrics of the score table, in the order of their columns.

An unparsed reply is an attempt that is not correct; a failed question is in no denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from factprobe.metrics.base import ATTEMPTED, REPLIED, Metric, MetricInput, Place, metrics
from factprobe.metrics.statistics.intervals import Interval, guess_corrected
from factprobe.question_types import kind_or_plain
from factprobe.records import Grade, Verdict

NOWHERE: tuple[Place, ...] = ()
_REPORTS: tuple[Place, ...] = ("markdown", "page")
_RETRIEVAL = "van Rijsbergen 1979, Information Retrieval, chapter 7"
OWN = "a definition of factprobe"
_OMNISCIENCE = "Artificial Analysis 2025, AA-Omniscience"
_REJECTION = "El-Yaniv and Wiener 2010, Journal of Machine Learning Research 11"


class Ratio(Metric):
    """Base class of metrics that are the share of verdicts `part` among verdicts `whole`."""

    part: ClassVar[Sequence[Verdict]] = ("correct",)
    whole: ClassVar[Sequence[Verdict]] = REPLIED
    has_interval = True

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return 1 for a verdict in `part` or else 0, and 1 for one in `whole` or else 0."""
        return grade.verdict in self.part, grade.verdict in self.whole


@metrics.register("accuracy")
class Accuracy(Ratio):
    """Correct / all that got a reply."""

    source = "Sokolova and Lapalme 2009, Information Processing & Management 45(4)"
    short = "acc."


@metrics.register("precision")
class Precision(Ratio):
    """Correct / (correct + incorrect + unparsed)."""

    whole = ATTEMPTED
    source = _RETRIEVAL
    short = "prec."


@metrics.register("recall")
class Recall(Ratio):
    """Correct / all that got a reply: the accuracy, as the counterpart of precision."""

    source = _RETRIEVAL
    places = NOWHERE


@metrics.register("f1")
class F1(Metric):
    """The harmonic mean of precision and recall; 0 where nothing was attempted but something could have been."""

    source = _RETRIEVAL
    has_interval = True

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return twice 1 for a correct grade, and 1 for an attempt plus 1 for a reply.

        The ratio of the sums is F1: with P = correct / attempted and R = correct / all, 2PR / (P + R) is 2 correct /
        (attempted + all).
        """
        return 2 * (grade.verdict == "correct"), (grade.verdict in ATTEMPTED) + (grade.verdict in REPLIED)


@metrics.register("guess_corrected_accuracy")
class GuessCorrectedAccuracy(Ratio):
    """(Accuracy − chance) / (1 − chance), an abstention taken as a guess: 0 for guessing and for declining."""

    as_guessed: ClassVar[Sequence[Verdict]] = ("abstained",)
    """Verdicts that count as much as an average guess."""
    title = "Corrected for guessing"
    over = "questions with a choice"
    least = -1.0
    source = "Frary 1988, Educational Measurement 7(2)"
    places = _REPORTS
    sentence = "{} corrected for guessing (0 is chance)"

    def measure(self, counted: MetricInput) -> Interval | None:
        """Correct the mean rate for the mean chance."""
        offered = (counted.options > 1)[:, None] * counted.sums(self.share)
        guessed = offered[:, 1] / np.maximum(counted.options, 1)
        offered[:, 0] += guessed * counted.flags(self.as_guessed)
        plain, chance = counted.interval(offered), counted.ratio(np.column_stack([guessed, offered[:, 1]]))
        return guess_corrected(plain, chance) if plain and chance is not None else None


@metrics.register("guess_corrected_precision")
class GuessCorrectedPrecision(GuessCorrectedAccuracy):
    """(Precision − chance) / (1 − chance), over what was attempted: 0 for guessing."""

    whole = ATTEMPTED
    as_guessed = ()
    title = "Attempted, corrected for guessing"
    sentence = "{} of what it attempts"
    in_summary = False


@metrics.register("exact_set_accuracy")
class ExactSetAccuracy(Ratio):
    """The share of answer sets that are exactly right."""

    title = "Exact set"
    over = "questions for several answers"
    source = "Tsoumakas, Katakis and Vlahavas 2010, Mining Multi-label Data"
    places = _REPORTS
    sentence = "the exact set in {}"
    in_summary = False

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return the share of a question for all answers, and nothing for others."""
        return super().share(grade) if kind_or_plain(grade.question_type).is_set else (0, 0)


class _OfSets(Metric):
    """Base class of metrics over single answers, of questions that have several answers."""

    over = ExactSetAccuracy.over
    source = ExactSetAccuracy.source
    has_interval = True
    places = _REPORTS
    weights: ClassVar[tuple[int, int]]
    """Weights of false positives and false negatives; true positives count once for each kind with a weight."""

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return the weighted counts of a question for all answers, and nothing for others."""
        if not kind_or_plain(grade.question_type).is_set:
            return 0, 0
        of_wrong, of_missed = self.weights
        right = (of_wrong + of_missed) * grade.true_positives
        return right, right + of_wrong * grade.false_positives + of_missed * grade.false_negatives


@metrics.register("set_precision")
class SetPrecision(_OfSets):
    """True / (true + false positives), over the single answers."""

    weights = (1, 0)


@metrics.register("set_recall")
class SetRecall(_OfSets):
    """True positives / (true positives + false negatives), over the single answers."""

    weights = (0, 1)


@metrics.register("set_f1")
class SetF1(_OfSets):
    """The harmonic mean of set precision and set recall."""

    title = "Set F1"
    weights = (1, 1)


@metrics.register("mrr")
class Mrr(Metric):
    """The mean of 1 / rank of the right answer."""

    title = "MRR"
    over = "ranked questions"
    source = "Voorhees 1999, TREC-8 Question Answering Track Report"
    has_interval = True
    replaces = ("precision", "f1")  # which are the accuracy where answers are ranked: nothing is declined

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return the reciprocal rank of a ranked question, and nothing for others."""
        return (1 / grade.rank, 1) if grade.rank else (0, 0)


@metrics.register("precision_at_5")
class PrecisionAt5(Metric):
    """The share with the right answer among the first five."""

    title = "P@5"
    over = Mrr.over
    source = "Petroni et al. 2019, EMNLP (LAMA)"
    has_interval = True
    places = ("table", "page")
    first: ClassVar[int] = 5

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return 1 if the right answer of a ranked question is among the first, and nothing for other questions."""
        return 0 < grade.rank <= self.first, grade.rank > 0


@metrics.register("precision_at_10")
class PrecisionAt10(PrecisionAt5):
    """The share with the right answer among the first ten."""

    title = "P@10"
    first = 10


@metrics.register("coverage")
class Coverage(Ratio):
    """Attempted, and not abstained from / all that got a reply."""

    part = ATTEMPTED
    source = _REJECTION
    places = _REPORTS


@metrics.register("abstention_rate")
class AbstentionRate(Ratio):
    """Abstained / all that got a reply: what coverage leaves."""

    part = ("abstained",)
    higher_is_better = False
    source = _REJECTION
    places = ("markdown",)


@metrics.register("invalid_rate")
class InvalidRate(Ratio):
    """Unparsed / all that got a reply."""

    part = ("unparsed",)
    higher_is_better = False
    source = OWN
    places = _REPORTS


@metrics.register("hallucination_rate")
class HallucinationRate(Ratio):
    """Incorrect / (replies − correct)."""

    part = ("incorrect",)
    whole = ("incorrect", "abstained", "unparsed")
    over = "questions not answered correctly"
    higher_is_better = False
    source = _OMNISCIENCE
    places = ("markdown",)
    in_legend = True


@metrics.register("penalised_score")
class PenalisedScore(Metric):
    """(Correct − penalty · incorrect) / all that got a reply, with a penalty of 1; a subclass may set another."""

    penalty: ClassVar[float] = 1.0
    """Points lost by an incorrect reply, at least 0; `least` is its negative."""
    least = -1.0
    source = _OMNISCIENCE
    has_interval = True
    places = ("markdown",)

    def share(self, grade: Grade) -> tuple[float, float]:
        """Return the points plus the penalty, and one plus the penalty, whose ratio is from 0 to 1."""
        points = (grade.verdict == "correct") - self.penalty * (grade.verdict == "incorrect")
        is_counted = grade.verdict in REPLIED
        return is_counted * (points + self.penalty), is_counted * (1 + self.penalty)

    def measure(self, counted: MetricInput) -> Interval | None:
        """Compute the share with its interval, and rescale them to points."""
        found = counted.interval(counted.sums(self.share))
        return Interval(*(end * (1 + self.penalty) - self.penalty for end in found.ends)) if found else None
