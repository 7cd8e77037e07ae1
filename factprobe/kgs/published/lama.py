"""LAMA's layout (Petroni et al., 2019): `relations.jsonl` and one JSON Lines file per relation, one fact per line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from msgspec import UNSET, Struct, UnsetType

from factprobe.kgs.readers import Text
from factprobe.kgs.relation_files import KnowledgeGraph
from factprobe.records import Relation, RelationType
from factprobe.storage import Lines, inside


class _RelationLine(Struct):
    relation: str
    template: Text = None
    label: Text = None
    description: Text = None
    type: RelationType | None = None
    complete: bool | UnsetType = UNSET


class Lama(KnowledgeGraph):
    """Base class of T-REx and Google-RE."""

    ending: ClassVar[str] = ".jsonl"
    """Ending of the names of relations' files."""

    def load_relations(self) -> Iterable[Relation]:
        """Yield the relations in `relations.jsonl`, in the data folder or (as in LAMA's archive) in its parent."""
        path = self.find_description("relations.jsonl", "LAMA's folder", self.data_dir.resolve().parent)
        for number, line in Lines(path, _RelationLine, self.problems).numbered():
            self.sources[line.relation] = f"{path}:{number}"
            texts = line.template or "", line.label or "", line.description or ""
            yield Relation(line.relation, *texts, line.type or "", complete=line.complete)
        self.assert_described(path)

    def get_input_relation_file(self, relation: Relation) -> Path:
        """Return the file of a relation in the data folder."""
        return inside(self.data_dir, f"{relation.relation}{self.ending}")


class TREx(Lama):
    """LAMA's T-REx: `<relation>.jsonl`."""


class GoogleRE(Lama):
    """LAMA's Google-RE: `<relation>_test.jsonl`."""

    ending = "_test.jsonl"
