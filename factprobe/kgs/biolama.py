"""BioLAMA's layout (Sung et al., 2021): `prompts/manual.jsonl` and `triples_processed/<relation>/*.jsonl`, a subject
with all its objects a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from factprobe.errors import DataError
from factprobe.kgs.files import KnowledgeGraph
from factprobe.kgs.readers import Text, read_biolama
from factprobe.records import Relation, RelationType, Triplet
from factprobe.storage import Lines, inside


class _PromptLine(Struct):
    relation: str
    template: Text = None
    property: Text = None
    label: Text = None
    description: Text = None


class BioLama(KnowledgeGraph):
    """What UMLS, CTD and wiki-bio share; all their relations are N-M."""

    def load_relations(self) -> Iterable[Relation]:
        """The lines of `prompts/manual.jsonl`.

        Raises:
            DataError: there is no such file, or no relation in it.
        """
        path = self.data_dir / "prompts" / "manual.jsonl"
        if not path.exists():
            hint = "name a folder in BioLAMA's layout with kg.data_dir="
            raise DataError("has no prompts/manual.jsonl", where=self.data_dir, hint=hint)
        for number, line in Lines(path, _PromptLine, self.problems).numbered():
            self.sources[line.relation] = f"{path}:{number}"
            label = line.label or line.property or ""
            yield Relation(line.relation, line.template or "", label, line.description or "")
        self.assert_described(path)

    def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
        """See the base class."""
        return read_biolama(path, relation, self.problems)

    def get_input_relation_file(self, relation: Relation) -> Path:
        """The folder `triples_processed/<relation>`."""
        return inside(self.data_dir / "triples_processed", relation.relation)

    def get_relation_type(self, relation: Relation) -> RelationType:  # noqa: ARG002  # the same for all
        """N-M, whatever the relation."""
        return "N-M"


class UMLS(BioLama):
    """The Unified Medical Language System, as in BioLAMA and MedLAMA."""


class WikiBio(BioLama):
    """BioLAMA's biomedical part of Wikidata."""


class CTD(BioLama):
    """The Comparative Toxicogenomics Database, as in BioLAMA."""
