"""Published probing sets in the layouts of LAMA, BioLAMA and BEAR."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from msgspec import UNSET, Struct, UnsetType

from factprobe.errors import DataError
from factprobe.kgs.base import KnowledgeGraph
from factprobe.kgs.readers import BearLine, BioLamaLine, Text, Texts, read_facts
from factprobe.records import Relation, RelationType, Triplet
from factprobe.storage import Lines, jsonl_files, path_inside, read_json


class _RelationLine(Struct):
    relation: str
    template: Text = None
    label: Text = None
    description: Text = None
    type: RelationType | None = None
    complete: bool | UnsetType = UNSET


class Lama(KnowledgeGraph):
    """Base class of T-REx, Google-RE and BEAR, in LAMA's layout (Petroni et al., 2019).

    The files are `relations.jsonl`, and one JSON Lines file for each relation with one fact in each line.
    """

    ending: ClassVar[str] = ".jsonl"
    """Ending of the file name of each relation."""

    def load_relations(self) -> Iterable[Relation]:
        """Yield the relations in `relations.jsonl`, in the data folder or (as in LAMA's archive) in its parent."""
        path = self.find_description("relations.jsonl", "LAMA's folder", self.data_dir.resolve().parent)
        for number, line in Lines(path, _RelationLine, self.problems).numbered():
            self.sources[line.relation] = f"{path}:{number}"
            texts = line.template or "", line.label or "", line.description or ""
            yield Relation(line.relation, *texts, line.type or "", complete=line.complete)
        self.check_described(path)

    def get_input_relation_file(self, relation: Relation) -> Path:
        """Return the file of a relation in the data folder."""
        return path_inside(self.data_dir, f"{relation.relation}{self.ending}")


class TREx(Lama):
    """LAMA's T-REx, with the files `<relation>.jsonl`."""


class GoogleRE(Lama):
    """LAMA's Google-RE, with the files `<relation>_test.jsonl`."""

    ending = "_test.jsonl"


class _PromptLine(Struct):
    relation: str
    template: Text = None
    property: Text = None
    label: Text = None
    description: Text = None


class BioLama(KnowledgeGraph):
    """Base class of UMLS, CTD and wiki-bio, in BioLAMA's layout (Sung et al., 2021); all relations are N-M.

    The files are `prompts/manual.jsonl`, and `triples_processed/<relation>/*.jsonl` with a subject and all its objects
    in each line.
    """

    def load_relations(self) -> Iterable[Relation]:
        """Yield the relations in `prompts/manual.jsonl`."""
        path = self.find_description("prompts/manual.jsonl", "a folder in BioLAMA's layout")
        for number, line in Lines(path, _PromptLine, self.problems).numbered():
            self.sources[line.relation] = f"{path}:{number}"
            label = line.label or line.property or ""
            yield Relation(line.relation, line.template or "", label, line.description or "")
        self.check_described(path)

    def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts in all `*.jsonl` files of a relation's folder, ordered by file name."""
        if not path.is_dir():
            raise DataError("is not a folder", where=path)
        for part in jsonl_files(path):
            yield from read_facts(part, BioLamaLine, relation, self.problems)

    def get_input_relation_file(self, relation: Relation) -> Path:
        """Return the folder `triples_processed/<relation>`."""
        return path_inside(self.data_dir / "triples_processed", relation.relation)

    def get_relation_type(self, relation: Relation) -> RelationType:  # noqa: ARG002  # the layout has no types
        """Return N-M for every relation."""
        return "N-M"


class UMLS(BioLama):
    """Unified Medical Language System, as in BioLAMA and MedLAMA."""


class WikiBio(BioLama):
    """BioLAMA's biomedical part of Wikidata."""


class CTD(BioLama):
    """Comparative Toxicogenomics Database, as in BioLAMA."""


class _BearMetadata(Struct):
    templates: Texts = None
    label: Text = None
    description: Text = None


class Bear(Lama):
    """Probing set from Wikidata; the types of relations are derived from the facts.

    In BEAR's layout (Wiland et al., 2024), `metadata_relations.json` has several templates and the answer space of each
    relation, and there is one JSON Lines file per relation.
    """

    line_type = BearLine

    def load_relations(self) -> Iterable[Relation]:
        """Yield the relations in `metadata_relations.json`, with their first template."""
        path = self.find_description("metadata_relations.json", "BEAR's folder")
        for name, metadata in read_json(path, dict[str, _BearMetadata]).items():
            self.sources[name] = f"{path}, key {name}"
            templates, texts = metadata.templates or (), (metadata.label or "", metadata.description or "")
            yield Relation(name, templates[0] if templates else "", *texts, templates=templates)
        self.check_described(path)
