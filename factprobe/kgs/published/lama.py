"""LAMA's layout (Petroni et al., 2019): `relations.jsonl` and one JSON Lines file per relation, one fact per line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import UNSET, Struct, UnsetType

from factprobe.errors import DataError
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

    def load_relations(self) -> Iterable[Relation]:
        """Yield the relations in `relations.jsonl`, in the data folder or (as in LAMA's archive) in its parent."""
        folders = (self.data_dir, self.data_dir.resolve().parent)
        path = next((path for folder in folders if (path := folder / "relations.jsonl").exists()), None)
        if path is None:
            raise DataError("has no relations.jsonl", where=self.data_dir, hint="set kg.data_dir= to LAMA's folder")
        for number, line in Lines(path, _RelationLine, self.problems).numbered():
            self.sources[line.relation] = f"{path}:{number}"
            yield Relation(
                line.relation,
                line.template or "",
                line.label or "",
                line.description or "",
                line.type or "",
                complete=line.complete,
            )
        self.assert_described(path)


class TREx(Lama):
    """LAMA's T-REx: `<relation>.jsonl`."""

    def get_input_relation_file(self, relation: Relation) -> Path:
        """Return `<relation>.jsonl` in the data folder."""
        return inside(self.data_dir, f"{relation.relation}.jsonl")


class GoogleRE(Lama):
    """LAMA's Google-RE: `<relation>_test.jsonl`."""

    def get_input_relation_file(self, relation: Relation) -> Path:
        """Return `<relation>_test.jsonl` in the data folder."""
        return inside(self.data_dir, f"{relation.relation}_test.jsonl")
