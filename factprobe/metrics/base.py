"""Base class and registry of the metrics of the score table."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import ClassVar, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from factprobe.metrics.statistics.intervals import Codes, Flags, Floats, Interval, rate_interval
from factprobe.records import Grade, Score, Verdict
from factprobe.registry import Registry

T = TypeVar("T")
K = TypeVar("K")

Place = Literal["table", "markdown", "page"]
"""Output that shows a metric: the terminal's table, report.md, or report.html."""
PLACES: tuple[Place, ...] = get_args(Place)

Share = Callable[[Grade], tuple[float, float]]
"""Function that returns a graded question's contributions to numerator and denominator."""

ATTEMPTED: tuple[Verdict, ...] = ("correct", "incorrect", "unparsed")
"""Verdicts on replies that try to answer; an unparsed reply is an attempt that is not correct."""
REPLIED: tuple[Verdict, ...] = (*ATTEMPTED, "abstained")
"""Verdicts on any reply; a failed question is in no denominator."""


class MetricInput(NamedTuple):
    """Input of a metric: the graded questions of one row of the score table."""

    kinds: Sequence[Grade]
    """One grade of each kind; all grades of a kind have the same verdict, question type, counts and rank."""
    kind: Codes
    options: Codes
    """Number of answers to guess from, shape (questions,); 0 without a choice."""
    clusters: Codes
    relations: Codes | None
    """Relation of each question, shape (questions,), for a macro average; None for a micro average."""
    intervals: dict[bytes, Interval | None]
    """Cached intervals of sums, since several metrics often have the same sums."""
    probabilities: Floats
    """Grader's probability that each reply is correct, shape (questions,); NaN if no model estimates it."""
    confidences: Floats
    """Model's own confidence in each reply, shape (questions,); NaN if unknown."""
    labels: Floats
    """People's label of each reply, 1 for correct and else 0, shape (questions,); NaN if there is none."""
    chances: Floats
    """Probability with which each reply was drawn for labelling, shape (questions,); 1 without a label."""

    def flags(self, verdicts: Collection[str]) -> Flags:
        """Return whether each question has one of the given verdicts, shape (questions,)."""
        return np.array([grade.verdict in verdicts for grade in self.kinds], bool)[self.kind]

    @property
    def predictions(self) -> Floats:
        """Probability that people call each reply correct, shape (questions,); 1 or 0 for grades that no model gave."""
        return np.where(np.isnan(self.probabilities), self.flags(("correct",)), self.probabilities)

    def sums(self, share: Share) -> Floats:
        """Return each question's contribution to numerator and denominator, shape (questions, 2)."""
        return np.array([share(grade) for grade in self.kinds], float).reshape(-1, 2)[self.kind]

    def ratio(self, sums: Floats) -> float | None:
        """Return the ratio of numerator and denominator, or its mean over relations; None if nothing was counted."""
        codes = np.zeros(len(sums), np.intp) if self.relations is None else self.relations
        parts, wholes = np.bincount(codes, sums[:, 0]), np.bincount(codes, sums[:, 1])
        known = wholes > 0
        return float((parts[known] / wholes[known]).mean()) if known.any() else None

    def interval(self, sums: Floats) -> Interval | None:
        """Return the ratio with the interval of `rate_interval`."""
        key = sums.tobytes()
        if key not in self.intervals:
            self.intervals[key] = rate_interval(sums[:, 0], sums[:, 1], self.clusters, self.relations)
        return self.intervals[key]


class MetricValue(NamedTuple):
    """Value of a metric in a row, None if nothing was counted, with the ends of its interval if it has one."""

    value: float | None
    low: float | None
    high: float | None


