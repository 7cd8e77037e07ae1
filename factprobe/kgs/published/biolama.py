"""BioLAMA's layout (Sung et al., 2021), with a subject and all its objects on a line.

The files are `prompts/manual.jsonl` and `triples_processed/<relation>/*.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from factprobe.kgs.readers import Text, read_biolama
from factprobe.kgs.relation_files import KnowledgeGraph
from factprobe.records import Relation, RelationType, Triplet
from factprobe.storage import Lines, inside


class _PromptLine(Struct):
    relation: str
    template: Text = None
    property: Text = None
    label: Text = None
    description: Text = None


class BioLama(KnowledgeGraph):
    """Base class of UMLS, CTD and wiki-bio; all relations are N-M."""

    def load_relations(self) -> Iterable[Relation]:
        """Yield the relations in `prompts/manual.jsonl`."""
        path = self.find_description("prompts/manual.jsonl", "a folder in BioLAMA's layout")
        for number, line in Lines(path, _PromptLine, self.problems).numbered():
            self.sources[line.relation] = f"{path}:{number}"
            label = line.label or line.property or ""
            yield Relation(line.relation, line.template or "", label, line.description or "")
        self.assert_described(path)

    def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts in a relation's folder in BioLAMA's layout."""
        return read_biolama(path, relation, self.problems)

    def get_input_relation_file(self, relation: Relation) -> Path:
        """Return the folder `triples_processed/<relation>`."""
        return inside(self.data_dir / "triples_processed", relation.relation)

    def get_relation_type(self, relation: Relation) -> RelationType:  # noqa: ARG002  # the layout has no types
        """Return N-M for every relation."""
        return "N-M"


class UMLS(BioLama):
    """Unified Medical Language System, as in BioLAMA and MedLAMA."""


class WikiBio(BioLama):
    """BioLAMA's biomedical part of Wikidata."""


class CTD(BioLama):
    """Comparative Toxicogenomics Database, as in BioLAMA."""
