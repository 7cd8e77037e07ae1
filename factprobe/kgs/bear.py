"""BEAR's layout (Wiland et al., 2024): `metadata_relations.json` with several templates and the answer space of each
relation, and one JSON Lines file a relation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from factprobe.errors import DataError
from factprobe.kgs.base import KnowledgeGraph
from factprobe.records import Relation, Triplet
from factprobe.storage import Lines, Problems, inside, read_json


class _Metadata(Struct):
    templates: tuple[str, ...] = ()
    label: str = ""
    description: str = ""


class _FactLine(Struct):
    sub_id: str
    sub_label: str
    obj_id: str
    obj_label: str
    sub_aliases: tuple[str, ...] = ()
    obj_aliases: tuple[str, ...] = ()


def read_bear(path: Path, relation: Relation, problems: Problems) -> Iterator[Triplet]:
    """Reads BEAR's fact lines."""
    for number, line in Lines(path, _FactLine, problems).numbered():
        if line.sub_id and line.obj_id:
            aliases = line.sub_aliases, line.obj_aliases
            yield Triplet(line.sub_label, line.obj_label, line.obj_id, line.sub_id, relation, *aliases)
        else:
            problems.add("broken line: sub_id or obj_id is empty", f"{path}:{number}")


class Bear(KnowledgeGraph):
    """BEAR, a probing set from Wikidata; the relations' types are those that the facts show."""

    reader = staticmethod(read_bear)

    def load_relations(self) -> Iterable[Relation]:
        """The keys of `metadata_relations.json`; the first template is the one that is used.

        Raises:
            DataError: there is no such file, or it is broken.
        """
        path = self.data_dir / "metadata_relations.json"
        if not path.exists():
            mend = "name BEAR's folder with kg.data_dir="
            raise DataError("has no metadata_relations.json", where=self.data_dir, mend=mend)
        for name, found in read_json(path, dict[str, _Metadata]).items():
            self.sources[name] = f"{path}, key {name}"
            first = found.templates[0] if found.templates else ""
            yield Relation(name, first, found.label, found.description, templates=found.templates)

    def get_input_relation_file(self, relation: Relation) -> Path:
        """`<relation>.jsonl` in the data folder."""
        return inside(self.data_dir, f"{relation.relation}.jsonl")
