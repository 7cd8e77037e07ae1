"""Graphs by their names, and what they say of a relation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from factprobe.build import build_kg
from factprobe.config import KgConfig
from factprobe.errors import UnknownNameError
from factprobe.extractors.compose import compose as composition
from factprobe.extractors.compose import path_named
from factprobe.extractors.triplets import Facts, describe
from factprobe.kgs import Graph, kgs
from factprobe.records import Relation, RelationSummary, Triplet
from factprobe.storage import Problems


def load_kg(
    name: str, data_dir: str | Path | None = None, *, adapter: str | None = None, strict: bool = False
) -> Graph:
    """A graph by its name: the small one that comes with factprobe, or the full data of `data_dir`.

    Args:
        name: a registered graph, or with `adapter` any name for data in that adapter's layout.
        data_dir: the folder of the data.
        adapter: the registered class that reads it; by default the one called `name`.
        strict: raise at a broken line instead of skipping it with a warning.

    Raises:
        UnknownNameError: nothing is registered under the name.
        ConfigError: no data comes with factprobe for this graph.
        DataError: there is no such folder.
    """
    kgs.get(adapter or name)
    config = KgConfig(name=name, adapter=adapter, data_dir=str(data_dir) if data_dir is not None else None)
    return build_kg(config, Problems(strict))


def summarise(kg: Graph, relation: str | Relation) -> RelationSummary:
    """The relation summary: each subject's objects and each object's subjects.

    Args:
        kg: the graph.
        relation: as it was loaded, its name, or a path of two, e.g. `P19/P17`.

    Raises:
        UnknownNameError: the graph has no such relation.
    """
    return summarised(kg, relation)[0]


def summarised(kg: Graph, relation: str | Relation) -> tuple[RelationSummary, Iterator[Triplet]]:
    """The summary of a relation or of a path of two, and the facts to ask about."""
    if isinstance(relation, str):
        known = kg.by_name()
        if relation not in known:
            hops = path_named(relation, known)
            if hops is None:
                raise UnknownNameError(f"relation of {kg.name}", relation, known)
            made = composition(relation, hops, lambda name: summarise(kg, known[name]))
            composed = made.summary
            return composed, made.triplets(composed.relation_info)
        relation = known[relation]
    facts = Facts(kg.facts(relation))
    summary = facts.summary(describe(kg, relation))
    return summary, facts.triplets(summary.relation_info)
