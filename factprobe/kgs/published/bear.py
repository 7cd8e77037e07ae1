"""BEAR's layout (Wiland et al., 2024): `metadata_relations.json`, and one JSON Lines file per relation.

The metadata have several templates and the answer space of each relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from factprobe.kgs.readers import Text, Texts, read_bear
from factprobe.kgs.relation_files import KnowledgeGraph
from factprobe.records import Relation, Triplet
from factprobe.storage import inside, read_json


class _Metadata(Struct):
    templates: Texts = None
    label: Text = None
    description: Text = None


class Bear(KnowledgeGraph):
    """Probing set from Wikidata; the types of relations are derived from the facts."""

    def load_relations(self) -> Iterable[Relation]:
        """Yield the relations in `metadata_relations.json`, with their first template."""
        path = self.find_description("metadata_relations.json", "BEAR's folder")
        for name, found in read_json(path, dict[str, _Metadata]).items():
            self.sources[name] = f"{path}, key {name}"
            templates, texts = found.templates or (), (found.label or "", found.description or "")
            yield Relation(name, templates[0] if templates else "", *texts, templates=templates)
        self.assert_described(path)

    def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts in a file in BEAR's layout."""
        return read_bear(path, relation, self.problems)

    def get_input_relation_file(self, relation: Relation) -> Path:
        """Return `<relation>.jsonl` in the data folder."""
        return inside(self.data_dir, f"{relation.relation}.jsonl")
