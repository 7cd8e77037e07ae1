"""Checks of models for continuous integration, decided by confidence bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from factprobe.metrics.comparison import Comparison
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Interval, share
from factprobe.records import Grade, subject_of


class Check(Struct, frozen=True):
    """One check of one model: it fails if the whole 95 % interval is below the bound."""

    model: str
    name: str
    """`fail_below` or `fail_if_worse`."""
    bound: float
    interval: Interval
    """Accuracy, or its difference from the baseline's, clustered by subject."""
    text: str
    """What was found, in one line."""

    @property
    def has_failed(self) -> bool:
        """Return whether the model is surely below the bound."""
        return self.interval.high < self.bound


def checks(
    accuracies: Mapping[str, Interval],
    rows: Iterable[Comparison],
    fail_below: float | None,
    baseline: str | None,
) -> list[Check]:
    """Check every model against a least accuracy and, except the baseline itself, against the baseline.

    Args:
        accuracies: of all questions, by model.
        rows: comparisons of the models; those of all question types are used.
        fail_below: least accuracy, in [0, 1].
        baseline: name of a model.
    """
    found = [] if fail_below is None else [*_accuracies(accuracies, fail_below)]
    return found if baseline is None else [*found, *_differences(rows, baseline)]


def accuracies_of(graded: Mapping[str, Iterable[Grade]]) -> dict[str, Interval]:
    """Return the accuracy of each model that answered, clustered by subject."""
    found = {}
    for model, grades in graded.items():
        asked = [one for one in grades if one.verdict != "failed"]
        interval = share([one.verdict == "correct" for one in asked], [subject_of(one.question_id) for one in asked])
        if interval is not None:
            found[model] = interval
    return found


def _accuracies(accuracies: Mapping[str, Interval], least: float) -> Iterator[Check]:
    for model, interval in accuracies.items():
        text = f"accuracy of {model} is {_percent(interval)}; fail_below={least:g}"
        yield Check(model, "fail_below", least, interval, text)


def _differences(rows: Iterable[Comparison], baseline: str) -> Iterator[Check]:
    for row in rows:
        if row.question_type != ALL or baseline not in (row.first, row.second):
            continue
        is_first, found = row.first == baseline, row.difference
        model = row.second if is_first else row.first
        interval = Interval(-found.estimate, -found.high, -found.low) if is_first else found
        yield Check(model, "fail_if_worse", 0.0, interval, f"{model} less {baseline} is {_percent(interval)} points")


def _percent(interval: Interval) -> str:
    low, high = 100 * interval.low, 100 * interval.high
    return f"{100 * interval.estimate:.1f} % (95 % interval {low:z.1f} to {high:z.1f})".replace(" % (", "% (", 1)
