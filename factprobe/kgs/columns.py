"""Which columns of a table hold what: as the settings say, or as a plain header tells."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from factprobe.errors import ConfigError, DataError, listed

log = logging.getLogger(__name__)

_ENDS = {
    "subject": (
        *("subject", "subj", "sub", "head", "h", "s", "source", "src", "from", "start", "item", "entity", "x"),
        *("node1", "entity1", "e1", "arg1"),
    ),
    "object": (
        *("object", "obj", "tail", "t", "o", "target", "dst", "to", "end", "value", "y"),
        *("node2", "entity2", "e2", "arg2"),
    ),
}
"""What the ends of a fact are called in the headers of published sets: RDF's words, KG embeddings', KGX's, Neo4j's."""
_RELATIONS = ("predicate", "pred", "relation", "relationship", "property", "rel", "p", "r", "edge", "metaedge", "type")
_NAMED = ("predicate", "pred", "relation", "relationship", "property", "rel")
"""Those that may have an id of theirs beside; that of an edge is its own."""
_IDS = ("id", "uri", "iri", "curie", "qid")
_LABELS = ("label", "name", "text", "title", "preflabel")
_ALIASES = ("aliases", "alias", "synonyms", "synonym", "altlabel", "altlabels", "alternatives", "alternativelabel")
_TYPES = ("type", "types", "category", "class", "kind")
_OBSOLETE = ("deprecated", "obsolete", "isdeprecated", "isobsolete")
_ENTITIES = ("entity", "node", "item", "code")
_DATES = {
    "start": ("start", "startdate", "startyear", "starttime", "validfrom"),
    "end": ("end", "enddate", "endyear", "endtime", "validto"),
}
_SIGN = re.compile(r"[^a-z0-9]")
_NEO4J = re.compile(r"(.*):([A-Za-z_0-9]+)(?:\[\])?(?:\([^)]*\)|\{[^}]*\})?")
"""A column of Neo4j's exports: `personId:ID(Person)`, `:START_ID(Person)`, `name:string`, `:LABEL`."""
_NEO4J_ROLES = {"START_ID": "startid", "END_ID": "endid", "TYPE": "type", "ID": "id", "LABEL": "types"}
_NEO4J_VALUES = (
    *("string", "char", "int", "long", "short", "byte", "float", "double", "boolean", "point", "duration"),
    *("date", "time", "datetime", "localtime", "localdatetime"),
)
_OWN_RELATIONS = 0.9
"""The share of rows with a relation of their own from which a table without a header is taken for none of facts."""


