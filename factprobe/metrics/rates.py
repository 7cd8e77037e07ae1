"""The rates of the score table, each as a ratio of sums over questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from factprobe.metrics.intervals import Floats
from factprobe.records import Grade

Share = Callable[[Grade], tuple[float, float]]
"""What a grade adds to a rate: to the part, and to the whole."""


def _of_verdicts(part: Sequence[str], whole: Sequence[str]) -> Share:
    return lambda grade: (grade.verdict in part, grade.verdict in whole)


def _f1(grade: Grade) -> tuple[float, float]:
    # 2PR / (P + R) with P = correct / attempted and R = correct / all is 2 correct / (attempted + all)
    return 2 * (grade.verdict == "correct"), (grade.verdict in _ATTEMPTED) + (grade.verdict in _COUNTED)


def _of_sets(false_positives: int, false_negatives: int) -> Share:
    """Precision, recall or F1 of answer sets: true positives count once for each kind of mistake that is weighed."""

    def share(grade: Grade) -> tuple[float, float]:
        if grade.question_type != "multiple_answer":
            return 0, 0
        right = (false_positives + false_negatives) * grade.true_positives
        return right, right + false_positives * grade.false_positives + false_negatives * grade.false_negatives

    return share


def _exact_set(grade: Grade) -> tuple[float, float]:
    if grade.question_type != "multiple_answer":
        return 0, 0
    return grade.verdict == "correct", grade.verdict in _COUNTED


def _mrr(grade: Grade) -> tuple[float, float]:
    return (1 / grade.rank, 1) if grade.rank else (0, 0)


def _among_first(places: int) -> Share:
    return lambda grade: (0 < grade.rank <= places, grade.rank > 0)


_ATTEMPTED = ("correct", "incorrect", "unparsed")
_COUNTED = (*_ATTEMPTED, "abstained")
RATES: dict[str, Share] = {
    "accuracy": _of_verdicts(["correct"], _COUNTED),
    "precision": _of_verdicts(["correct"], _ATTEMPTED),
    "recall": _of_verdicts(["correct"], _COUNTED),
    "f1": _f1,
    "set_precision": _of_sets(1, 0),
    "set_recall": _of_sets(0, 1),
    "set_f1": _of_sets(1, 1),
    "exact_set_accuracy": _exact_set,
    "mrr": _mrr,
    "precision_at_5": _among_first(5),
    "precision_at_10": _among_first(10),
    "abstention_rate": _of_verdicts(["abstained"], _COUNTED),
    "invalid_rate": _of_verdicts(["unparsed"], _COUNTED),
    "coverage": _of_verdicts(_ATTEMPTED, _COUNTED),
}
"""The rates by their names, all in [0, 1]; higher is better but for the abstention and the invalid rate.

A failed question is in no denominator. An unparsed reply is an attempt that is not correct: precision is correct /
(correct + incorrect + unparsed). Accuracy and recall are correct / all, coverage is attempted / all. The exact-set
accuracy is that of answer sets. F1 is a ratio of counts, so it is 0, not undefined, where nothing was attempted but
something could have been. The mean reciprocal rank and precision at k (as LAMA and LM Pub Quiz call the share of right
answers among the first k) are over ranked questions.
"""


def rate_sums(name: str, grades: Sequence[Grade]) -> Floats:
    """What each grade adds to a rate's part and whole, of shape (grades, 2).

    Raises:
        KeyError: no rate of that name.
    """
    share = RATES[name]
    return np.array([share(grade) for grade in grades], float).reshape(-1, 2)
