"""The step `extract`: triplets and relation summaries from a graph."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from factprobe.config import RunConfig, path_of
from factprobe.errors import ConfigError, DataError, format_list
from factprobe.extractors import EntityCounter, ExtractedRelation, extractors
from factprobe.extractors.path_composition import compose_all, frequent_paths, parse_paths
from factprobe.factories import build_kg
from factprobe.kgs import Graph
from factprobe.kgs.default_labels import is_worded, warn_of_same_templates, warn_without_facts
from factprobe.kgs.sources import as_names
from factprobe.records import GraphSummary, Relation, RelationCount, RelationSummary
from factprobe.relations import picked_relations
from factprobe.steps.base import MAX_LISTED, Run, Step, StepResult, exclusive_lock
from factprobe.steps.parallel_relations import map_relations
from factprobe.storage import read_summary, write_json
from factprobe.templating import Template
from factprobe.text import format_count

log = logging.getLogger(__name__)
_MAX_NAMED_RELATIONS = 5
"""Maximum number of relations that a warning lists."""


def extract(run: Run) -> StepResult:
    """Extract the triplets and the summary of each relation.

    Raises:
        ConfigError: A relation of a composition has no data.
        DataError: No relation has data, the data cannot be read, or a relation's template cannot be filled in.
        UnknownNameError: A selected relation is not in the graph, or a class is not registered.
    """
    config = run.config
    kg = build_kg(config.kg, run.problems)
    _warn_of_another_graph(run)
    by_name = kg.by_name()
    relations = _with_hops(config, by_name)
    having = {name: by_name[name] for name in relations if kg.has_facts(by_name[name])}
    inputs = list(dict.fromkeys(path for relation in having.values() for path in kg.inputs(relation)))
    layout = run.layout
    files = [path for name in having for path in (layout.triplets(name), layout.summary(name))]
    run.begin_replacement([layout.graph_summary], files)  # later steps take the relations from the summary
    counts, entities, facts_read = list[RelationCount](), EntityCounter(), 0
    for extracted in _extract_relations(run, kg, having):
        facts_read += extracted.facts_read
        counts.append(_make_count(extracted))
        entities.add(extracted)
    incomplete: dict[str, int] = {}
    for composed, left_out in _compose_relations(run, by_name, [count.relation for count in counts]):
        counts.append(_make_count(composed))
        incomplete[composed.relation.relation] = left_out
    if hasattr(config.kg, "templates"):
        _warn_of_templates(having.values(), config.kg.name)
    facts = _count_facts(kg, counts, inputs)
    having_facts = {count.relation for count in counts if count.num_facts}
    skipped = [name for name in relations if name not in having_facts]
    warn_without_facts(skipped, kg.place)
    summary = GraphSummary(kg.name, len(counts), len(entities), facts, tuple(counts), config.limit)
    write_json(run.layout.graph_summary, summary)
    broken = len(run.problems.messages)
    message = f"{format_count(len(counts), 'relation')}, {format_count(facts, 'triplet')}{run.broken_lines()}"
    recorded = {
        "relations": len(counts),
        "relations_without_data": skipped,
        "facts_read": facts_read,
        "triplets": facts,
        "entities": len(entities),
        **({"incomplete_subjects": incomplete} if incomplete else {}),
        "broken_lines": broken,
        "broken_lines_named": run.problems.messages[:MAX_LISTED],
    }
    return StepResult(f"{message} → {run.layout.graph_summary.parent}", inputs, recorded)


def _warn_of_another_graph(run: Run) -> None:
    """Warn if the output folder has files that were made from another source."""
    with suppress(DataError):  # a broken manifest is reported when the step adds its entry
        recorded = run.manifest.settings("extract")
        source = _source_paths(getattr(run.config.kg, "source", None), run.config.kg.data_dir)
        if recorded is not None and recorded.kg is not None:
            other = _source_paths(recorded.kg.source, recorded.kg.data_dir)
            what = "%s: holds files made of %s, which are replaced or out of date now; "
            what += "kg.name=NAME or output_dir=FOLDER gives each graph a folder of its own"
            if other != source:
                log.warning(what, run.layout.root, format_list(other) or "the bundled data")


def _source_paths(source: Sequence[str] | str | None, data_dir: str | None) -> list[str]:
    """Return the paths of a graph's data; empty for bundled data."""
    return [str(path_of(name)) for name in (*(as_names(source) or ()), *([data_dir] if data_dir else []))]