class ColumnNames(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The columns of a table of facts, by their names, or all by their numbers, from 1, where there is no header; one
    that is null is guessed from the header."""

    subject: str | int | None = None
    """The subject: its name, or its id where there is no other column for it."""
    relation: str | int | None = None
    """The relation; a table without such a column is of one relation, which is called as the file."""
    object: str | int | None = None
    """The object, as the subject."""
    subject_id: str | int | None = None
    """The subject's id."""
    object_id: str | int | None = None
    """The object's id."""
    relation_label: str | int | None = None
    """What people call the relation."""
    subject_aliases: str | int | None = None
    """Other names of the subject."""
    object_aliases: str | int | None = None
    """Other names of the object."""
    subject_types: str | int | None = None
    """The classes of the subject."""
    object_types: str | int | None = None
    """The classes of the object."""
    start: str | int | None = None
    """Since when the fact has held."""
    end: str | int | None = None
    """Until when."""

    @property
    def are_whole(self) -> bool:
        """Whether both ends of a fact are known."""
        return bool((self.subject or self.subject_id) and (self.object or self.object_id))

    @property
    def are_numbers(self) -> bool:
        """Whether they count columns, and so there is no header.

        Raises:
            ConfigError: some do, and others are names.
        """
        named = [column for column in msgspec.structs.asdict(self).values() if column is not None]
        numbers = [column for column in named if isinstance(column, int)]
        if numbers and len(numbers) < len(named):
            hint = "give names of columns alone, or numbers alone where there is no header"
            raise ConfigError(
                f"mixes numbers and names: {listed([str(column) for column in named])}", where="kg.columns", hint=hint
            )
        return bool(numbers)

    def or_else(self, others: ColumnNames) -> ColumnNames:
        """These, and the others for what they leave open."""
        own, more = msgspec.structs.asdict(self), msgspec.structs.asdict(others)
        used = {column for column in own.values() if column is not None}  # a column has one meaning
        return ColumnNames(**{name: own[name] or (None if more[name] in used else more[name]) for name in own})


def fact_columns(head: Sequence[str]) -> ColumnNames:
    """The columns that a header names in a way that is known; the others are None."""
    known = {_word(name): name for name in reversed(head)}
    found = {}
    for end, stems in _ENDS.items():
        found[end] = _first(known, stems) or _first(known, _joined(stems, _LABELS))
        found[f"{end}_id"] = _first(known, _joined(stems, _IDS))
        found[f"{end}_aliases"] = _first(known, _joined(stems, _ALIASES))
        found[f"{end}_types"] = _first(known, _joined(stems, _TYPES))
        labelled = _first(known, _joined(stems, _LABELS))
        if labelled and not found[f"{end}_id"] and found[end] != labelled:
            found[end], found[f"{end}_id"] = labelled, found[end]
    gephi = ("label",) if {"source", "target", "label"} <= known.keys() else ()  # whose `type` says what is directed
    relation = _first(known, (*_RELATIONS[:-1], *gephi, *_RELATIONS[-1:], *_joined(_RELATIONS, ("id", "type"))))
    label = _first(known, (*_joined(_RELATIONS, _LABELS), "displayrelation"))
    own = _first(known, _joined(_NAMED, _IDS))
    if own and own != relation:
        relation, label = own, label or relation
    dates = {name: _first(known, names) for name, names in _DATES.items()}
    taken = set(found.values())
    return ColumnNames(
        **found,
        relation=relation or label,
        relation_label=label,
        **{name: None if date in taken else date for name, date in dates.items()},
    )


def is_header(head: Sequence[str]) -> bool:
    """Whether the first row of a table has a cell that names a column, and so is no fact.

    Letters and `type` may be relations themselves, and the words for ends too where they stand between two cells.
    """
    words = [_word(name) for name in head]
    relations = {*_RELATIONS[:-1], *_joined(_RELATIONS, (*_IDS, *_LABELS))}
    ends = {word for stems in _ENDS.values() for word in (*stems, *_joined(stems, (*_IDS, *_LABELS)))}
    found = (relations & {*words}) | (ends & {*words[:1], *words[-1:]})
    return any(len(word) > 1 for word in found)


def warn_of_unused(columns: ColumnNames, head: Sequence[str | int], where: str | Path) -> None:
    """Says which columns of a table are not read."""
    used = msgspec.structs.astuple(columns)
    if unused := [str(column) for column in head if column not in used and column != ""]:
        log.warning("%s: columns not used: %s", where, listed(unused))


def assert_facts(rows: Sequence[Sequence[str]], known: set[str], where: Path) -> None:
    """Sees to it that rows without a plain header are facts, and no table of things with a column for each property.

    In such a table nothing of the first row, which names its columns, comes again, and nearly every row has what would
    be a relation of its own.

    Args:
        rows: the first ones; of fewer than three nothing can be told.
        known: the cells of tables that are facts and belong to it.
        where: the table.

    Raises:
        DataError: they are none.
    """
    head = rows[0]
    relations = {row[1] for row in rows} - known
    again = known.union(*rows[1:]).intersection(head)
    if len(rows) < 3 or again or len(relations) < _OWN_RELATIONS * len(rows):
        return
    what = f"is no table of facts by its first {len(rows)} rows, which have {len(relations)} relations"
    hint = (
        f"where the first row ({listed(head)}) names columns, choose two, such as "
        f"kg.columns.subject={head[0]} kg.columns.object={head[1]}; where it is a fact, "
        "kg.columns.subject=1 kg.columns.relation=2 kg.columns.object=3"
    )
    raise DataError(what, where=where, hint=hint)


class NameColumns(Struct, frozen=True):
    """The columns of a table of names."""

    id: str
    label: str
    aliases: str | None = None
    types: str | None = None
    obsolete: str | None = None
    """True of an entity that is obsolete, as in KGX."""


def name_columns(head: Sequence[str]) -> NameColumns | None:
    """The columns of a table of names; None where its header is none that is known."""
    known = {_word(name): name for name in reversed(head)}
    id_ = _first(known, (*_IDS, *_joined(_ENTITIES, _IDS), *_ENTITIES, *_RELATIONS[:-1]))
    label = _first(known, (*_LABELS, *_joined(_ENTITIES, _LABELS)))
    if id_ is None or label is None:
        return None
    aliases = _first(known, (*_ALIASES, *_joined(_ENTITIES, _ALIASES)))
    return NameColumns(id_, label, aliases, _first(known, _TYPES), _first(known, _OBSOLETE))


def assert_named(
    columns: ColumnNames, head: Sequence[str | int], where: str | Path, setting: str = "kg.columns.{}="
) -> None:
    """Sees to it that a table has the columns that the settings name.

    Args:
        columns: those of the settings.
        head: those of the table.
        where: the table.
        setting: how a column is set, for the message.

    Raises:
        DataError: it has not.
    """
    named: Mapping[str, Any] = msgspec.structs.asdict(columns)
    for name, column in named.items():
        if column is not None and column not in head:
            hint = f"set {setting.format(name)} to one of {listed([str(known) for known in head])}"
            raise DataError(f"has no column {column!r}", where=where, hint=hint)


def assert_once(columns: ColumnNames, head: Sequence[str | int], where: str | Path) -> None:
    """Sees to it that no two columns of a table have the name of one that is read.

    Raises:
        DataError: two have.
    """
    for name, column in msgspec.structs.asdict(columns).items():
        if column is not None and head.count(column) > 1:
            hint = f"rename one, or name another: kg.columns.{name}=NAME"
            raise DataError(f"has {head.count(column)} columns {column!r}", where=where, hint=hint)


def _word(name: str) -> str:
    """Return the letters and digits of a column's name, and what Neo4j says of its type in a word of ours."""
    found = _NEO4J.fullmatch(name.strip())
    if found and found[2] in _NEO4J_ROLES:
        return _NEO4J_ROLES[found[2]]
    if found and found[2].lower() in _NEO4J_VALUES:
        name = found[1]
    return _SIGN.sub("", name.lower())


def _first(known: Mapping[str, str], names: Sequence[str]) -> str | None:
    return next((known[name] for name in names if name in known), None)


def _joined(stems: Sequence[str], endings: Sequence[str]) -> list[str]:
    return [stem + ending for stem in stems for ending in endings]
