"""Base class and registry of breakdowns, which all reports and files include.

The score table counts questions one by one. A breakdown is a table of what several questions together show about a
model, such as which facts it knows in every form, the effect of passages, or which answer it prefers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Protocol

from msgspec import Struct

from factprobe.metrics.strata import ALL
from factprobe.records import Grade, Question, RelationCount
from factprobe.registry import Registry


class BreakdownRow(Protocol):
    """Row of a breakdown: a struct that also has the fields of `TableSpec.heads`."""

    @property
    def kg(self) -> str:
        """Name of the graph."""

    @property
    def generator(self) -> str:
        """Generator of the questions."""

    @property
    def model(self) -> str:
        """Model that answered; empty in a table about questions alone."""


class OwnedRow(Struct, frozen=True):
    """Row about a model's answers to a generator's questions, whose names come first in files."""

    kg: str
    generator: str
    model: str


class ModelRow(Struct, frozen=True, kw_only=True):
    """Row about a model's answers to a generator's questions, whose names come last in files."""

    kg: str = ""
    generator: str = ""
    model: str = ""


def headers(names: str, **others: str) -> dict[str, str]:
    """Return the header of each field in `names` (separated by spaces): that in `others`, or else its name."""
    return {name: others.get(name, name.replace("_", " ")) for name in names.split()}


class TableSpec:
    """Specification of how reports show a table."""

    title: ClassVar[str]
    note: ClassVar[str] = ""
    """Note of one or two sentences below the title."""
    heads: ClassVar[Mapping[str, str]]
    """Fields to show, in order, with their headers. A field is a name (str), a count (int), a share (float), or a share
    with its interval (`Interval`); shares are None if undefined.
    """
    main: ClassVar[str] = ""
    """Most important field, which reports emphasise."""
    of_models: ClassVar[bool] = True
    """False if the rows are about questions or relations alone, not about models."""
    by: ClassVar[str] = "generator"
    """Field in the first column, if the rows are not about models."""
    by_scores: ClassVar[bool] = False
    """True if the page shows the table below the totals instead of among the breakdowns."""
    in_summary: ClassVar[bool] = True
    """True if sentences are also in the short summary; `breakdowns=true` always prints them."""
    total_sentence: ClassVar[str] = ""
    """Sentence on the row of all relations and question types, with fields in braces (`{facts}`); empty for none."""

    @classmethod
    def sentence(cls, row: Any) -> str:
        """Return a sentence on a row for the terminal, with fields in braces (`{questions}`); empty for none."""
        is_total = all(getattr(row, field, ALL) == ALL for field in ("relation", "question_type"))
        return cls.total_sentence if is_total else ""


class Breakdown(TableSpec, ABC):
    """Base class of breakdowns: tables of a graph, made in one pass over its grades."""

    of_facts: ClassVar[bool] = False
    """True if the breakdown needs questions made from facts, and is not made for replies from files."""
    of_repeats: ClassVar[bool] = False
    """True if the breakdown gets all replies to a repeated question; others get the first."""
    of_made_up: ClassVar[bool] = False
    """True if the breakdown gets the questions on made-up subjects, and no others."""

    def __init__(self, kg: str) -> None:
        self.kg = kg

    def begin(self, relations: Iterable[RelationCount]) -> None:  # most have no use for them
        """Take the graph's relations, before the first grade; does nothing by default."""

    @abstractmethod
    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add one grade with its question; grades come relation by relation and model by model."""

    @abstractmethod
    def rows(self) -> Sequence[BreakdownRow]:
        """Return the rows of the table; empty if there is nothing to show."""


class BreakdownTable(NamedTuple):
    """Breakdown or other table of one or several graphs."""

    name: str
    """Name of the table and of its file, `<name>.json`."""
    kind: type[TableSpec]
    rows: tuple[BreakdownRow, ...]

    @property
    def names(self) -> dict[str, str]:
        """Headers of the fields with texts, by field."""
        heads = self.kind.heads.items()
        return {field: head for field, head in heads if all(isinstance(getattr(row, field), str) for row in self.rows)}

    @property
    def figures(self) -> dict[str, str]:
        """Headers of the fields with numbers, by field."""
        names = self.names
        return {field: head for field, head in self.kind.heads.items() if field not in names}


class BreakdownRegistry(Registry[Breakdown]):
    """Registry of breakdowns by name."""

    def every(self) -> list[str]:
        """Return the names of all breakdowns in the order of a report: built-in ones first, then others by name."""
        return list(dict.fromkeys([*self._targets, *self.names()]))


breakdowns = BreakdownRegistry("breakdowns", "breakdown")


class Breakdowns:
    """All breakdowns of one graph's grades, or of replies from files (`of_facts=False`)."""

    def __init__(self, kg: str, relations: Collection[RelationCount] = (), *, of_facts: bool = True) -> None:
        self._parts = {name: breakdowns.get(name)(kg) for name in breakdowns.every()}
        for part in self._parts.values():
            part.begin(relations)
        included = [part for part in self._parts.values() if of_facts or not part.of_facts]
        self._usual = [part for part in included if not part.of_made_up]
        self._made_up = [part for part in included if part.of_made_up]

    def add(self, generator: str, model: str, grade: Grade, question: Question, *, is_repeat: bool = False) -> None:
        """Add one grade; `is_repeat` is True for replies to a question after the first."""
        for part in self._made_up if question.given == "made_up" else self._usual:
            if part.of_repeats or not is_repeat:
                part.add(generator, model, grade, question)

    def tables(self) -> list[BreakdownTable]:
        """Return all tables, even empty ones."""
        return [BreakdownTable(name, type(part), tuple(part.rows())) for name, part in self._parts.items()]


def join_tables(graphs: Sequence[Sequence[BreakdownTable]]) -> list[BreakdownTable]:
    """Join the tables of several graphs: each table gets the rows of all graphs."""
    equal = zip(*graphs, strict=True)
    return [tables[0]._replace(rows=tuple(chain.from_iterable(table.rows for table in tables))) for tables in equal]
