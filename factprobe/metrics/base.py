"""What a metric of the score table is, and the registry of those there are."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from factprobe.metrics.intervals import Codes, Floats, Interval, rate_interval
from factprobe.records import Grade, Score
from factprobe.registry import Registry

Place = Literal["table", "markdown", "page"]
"""Where people read a metric: the terminal's table, report.md, report.html."""
PLACES: tuple[Place, ...] = ("table", "markdown", "page")

Share = Callable[[Grade], tuple[float, float]]
"""What a graded question adds to a rate: to the part, and to the whole."""

ATTEMPTED = ("correct", "incorrect", "unparsed")
"""The verdicts on a reply that tries to answer; an unparsed one is an attempt that is not correct."""
REPLIED = (*ATTEMPTED, "abstained")
"""The verdicts on any reply: a failed question is in no denominator."""


class Counted(NamedTuple):
    """The graded questions that a row of the score table sums up."""

    kinds: Sequence[Grade]
    """A grade of each kind; those of one kind have the same verdict, question type, counts and rank."""
    kind: Codes
    """The kind of each question, shape (questions,)."""
    options: Codes
    """Among how many answers each question lets one guess, shape (questions,); 0 where there is no choice."""
    clusters: Codes
    """The subject entity of each question, shape (questions,)."""
    relations: Codes | None
    """The relation of each question, shape (questions,), for a macro average; None for a micro one."""
    intervals: dict[bytes, Interval | None]
    """The intervals of sums so far: several metrics often count the same."""

    def sums(self, share: Share) -> Floats:
        """What each question adds to a rate's part and whole, shape (questions, 2)."""
        return np.array([share(grade) for grade in self.kinds], float).reshape(-1, 2)[self.kind]

    def ratio(self, sums: Floats) -> float | None:
        """The ratio of part and whole, or the mean of the relations' own; None where nothing was counted."""
        codes = np.zeros(len(sums), np.intp) if self.relations is None else self.relations
        parts, wholes = np.bincount(codes, sums[:, 0]), np.bincount(codes, sums[:, 1])
        known = wholes > 0
        return float((parts[known] / wholes[known]).mean()) if known.any() else None

    def interval(self, sums: Floats) -> Interval | None:
        """The same with its interval, see `rate_interval`."""
        key = sums.tobytes()
        if key not in self.intervals:
            self.intervals[key] = rate_interval(sums[:, 0], sums[:, 1], self.clusters, self.relations)
        return self.intervals[key]


class Figure(NamedTuple):
    """What a row has of a metric: None where nothing was counted, and for the ends where it has no interval."""

    value: float | None
    low: float | None
    high: float | None


class Metric(ABC):
    """A metric of the score table: a ratio of sums over graded questions, or what a subclass makes of them.

    The docstring of a subclass says in its first paragraph what the metric is; the page and the docs show it. Its class
    attributes say all else, so that every file, table and page takes the metric in by itself.

    Args:
        name: what it is registered under; its column.
    """

    title: ClassVar[str] = ""
    """Its name for people; by default made of `name`."""
    over: ClassVar[str] = ""
    """Which questions it counts, in words; empty for all that got a reply. One that counts only some questions is left
    out of a table in which no row has it."""
    least: ClassVar[float] = 0.0
    """The least that it can be."""
    most: ClassVar[float] = 1.0
    """The most that it can be."""
    higher_is_better: ClassVar[bool] = True
    source: ClassVar[str] = ""
    """Who defined it, and where."""
    has_interval: ClassVar[bool] = False
    """Whether the ends of its 95 % interval stand beside it: `<name>_low` and `<name>_high`."""
    places: ClassVar[tuple[Place, ...]] = PLACES
    """Where people see it; the files and the frame hold every metric."""
    short: ClassVar[str] = ""
    """Its head in the terminal's table, where room is scarce; by default the title."""
    replaces: ClassVar[tuple[str, ...]] = ()
    """The metrics that leave the terminal's table where this one is in it."""
    sentence: ClassVar[str] = ""
    """How the terminal tells it below the table, in a line for each question type that has it; `{}` stands for its
    figures."""
    in_summary: ClassVar[bool] = True
    """Whether the one-screen summary prints `sentence` too; `breakdowns=true` always does."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def share(self, grade: Grade) -> tuple[float, float]:
        """What a graded question adds to the part and to the whole, the part at least 0 and at most the whole.

        Args:
            grade: stands for all of its verdict, question type, counts and rank, by which alone it is to go.
        """

    def measure(self, counted: Counted) -> Interval | float | None:
        """The metric over some questions, with its interval if it has one; None where nothing was counted."""
        sums = counted.sums(self.share)
        return counted.interval(sums) if self.has_interval else counted.ratio(sums)

    @property
    def what(self) -> str:
        """What it is, in a few words: the first paragraph of the docstring."""
        text = " ".join((inspect.getdoc(type(self)) or "").partition("\n\n")[0].split()).removesuffix(".")
        return _within_a_line(text)

    @property
    def columns(self) -> tuple[str, ...]:
        """Its fields in a row of the score table, and their names in the files and the frame."""
        return (self.name, f"{self.name}_low", f"{self.name}_high") if self.has_interval else (self.name,)

    def cells(self, counted: Counted) -> dict[str, float | None]:
        """The values of the columns."""
        found = self.measure(counted)
        ends = (found.estimate, found.low, found.high) if isinstance(found, Interval) else (found, None, None)
        return dict(zip(self.columns, ends, strict=False))

    def of(self, row: Score) -> Figure:
        """What a row has of it; nothing, if the row was made before the metric was there."""
        value, low, high = (getattr(row, f"{self.name}{end}", None) for end in ("", "_low", "_high"))
        return Figure(value, low, high)

    def head(self, place: Place) -> str:
        """The head of its column."""
        title = self.title or self.name.replace("_", " ").capitalize()
        if place == "page":
            return title
        return self.short if place == "table" and self.short else _within_a_line(title)


class Metrics(Registry[Metric]):
    """The metrics by name."""

    def every(self) -> list[Metric]:
        """All of them in the order of their columns: as they were registered, factprobe's own first, then those of
        installed packages by name."""
        return [self.get(name)(name) for name in dict.fromkeys([*self._classes, *self.names()])]

    def shown(self, place: Place, rows: Iterable[Score]) -> list[Metric]:
        """The metrics that have a column at a place: those of all questions, then those of some that a row has."""
        found, table = [metric for metric in self.every() if place in metric.places], list(rows)
        some = [metric for metric in found if metric.over and any(metric.of(row).value is not None for row in table)]
        return [*(metric for metric in found if not metric.over), *some]


metrics = Metrics("metrics", "metric")


def _within_a_line(text: str) -> str:
    """Words that begin with a capital only where it is an abbreviation: `accuracy`, `MRR`."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
