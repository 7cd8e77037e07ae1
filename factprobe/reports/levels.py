"""The levels of the score table as people read them, in one order everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from factprobe.metrics.scores import ALL
from factprobe.records import Score


class Level(NamedTuple):
    """The rows of one level: what stands above them, and what tells one from another."""

    name: str
    """The `level` of its rows."""
    title: str
    """What stands above them."""
    head: str
    """The head of the column of their names."""
    columns: tuple[str, ...] = ()
    """The fields that name a row; a total needs none."""
    note: str = ""
    """What they are, in a sentence, where the title does not say it."""

    def rows(self, table: Iterable[Score]) -> list[Score]:
        """Those of the table that are of this level."""
        return [row for row in table if row.level == self.name]

    def short(self, table: Iterable[Score]) -> list[Score]:
        """The same where room is scarce: a total alone has a macro average too."""
        return [row for row in self.rows(table) if row.average == "micro" or not self.columns]

    def label(self, row: Score) -> str:
        """A row's name in one line."""
        return " ".join(" ".join(getattr(row, column) for column in self.columns).split()) or "–"


CELL = Level("cell", "By relation and question type", "Relation", ("relation", "relation_label", "question_type"))
"""What the others sum up: too many rows to be read but one by one."""

LEVELS = (
    Level("total", "Total", "Model"),
    Level("question_type", "By question type", "Question type", ("question_type",)),
    Level("relation_type", "By relation type", "Relation type", ("relation_type",)),
    Level(
        "popularity",
        "By popularity of the subject",
        "Popularity",
        ("popularity",),
        "By its number of facts in the graph, then by its neighbours', or first by the counts that the questions were "
        "made with; head, torso and tail hold a third of the graph's facts each.",
    ),
    Level(
        "answer_set_size",
        "By number of right answers",
        "Right answers",
        ("answer_set_size",),
        "Of the questions whose answer is written.",
    ),
    Level("relation", "By relation", "Relation", ("relation", "relation_label")),
)
"""Those that every table shows, the most important one first."""


def graph_name(kg: str) -> str:
    """What a graph is called in a table: the one that rows over all of them bear, `all graphs`."""
    return "all graphs" if kg == ALL else kg
