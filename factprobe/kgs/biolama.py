"""BioLAMA's layout (Sung et al., 2021): `prompts/manual.jsonl` and `triples_processed/<relation>/*.jsonl`, a subject
with all its objects a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from factprobe.errors import DataError
from factprobe.kgs.base import KnowledgeGraph
from factprobe.records import Relation, RelationType, Triplet
from factprobe.storage import Lines, Problems, inside


class _PromptLine(Struct):
    relation: str
    template: str = ""
    property: str = ""
    label: str = ""
    description: str = ""


class _SubjectLine(Struct):
    sub_uri: str
    sub_label: str
    obj_uris: tuple[str, ...]
    obj_labels: tuple[str, ...]
    sub_aliases: tuple[str, ...] = ()
    obj_aliases: tuple[tuple[str, ...], ...] = ()
    sub_type: str = ""
    obj_types: tuple[str, ...] = ()


def read_biolama(path: Path, relation: Relation, problems: Problems) -> Iterator[Triplet]:
    """Reads every `*.jsonl` of a relation's folder, in the order of their names."""
    for part in sorted(path.glob("*.jsonl")):
        for number, line in Lines(part, _SubjectLine, problems).numbered():
            count = len(line.obj_uris)
            if not (line.sub_uri and all(line.obj_uris)):
                problems.add("broken line: a URI is empty", f"{part}:{number}")
            elif any(len(beside) not in (0, count) for beside in (line.obj_aliases, line.obj_types)) or count != len(
                line.obj_labels
            ):
                problems.add("broken line: obj_uris and the lists beside it differ in length", f"{part}:{number}")
            else:
                yield from _triplets(line, relation)


def _triplets(line: _SubjectLine, relation: Relation) -> Iterator[Triplet]:
    for i, uri in enumerate(line.obj_uris):
        yield Triplet(
            line.sub_label,
            line.obj_labels[i],
            uri,
            line.sub_uri,
            relation,
            line.sub_aliases,
            line.obj_aliases[i] if line.obj_aliases else (),
            (line.sub_type,) if line.sub_type else (),
            (line.obj_types[i],) if line.obj_types else (),
        )


class BioLama(KnowledgeGraph):
    """What UMLS, CTD and wiki-bio share; all their relations are N-M."""

    reader = staticmethod(read_biolama)

    def load_relations(self) -> Iterable[Relation]:
        """The lines of `prompts/manual.jsonl`.

        Raises:
            DataError: there is no such file.
        """
        path = self.data_dir / "prompts" / "manual.jsonl"
        if not path.exists():
            mend = "name a folder in BioLAMA's layout with kg.data_dir="
            raise DataError("has no prompts/manual.jsonl", where=self.data_dir, mend=mend)
        for number, line in Lines(path, _PromptLine, self.problems).numbered():
            self.sources[line.relation] = f"{path}:{number}"
            yield Relation(line.relation, line.template, line.label or line.property, line.description)

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
