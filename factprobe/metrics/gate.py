"""Checks of models for continuous integration, decided by confidence bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from factprobe.metrics.comparison import Comparison, Judgments, correction_input
from factprobe.metrics.corrected import corrected_rate
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Interval, share
from factprobe.records import Grade, Score, subject_of

_BY_LABELS = ", corrected by labels"


class ModelAccuracy(NamedTuple):
    """Accuracy of a model, corrected by people's labels if there are enough of them."""

    interval: Interval | None
    """Accuracy clustered by subject; None if the model has no reply."""
    is_corrected: bool


class Check(Struct, frozen=True):
    """Check of one model, which fails if the whole 95 % interval is below the bound, or if there is no interval."""

    model: str
    name: str
    """Name of the check: `fail_below` or `fail_if_worse`."""
    bound: float
    interval: Interval | None
    """Accuracy, or its difference from the baseline's, clustered by subject; None without replies."""
    text: str
    """Result in one line."""

    @property
    def has_failed(self) -> bool:
        """True if the model is surely below the bound, or cannot be checked."""
        return self.interval is None or self.interval.high < self.bound


def checks(
    accuracies: Mapping[str, ModelAccuracy],
    rows: Iterable[Comparison],
    fail_below: float | None,
    baseline: str | None,
) -> list[Check]:
    """Check each model against a minimum accuracy in [0, 1] and against the baseline, except the baseline itself.

    The differences are those over all question types, corrected by labels if possible.
    """
    found = []
    if fail_below is not None:
        for model, (interval, is_corrected) in accuracies.items():
            accuracy = (
                f"{_format_percent(interval, '%')}{_BY_LABELS * is_corrected}" if interval else "unknown: no replies"
            )
            text = f"accuracy of {model} is {accuracy}; fail_below={fail_below:g}"
            found.append(Check(model, "fail_below", fail_below, interval, text))
    return found if baseline is None else [*found, *_check_differences(accuracies, rows, baseline)]


def accuracies_of(graded: Mapping[str, Iterable[Grade]], judgments: Judgments) -> dict[str, ModelAccuracy]:
    """Return the accuracy of each model, by grades and people's judgments."""
    found = {}
    for model, grades in graded.items():
        asked = [one for one in grades if one.verdict != "failed"]
        clusters, judged = [subject_of(one.question_id) for one in asked], judgments.get(model, {})
        found_judgments = [judged.get(one.question_id) for one in asked]
        predictions, labels, chances = correction_input(asked, found_judgments)
        corrected = corrected_rate(predictions, labels, clusters, chances)
        interval = corrected or share([one.verdict == "correct" for one in asked], clusters)
        found[model] = ModelAccuracy(interval, corrected is not None)
    return found


def accuracies_of_rows(rows: Iterable[Score]) -> dict[str, ModelAccuracy]:
    """Return the accuracy of each model, from the rows of a score table that cover all its questions."""
    found = {}
    for row in rows:
        raw = _make_interval(row.accuracy, row.accuracy_low, row.accuracy_high)
        corrected = _make_interval(row.corrected_accuracy, row.corrected_accuracy_low, row.corrected_accuracy_high)
        found[row.model] = ModelAccuracy(corrected or raw, corrected is not None)
    return found


def _make_interval(estimate: float | None, low: float | None, high: float | None) -> Interval | None:
    return None if estimate is None or low is None or high is None else Interval(estimate, low, high)


def _check_differences(models: Iterable[str], rows: Iterable[Comparison], baseline: str) -> Iterator[Check]:
    pairs = {(row.first, row.second): row for row in rows if row.question_type == ALL}
    for model in models:
        if model == baseline:
            continue
        what, interval = f"accuracy of {model} minus that of {baseline}", None
        found = "unknown: no question has replies of both"
        if row := pairs.get((baseline, model)) or pairs.get((model, baseline)):
            gain = row.corrected or row.difference
            interval = Interval(-gain.estimate, -gain.high, -gain.low) if row.first == baseline else gain
            found = f"{_format_percent(interval, ' points')}{_BY_LABELS * (row.corrected is not None)}"
        yield Check(model, "fail_if_worse", 0.0, interval, f"{what} is {found}")


def _format_percent(interval: Interval, unit: str) -> str:
    estimate, low, high = (f"{100 * end:z.1f}" for end in interval.ends)
    return f"{estimate}{unit} (95% interval {low} to {high})"
