"""LAMA's layout (Petroni et al., 2019): `relations.jsonl` and one JSON Lines file a relation, one fact a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from factprobe.errors import DataError
from factprobe.kgs.base import KnowledgeGraph
from factprobe.records import Evidence, Relation, RelationType, Triplet
from factprobe.storage import Lines, Problems, inside


class _RelationLine(Struct):
    relation: str
    template: str = ""
    label: str = ""
    description: str = ""
    type: RelationType | None = None


class _EvidenceObject(Struct):
    masked_sentence: str = ""
    sub_surface: str = ""
    obj_surface: str = ""
    snippet: str = ""
    url: str = ""
    considered_sentences: tuple[str, ...] = ()


class _Judgment(Struct):
    judgment: str = ""


class _FactLine(Struct):
    """T-REx has `sub_uri` and `obj_uri`, Google-RE `sub` and `obj`; the rest is optional in both."""

    sub_label: str
    obj_label: str
    sub_uri: str = ""
    obj_uri: str = ""
    sub: str = ""
    obj: str = ""
    sub_aliases: tuple[str, ...] = ()
    obj_aliases: tuple[str, ...] = ()
    evidences: tuple[_EvidenceObject, ...] = ()
    masked_sentences: tuple[str, ...] = ()
    judgments: tuple[_Judgment, ...] = ()


def read_lama(path: Path, relation: Relation, problems: Problems) -> Iterator[Triplet]:
    """Reads LAMA's fact lines, T-REx's and Google-RE's."""
    for number, line in Lines(path, _FactLine, problems).numbered():
        subject_uri, object_uri = line.sub_uri or line.sub, line.obj_uri or line.obj
        if not (subject_uri and object_uri):
            missing = "obj_uri (or obj)" if subject_uri else "sub_uri (or sub)"
            problems.add(f"broken line: {missing} is missing or empty", f"{path}:{number}")
            continue
        yield Triplet(
            line.sub_label,
            line.obj_label,
            object_uri,
            subject_uri,
            relation,
            line.sub_aliases,
            line.obj_aliases,
            evidences=_evidences(line),
        )


def _evidences(line: _FactLine) -> tuple[Evidence, ...]:
    if not line.masked_sentences:
        return tuple(
            Evidence(
                masked_sentence=found.masked_sentence,
                subject_surface=found.sub_surface,
                object_surface=found.obj_surface,
                snippet=found.snippet,
                url=found.url,
            )
            for found in line.evidences
        )
    # Google-RE lists the masked sentences beside the passage that all of them come from.
    passage = line.evidences[0] if line.evidences else _EvidenceObject()
    judgments = tuple(judgment.judgment for judgment in line.judgments)
    sentences = passage.considered_sentences
    return tuple(
        Evidence(
            masked_sentence=masked,
            sentence=sentences[i] if i < len(sentences) else "",
            snippet=passage.snippet,
            url=passage.url,
            judgments=judgments,
        )
        for i, masked in enumerate(line.masked_sentences)
    )


class Lama(KnowledgeGraph):
    """What T-REx and Google-RE share."""

    reader = staticmethod(read_lama)

    def load_relations(self) -> Iterable[Relation]:
        """The lines of `relations.jsonl`, in the data folder or (as LAMA's archive has it) in the one above.

        Raises:
            DataError: there is no such file.
        """
        path = next((p for d in (self.data_dir, self.data_dir.parent) if (p := d / "relations.jsonl").exists()), None)
        if path is None:
            raise DataError("has no relations.jsonl", where=self.data_dir, mend="name LAMA's folder with kg.data_dir=")
        for number, line in Lines(path, _RelationLine, self.problems).numbered():
            self.sources[line.relation] = f"{path}:{number}"
            yield Relation(line.relation, line.template, line.label, line.description, line.type or "")


class TREx(Lama):
    """LAMA's T-REx: `<relation>.jsonl`."""

    def get_input_relation_file(self, relation: Relation) -> Path:
        """`<relation>.jsonl` in the data folder."""
        return inside(self.data_dir, f"{relation.relation}.jsonl")


class GoogleRE(Lama):
    """LAMA's Google-RE: `<relation>_test.jsonl`."""

    def get_input_relation_file(self, relation: Relation) -> Path:
        """`<relation>_test.jsonl` in the data folder."""
        return inside(self.data_dir, f"{relation.relation}_test.jsonl")
