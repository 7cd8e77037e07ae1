"""Scores: counts of verdicts, and the rates that follow from them with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from factprobe.metrics.intervals import Codes, Floats, Interval, codes_of, guess_corrected, rate_interval
from factprobe.metrics.rates import RATES
from factprobe.metrics.strata import ANSWER_SET_SIZES, POPULARITIES
from factprobe.metrics.tallies import Cell, Stratum, Tallies, Tally
from factprobe.records import Relation, Score

ALL = "all"
"""What stands in a row for a column that the row sums over."""

INTERVALS = ("accuracy", "precision", "recall", "f1", "guess_corrected_accuracy", "exact_set_accuracy", "set_f1", "mrr")
"""The rates that stand in the table with their 95 % intervals."""

Level = Literal["cell", "relation", "question_type", "relation_type", "total"]
_ORDER = [*POPULARITIES, *(name for _, name in ANSWER_SET_SIZES)]


class _Key(NamedTuple):
    """What tells a row from the others of its level."""

    generator: str
    model: str
    relation: str = ALL
    relation_type: str = ALL
    question_type: str = ALL
    popularity: str = ALL
    answer_set_size: str = ALL


def scores(
    tallies: Mapping[Cell, Tally],
    relations: Mapping[str, Relation],
    kg: str = "",
    strata: Mapping[Stratum, Tally] | None = None,
) -> list[Score]:
    """The score table: a row for each cell, then the sums of each generator and model.

    Args:
        tallies: the grades of each cell.
        relations: by id, for their labels and types.
        kg: the name of their graph.
        strata: the grades of each stratum that is to have a row.

    Returns:
        Micro rows (every question counts alike) of all levels and, for those that sum over relations, macro rows: the
        mean of the relations' own rates (every relation counts alike), those without a rate left out; their
        guess-corrected accuracy is the mean accuracy corrected by the mean chance.
    """
    rows = [
        _row("cell", _Key(cell.generator, cell.model, cell.relation, question_type=cell.question_type), tally, kg)
        for cell, tally in tallies.items()
    ]
    levels: tuple[Level, ...] = ("relation", "question_type", "relation_type", "total")
    for level in levels:
        for key, members in _groups(tallies, level, relations).items():
            whole = Tally.joined(tallies[cell] for cell in members)
            rows.append(_row(level, key, whole, kg))
            if level != "relation":
                names = [cell.relation for cell in members for _ in range(len(tallies[cell]))]
                rows.append(_row(level, key, whole, kg, codes_of(names, len(names))))
        if level == "relation_type":
            rows += _strata(strata or {}, kg)
    return [_named(row, relations) for row in rows]


def overall(graphs: Iterable[tuple[Tallies, Mapping[str, Relation]]]) -> list[Score]:
    """The rows that sum over several graphs, given the tallies and relations of each; their `kg` is `all`.

    A relation that two graphs have counts twice in a macro row.
    """
    cells: dict[Cell, Tally] = {}
    strata: dict[Stratum, list[Tally]] = {}
    relations: dict[str, Relation] = {}
    for number, (tallies, known) in enumerate(graphs):
        cells.update(
            (cell._replace(relation=f"{number} {cell.relation}"), tally) for cell, tally in tallies.cells.items()
        )
        relations.update((f"{number} {name}", relation) for name, relation in known.items())
        for stratum, tally in tallies.strata.items():
            strata.setdefault(stratum, []).append(tally)
    joined = {stratum: Tally.joined(members) for stratum, members in strata.items()}
    return [row for row in scores(cells, relations, ALL, joined) if row.level not in ("cell", "relation")]


def _groups(tallies: Mapping[Cell, Tally], level: Level, relations: Mapping[str, Relation]) -> dict[_Key, list[Cell]]:
    groups: dict[_Key, list[Cell]] = {}
    for cell in tallies:
        key = _Key(cell.generator, cell.model)
        if level == "relation":
            key = key._replace(relation=cell.relation)
        elif level == "question_type":
            key = key._replace(question_type=cell.question_type)
        elif level == "relation_type":
            key = key._replace(relation_type=relations[cell.relation].type)
        groups.setdefault(key, []).append(cell)
    return groups


def _strata(strata: Mapping[Stratum, Tally], kg: str) -> list[Score]:
    """The rows of strata, in the order of their names."""
    rows = []
    for level in ("popularity", "answer_set_size"):
        found = [stratum for stratum in strata if stratum.level == level]
        for stratum in sorted(found, key=lambda one: _ORDER.index(one.name) if one.name in _ORDER else len(_ORDER)):
            key = _Key(stratum.generator, stratum.model)._replace(**{level: stratum.name})
            rows.append(_row(level, key, strata[stratum], kg))
    return rows


def _row(level: str, key: _Key, tally: Tally, kg: str, relations: Codes | None = None) -> Score:
    """A row; macro where the relation of each question is given."""
    counts = tally.verdicts
    return Score(
        level=level,
        average="micro" if relations is None else "macro",
        kg=kg,
        relation_label=ALL,
        **key._asdict(),
        questions=len(tally),
        correct=counts["correct"],
        incorrect=counts["incorrect"],
        abstained=counts["abstained"],
        unparsed=counts["unparsed"],
        failed=counts["failed"],
        **_rates(tally, relations),
    )


def _named(row: Score, relations: Mapping[str, Relation]) -> Score:
    """The row with its relation's own id, label and type."""
    from msgspec.structs import replace

    if row.level not in ("cell", "relation"):
        return row
    relation = relations[row.relation]
    return replace(row, relation=relation.relation, relation_label=relation.label, relation_type=relation.type)


def _rates(tally: Tally, relations: Codes | None) -> dict[str, Any]:
    """Every rate of a row, and the ends of those that have an interval."""
    clusters = codes_of(tally.subjects, len(tally))
    sums = {name: tally.sums(name) for name in RATES}
    found: dict[str, Any] = {name: _ratio(sums[name], relations) for name in RATES if name not in INTERVALS}
    for name in INTERVALS:
        if name == "guess_corrected_accuracy":
            interval = _corrected(sums["accuracy"], tally.options, clusters, relations)
        else:
            interval = rate_interval(sums[name][:, 0], sums[name][:, 1], clusters, relations)
        found[name] = interval and interval.estimate
        found[f"{name}_low"], found[f"{name}_high"] = (interval.low, interval.high) if interval else (None, None)
    return found


def _ratio(sums: Floats, relations: Codes | None) -> float | None:
    """The ratio of part and whole, or the mean of the relations' own."""
    codes = np.zeros(len(sums), np.intp) if relations is None else relations
    parts, wholes = np.bincount(codes, sums[:, 0]), np.bincount(codes, sums[:, 1])
    known = wholes > 0
    return float((parts[known] / wholes[known]).mean()) if known.any() else None


def _corrected(accuracy: Floats, options: Codes, clusters: Codes, relations: Codes | None) -> Interval | None:
    """The guess-corrected accuracy of the questions that offer a choice."""
    offered = (options > 1)[:, None] * accuracy
    plain = rate_interval(offered[:, 0], offered[:, 1], clusters, relations)
    chance = _ratio(np.column_stack([offered[:, 1] / np.maximum(options, 1), offered[:, 1]]), relations)
    return guess_corrected(plain, chance) if plain and chance is not None else None
