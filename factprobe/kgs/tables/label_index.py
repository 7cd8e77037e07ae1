"""Index of the entities in a file of labels."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from factprobe.kgs.default_labels import is_iri, local_name
from factprobe.records import Entity

_CURIE_PREFIX = re.compile(r"[A-Za-z][\w.-]*:(?=[^/\s])")
_OBO_NAME = re.compile(r"[A-Za-z]+_\d+")


class LabelIndex:
    """Index of entities by id, in any notation: IRI, CURIE, or without a namespace."""

    def __init__(self, entities: Mapping[str, Entity] | None = None, obsolete: Collection[str] = ()) -> None:
        self._entities = entities or {}
        self._obsolete = obsolete
        self._by_local: dict[str, Entity | None] | None = None
        self.are_used = False
        """True once an id was looked up and found."""

    def __bool__(self) -> bool:
        return bool(self._entities)

    def get(self, uri: str) -> Entity | None:
        """Return the entity with an id, or the only one with this id in another notation; None if there is none."""
        entity = self._entities.get(uri)
        if entity is None and self._entities:
            entity = next(filter(None, map(self._find_by_local_id, (uri, *_local_ids(uri)))), None)
        self.are_used = self.are_used or entity is not None
        return entity

    def is_obsolete(self, uri: str) -> bool:
        """Return whether an id belongs to an obsolete entity."""
        entity = self.get(uri) if self._obsolete else None
        return entity is not None and entity.uri in self._obsolete

    def _find_by_local_id(self, name: str) -> Entity | None:
        if self._by_local is None:
            self._by_local = {}
            for uri, entity in self._entities.items():
                for local in _local_ids(uri):
                    other = self._by_local.setdefault(local, entity)
                    if other is not entity:
                        self._by_local[local] = None
        return self._entities.get(name) or self._by_local.get(name)


def _local_ids(uri: str) -> Iterator[str]:
    """Yield an id without its namespace and, if it is an OBO IRI (`.../HP_0000118`), as a CURIE (`HP:0000118`).

    Nothing is yielded if only a number is left, since other namespaces use it for other entities.
    """
    local = local_name(uri) if is_iri(uri) else _CURIE_PREFIX.sub("", uri, count=1)
    if local != uri and any(map(str.isalpha, local)):
        yield local
        if _OBO_NAME.fullmatch(local):
            yield local.replace("_", ":")
