"""Summary of a report in sentences on accuracies, differences, guessing and wrong answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from factprobe.collection.report_data import ReportData
from factprobe.metrics import metrics
from factprobe.metrics.comparison import Comparison
from factprobe.metrics.corrected import CorrectedScore
from factprobe.metrics.statistics.intervals import Interval
from factprobe.metrics.strata import ALL
from factprobe.question_types import type_label
from factprobe.records import Score

_MAX_NAMED_MODELS = 3
_MIN_QUESTIONS = 5


def summary_sentences(data: ReportData, names: Mapping[tuple[str, str], str]) -> list[str]:
    """Return the sentences of the summary; empty without scores."""
    rows = model_totals(data.scores)
    if not rows:
        return []
    lines = [*_accuracy_sentences(data, rows, names), *_difference_sentences(data), *_guessing_sentences(data, names)]
    return [*lines, *_wrong_answer_sentences(rows, names)]


def model_totals(scores: Sequence[Score]) -> list[Score]:
    """Return the row of totals (over all graphs) of each generator and model, the most accurate first.

    The rows are ranked by the accuracy corrected by human labels, if all have it.
    """
    totals = [row for row in scores if (row.level, row.average) == ("total", "micro") and row.accuracy is not None]
    several = any(row.kg == ALL for row in totals)
    rows = [row for row in totals if row.kg == ALL or not several]
    return sorted(rows, key=lambda row: -_ranking_accuracy(row, rows))


def _ranking_accuracy(row: Score, rows: Sequence[Score]) -> float:
    return (row.corrected_accuracy if are_corrected(rows) else row.accuracy) or 0.0


def are_corrected(rows: Sequence[Score]) -> bool:
    """Return whether all rows have an accuracy corrected by human labels."""
    return all(row.corrected_accuracy is not None for row in rows)


def _accuracy_sentences(data: ReportData, rows: Sequence[Score], names: Mapping[tuple[str, str], str]) -> Iterator[str]:
    if data.unequal:
        yield data.unequal
    ends = rows if len(rows) <= _MAX_NAMED_MODELS else (rows[0], rows[-1]) * (not data.unequal)
    if len(rows) > _MAX_NAMED_MODELS and ends:
        highest, lowest = (_ranking_accuracy(row, rows) for row in ends)
        if highest == lowest:
            ends = ends[:1]
            yield f"All {len(rows)} {data.words.model}s have the same accuracy."
        else:
            ranked = "the first named has the highest accuracy and the second the lowest"
            yield f"Of {len(rows)} {data.words.model}s, {ranked}."
    labels: Counter[tuple[str, str]] = Counter()
    for score in (row for table in data.breakdowns for row in table.rows if isinstance(row, CorrectedScore)):
        labels[score.generator, score.model] += score.labels  # each graph has a row
    for row in ends:
        name, count = names[row.generator, row.model], labels[row.generator, row.model]
        is_corrected = row.corrected_accuracy is not None
        metric = "corrected_accuracy" if is_corrected else "accuracy"
        rate, low, high = metrics.get(metric)(metric).of(row)
        share = f"{rate:z.1%} of {data.words.count(row.questions - row.failed)}"
        verb = f"answers {share} correctly" if data.words.questions == "questions" else f"is right in {share}"
        by = f", corrected by {count:,} human labels; {row.accuracy:z.1%} by the grades alone" if is_corrected else ""
        yield f"{name} {verb} (95% interval {100 * (low or 0):z.1f} to {100 * (high or 0):z.1f}){by}."


def _difference_sentences(data: ReportData) -> Iterator[str]:
    pairs = [row for _, row in data.comparisons if row.question_type == ALL]
    if len(pairs) == 1 and pairs[0].corrected:
        yield _corrected_difference(pairs[0], pairs[0].corrected)
    elif len(pairs) == 1:
        [row] = pairs
        low, high = sorted(abs(100 * end) for end in (row.difference.low, row.difference.high))
        gap = f"{100 * abs(row.difference.estimate):.1f} points (95% interval {low:z.1f} to {high:z.1f})"
        tied = f"No difference in accuracy between {row.first} and {row.second} is shown."
        yield tied if row.verdict == "tied" else f"{row.better} is better by {gap} on the same questions."
    elif pairs:
        differ = sum(row.verdict != "tied" for row in pairs)
        alone = "by the grades alone, " if any(row.corrected for row in pairs) else ""
        share = f"{differ} of {len(pairs)} pairs of {data.words.model}s"
        yield f"{share} differ in accuracy, {alone}after Holm's correction."


def _corrected_difference(row: Comparison, interval: Interval) -> str:
    sign = 1 if interval.estimate >= 0 else -1
    better, other = (row.first, row.second)[::sign]
    low, high = sorted(100 * sign * end for end in (interval.low, interval.high))
    gap = f"{100 * abs(interval.estimate):.1f} points (95% interval {low:z.1f} to {high:z.1f})"
    evidence = "on the same questions" if low > 0 else "which shows no difference"
    return f"Corrected, {better} is ahead of {other} by {gap}, {evidence}."


def _guessing_sentences(data: ReportData, names: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """Yield sentences on models that are not shown to do better than guessing, with the question types."""
    several = any(row.kg == ALL for row in data.scores)
    by_model: dict[str, list[str]] = {}
    for row in data.scores:
        is_wanted = (row.level, row.average) == ("question_type", "micro") and (row.kg == ALL or not several)
        low = row.guess_corrected_accuracy_low
        if is_wanted and low is not None and low <= 0 and row.questions - row.failed >= _MIN_QUESTIONS:
            by_model.setdefault(names[row.generator, row.model], []).append(type_label(row.question_type).lower())
    for name, types in list(by_model.items())[:_MAX_NAMED_MODELS]:
        yield f"{name} is not shown to do better than guessing on {_join_items(types)} questions."
    if len(by_model) > _MAX_NAMED_MODELS:
        yield f"The same holds for {len(by_model) - _MAX_NAMED_MODELS:,} other {data.words.model}s."


def _wrong_answer_sentences(rows: Sequence[Score], names: Mapping[tuple[str, str], str]) -> Iterator[str]:
    named = [(names[row.generator, row.model], row.hallucination_rate) for row in rows[:_MAX_NAMED_MODELS]]
    rates = [f"{rate:z.1%} of {name}'s" for name, rate in named if rate is not None]
    if rates:
        rest = "the others abstain or name no answer"
        yield f"Of the replies that are not correct, {_join_items(rates)} are wrong answers; {rest}."


def _join_items(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}" if items[1:] else items[0]
