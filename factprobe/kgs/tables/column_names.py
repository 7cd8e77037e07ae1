"""Columns of tables of facts and of names, by the settings or by usual words in the header."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain

import msgspec
from msgspec import Struct

from factprobe.errors import ConfigError, format_list
from factprobe.question_types import End

_ENDS: dict[End, tuple[str, ...]] = {
    "subject": ("subject", "subj", "sub", "head", "h", "s", "node1", "entity1", "e1", "arg1"),
    "object": ("object", "obj", "tail", "t", "o", "node2", "entity2", "e2", "arg2"),
}
"""Header words for subject and object, as RDF, KG embeddings and KGX use them."""
_WEAK_ENDS: dict[End, tuple[str, ...]] = {"subject": ("item", "entity", "x"), "object": ("value", "y")}
"""Header words for subject and object if there is no pair of `_PAIRS`."""
_PAIRS = ((("source", "src"), ("target", "dst")), (("from",), ("to",)), (("start",), ("end",)))
"""Header words for subject and object that only count as a pair, since each may mean something else: the origin of a
fact, or its dates."""
_LONE_OBJECTS = ("target", "dst")
"""Header words for the object that also count without a partner."""
_RELATIONS = ("predicate", "pred", "relation", "relationship", "property", "rel", "p", "r", "edge", "metaedge", "type")
_RELATIONS_WITH_ID = ("predicate", "pred", "relation", "relationship", "property", "rel")
"""Header words for the relation that may precede `id`; the id of an `edge` would be the edge's own id."""
_IDS = ("id", "uri", "iri", "curie", "qid")
_GEPHI = {"source", "target", "label"}
"""Header words of Gephi's edges, whose label is the relation."""
_LABELS = ("label", "name", "text", "title", "preflabel")
_ALIASES = ("aliases", "alias", "synonyms", "synonym", "altlabel", "altlabels", "alternatives", "alternativelabel")
_TYPES = ("type", "types", "category", "class", "kind")
_OBSOLETE = ("deprecated", "obsolete", "isdeprecated", "isobsolete")
_DENIED = ("negated", "isnegated", *_OBSOLETE)
_ENTITIES = ("entity", "node", "item", "code")
_DATES = {
    "start": ("start", "startdate", "startyear", "starttime", "validfrom"),
    "end": ("end", "enddate", "endyear", "endtime", "validto"),
}
_NOT_ALPHANUMERIC = re.compile(r"[^a-z0-9]")
_NEO4J = re.compile(r"(.*):([A-Za-z_0-9]+)(?:\[\])?(?:\([^)]*\)|\{[^}]*\})?")
"""Pattern of a column header of Neo4j: `personId:ID(Person)`, `:START_ID(Person)`, `name:string`, `:LABEL`."""
_NEO4J_ROLES = {"START_ID": "startid", "END_ID": "endid", "TYPE": "type", "ID": "id", "LABEL": "types"}
_APOC = {"_start": "startid", "_end": "endid"}
"""Columns of the ends in exports by Neo4j's APOC."""
_NEO4J_VALUES = (
    *("string", "char", "int", "long", "short", "byte", "float", "double", "boolean", "point", "duration"),
    *("date", "time", "datetime", "localtime", "localdatetime"),
)


