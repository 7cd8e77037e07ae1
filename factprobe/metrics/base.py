"""Base class and registry of the metrics of the score table."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from importlib import import_module
from typing import ClassVar, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from factprobe.metrics.statistics.intervals import Codes, Flags, Floats, Interval, rate_interval
from factprobe.records import Grade, Score, Verdict
from factprobe.registry import Registry

T = TypeVar("T")
K = TypeVar("K")

Place = Literal["table", "markdown", "page"]
"""Output in which a metric is shown: the terminal's table, `report.md`, or `report.html`."""
PLACES: tuple[Place, ...] = get_args(Place)

Share = Callable[[Grade], tuple[float, float]]
"""Function that returns the contributions of a grade to a ratio's numerator and denominator."""

ATTEMPTED: tuple[Verdict, ...] = ("correct", "incorrect", "unparsed")
"""Verdicts on attempts to answer; an unparsed reply is an attempt that is not correct."""
REPLIED: tuple[Verdict, ...] = (*ATTEMPTED, "abstained")
"""Verdicts on replies; a failed question has no reply and is in no denominator."""


class MetricInput(NamedTuple):
    """Input of a metric: the graded questions of one row of the score table."""

    kinds: Sequence[Grade]
    """Distinct grades: grades with the same verdict, question type, counts and rank are of one kind, listed once."""
    kind: Codes
    """Index in `kinds` of each question's grade, shape (questions,)."""
    options: Codes
    """Number of options to guess from, shape (questions,); 0 for questions without options."""
    clusters: Codes
    """Cluster of correlated questions to which each belongs, shape (questions,)."""
    relations: Codes | None
    """Relation of each question, shape (questions,), for a macro average; None for a micro average."""
    intervals: dict[bytes, Interval | None]
    """Cache of intervals by sums, since several metrics often have the same sums."""
    probabilities: Floats
    """Grading model's probability that each reply is correct, shape (questions,); NaN if a rule decided."""
    confidences: Floats
    """Model's own confidence in each reply, shape (questions,); NaN if unknown."""
    labels: Floats
    """Human label of each reply, 1 for correct and else 0, shape (questions,); NaN if there is none."""
    chances: Floats
    """Sampling probability of each labelled reply, shape (questions,); 1 for replies without a label."""

    def flags(self, verdicts: Collection[str]) -> Flags:
        """Return whether each question has one of the given verdicts, shape (questions,)."""
        return np.array([grade.verdict in verdicts for grade in self.kinds], bool)[self.kind]

    @property
    def predictions(self) -> Floats:
        """Predicted probability that each reply is correct, shape (questions,); 1 or 0 where a rule decided."""
        return np.where(np.isnan(self.probabilities), self.flags(("correct",)), self.probabilities)

    def sums(self, share: Share) -> Floats:
        """Return each question's contribution to numerator and denominator, shape (questions, 2)."""
        return np.array([share(grade) for grade in self.kinds], float).reshape(-1, 2)[self.kind]

    def ratio(self, sums: Floats) -> float | None:
        """Return the ratio of the summed numerators and denominators, or its mean over relations; None if undefined."""
        codes = np.zeros(len(sums), np.intp) if self.relations is None else self.relations
        parts, wholes = np.bincount(codes, sums[:, 0]), np.bincount(codes, sums[:, 1])
        is_counted = wholes > 0
        return float((parts[is_counted] / wholes[is_counted]).mean()) if is_counted.any() else None

    def interval(self, sums: Floats) -> Interval | None:
        """Return the ratio of the summed numerators and denominators with a 95 % interval; None if undefined."""
        key = sums.tobytes()
        if key not in self.intervals:
            self.intervals[key] = rate_interval(sums[:, 0], sums[:, 1], self.clusters, self.relations)
        return self.intervals[key]


