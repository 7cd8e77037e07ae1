"""Levels of the score table for people, in one order everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from factprobe.metrics.scores import ALL
from factprobe.records import Score


class Level(NamedTuple):
    """Rows of one level, with title and columns."""

    name: str
    """Value of `level` in its rows."""
    title: str
    """Title above the rows."""
    head: str
    """Header of the column of names."""
    columns: tuple[str, ...] = ()
    """Fields that name a row; a total needs none."""
    note: str = ""
    """Explanation in a sentence, if the title needs one."""

    def rows(self, table: Iterable[Score]) -> list[Score]:
        """Return the rows of this level."""
        return [row for row in table if row.level == self.name]

    def short(self, table: Iterable[Score]) -> list[Score]:
        """Return the rows for narrow tables, where only the total has a macro average."""
        return [row for row in self.rows(table) if row.average == "micro" or not self.columns]

    def label(self, row: Score) -> str:
        """Return a row's name in one line."""
        return " ".join(" ".join(dict.fromkeys(getattr(row, column) for column in self.columns)).split()) or "–"


CELL = Level("cell", "By relation and question type", "Relation", ("relation", "relation_label", "question_type"))
"""Level that the others sum up, with too many rows to show."""

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
"""Levels that every table shows, most important first."""


def graph_name(kg: str) -> str:
    """Return a graph's name in a table; rows over all graphs have `all graphs`."""
    return "all graphs" if kg == ALL else kg