def _warn_of_templates(relations: Collection[Relation], kg: str) -> None:
    """Warn once about relations that have no sentence as their template, and about relations that share a template."""
    warn_of_same_templates(relations, kg)
    plain = [relation for relation in relations if relation.template and not is_worded(relation)]
    if plain:
        first = plain[0]
        hint = f"""kg.templates={{{first.relation}: "... [X] ... [Y]."}}"""
        names = format_list([relation.relation for relation in plain], most=_MAX_NAMED_RELATIONS)
        what = "%s: no template for %s, asked as %r; for better sentences set '%s'"
        log.warning(what, kg, names, first.template, hint)


def _count_facts(kg: Graph, counts: Sequence[RelationCount], inputs: Sequence[Path]) -> int:
    """Return the number of all facts; raise a `DataError` if there are none."""
    if not counts:
        hint = "name the folder with kg.data_dir=" if kg.data_dir else None
        raise DataError("no relation has data", where=kg.place, hint=hint)
    facts = sum(count.num_facts for count in counts)
    if not facts:
        files = f" in {format_list([str(path) for path in inputs])}" if inputs else ""
        what = f"none of the {len(counts)} relations has a fact that can be read{files}"
        raise DataError(what, where=kg.place, hint="see that the data is in the layout that the graph reads")
    return facts


def _extract_relations(run: Run, kg: Graph, by_name: Mapping[str, Relation]) -> Iterator[ExtractedRelation]:
    """Extract the relations, and yield the result of each."""
    extractor = extractors.get(run.config.kg.extractor)(kg, run.config.limit)

    def work(relation: Relation) -> ExtractedRelation:
        for text in relation.templates or (relation.template,):
            Template(relation, kg.where_described(relation), text)
        return extractor.extract_relation(relation, kg.get_input_relation_file(relation), run.layout)

    return map_relations(run, kg, by_name, work, "extract")


def _with_hops(config: RunConfig, by_name: Mapping[str, Relation]) -> list[str]:
    """Return the names of the selected relations and of the relations in compositions, in the order of the graph."""
    steps = {hop.relation for hops in parse_paths(config.compositions, by_name).values() for hop in hops}
    names = steps.union(picked_relations(config, by_name))
    return [name for name in by_name if name in names]


def _compose_relations(
    run: Run, by_name: Mapping[str, Relation], extracted: Sequence[str]
) -> Iterator[tuple[ExtractedRelation, int]]:
    """Make the compositions in the settings, and yield the result of each and the number of subjects left out."""
    config = run.config
    if not (config.compositions or config.composes_all):
        return

    @cache
    def summaries(name: str) -> RelationSummary:
        return read_summary(run.layout.summary(name), RelationSummary)

    paths = frequent_paths(extracted, summaries) if config.composes_all else parse_paths(config.compositions, by_name)
    if not paths:
        log.warning("no two relations' ends meet often enough for compose=auto")
    for name, hops in paths.items():
        if missing := sorted({hop.relation for hop in hops} - {*extracted}):
            what = f"there is no data for {format_list(missing)} of {name}"
            raise ConfigError(what, where="compose", hint="leave it out")
    options = config.compose_middle, config.limit, run.layout
    yield from compose_all(paths, config.compositions, summaries, *options, config.kg.single_share)


def _make_count(extracted: ExtractedRelation) -> RelationCount:
    info, sides = extracted.relation, extracted.sides
    return RelationCount(info.relation, info.label, info.type, extracted.triplets, *sides, path=info.path)


STEP = Step(
    run=extract,
    makes=("triplets/<relation>.jsonl", "triplets/<relation>.summary.json", "triplets/summary.json"),
    settings=("kg", "relations", "compose", "compose_middle", "limit", "strict"),
    once=True,
    locks=exclusive_lock,
)
