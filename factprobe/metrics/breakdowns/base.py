"""Base class and registry of breakdowns, which are tables of grades by a property of the questions.

The score table counts questions one by one. A breakdown shows what several questions together say about a model: the
facts that it knows in every form, the effect of a passage, or the answer that it prefers. Page, Markdown, terminal and
files include each registered breakdown.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Protocol

from msgspec import Struct

from factprobe.records import Grade, Question, RelationCount
from factprobe.registry import Registry


class BreakdownRow(Protocol):
    """Row of a table; a struct that also has the fields of `TableSpec.heads`."""

    @property
    def kg(self) -> str:
        """Name of the graph."""

    @property
    def generator(self) -> str:
        """Generator of the questions."""

    @property
    def model(self) -> str:
        """Model that answered; empty in a table of questions alone."""


class OwnedRow(Struct, frozen=True):
    """Row about a model, or a system of replies, and a generator's questions; these fields come first."""

    kg: str
    generator: str
    model: str


class ModelRow(Struct, frozen=True, kw_only=True):
    """Row about a model's answers to a generator's questions; these fields come after those of a subclass."""

    kg: str = ""
    generator: str = ""
    model: str = ""


def headers(names: str, **others: str) -> dict[str, str]:
    """Return the headers of the fields in a text with spaces: the words of each name, or its value in `others`."""
    return {name: others.get(name, name.replace("_", " ")) for name in names.split()}


class TableSpec:
    """Specification of how a table is shown."""

    title: ClassVar[str]
    note: ClassVar[str] = ""
    """Note below the title, in a sentence or two."""
    heads: ClassVar[Mapping[str, str]]
    """Fields to show in order, with their headers. A field is a name (str), a count (int), a share (float, None if
    nothing was counted) or a share with its interval (`Interval`, or None).
    """
    main: ClassVar[str] = ""
    """Most important field."""
    of_models: ClassVar[bool] = True
    """True if the rows are about models, and not about questions or relations alone."""
    by: ClassVar[str] = "generator"
    """Field of the first column if the rows are not about models."""
    by_scores: ClassVar[bool] = False
    """True if the page shows the table directly below the totals, instead of among the breakdowns."""
    in_summary: ClassVar[bool] = True
    """True if the one-screen summary also prints `sentence`; `breakdowns=true` always does."""
    total_sentence: ClassVar[str] = ""
    """Sentence about a row over all relations and question types, with fields in braces for figures; empty for none."""

    @classmethod
    def sentence(cls, row: Any) -> str:
        """Return a sentence about a row for the terminal, with fields in braces for figures; empty for none."""
        from factprobe.metrics.scores import ALL  # with numpy, which rows about questions alone do not need

        is_total = all(getattr(row, field, ALL) == ALL for field in ("relation", "question_type"))
        return cls.total_sentence if is_total else ""


class Breakdown(TableSpec, ABC):
    """Table of a graph that is made in one pass over its grades."""

    of_facts: ClassVar[bool] = False
    """True if only questions that a generator made from facts are passed to the breakdown."""
    of_repeats: ClassVar[bool] = False
    """True if the breakdown is about several replies to one question; others receive only the first reply."""
    of_made_up: ClassVar[bool] = False
    """True if the breakdown is about questions on made-up subjects, which no other breakdown receives."""

    def __init__(self, kg: str) -> None:
        self.kg = kg

    def begin(self, relations: Iterable[RelationCount]) -> None:  # most have no use for them
        """Receive the graph's relations before the first grade; by default they are ignored."""

    @abstractmethod
    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add one grade with its current question; grades come relation by relation, and model by model."""

    @abstractmethod
    def rows(self) -> Sequence[BreakdownRow]:
        """Return the rows; empty if there are none."""


class BreakdownTable(NamedTuple):
    """Table of one or several graphs."""

    name: str
    """Name of the table and of its file, `<name>.json`."""
    kind: type[TableSpec]
    rows: tuple[BreakdownRow, ...]

    @property
    def names(self) -> dict[str, str]:
        """Fields with texts, and their headers."""
        heads = self.kind.heads.items()
        return {field: head for field, head in heads if all(isinstance(getattr(row, field), str) for row in self.rows)}

    @property
    def figures(self) -> dict[str, str]:
        """Fields with numbers, and their headers."""
        names = self.names
        return {field: head for field, head in self.kind.heads.items() if field not in names}


class Registered(Registry[Breakdown]):
    """Registry of breakdowns by name."""

    def every(self) -> list[str]:
        """Return all names in the order of a report: factprobe's own first, then others by name."""
        return list(dict.fromkeys([*self._targets, *self.names()]))


breakdowns = Registered(
    "breakdowns",
    "breakdown",
    {
        "consistency": "factprobe.metrics.breakdowns.consistency:ByForm",
        "guesses": "factprobe.metrics.breakdowns.guessing:MadeUp",
        "prior": "factprobe.metrics.breakdowns.guessing:WithoutSubject",
        "bias": "factprobe.metrics.breakdowns.bias:ByAnswer",
        "contexts": "factprobe.metrics.breakdowns.contexts:ByContext",
        "reversal": "factprobe.metrics.breakdowns.asked_twice:BothEnds",
        "composition": "factprobe.metrics.breakdowns.composition:TwoSteps",
        "negation": "factprobe.metrics.breakdowns.asked_twice:Negations",
        "paraphrases": "factprobe.metrics.breakdowns.paraphrases:ByWording",
        "repeats": "factprobe.metrics.breakdowns.repeats:ByRepeat",
    },
)


class Breakdowns:
    """All breakdowns of one graph's grades, or of replies without a graph; `of_facts` is false for these."""

    def __init__(self, kg: str, relations: Collection[RelationCount] = (), *, of_facts: bool = True) -> None:
        self._parts = {name: breakdowns.get(name)(kg) for name in breakdowns.every()}
        for part in self._parts.values():
            part.begin(relations)
        included = [part for part in self._parts.values() if of_facts or not part.of_facts]
        self._usual = [part for part in included if not part.of_made_up]
        self._made_up = [part for part in included if part.of_made_up]

    def add(self, generator: str, model: str, grade: Grade, question: Question, *, is_repeat: bool = False) -> None:
        """Add one grade; `is_repeat` is True for a further reply to the same question."""
        for part in self._made_up if question.given == "made_up" else self._usual:
            if part.of_repeats or not is_repeat:
                part.add(generator, model, grade, question)

    def tables(self) -> list[BreakdownTable]:
        """Return all tables, even empty ones."""
        return [BreakdownTable(name, type(part), tuple(part.rows())) for name, part in self._parts.items()]


def joined(graphs: Sequence[Sequence[BreakdownTable]]) -> list[BreakdownTable]:
    """Return the tables of several graphs, with the rows of equal tables joined."""
    equal = zip(*graphs, strict=True)
    return [tables[0]._replace(rows=tuple(chain.from_iterable(one.rows for one in tables))) for tables in equal]
