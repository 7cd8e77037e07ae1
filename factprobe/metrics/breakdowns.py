"""What a breakdown of the grades is, and the registry of those there are.

The score table counts questions one by one. A breakdown tells what they say of a model together: which facts it knows
in every form, how far a passage moves it, which answer it prefers. Page, Markdown, terminal and files take it in by
themselves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Protocol

from factprobe.records import Grade, Question, RelationCount
from factprobe.registry import Registry


class BreakdownRow(Protocol):
    """A row of a table: a struct with the fields of `Shown.heads`, too."""

    @property
    def kg(self) -> str:
        """The graph."""

    @property
    def generator(self) -> str:
        """Whose questions it is about."""

    @property
    def model(self) -> str:
        """Whose answers; empty in a table of questions alone."""


class Shown:
    """How people see the rows of a table."""

    title: ClassVar[str]
    """What stands above it."""
    note: ClassVar[str] = ""
    """What is to be known of it, in a sentence or two."""
    heads: ClassVar[Mapping[str, str]]
    """The fields that people see, in their order, with their heads. A field is a name (str), a count (int), a share
    (float, None where nothing was counted) or a share with its interval (`Interval`, or None)."""
    main: ClassVar[str] = ""
    """The field that matters most."""
    of_models: ClassVar[bool] = True
    """Whether the rows tell of models, and not of questions or relations alone."""
    by: ClassVar[str] = "generator"
    """The field of the first column where they do not."""
    in_summary: ClassVar[bool] = True
    """Whether the one-screen summary prints `sentence` too; `breakdowns=true` always does."""

    @classmethod
    def sentence(cls, row: Any) -> str:  # noqa: ARG003  # each table has rows of its own
        """How the terminal tells a row below a model's scores, where it does; the names of fields in braces stand for
        their figures."""
        return ""


class Breakdown(Shown, ABC):
    """One table beside the scores of a graph; it sees each grade once and holds no more than it needs.

    Args:
        kg: the graph, for its rows.
    """

    of_facts: ClassVar[bool] = False
    """Whether it can only tell of questions that a generator made of facts, so that no others need be shown to it."""
    of_made_up: ClassVar[bool] = False
    """Whether it is about questions on made-up subjects, which no other breakdown sees."""

    def __init__(self, kg: str) -> None:
        self.kg = kg

    def begin(self, relations: Iterable[RelationCount]) -> None:  # most have no use for them
        """Is told of the graph's relations before the first grade; by default it does nothing."""

    @abstractmethod
    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Takes in one more grade, of a relation's questions after those of another, and of a model's after another's.

        Args:
            generator: whose question it is.
            model: whose answer.
            grade: it.
            question: as it is asked now.
        """

    @abstractmethod
    def rows(self) -> Sequence[BreakdownRow]:
        """What it comes to; empty where there is nothing to tell."""


class Table(NamedTuple):
    """A table of one graph or several."""

    name: str
    """`<name>.json` holds it."""
    kind: type[Shown]
    rows: tuple[BreakdownRow, ...]

    @property
    def names(self) -> dict[str, str]:
        """The fields that hold names, with their heads."""
        heads = self.kind.heads.items()
        return {field: head for field, head in heads if all(isinstance(getattr(row, field), str) for row in self.rows)}

    @property
    def figures(self) -> dict[str, str]:
        """The other fields, with their heads."""
        names = self.names
        return {field: head for field, head in self.kind.heads.items() if field not in names}


class Registered(Registry[Breakdown]):
    """The breakdowns by name."""

    def every(self) -> list[str]:
        """The names of all of them in the order of a report: factprobe's own first, then others by name."""
        return list(dict.fromkeys([*self._targets, *self.names()]))


breakdowns = Registered(
    "breakdowns",
    "breakdown",
    {
        "consistency": "factprobe.metrics.consistency:ByForm",
        "guesses": "factprobe.metrics.guessing:MadeUp",
        "prior": "factprobe.metrics.guessing:WithoutSubject",
        "bias": "factprobe.metrics.bias:ByAnswer",
        "contexts": "factprobe.metrics.contexts:ByContext",
        "reversal": "factprobe.metrics.reversal:BothEnds",
        "composition": "factprobe.metrics.composition:TwoSteps",
        "negation": "factprobe.metrics.negation:Negations",
        "paraphrases": "factprobe.metrics.paraphrases:ByWording",
    },
)


class Breakdowns:
    """All breakdowns of one graph's grades.

    Args:
        kg: what the graph is called in tables.
        relations: those of the graph, where there is one.
        of_facts: whether the questions are made of facts.
    """

    def __init__(self, kg: str, relations: Collection[RelationCount] = (), *, of_facts: bool = True) -> None:
        self._parts = {name: breakdowns.get(name)(kg) for name in breakdowns.every()}
        for part in self._parts.values():
            part.begin(relations)
        told = [part for part in self._parts.values() if of_facts or not part.of_facts]
        self._usual = [part for part in told if not part.of_made_up]
        self._made_up = [part for part in told if part.of_made_up]

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Takes in one more grade."""
        for part in self._made_up if question.given == "made_up" else self._usual:
            part.add(generator, model, grade, question)

    def tables(self) -> list[Table]:
        """What they come to, those without rows among them."""
        return [Table(name, type(part), tuple(part.rows())) for name, part in self._parts.items()]


def joined(graphs: Sequence[Sequence[Table]]) -> list[Table]:
    """The tables of several graphs, each as one."""
    return [
        tables[0]._replace(rows=tuple(chain.from_iterable(table.rows for table in tables)))
        for tables in zip(*graphs, strict=True)
    ]
