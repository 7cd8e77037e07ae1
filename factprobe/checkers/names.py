"""The entities that the names of a triplet mean, which are written in more ways than names in a text."""

from __future__ import annotations

from collections.abc import Iterable

from factprobe.claims.facts import EntityMention, GraphFacts
from factprobe.reading.language import vocabulary
from factprobe.reading.names.folded import forms, without_region
from factprobe.reading.names.near import Known, misspelt
from factprobe.reading.once import once
from factprobe.text import fold_with_offsets, normalise


class Names:
    """Resolves what should be the name of an entity.

    Args:
        facts: of the graph.
    """

    def __init__(self, facts: GraphFacts) -> None:
        self._facts = facts

    def resolve(self, name: str) -> tuple[str, ...]:
        """Those whom a text means that should be a name, as it is or with its kind or a larger place beside it.

        The city of Ulm and Ulm, Germany mean Ulm; English, Spanish is more than one thing.
        """
        found = self._facts.named(name) or self.perhaps(name)
        mentions = [] if found else self._facts.mentions(name)
        if not mentions:
            return found
        first = mentions[0]
        if not all(self._is_of(first, other) for other in mentions[1:]):
            return ()
        beside = f"{name[: first.start]} {'' if name[first.end :].startswith(',') else name[first.end :]}"
        if self._is_of_another(name[: first.start], name[first.end :], first):
            return ()
        return first.uris if vocabulary("function", "kind", "title").issuperset(normalise(beside).split()) else ()

    def _is_of_another(self, before: str, behind: str, name: EntityMention) -> bool:
        """Whether the words beside a name make it that of another: king of Italy, Italy king; not city of Ulm."""
        titles = vocabulary("kind", "title") - vocabulary("kind_of")
        words = [word for word in normalise(before).split() if word not in vocabulary("article")]
        if words[-1:] != [] and words[-1] in vocabulary("of"):
            return not titles.isdisjoint(words[-2:-1])
        called = normalise(behind).split()[:1] if behind[:1] == " " else []
        return not vocabulary("title").isdisjoint(called) and not any(map(self._facts.is_person, name.uris))

    def perhaps(self, name: str) -> tuple[str, ...]:
        """Those whom a name may mean, or a namesake of theirs, since where it is stands beside it, which the graph does
        not know: Munich, Bavaria; Naples (Florida). None where it is plain whom it means."""
        bare, region = without_region(name)
        found = (
            self._facts.named(bare) if bare and not self._facts.named(name) and not self._facts.mentions(region) else ()
        )
        return () if any(map(self._facts.is_person, found)) else found

    def _is_of(self, one: EntityMention, other: EntityMention) -> bool:
        """Whether the graph has the second of two names for the first, as a country for a place, or the first for the
        second, as its capital; no neighbour."""
        pairs = [(a, b) for a in one.uris for b in other.uris]
        found = (
            relation for a, b in (*pairs, *(pair[::-1] for pair in pairs)) for relation in self._facts.between(a, b)
        )
        return any(relation not in self._facts.inverses(relation) for relation in found)

    def near(self, name: str, among: Iterable[str]) -> tuple[str, ...]:
        """The one of some entities whose name a text misspells, when it is nearer to no other name of the graph."""
        right = {form: uri for uri in among for known in self._facts.entities[uri].names() for form in forms(known)}
        found = misspelt(fold_with_offsets(name)[0].strip(), right, self._known)
        return () if found is None else (right[found],)

    @once
    def _known(self) -> Known:
        return Known(frozenset(self._facts.names))
