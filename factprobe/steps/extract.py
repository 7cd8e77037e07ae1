"""The step `extract`: triplets and relation summaries from a graph."""

from __future__ import annotations

import logging
from pathlib import Path

from factprobe.build import build_kg
from factprobe.errors import DataError, listed
from factprobe.extractors import Extracted, extractors
from factprobe.progress import progress
from factprobe.records import GraphSummary, RelationCount
from factprobe.steps.base import NAMED, Done, Run, Step, making, picked
from factprobe.storage import write_json
from factprobe.templating import Template

log = logging.getLogger(__name__)


def extract(this: Run) -> Done:
    """Extracts the triplets and the summary of each relation.

    Raises:
        DataError: no relation has data, the data cannot be read, or a relation's template cannot be filled in.
        UnknownNameError: a relation is picked that the graph does not have, or no such class is registered.
    """
    config = this.config
    kg = build_kg(config.kg, this.problems)
    extractor = extractors.get(config.kg.extractor)(kg, config.limit)
    by_name = kg.by_name()
    counts: list[RelationCount] = []
    entities: set[str] = set()
    inputs: list[Path] = []
    skipped: list[str] = []
    read = 0
    for name in progress(picked(config, by_name), "extract", "relation"):
        relation = by_name[name]
        if not kg.has_facts(relation):
            skipped.append(name)
            continue
        Template(relation, kg.described_at(relation))
        extracted = extractor.extract_relation(relation, kg.get_input_relation_file(relation), this.layout)
        inputs += kg.inputs(relation)
        read += extracted.facts_read
        counts.append(_count(extracted))
        entities.update(extracted.subjects, extracted.objects)
    if skipped:
        log.warning("%s: no data for %d of the relations described: %s", kg.place, len(skipped), listed(skipped))
    if not counts:
        mend = "name the folder with kg.data_dir=" if kg.data_dir else None
        raise DataError("no relation has data", where=kg.place, mend=mend)
    facts = sum(count.num_facts for count in counts)
    if not facts:
        files = f" in {listed([str(path) for path in inputs])}" if inputs else ""
        what = f"none of the {len(counts)} relations has a fact that can be read{files}"
        raise DataError(what, where=kg.place, mend="see that the data is in the layout that the graph reads")
    write_json(
        this.layout.graph_summary,
        GraphSummary(kg.name, len(counts), len(entities), facts, tuple(counts), config.limit),
    )
    broken = len(this.problems.messages)
    message = f"{len(counts)} relations, {facts:,} triplets" + (f", {broken:,} broken lines skipped" if broken else "")
    return Done(
        f"{message} → {this.layout.graph_summary.parent}",
        inputs,
        {
            "relations": len(counts),
            "relations_without_data": skipped,
            "facts_read": read,
            "triplets": facts,
            "entities": len(entities),
            "broken_lines": broken,
            "broken_lines_named": this.problems.messages[:NAMED],
        },
    )


def _count(extracted: Extracted) -> RelationCount:
    relation, sides = extracted.relation, (len(extracted.subjects), len(extracted.objects))
    return RelationCount(relation.relation, relation.label, relation.type, extracted.triplets, *sides)


STEP = Step(
    run=extract,
    makes=("triplets/<relation>.jsonl", "triplets/<relation>.summary.json", "triplets/summary.json"),
    settings=("kg", "relations", "limit", "strict"),
    once=True,
    locks=making,
)
