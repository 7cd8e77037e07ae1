"""Linking of the names in triplets to entities; such names vary more than those in running text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from factprobe.checkers.nesting import Nesting
from factprobe.claims.by_graph.fact_index import FoundName, GraphFacts
from factprobe.reading.language import vocabulary
from factprobe.reading.names.folded_text import forms, without_region
from factprobe.reading.names.fuzzy import misspelt
from factprobe.text import fold_with_offsets, normalise


class EntityLinker:
    """Entity linker for the names of triplets."""

    def __init__(self, facts: GraphFacts, nesting: Nesting) -> None:
        self._facts, self._nesting = facts, nesting

    def resolve(self, name: str) -> tuple[str, ...]:
        """Return the entities that a name may refer to, also with a type or a containing place.

        Both "the city of Ulm" and "Ulm, Germany" give Ulm; "English, Spanish" is two names and gives none.
        """
        entities = self._facts.named(name) or self.possible_places(name)
        found = [] if entities else self._facts.names_in(name)
        if not found:
            return entities
        first = found[0]
        for other in found[1:]:  # such as the country of a place
            if not any(self._nesting.is_linked(a, b) for a in first.uris for b in other.uris):
                return ()
        remainder = f"{name[: first.start]} {'' if name[first.end :].startswith(',') else name[first.end :]}"
        if self._is_of_another(name[: first.start], name[first.end :], first):
            return ()
        return first.uris if vocabulary("function", "kind", "title").issuperset(normalise(remainder).split()) else ()

    def _is_of_another(self, before: str, after: str, name: FoundName) -> bool:
        """Return whether the words around a name refer to another entity ("king of Italy", but not "city of Ulm")."""
        titles = vocabulary("kind", "title") - vocabulary("kind_of")
        words = [word for word in normalise(before).split() if word not in vocabulary("article")]
        if words[-1:] != [] and words[-1] in vocabulary("of"):
            return not titles.isdisjoint(words[-2:-1])
        next_word = normalise(after).split()[:1] if after[:1] == " " else []
        return not vocabulary("title").isdisjoint(next_word) and self._facts.people.isdisjoint(name.uris)

    def possible_places(self, name: str) -> tuple[str, ...]:
        """Return the entities for a place whose region the graph lacks ("Munich, Bavaria"); empty for other names."""
        bare, region = without_region(name)
        if not bare or self._facts.named(name) or self._facts.names_in(region):
            return ()
        entities = self._facts.named(bare)
        return entities if self._facts.people.isdisjoint(entities) else ()

    def bears(self, uri: str, name: str) -> bool:
        """Return whether an entity has a name, ignoring case."""
        names = self._facts.entities[uri].names()
        return uri in self._facts.named(name) or any(not {*forms(name)}.isdisjoint(forms(alias)) for alias in names)

    def closest_names(self, name: str, among: Iterable[str]) -> tuple[str, ...]:
        """Return the entity in `among` with a name that `name` misspells; empty if another name is as close."""
        uri_by_form = {
            form: uri for uri in among for own_name in self._facts.entities[uri].names() for form in forms(own_name)
        }
        right_name = misspelt(fold_with_offsets(name)[0].strip(), uri_by_form, self._all_names)
        return () if right_name is None else (uri_by_form[right_name],)

    @cached_property
    def _all_names(self) -> frozenset[str]:
        return frozenset(self._facts.names)