class ColumnNames(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Columns of a table of facts, by name or, without a header, by number from 1.

    A column that is not set is guessed from the header.
    """

    subject: str | int | None = None
    """Subject: its name, or its id if there is no other column for it."""
    relation: str | int | None = None
    """Relation; a table without such a column has one relation, named after the file."""
    object: str | int | None = None
    """Object: its name, or its id if there is no other column for it."""
    subject_id: str | int | None = None
    """Subject's id."""
    object_id: str | int | None = None
    """Object's id."""
    relation_label: str | int | None = None
    """Relation's label."""
    subject_aliases: str | int | None = None
    """Other names of the subject."""
    object_aliases: str | int | None = None
    """Other names of the object."""
    subject_types: str | int | None = None
    """Classes of the subject."""
    object_types: str | int | None = None
    """Classes of the object."""
    start: str | int | None = None
    """First date on which the fact is valid."""
    end: str | int | None = None
    """Last date on which the fact is valid."""
    denied: tuple[str | int, ...] | str | int | None = None
    """Column, or list of columns, of which one is true if the fact is negated, as `negated` in KGX, or obsolete; such
    facts are left out."""

    def named(self) -> list[tuple[str, str | int]]:
        """Return the columns that are set, each with the name of its setting."""
        named: list[tuple[str, str | int]] = []
        for name, value in msgspec.structs.asdict(self).items():
            columns = value if isinstance(value, tuple) else (value,)
            named += [(name, column) for column in columns if column is not None]
        return named

    @property
    def has_both_ends(self) -> bool:
        """True if subject and object have a column."""
        return bool((self.subject or self.subject_id) and (self.object or self.object_id))

    @property
    def has_numbers(self) -> bool:
        """True if the columns are numbers, without a header; a `ConfigError` is raised if only some are."""
        named = [column for _, column in self.named()]
        numbers = [column for column in named if isinstance(column, int)]
        if numbers and len(numbers) < len(named):
            what = f"mixes numbers and names: {format_list([str(column) for column in named])}"
            hint = "use only names of columns, or only numbers if there is no header"
            raise ConfigError(what, where="kg.columns", hint=hint)
        return bool(numbers)

    def fill_from(self, others: ColumnNames) -> ColumnNames:
        """Return the columns; columns that are not set are taken from `others`."""
        own, more = msgspec.structs.asdict(self), msgspec.structs.asdict(others)
        used = {column for _, column in self.named()}  # a column has one meaning
        denied = tuple(column for name, column in others.named() if name == "denied" and column not in used)
        free = {name: None if column in used else column for name, column in more.items()} | {"denied": denied or None}
        return ColumnNames(**{name: own[name] or free[name] for name in own})


def fact_columns(head: Sequence[str]) -> ColumnNames:
    """Return the columns that a header names with usual words; the others are None."""
    known = {_normalise_column(name): name for name in reversed(head)}
    columns: dict[str, str | None] = {}
    for end, stems in _end_words(head).items():
        columns[end] = _first_known(known, stems) or _first_known(known, _combine_names(stems, _LABELS))
        columns[f"{end}_id"] = _first_known(known, _combine_names(stems, _IDS))
        columns[f"{end}_aliases"] = _first_known(known, _combine_names(stems, _ALIASES))
        columns[f"{end}_types"] = _first_known(known, _combine_names(stems, _TYPES))
        labelled = _first_known(known, _combine_names(stems, _LABELS))
        if labelled and not columns[f"{end}_id"] and columns[end] != labelled:
            columns[end], columns[f"{end}_id"] = labelled, columns[end]
    # Gephi's `type` says directed or undirected.
    gephi = ("label",) if known.keys() >= _GEPHI else ()
    relation = _first_known(
        known, (*_RELATIONS[:-1], *gephi, *_RELATIONS[-1:], *_combine_names(_RELATIONS, ("id", "type")))
    )
    label = _first_known(known, (*_combine_names(_RELATIONS, _LABELS), "displayrelation"))
    own = _first_known(known, _combine_names(_RELATIONS_WITH_ID, _IDS))
    if own and own != relation:
        relation, label = own, label or relation
    dates = {name: _first_known(known, names) for name, names in _DATES.items()}
    used = set(columns.values())
    return ColumnNames(
        **columns,
        relation=relation or label,
        relation_label=label,
        denied=_all_known(known, _DENIED) or None,
        **{name: None if date in used else date for name, date in dates.items()},
    )


def _end_words(head: Sequence[str]) -> dict[End, tuple[str, ...]]:
    """Return the words for subject and object that count in a header, in order of precedence.

    Words of `_PAIRS` count if both are there, no other word names an end, and no unused column may be the subject:
    none to the left of the pair or, for `start` and `end`, which are dates as a rule, none at all.
    """
    words = [_normalise_column(name) for name in head]
    clear = {end: _stems_in(words, stems) for end, stems in _ENDS.items()}
    subjects: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    if not any(clear.values()):
        for subject_stems, object_stems in _PAIRS:
            of_pair = {*_with_endings((*subject_stems, *object_stems))}
            if not (_stems_in(words, subject_stems) and _stems_in(words, object_stems)):
                continue
            first = min(place for place, word in enumerate(words) if word in of_pair)
            others = words if "start" in subject_stems else words[:first]
            has_ids = all(
                not {*_combine_names(stems, _IDS)}.isdisjoint(words) for stems in (subject_stems, object_stems)
            )
            relation = {"label"} if {*words} >= _GEPHI else set()
            if has_ids or {*others} <= of_pair | relation | _NOT_SUBJECTS:
                subjects, objects = subject_stems, object_stems
                break
    has_source = _stems_in(words, _PAIRS[0][0]) and not clear["subject"]
    return {
        "subject": (*_ENDS["subject"], *subjects, *_WEAK_ENDS["subject"]),
        "object": (*_ENDS["object"], *objects, *_WEAK_ENDS["object"], *(() if has_source else _LONE_OBJECTS)),
    }


def _stems_in(words: Sequence[str], stems: Sequence[str]) -> bool:
    """Return whether a header has a stem, alone or with an ending for ids or labels."""
    return not {*words}.isdisjoint((*stems, *_combine_names(stems, (*_IDS, *_LABELS))))


def is_header(head: Sequence[str]) -> bool:
    """Return whether a first row is a header and no fact, since a cell has a usual word for a column.

    Single letters, `type`, and words for subject or object in a middle cell do not count, as they may be relations.
    """
    words = [_normalise_column(name) for name in head]
    relations = {*_RELATIONS[:-1], *_combine_names(_RELATIONS, (*_IDS, *_LABELS))}
    stems = [stem for stems in (*_ENDS.values(), *_WEAK_ENDS.values(), *chain(*_PAIRS)) for stem in stems]
    ends = {*stems, *_combine_names(stems, (*_IDS, *_LABELS))}
    header_words = (relations & {*words}) | (ends & {*words[:1], *words[-1:]})
    return any(len(word) > 1 for word in header_words)


class NameColumns(Struct, frozen=True):
    """Columns of a table of entities with their names."""

    id: str
    label: str
    aliases: str | None = None
    types: str | None = None
    obsolete: tuple[str, ...] = ()
    """Columns of which one is true for obsolete entities, as in KGX."""

    def named(self) -> list[tuple[str, str]]:
        """Return the columns that are known, each with its meaning."""
        optional = [(name, column) for name in ("aliases", "types") if (column := getattr(self, name)) is not None]
        return [("id", self.id), ("label", self.label), *optional, *(("obsolete", column) for column in self.obsolete)]


def name_columns(head: Sequence[str]) -> NameColumns | None:
    """Return the columns of a table of names, by its header; None if the header has no usual words."""
    known = {_normalise_column(name): name for name in reversed(head)}
    id_ = _first_known(known, (*_IDS, *_combine_names(_ENTITIES, _IDS), *_ENTITIES, *_RELATIONS[:-1]))
    label = _first_known(known, (*_LABELS, *_combine_names(_ENTITIES, _LABELS)))
    if id_ is None or label is None:
        return None
    aliases = _first_known(known, (*_ALIASES, *_combine_names(_ENTITIES, _ALIASES)))
    return NameColumns(id_, label, aliases, _first_known(known, _TYPES), _all_known(known, _OBSOLETE))


def _normalise_column(name: str) -> str:
    """Return the letters and digits of a column name in lower case, with type suffixes of Neo4j translated."""
    match = _NEO4J.fullmatch(name.strip())
    if name in _APOC:
        return _APOC[name]
    if match and match[2] in _NEO4J_ROLES:
        return _NEO4J_ROLES[match[2]]
    if match and match[2].lower() in _NEO4J_VALUES:
        name = match[1]
    return _NOT_ALPHANUMERIC.sub("", name.lower())


def _first_known(known: Mapping[str, str], names: Sequence[str]) -> str | None:
    return next((known[name] for name in names if name in known), None)


def _all_known(known: Mapping[str, str], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(known[name] for name in names if name in known)


def _with_endings(stems: Sequence[str]) -> list[str]:
    return [*stems, *_combine_names(stems, (*_IDS, *_LABELS, *_ALIASES, *_TYPES))]


def _combine_names(stems: Sequence[str], endings: Sequence[str]) -> list[str]:
    return [stem + ending for stem in stems for ending in endings]


_NOT_SUBJECTS = {
    *("", "index", "unnamed0", *_IDS, *_TYPES, *_ALIASES, *_DENIED, *_RELATIONS, "displayrelation"),
    *_combine_names(_RELATIONS, (*_IDS, *_LABELS, "type")),
    *(word for words in _DATES.values() for word in words),
}
"""Header words that never name the subject, with those of the index that pandas writes."""