class Metric(ABC):
    """Metric of the score table: a ratio of sums over graded questions, unless a subclass overrides `measure`.

    The first paragraph of a subclass's docstring says what the metric is, and is shown on the page and in the docs. Its
    class attributes have all else, so that each file, table and page includes the metric without further code. The
    registered name is also the name of the column.
    """

    title: ClassVar[str] = ""
    """Name for people; by default made from `name`."""
    over: ClassVar[str] = ""
    """Population in words; empty for all questions with a reply. A metric of only some questions is left out of a table
    if no row has it.
    """
    least: ClassVar[float] = 0.0
    """Lower end of the metric's range."""
    most: ClassVar[float] = 1.0
    """Upper end of the metric's range."""
    higher_is_better: ClassVar[bool] = True
    source: ClassVar[str] = ""
    has_interval: ClassVar[bool] = False
    """True if the ends of the 95 % interval are columns too, `<name>_low` and `<name>_high`."""
    places: ClassVar[tuple[Place, ...]] = PLACES
    """Outputs that show the metric; the files and the frame have every metric."""
    short: ClassVar[str] = ""
    """Short column header for the terminal; by default `title`."""
    replaces: ClassVar[tuple[str, ...]] = ()
    """Metrics that the terminal's table replaces by this one."""
    sentence: ClassVar[str] = ""
    """Sentence below the terminal's table for each question type that has the metric; `{}` stands for the figures."""
    in_summary: ClassVar[bool] = True
    """True if the one-screen summary also prints `sentence`; `breakdowns=true` always does."""
    in_legend: ClassVar[bool] = False
    """True if the terminal prints `what` below its table of intervals, in at most 40 characters."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def share(self, grade: Grade) -> tuple[float, float]:
        """Return a question's contributions to numerator and denominator; the numerator is from 0 to the denominator.

        The result may depend only on the grade's verdict, question type, counts and rank, since it is used for all
        grades with the same ones.
        """

    def measure(self, counted: MetricInput) -> Interval | float | None:
        """Compute the metric over some questions, with its interval if it has one; None if nothing was counted."""
        sums = counted.sums(self.share)
        return counted.interval(sums) if self.has_interval else counted.ratio(sums)

    @property
    def what(self) -> str:
        """First paragraph of the docstring."""
        text = " ".join((inspect.getdoc(type(self)) or "").partition("\n\n")[0].split()).removesuffix(".")
        return _within_a_line(text)

    @property
    def columns(self) -> tuple[str, ...]:
        """Fields of the metric in a row of the score table, named as in the files and the frame."""
        return (self.name, f"{self.name}_low", f"{self.name}_high") if self.has_interval else (self.name,)

    def cells(self, counted: MetricInput) -> dict[str, float | None]:
        """Return the values of the metric's columns."""
        found = self.measure(counted)
        ends = found.ends if isinstance(found, Interval) else (found, None, None)
        return dict(zip(self.columns, ends, strict=False))

    def of(self, row: Score) -> MetricValue:
        """Return the metric's values in a row; all None if the row was made before the metric existed."""
        value, low, high = (getattr(row, f"{self.name}{end}", None) for end in ("", "_low", "_high"))
        return MetricValue(value, low, high)

    def head(self, place: Place) -> str:
        """Return the metric's column header."""
        title = self.title or self.name.replace("_", " ").capitalize()
        if place == "page":
            return title
        return self.short if place == "table" and self.short else _within_a_line(title)


class Metrics(Registry[Metric]):
    """Registry of metrics by name."""

    def every(self) -> list[Metric]:
        """Return all metrics in the order of their columns: factprobe's own as registered, then others by name."""
        import factprobe.metrics.rates  # noqa: F401  (registers factprobe's own)

        return [self.get(name)(name) for name in dict.fromkeys([*self._classes, *self.names()])]

    def shown(self, place: Place, rows: Iterable[Score]) -> list[Metric]:
        """Return the metrics that an output shows: first those of all questions, then those of some that a row has."""
        found, table = [metric for metric in self.every() if place in metric.places], list(rows)
        some = [metric for metric in found if metric.over and any(metric.of(row).value is not None for row in table)]
        return [*(metric for metric in found if not metric.over), *some]


metrics = Metrics("metrics", "metric")


def _within_a_line(text: str) -> str:
    """Return a text with its first letter in lower case, unless it begins with an abbreviation such as `MRR`."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def group_rows(rows: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return the rows by their keys, both in the given order."""
    groups: dict[K, list[T]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups
