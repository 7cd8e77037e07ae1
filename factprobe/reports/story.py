"""Summary of a report in sentences: accuracies, differences, guessing and wrong answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from factprobe.metrics.scores import ALL
from factprobe.question_types import type_label
from factprobe.records import Score
from factprobe.reports.data import ReportData

_MOST_NAMED = 3
"""Most models that are named one by one."""
_FEWEST = 5
"""Questions of a type below which nothing is said about guessing."""


def summary_sentences(data: ReportData, names: Mapping[tuple[str, str], str]) -> list[str]:
    """Return the sentences of the summary; empty without scores.

    Args:
        data: the data of the report.
        names: the name of each generator and model.
    """
    rows = model_totals(data.scores)
    if not rows:
        return []
    found = [*_accuracies(data, rows, names), *_differences(data), *_guessing(data, names)]
    return [*found, *_wrong_answers(rows, names)]


def model_totals(scores: Sequence[Score]) -> list[Score]:
    """Return the row of each generator and model over all questions and graphs, the best first."""
    totals = [row for row in scores if (row.level, row.average) == ("total", "micro") and row.accuracy is not None]
    several = any(row.kg == ALL for row in totals)
    return sorted((row for row in totals if row.kg == ALL or not several), key=lambda row: -(row.accuracy or 0))


def _accuracies(data: ReportData, rows: Sequence[Score], names: Mapping[tuple[str, str], str]) -> Iterator[str]:
    if data.unequal:
        yield data.unequal
    shown = rows if len(rows) <= _MOST_NAMED else (rows[0], rows[-1]) * (not data.unequal)
    if len(rows) > _MOST_NAMED and shown:
        yield f"Of {len(rows)} {data.words.model}s, the first named is the best and the second the worst."
    for row in shown:
        low, high = 100 * (row.accuracy_low or 0), 100 * (row.accuracy_high or 0)
        of = f"{row.accuracy:z.1%} of {data.words.count(row.questions - row.failed)}"
        verb = f"answers {of} correctly" if data.words.questions == "questions" else f"is right in {of}"
        yield f"{names[row.generator, row.model]} {verb} (95% interval {low:z.1f} to {high:z.1f})."


def _differences(data: ReportData) -> Iterator[str]:
    pairs = [row for _, row in data.comparisons if row.question_type == ALL]
    if len(pairs) == 1:
        [row] = pairs
        low, high = sorted(abs(100 * end) for end in (row.difference.low, row.difference.high))
        gap = f"{100 * abs(row.difference.estimate):.1f} points (95% interval {low:z.1f} to {high:z.1f})"
        tied = f"No difference in accuracy between {row.first} and {row.second} is shown."
        yield tied if row.verdict == "tied" else f"{row.better} is better by {gap} on the same questions."
    elif pairs:
        differ = sum(row.verdict != "tied" for row in pairs)
        yield f"{differ} of {len(pairs)} pairs of {data.words.model}s differ in accuracy, after Holm's correction."


def _guessing(data: ReportData, names: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """Name the question types with options that a model does not answer better than by guessing."""
    several = any(row.kg == ALL for row in data.scores)
    found: dict[str, list[str]] = {}
    for row in data.scores:
        is_wanted = (row.level, row.average) == ("question_type", "micro") and (row.kg == ALL or not several)
        low = row.guess_corrected_accuracy_low
        if is_wanted and low is not None and low <= 0 and row.questions - row.failed >= _FEWEST:
            found.setdefault(names[row.generator, row.model], []).append(type_label(row.question_type).lower())
    for name, types in list(found.items())[:_MOST_NAMED]:
        yield f"{name} is not shown to do better than guessing on {_join(types)} questions."
    if len(found) > _MOST_NAMED:
        yield f"The same holds for {len(found) - _MOST_NAMED:,} other {data.words.model}s."


def _wrong_answers(rows: Sequence[Score], names: Mapping[tuple[str, str], str]) -> Iterator[str]:
    rates = [
        f"{row.hallucination_rate:z.1%} of {names[row.generator, row.model]}'s"
        for row in rows[:_MOST_NAMED]
        if row.hallucination_rate is not None
    ]
    if rates:
        rest = "the others abstain or name no answer"
        yield f"Of the replies that are not correct, {_join(rates)} are wrong answers; {rest}."


def _join(items: Sequence[str]) -> str:
    """Join items with commas and a last "and"."""
    return f"{', '.join(items[:-1])} and {items[-1]}" if items[1:] else items[0]
