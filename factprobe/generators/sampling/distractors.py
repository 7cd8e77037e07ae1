"""Distractor sampling: entities that fit a question and do not answer it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from factprobe.generators.wording.same_values import value_names
from factprobe.records import Entity
from factprobe.text import normalise

if TYPE_CHECKING:
    from random import Random

_STEM = 4
"""Letters of the shortest name with which another one begins that counts as holding it."""
_SMALL = 32
"""Largest pool that is searched without an index."""


class Names:
    """Normalised names of entities, to find clashes."""

    __slots__ = ("all", "labels", "shared")

    def __init__(self, shared: Sequence[Names] = ()) -> None:
        self.labels: set[str] = set()
        self.all: set[str] = set()
        self.shared = shared
        """Further names, shared by many."""

    def add(self, candidate: Candidate) -> None:
        """Add the names of one entity."""
        self.labels.add(candidate.key)
        self.all.add(candidate.key)
        if candidate.others:
            self.labels.add(candidate.value)
            self.all.update(candidate.others)

    def clash(self, candidate: Candidate) -> bool:
        """Return whether the candidate's label names one of the entities, or one of theirs names the candidate.

        A number names whatever is the same number, a date whatever is the same day or says less of it.
        """
        others = candidate.others
        return candidate.key in self.all or bool(
            (others and (candidate.value in self.all or not self.labels.isdisjoint(others)))
            or (self.shared and any(names.clash(candidate) for names in self.shared))
        )

    def count(self) -> int:
        """Return an upper bound of the number of names."""
        own = len(self.all)
        return own + sum(names.count() for names in self.shared) if self.shared else own


class Candidate:
    """An entity of a relation, with normalised names."""

    __slots__ = ("entity", "key", "others", "value")

    def __init__(self, entity: Entity, key: str | None = None) -> None:
        self.entity = entity
        self.key = normalise(entity.label) if key is None else key
        aliases = entity.aliases
        self.others = tuple([normalise(name) for name in aliases if name.strip()]) if aliases else ()
        self.value = self.key
        """Value of its label, if that is a number or a date, else the label."""
        if values := value_names(entity.label):
            self.value = values[0]
            self.others += values


class NestedNames:
    """Names that hold others or are held by them: Lincoln and Lincolnshire, carcinoma and renal cell carcinoma.

    Of two such names one is often a part or a kind of the other, so that where one is right the other may be too.

    Args:
        keys: normalised names.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        self._names = [(key, frozenset(key.split())) for key in keys if key]

    def clash(self, candidate: Candidate) -> bool:
        """Return whether a candidate's label holds one of the names or is held by it; a number or a date never does."""
        if candidate.value != candidate.key:
            return False
        key, words = candidate.key, frozenset(candidate.key.split())
        return any(
            words <= others or others <= words or _begins(key, name) or _begins(name, key)
            for name, others in self._names
        )


def _begins(name: str, first: str) -> bool:
    """Return whether a name begins with another one and goes on with a letter: Lincolnshire, and not city 10."""
    return len(first) >= _STEM and name.startswith(first) and first[-1].isalpha() and name[len(first) :][:1].isalpha()


class Pool:
    """One side of a relation, as the source of distractors.

    Args:
        entities: the side, by URI, in the order of the source.
    """

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        self._candidates = {uri: Candidate(entity) for uri, entity in entities.items()}
        first_of_key: dict[str, Candidate] = {}
        for candidate in self._candidates.values():
            if candidate.entity.label.strip():
                first_of_key.setdefault(candidate.key, candidate)
        self.all = list(first_of_key.values())
        """Entities with a label, distinct by label."""
        self._left: dict[tuple[str, str], Sequence[Candidate]] = {}
        self._first_of_key = first_of_key

    def __contains__(self, uri: str) -> bool:
        return uri in self._candidates

    def entity(self, uri: str) -> Entity:
        """Return an entity of the side.

        Raises:
            KeyError: the side has none of that URI.
        """
        return self._candidates[uri].entity

    def key(self, uri: str) -> str:
        """Return the normalised label of an entity of the side."""
        return self._candidates[uri].key

    def labelled(self, label: str) -> Entity | None:
        """Return the entity of the pool with a label, or None."""
        found = self._first_of_key.get(normalise(label))
        return None if found is None else found.entity

    def names(self, asked: Iterable[Candidate], true_uris: Iterable[str], shared: Sequence[Names] = ()) -> Names:
        """Return the names of the known entity, of every right answer, and more: distractors share none."""
        names = Names(shared)
        for candidate in asked:
            names.add(candidate)
        for uri in true_uris:
            names.add(self._candidates[uri])
        return names

    def left(self, some: Sequence[Candidate], name: str, asked: str, true: Names) -> Sequence[Candidate]:
        """Return the candidates for rejection sampling: those given or, if most may be right, the wrong ones.

        So the time of drawing depends neither on the size of the relation nor, summed over a subject's facts, on more
        than the number of those facts: a subject that holds most of the candidates gets a list of the rest, once.

        Args:
            some: the candidates.
            name: what they are called; under one name they are the same each time.
            asked: what the question is about; the same `true` names must come with it each time.
            true: the names that no false candidate may bear.
        """
        if len(some) <= _SMALL or 2 * true.count() < len(some):
            return some
        if (name, asked) not in self._left:
            self._left[name, asked] = [candidate for candidate in some if not true.clash(candidate)]
        return self._left[name, asked]

    def all_but(self, true: Names, kept: Entity) -> list[Entity]:
        """Return every wrong answer, distinct by label, and the one that is kept, in the order of the source."""
        key = normalise(kept.label)
        return [
            kept if candidate.key == key else candidate.entity
            for candidate in self.all
            if candidate.key == key or not true.clash(candidate)
        ]


def shuffled(pool: Sequence[Candidate], rng: Random) -> Iterator[Candidate]:
    """Yield the candidates once each in random order, shuffling lazily."""
    random = rng.random
    swapped: dict[int, int] = {}
    place = swapped.get
    for left in range(len(pool) - 1, -1, -1):
        pick = int(random() * (left + 1))
        yield pool[place(pick, pick)]
        swapped[pick] = place(left, left)


def some_of(uris: Sequence[str], most: int) -> Sequence[str]:
    """Return at most so many of some URIs, evenly spread."""
    return uris[:: -(-len(uris) // most)] if len(uris) > most else uris
