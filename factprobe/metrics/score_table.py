"""Score table: counts of verdicts and metrics, by level such as relation or question type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from keyword import iskeyword
from pathlib import Path
from types import GenericAlias
from typing import Any, Literal, NamedTuple, cast, get_args

from msgspec import defstruct

from factprobe.errors import ConfigError
from factprobe.metrics.base import Metric, group_rows, metrics
from factprobe.metrics.statistics.intervals import Codes, codes_of
from factprobe.metrics.strata import ALL, ANSWER_SET_SIZES
from factprobe.metrics.tallies import Cell, Stratum, Tallies, Tally
from factprobe.records import POPULARITIES, VERDICTS, Relation
from factprobe.records import Score as ScoreRow
from factprobe.storage import read_json

Level = Literal["cell", "relation", "question_type", "relation_type", "total"]
_ORDER = [*POPULARITIES, *(name for _, name in ANSWER_SET_SIZES), "11+"]
"""Names of strata in the order of their rows."""


class _RowKey(NamedTuple):
    """Columns that identify a row within its level."""

    generator: str
    model: str
    relation: str = ALL
    relation_label: str = ALL
    relation_type: str = ALL
    question_type: str = ALL
    popularity: str = ALL
    answer_set_size: str = ALL


def scores(
    tallies: Mapping[Cell, Tally],
    relations: Mapping[str, Relation],
    kg: str = "",
    strata: Mapping[Stratum, Tally] | None = None,
) -> list[ScoreRow]:
    """Return the score table: rows for each level, from single cells to totals, and for strata.

    All levels have micro rows, in which every question has equal weight. Levels that sum over relations, except strata,
    also have macro rows: the mean of the rates of the relations that have one, so that every relation has equal weight.
    For guess-corrected rates, the mean accuracy is corrected for the mean chance level.
    """
    table = metrics.every()
    kind = score_type(table)

    def make_row(level: str, key: _RowKey, tally: Tally, of_relation: Codes | None = None) -> ScoreRow:
        counts, counted = tally.verdicts, tally.counted(of_relation)
        cells: dict[str, Any] = {verdict: counts[verdict] for verdict in VERDICTS}
        for metric in table:
            cells.update(metric.cells(counted))
        average = "micro" if of_relation is None else "macro"
        names = {"level": level, "average": average, "kg": kg, **key._asdict()}
        return kind(**names, questions=len(tally), labels=tally.labelled, **cells)

    return [make_row(*group) for group in _group_questions(tallies, relations, strata or {})]


def overall(graphs: Iterable[tuple[Tallies, Mapping[str, Relation]]]) -> list[ScoreRow]:
    """Return the rows over several graphs (`all`), except of cells and relations; macro rows keep graphs apart."""
    cells: dict[Cell, Tally] = {}
    strata: dict[Stratum, list[Tally]] = {}
    relations: dict[str, Relation] = {}
    for number, (tallies, known) in enumerate(graphs):
        for cell, tally in tallies.cells.items():
            cells[cell._replace(relation=f"{number} {cell.relation}")] = tally
        relations.update((f"{number} {name}", relation) for name, relation in known.items())
        for stratum, tally in tallies.strata.items():
            strata.setdefault(stratum, []).append(tally)
    by_stratum = {stratum: Tally.joined(members) for stratum, members in strata.items()}
    return [row for row in scores(cells, relations, ALL, by_stratum) if row.level not in ("cell", "relation")]


def _group_questions(
    tallies: Mapping[Cell, Tally], relations: Mapping[str, Relation], strata: Mapping[Stratum, Tally]
) -> Iterator[tuple[str, _RowKey, Tally, Codes | None]]:
    """Yield, for each row, its level, key and questions, and the relation of each question if it is a macro row."""
    for level in get_args(Level):
        keys = {cell: _row_key(level, cell, relations[cell.relation]) for cell in tallies}
        for key, members in group_rows(tallies, keys.__getitem__).items():
            tally = Tally.joined(tallies[cell] for cell in members)
            yield level, key, tally, None
            if level not in ("cell", "relation"):
                relation_of_question = [cell.relation for cell in members for _ in range(len(tallies[cell]))]
                yield level, key, tally, codes_of(relation_of_question, len(relation_of_question))
        if level == "relation_type":
            for stratum in sorted(strata, key=lambda stratum: _ORDER.index(stratum.name)):
                key = _RowKey(stratum.generator, stratum.model)._replace(**{stratum.level: stratum.name})
                yield stratum.level, key, strata[stratum], None


def _row_key(level: Level, cell: Cell, relation: Relation) -> _RowKey:
    key = _RowKey(cell.generator, cell.model)
    if level in ("cell", "relation"):
        key = key._replace(relation=relation.relation, relation_label=relation.label)
    if level in ("cell", "relation", "relation_type"):
        key = key._replace(relation_type=relation.type)
    return key._replace(question_type=cell.question_type) if level in ("cell", "question_type") else key


def score_type(table: Sequence[Metric]) -> type[ScoreRow]:
    """Return the type of a row: the fields of `ScoreRow` and the columns of the metrics."""
    columns = [column for metric in table for column in metric.columns]
    heads = ScoreRow.__struct_fields__
    for column in columns:
        if not column.isidentifier() or iskeyword(column) or column in heads or columns.count(column) > 1:
            raise ConfigError(f"no column of the score table can be called {column!r}", hint="rename the metric")
    return _score_type(tuple(columns))


def read_scores(path: Path) -> list[ScoreRow]:
    """Read a score table; raise a `DataError` if the file cannot be read."""
    kind = cast(type[list[ScoreRow]], GenericAlias(list, (score_type(metrics.every()),)))
    return read_json(path, kind, "run step=report again")


def __getattr__(name: str) -> object:
    """Return the type of a row with all metrics, under the name `Score` (by which pickle looks it up)."""
    if name == "Score":
        return score_type(metrics.every())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _score_type(columns: tuple[str, ...]) -> type[ScoreRow]:
    fields = [(column, float | None, None) for column in columns]
    return cast(
        type[ScoreRow], defstruct("Score", fields, bases=(ScoreRow,), module=__name__, frozen=True, kw_only=True)
    )