class MetricValue(NamedTuple):
    """Value of a metric in a row, with the ends of its interval; None if undefined or without an interval."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def interval(self) -> Interval | None:
        """Value with its interval; None without either."""
        if self.value is None or self.low is None or self.high is None:
            return None
        return Interval(self.value, self.low, self.high)


class Metric(ABC):
    """Base class of metrics of the score table: a ratio of sums over questions, unless `measure` is overridden.

    The page and the docs show the first paragraph of a subclass's docstring as its definition. Class attributes say
    where and how the metric is shown, so that all files, tables and pages include it without further code. The
    registered name is also the name of the column.
    """

    title: ClassVar[str] = ""
    """Title in reports; by default made from `name`."""
    over: ClassVar[str] = ""
    """Description of the questions counted, if these are not all questions with a reply. Tables omit such a metric if
    no row has a value.
    """
    least: ClassVar[float] = 0.0
    """Lower end of the metric's range."""
    most: ClassVar[float] = 1.0
    """Upper end of the metric's range."""
    higher_is_better: ClassVar[bool] = True
    source: ClassVar[str] = ""
    has_interval: ClassVar[bool] = False
    """True if the metric has a 95 % interval, in the columns `<name>_low` and `<name>_high`."""
    places: ClassVar[tuple[Place, ...]] = PLACES
    """Outputs that show the metric; CSV and JSON files and data frames have all metrics."""
    short: ClassVar[str] = ""
    """Short column header for the terminal; by default `title`."""
    replaces: ClassVar[tuple[str, ...]] = ()
    """Names of metrics that the terminal's table omits if it has this one."""
    sentence: ClassVar[str] = ""
    """Sentence below the terminal's table for each question type that has the metric, with `{}` for the value."""
    in_summary: ClassVar[bool] = True
    """True if `sentence` is also in the short summary; `breakdowns=true` always prints it."""
    in_legend: ClassVar[bool] = False
    """True if the terminal prints `what`, of at most 40 characters, below its table of intervals."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def share(self, grade: Grade) -> tuple[float, float]:
        """Return a grade's contributions to numerator and denominator; the numerator is from 0 to the denominator.

        The result may depend only on the grade's verdict, question type, counts and rank: it is computed once for all
        grades in which these are equal.
        """

    def measure(self, counted: MetricInput) -> Interval | float | None:
        """Compute the metric over the questions of a row, with its interval if it has one; None if undefined."""
        sums = counted.sums(self.share)
        return counted.interval(sums) if self.has_interval else counted.ratio(sums)

    @property
    def what(self) -> str:
        """Definition of the metric: the first paragraph of its docstring."""
        text = " ".join((inspect.getdoc(type(self)) or "").partition("\n\n")[0].split()).removesuffix(".")
        return _uncapitalised(text)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the metric's columns in the score table."""
        return (self.name, f"{self.name}_low", f"{self.name}_high") if self.has_interval else (self.name,)

    def cells(self, counted: MetricInput) -> dict[str, float | None]:
        """Compute the values of the metric's columns."""
        value = self.measure(counted)
        ends = value.ends if isinstance(value, Interval) else (value, None, None)
        return dict(zip(self.columns, ends, strict=False))

    def of(self, row: Score) -> MetricValue:
        """Return the metric's value in a row of the score table; None if an older version made the row without it."""
        value, low, high = (getattr(row, f"{self.name}{end}", None) for end in ("", "_low", "_high"))
        return MetricValue(value, low, high)

    def head(self, place: Place) -> str:
        """Return the metric's column header in an output."""
        title = self.title or self.name.replace("_", " ").capitalize()
        if place == "page":
            return title
        return self.short if place == "table" and self.short else _uncapitalised(title)


class Metrics(Registry[Metric]):
    """Registry of metrics by name."""

    def every(self) -> list[Metric]:
        """Return all metrics in the order of their columns: built-in ones as registered, then others by name."""
        import_module("factprobe.metrics.score_metrics")  # registers the built-in metrics
        return [self.get(name)(name) for name in dict.fromkeys([*self._classes, *self.names()])]

    def select(self, place: Place, rows: Iterable[Score]) -> list[Metric]:
        """Return the metrics that an output shows; those of some questions last, and only if a row has a value."""
        table, shown = list(rows), [metric for metric in self.every() if place in metric.places]
        defined = [one for one in shown if not one.over or any(one.of(row).value is not None for row in table)]
        return sorted(defined, key=lambda metric: bool(metric.over))


metrics = Metrics("metrics", "metric")


def _uncapitalised(text: str) -> str:
    """Return a text beginning in lower case, for use within a line, unless it begins with an abbreviation (`MRR`)."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def group_rows(rows: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Group rows by a key; groups and their rows keep the given order."""
    groups: dict[K, list[T]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups
