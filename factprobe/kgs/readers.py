"""Readers of fact files, one for each layout: a path, the relation, and where broken places go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from factprobe.errors import DataError
from factprobe.records import Evidence, Relation, Triplet
from factprobe.storage import Lines, Problems


class _LamaEvidence(Struct):
    masked_sentence: str = ""
    sub_surface: str = ""
    obj_surface: str = ""
    snippet: str = ""
    url: str = ""
    considered_sentences: tuple[str, ...] = ()


class _LamaJudgment(Struct):
    judgment: str = ""


class _LamaLine(Struct):
    """T-REx has `sub_uri` and `obj_uri`, Google-RE `sub` and `obj`; the rest is optional in both."""

    sub_label: str
    obj_label: str
    sub_uri: str = ""
    obj_uri: str = ""
    sub: str = ""
    obj: str = ""
    sub_aliases: tuple[str, ...] = ()
    obj_aliases: tuple[str, ...] = ()
    evidences: tuple[_LamaEvidence, ...] = ()
    masked_sentences: tuple[str, ...] = ()
    judgments: tuple[_LamaJudgment, ...] = ()


def read_lama(path: Path, relation: Relation, problems: Problems) -> Iterator[Triplet]:
    """Reads LAMA's fact lines, T-REx's and Google-RE's."""
    for number, line in Lines(path, _LamaLine, problems).numbered():
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


def _evidences(line: _LamaLine) -> tuple[Evidence, ...]:
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
    passage = line.evidences[0] if line.evidences else _LamaEvidence()
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


class _BioLamaLine(Struct):
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
    if not path.is_dir():
        raise DataError("no such folder", where=path)
    for part in sorted(path.glob("*.jsonl")):
        for number, line in Lines(part, _BioLamaLine, problems).numbered():
            count = len(line.obj_uris)
            if not (line.sub_uri and all(line.obj_uris)):
                problems.add("broken line: a URI is empty", f"{part}:{number}")
            elif any(len(beside) not in (0, count) for beside in (line.obj_aliases, line.obj_types)) or count != len(
                line.obj_labels
            ):
                problems.add("broken line: obj_uris and the lists beside it differ in length", f"{part}:{number}")
            else:
                yield from _triplets(line, relation)


def _triplets(line: _BioLamaLine, relation: Relation) -> Iterator[Triplet]:
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


class _BearLine(Struct):
    sub_id: str
    sub_label: str
    obj_id: str
    obj_label: str
    sub_aliases: tuple[str, ...] = ()
    obj_aliases: tuple[str, ...] = ()


def read_bear(path: Path, relation: Relation, problems: Problems) -> Iterator[Triplet]:
    """Reads BEAR's fact lines."""
    for number, line in Lines(path, _BearLine, problems).numbered():
        if line.sub_id and line.obj_id:
            aliases = line.sub_aliases, line.obj_aliases
            yield Triplet(line.sub_label, line.obj_label, line.obj_id, line.sub_id, relation, *aliases)
        else:
            problems.add("broken line: sub_id or obj_id is empty", f"{path}:{number}")
