"""Checks of models for continuous integration, decided by confidence intervals."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from factprobe.metrics.base import metrics
from factprobe.metrics.comparison import Comparison, Judgments, correction_input
from factprobe.metrics.corrected import corrected_rate
from factprobe.metrics.statistics.intervals import Interval, share
from factprobe.metrics.strata import ALL
from factprobe.records import Grade, Score, subject_of
from factprobe.text import format_count

log = logging.getLogger(__name__)
_BY_LABELS = ", corrected by labels"


class ModelAccuracy(NamedTuple):
    """Accuracy of a model by the grades (`raw`), and corrected by human labels if there are enough."""

    raw: Interval | None
    corrected: Interval | None
    failed: int
    questions: int

    @property
    def interval(self) -> Interval | None:
        """Accuracy with its interval, corrected if possible; None if most replies failed."""
        return None if has_mostly_failed(self.failed, self.questions) else self.corrected or self.raw

    def why_unknown(self) -> str:
        """Return why the accuracy is unknown, for the message of a check."""
        if self.failed == self.questions:
            return "no replies"
        return f"{self.failed:,} of {format_count(self.questions, 'reply', 'replies')} failed"


def has_mostly_failed(failed: int, questions: int) -> bool:
    """Return whether more than half of the replies failed, so that no accuracy is reported."""
    return 2 * failed > questions


class Check(Struct, frozen=True):
    """Check of one model; it fails if the 95 % interval is wholly below the bound, or unknown."""

    model: str
    name: str
    """Name of the check: `fail_below` or `fail_if_worse`."""
    bound: float
    interval: Interval | None
    """Accuracy, or its difference from the baseline's, with its interval; None if unknown."""
    text: str

    @property
    def has_failed(self) -> bool:
        """True if the interval is wholly below the bound, or unknown."""
        return self.interval is None or self.interval.high < self.bound


def checks(
    accuracies: Mapping[str, ModelAccuracy],
    rows: Iterable[Comparison],
    fail_below: float | None,
    baseline: str | None,
    baseline_questions: int | None = None,
) -> list[Check]:
    """Check each model against a minimum accuracy in [0, 1], and against a baseline model.

    Differences from the baseline are over all question types, and corrected by human labels if possible. They are
    unknown if more than half of the questions lack a reply of one of the two models: of the `baseline_questions` that
    the baseline was asked, or, if None, of those that both were asked.
    """
    results = []
    if fail_below is not None:
        for model, accuracy in accuracies.items():
            rate = f"unknown: {accuracy.why_unknown()}"
            if accuracy.interval:
                rate = f"{_format_percent(accuracy.interval, '%')}{_BY_LABELS * (accuracy.corrected is not None)}"
            text = f"accuracy of {model} is {rate}; fail_below={fail_below:g}"
            results.append(Check(model, "fail_below", fail_below, accuracy.interval, text))
    if baseline is not None:
        results += _check_differences(accuracies, rows, baseline, baseline_questions)
    return results


def accuracies_of(graded: Mapping[str, Iterable[Grade]], judgments: Judgments) -> dict[str, ModelAccuracy]:
    """Return the accuracy of each model, by its grades and corrected by human judgments."""
    accuracies = {}
    for model, model_grades in graded.items():
        grades = [*model_grades]
        answered = [grade for grade in grades if grade.verdict != "failed"]
        question_ids = [grade.question_id for grade in answered]
        clusters, model_judgments = [*map(subject_of, question_ids)], judgments.get(model, {})
        predictions, labels, chances = correction_input(answered, [*map(model_judgments.get, question_ids)])
        corrected = corrected_rate(predictions, labels, clusters, chances)
        raw = share([grade.verdict == "correct" for grade in answered], clusters)
        accuracies[model] = ModelAccuracy(raw, corrected, len(grades) - len(answered), len(grades))
    return accuracies


def accuracies_of_rows(rows: Iterable[Score]) -> dict[str, ModelAccuracy]:
    """Return the accuracy of each model, given its row of totals in a score table."""
    raw, corrected = (metrics.get(name)(name) for name in ("accuracy", "corrected_accuracy"))
    return {
        row.model: ModelAccuracy(raw.of(row).interval, corrected.of(row).interval, row.failed, row.questions)
        for row in rows
    }


def _check_differences(
    models: Iterable[str], rows: Iterable[Comparison], baseline: str, baseline_questions: int | None
) -> Iterator[Check]:
    pairs = {(row.first, row.second): row for row in rows if row.question_type == ALL}
    for model in models:
        if model == baseline:
            continue
        what, interval = f"accuracy of {model} minus that of {baseline}", None
        found = "unknown: no question has replies of both"
        if row := pairs.get((baseline, model)) or pairs.get((model, baseline)):
            asked = baseline_questions or row.failed + row.questions
            lacking = f"{asked - row.questions:,} of {format_count(asked, 'question')} lack a reply of one of them"
            if has_mostly_failed(asked - row.questions, asked):
                found = f"unknown: {lacking}"
            else:
                gain = row.corrected or row.difference
                interval = Interval(-gain.estimate, -gain.high, -gain.low) if row.first == baseline else gain
                found = f"{_format_percent(interval, ' points')}{_BY_LABELS * (row.corrected is not None)}"
                if asked > row.questions + row.failed:
                    log.warning("%s: %s, and are left out of fail_if_worse=%s", model, lacking, baseline)
        yield Check(model, "fail_if_worse", 0.0, interval, f"{what} is {found}")


def _format_percent(interval: Interval, unit: str) -> str:
    estimate, low, high = (f"{100 * end:z.1f}" for end in interval.ends)
    return f"{estimate}{unit} (95% interval {low} to {high})"
