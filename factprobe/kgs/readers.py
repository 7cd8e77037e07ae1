"""Readers of fact files in the layouts of LAMA, BioLAMA and BEAR."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from factprobe.periods import parse_day
from factprobe.records import Evidence, Period, Relation, Triplet
from factprobe.storage import Lines, Problems

Text: TypeAlias = str | None
Texts: TypeAlias = tuple[str, ...] | None
"""List of texts; None, for unknown values, is read as an empty one."""
Date: TypeAlias = str | int | None
"""Day, month or year."""
_ALWAYS = Period()


class _LamaEvidence(Struct):
    masked_sentence: Text = None
    sub_surface: Text = None
    obj_surface: Text = None
    snippet: Text = None
    url: Text = None
    considered_sentences: Texts = None


class _LamaJudgment(Struct):
    judgment: str


class LamaLine(Struct):
    """Line of T-REx (`sub_uri` and `obj_uri`) or Google-RE (`sub` and `obj`); the other fields are optional."""

    sub_label: Text
    obj_label: Text
    sub_uri: Text = None
    obj_uri: Text = None
    sub: Text = None
    obj: Text = None
    sub_aliases: Texts = None
    obj_aliases: Texts = None
    evidences: tuple[_LamaEvidence, ...] | None = None
    masked_sentences: Texts = None
    judgments: tuple[_LamaJudgment, ...] | None = None
    start: Date = None
    end: Date = None

    def facts(self, relation: Relation) -> list[Triplet]:
        """Return the fact of the line; raise a `ValueError` if a URI is missing or empty, or a date is invalid."""
        subject_uri, object_uri = self.sub_uri or self.sub, self.obj_uri or self.obj
        if not (subject_uri and object_uri):
            raise ValueError(f"{'obj_uri (or obj)' if subject_uri else 'sub_uri (or sub)'} is missing or empty")
        period = period_of(self.start, self.end)
        names = self.sub_label or "", self.obj_label or "", object_uri, subject_uri
        aliases = self.sub_aliases or (), self.obj_aliases or ()
        evidences = tuple(_read_evidences(self))
        return [Triplet(*names, relation, *aliases, evidences=evidences, start=period.start, end=period.end)]


def read_facts(
    path: Path, kind: type[LamaLine | BioLamaLine | BearLine], relation: Relation, problems: Problems
) -> Iterator[Triplet]:
    """Yield the facts in the lines of a file in the layout of `kind`, and report broken lines."""
    for number, line in Lines(path, kind, problems).numbered():
        try:
            facts = line.facts(relation)
        except ValueError as error:
            problems.add(f"broken line: {error}", f"{path}:{number}")
        else:
            yield from facts


def period_of(start: Date, end: Date) -> Period:
    """Return a fact's period from its dates; raise a `ValueError` if one is invalid or the end precedes the start."""
    if start is None and end is None:
        return _ALWAYS
    period = Period(*("" if date is None else str(date).strip() for date in (start, end)))
    for name, text in (("start", period.start), ("end", period.end)):
        if text and parse_day(text) is None:
            raise ValueError(f"{name} {text!r} is not an ISO date, month or year")
    first, last = parse_day(period.start), parse_day(period.end)
    if first and last and first > last.last:
        raise ValueError(f"start {period.start!r} is after end {period.end!r}")
    return period


def _read_evidences(line: LamaLine) -> list[Evidence]:
    """Return the evidence in a line, with the judgments of raters that Google-RE has.

    The line may have masked sentences of its first passage beside its passages.
    """
    judgments = tuple(judgment.judgment for judgment in line.judgments or ())
    passages, evidences = line.evidences or (), []
    if line.masked_sentences:
        passage, passages = (passages[0], passages[1:]) if passages else (_LamaEvidence(), ())
        sentences = passage.considered_sentences or ()
        for i, masked in enumerate(line.masked_sentences):
            sentence = sentences[i] if i < len(sentences) else ""
            evidences.append(Evidence(masked, sentence, "", "", passage.snippet or "", passage.url or "", judgments))
    for passage in passages:
        masked, subject, object_ = passage.masked_sentence or "", passage.sub_surface or "", passage.obj_surface or ""
        evidences.append(Evidence(masked, "", subject, object_, passage.snippet or "", passage.url or "", judgments))
    return evidences


class BioLamaLine(Struct):
    """Line of BioLAMA: a subject with all its objects."""

    sub_uri: str
    sub_label: Text
    obj_uris: tuple[str, ...]
    obj_labels: tuple[Text, ...]
    sub_aliases: Texts = None
    obj_aliases: tuple[Texts, ...] | None = None
    sub_type: str | tuple[str, ...] | None = None
    obj_types: tuple[str | tuple[str, ...] | None, ...] | None = None

    def facts(self, relation: Relation) -> list[Triplet]:
        """Return the facts of the line; raise a `ValueError` if a URI is empty, or lists differ in length."""
        if not (self.sub_uri and all(self.obj_uris)):
            raise ValueError("a URI is empty")
        nothing = (None,) * len(self.obj_uris)
        columns = self.obj_uris, self.obj_labels, self.obj_aliases or nothing, self.obj_types or nothing
        if len({*map(len, columns)}) > 1:
            raise ValueError("obj_uris and the other lists differ in length")
        name, subject, own = self.sub_label or "", (self.sub_uri, relation, self.sub_aliases or ()), self.sub_type
        return [
            Triplet(name, label or "", uri, *subject, aliases or (), _as_types(own), _as_types(types))
            for uri, label, aliases, types in zip(*columns, strict=True)
        ]


def _as_types(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) and value else tuple(value or ())


class BearLine(Struct):
    """Line of BEAR."""

    sub_id: str
    sub_label: Text
    obj_id: str
    obj_label: Text
    sub_aliases: Texts = None
    obj_aliases: Texts = None
    start: Date = None
    end: Date = None

    def facts(self, relation: Relation) -> list[Triplet]:
        """Return the fact of the line; raise a `ValueError` if an id is empty, or a date is invalid."""
        period = period_of(self.start, self.end)
        if not (self.sub_id and self.obj_id):
            raise ValueError("sub_id or obj_id is empty")
        names = self.sub_label or "", self.obj_label or "", self.obj_id, self.sub_id
        aliases = self.sub_aliases or (), self.obj_aliases or ()
        return [Triplet(*names, relation, *aliases, start=period.start, end=period.end)]
