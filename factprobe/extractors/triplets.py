"""Extractor of triplets and relation summaries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from factprobe.extractors.base import ExtractedRelation, Extractor, digests
from factprobe.extractors.column_writer import drop_duplicates, write_columns
from factprobe.kgs import KnowledgeGraph
from factprobe.kgs.summaries import Facts, describe, further_nodes
from factprobe.records import Relation, Triplet
from factprobe.storage import Layout, write_json, write_lines


class TripletExtractor(Extractor):
    """Extractor that keeps the order of the source and merges duplicate facts."""

    def extract_relation(
        self, relation: Relation, relation_input_file: Path | None, output: Layout
    ) -> ExtractedRelation:
        """Write the triplets and the summary of one relation, whose distinct facts are kept in memory."""
        info, further = describe(self.kg, relation), further_nodes(self.kg, relation)
        columns, single_share = self.kg.columns(relation), self.kg.settings.single_share
        distinct = columns and drop_duplicates(columns)
        if columns and distinct:
            facts_read = len(columns.subjects)
            return write_columns(distinct, facts_read, info, further, single_share, self.limit, output)
        facts = Facts(self._read_facts(relation, relation_input_file))
        summary = replace(facts.summary(info, single_share), further=further)
        pairs = facts.pairs(self.limit)
        write_lines(output.triplets(info.relation), islice(facts.triplets(summary.relation_info), self.limit))
        write_json(output.summary(info.relation), summary, indent=False)
        subjects, objects = digests(subject for subject, _ in pairs), digests(object_ for _, object_ in pairs)
        return ExtractedRelation(summary.relation_info, facts.facts_read, len(pairs), subjects, objects)

    def _read_facts(self, relation: Relation, file: Path | None) -> Iterator[Triplet]:
        """Yield the facts of a relation from the graph, or from another file if one is given."""
        kg = self.kg
        if file is None or not isinstance(kg, KnowledgeGraph) or file == kg.get_input_relation_file(relation):
            return kg.facts(relation)
        return kg.read_facts(file, relation)
