"""Candidates for distractors: the entities at one end of a relation, and comparison of their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random

from factprobe.generators.wording.same_values import equal_keys, other_forms, value_names
from factprobe.records import Entity
from factprobe.text import normalise

_MIN_NESTED = 4
"""Minimum length of a name that is nested in a longer word that begins with it (Lincoln, Lincolnshire)."""
_MIN_SHARED_LETTERS, _STEM_SHARE = 5, 0.6
"""Minimum number of letters that words of one stem share, and the share of the longer word that these exceed."""
_MAX_UNFILTERED = 32
"""Maximum number of candidates that are not filtered in advance."""
_ABBREVIATION = re.compile(r"[^\W\d_]{2}\.(?=\s)|\s[^\W\d_]{2,}\.$")
"""End of a word with a full stop that is not an initial, within a name or at its end."""
_SHORT_WORD = re.compile(r"\b[A-Z][b-df-gj-np-tv-xz][a-z]?\b")
"""Word that may be an abbreviation without a full stop: St, Mt, Ste."""


class CandidateNames:
    """Set of normalised names of entities, to detect candidates with the same names."""

    __slots__ = ("all", "labels", "shared")

    def __init__(self, candidates: Iterable[Candidate] = (), shared: Sequence[CandidateNames] = ()) -> None:
        self.labels: set[str] = set()
        self.all = self.labels
        """All names; the same object as `labels` until an entity with other names is added."""
        self.shared = shared
        """Further sets of names, which other objects may share."""
        for candidate in candidates:
            self.add(candidate)

    def add(self, candidate: Candidate) -> None:
        """Add the names of one entity."""
        if candidate.others and self.all is self.labels:
            self.all = self.labels.copy()
        self.labels.update(candidate.forms)
        if self.all is not self.labels:
            self.all.update(candidate.forms, candidate.others)

    def clash(self, candidate: Candidate) -> bool:
        """Return whether a candidate's label is among the names, or a label here among the candidate's names.

        Equal names, numbers and dates clash in any notation, and a date with a less precise one that includes it.
        """
        others = candidate.others
        if not self.all.isdisjoint(candidate.forms) or (others and not self.labels.isdisjoint(others)):
            return True
        for names in self.shared:  # noqa: SIM110  (a generator takes longer)
            if names.clash(candidate):
                return True
        return False

    def count(self) -> int:
        """Return an upper bound on the number of names."""
        own = len(self.all)
        return own + sum(names.count() for names in self.shared) if self.shared else own


class Candidate:
    """Entity of a relation with its normalised names, as a candidate for a distractor."""

    __slots__ = ("entity", "forms", "key", "others", "values")

    def __init__(self, entity: Entity) -> None:
        self.entity = entity
        self.key = normalise(entity.label)
        self.values = value_names(entity.label)
        """Comparison keys of the label if it is a number or date; else empty."""
        aliases = entity.aliases
        self.others = (*[normalise(name) for name in aliases if name.strip()], *self.values) if aliases else self.values
        """Normalised aliases and `values`."""
        self.forms = (self.key, *self.values[:1], *other_forms(entity.label))
        """Normalised label, its first comparison key if it is a number or date, and other spellings of the label."""

    def add_values(self, keys: Sequence[str]) -> None:
        """Add comparison keys of equal quantities in other units."""
        self.values += (*keys,)
        self.others += (*keys,)

    def names(self) -> Iterable[str]:
        """Return the normalised label and aliases."""
        others = self.others
        return dict.fromkeys((self.key, *others[: len(others) - len(self.values)])) if others else (self.key,)


class NestedNames:
    """Set of names that detects candidates with a nested name: Lincolnshire for Lincoln, carcinoma for skin carcinoma.

    One of two entities with nested names is often a part or a kind of the other, so that both may be right. Words of
    one stem, such as mathematics and mathematician, count as nested.
    """

    def __init__(self, keys: Iterable[str]) -> None:
        self._names = [_nesting(key) for key in keys if key]

    def clash(self, candidate: Candidate) -> bool:
        """Return whether a candidate's label and one of the names are nested; False for numbers and dates."""
        key = candidate.key
        for name, last, words, start in self._names:
            if last in key or key.endswith(words):  # true of few names
                others = set(key.split())
                if others.issuperset(words) or others.issubset(words):
                    return not candidate.values
            if key in name and name.startswith(key):  # `in` takes a third of the time
                if _continues(name, key):
                    return not candidate.values
            elif start in key and key.startswith(start) and (_continues(key, name) or _have_same_stem(key, name)):
                return not candidate.values
        return False


@lru_cache(maxsize=1 << 16)
def _nesting(key: str) -> tuple[str, str, tuple[str, ...], str]:
    """Return a name, its last word, its words, and what `_start` returns; cached, since right answers recur."""
    return key, key[key.rfind(" ") + 1 :], tuple(key.split()), _start(key)


def _start(name: str) -> str:
    """Return how a longer name or a word of the same stem has to begin; a line break if a name can have neither."""
    if name.isalpha() and len(name) >= _MIN_SHARED_LETTERS:
        return name[:_MIN_SHARED_LETTERS]
    return name if len(name) >= _MIN_NESTED and name[-1].isalpha() else "\n"


def _continues(name: str, first: str) -> bool:
    """Return whether a name begins with another one, of at least four letters, and a letter follows."""
    size = len(first)
    return size >= _MIN_NESTED and name.startswith(first) and first[-1].isalpha() and name[size : size + 1].isalpha()


def _have_same_stem(one: str, other: str) -> bool:
    """Return whether two words share most letters of the longer one at the beginning (mathematics, mathematician)."""
    size = max(_MIN_SHARED_LETTERS, int(_STEM_SHARE * max(len(one), len(other))) + 1)
    return one[:size] == other[:size] and one.isalpha() and other.isalpha()


def candidates_of(entities: Mapping[str, Entity]) -> dict[str, Candidate]:
    """Return the candidates of the entities at one end of a relation by URI, with the keys of equal quantities."""
    candidates = {uri: Candidate(entity) for uri, entity in entities.items()}
    values = [candidate for candidate in candidates.values() if candidate.values]
    equal = equal_keys((candidate.values[0], candidate.entity.label) for candidate in values)
    for candidate in values if equal else ():
        candidate.add_values(equal.get(candidate.values[0], ()))
    return candidates


def _spell_out(candidates: Collection[Candidate]) -> None:
    """Add to candidates the labels of others that abbreviate them (UK) or a word of them: St. Louis to Saint Louis."""
    short_forms: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for candidate in candidates:
        label = candidate.entity.label
        if ("." in label and _ABBREVIATION.search(label)) or _SHORT_WORD.search(label):
            for word, frame in _frames(candidate.key):
                short_forms.setdefault(frame, []).append((word, candidate.key))
    for candidate in candidates if short_forms else ():
        for word, frame in _frames(candidate.key):
            for short, key in short_forms.get(frame, ()):
                letters = iter(word)
                if len(short) < len(word) and all(letter in letters for letter in short):
                    candidate.forms += (key,)
    short_names = {candidate.key for candidate in candidates if candidate.entity.label.isupper()}
    if not short_names:
        return
    from factprobe.reading.names.acronyms import acronym_of, common_names

    for candidate in candidates:
        label = candidate.entity.label
        candidate.forms += (*short_names.intersection((acronym_of(label),)), *common_names((label,)))


def _frames(key: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each word of a name, and the name with only the first letter of the word."""
    words = key.split()
    for i, word in enumerate(words) if len(words) > 1 else ():
        yield word, (*words[:i], word[0], *words[i + 1 :])


class Pool:
    """Entities at one end of a relation, from which distractors are drawn; `others` are right answers only."""

    def __init__(self, entities: Mapping[str, Entity], others: Mapping[str, Entity]) -> None:
        self._candidates = candidates_of({**others, **entities})
        _spell_out(self._candidates.values())
        first_of_key: dict[str, Candidate] = {}
        for candidate in map(self._candidates.__getitem__, entities):
            if candidate.entity.label.strip():
                first_of_key.setdefault(candidate.key, candidate)
        self.all = list(first_of_key.values())
        """Possible distractors with a label, distinct by label."""
        self._wrong_candidates: dict[tuple[str, str], Sequence[Candidate]] = {}
        self._first_of_key = first_of_key

    def entity(self, uri: str) -> Entity:
        """Return an entity of the pool; raise a `KeyError` if it has none with the URI."""
        return self._candidates[uri].entity

    def key(self, uri: str) -> str:
        """Return the normalised label of an entity of the pool."""
        return self._candidates[uri].key

    def find_by_label(self, label: str) -> Entity | None:
        """Return the possible distractor with a label; None if there is none."""
        candidate = self._first_of_key.get(normalise(label))
        return None if candidate is None else candidate.entity

    def candidates(self, uris: Iterable[str]) -> Iterator[Candidate]:
        """Return the candidates with some URIs."""
        return map(self._candidates.__getitem__, uris)

    def candidates_for(
        self, candidates: Sequence[Candidate], name: str, question_key: str, true: CandidateNames
    ) -> Sequence[Candidate]:
        """Return candidates for rejection sampling: the given ones or, if most may be right, only the wrong ones.

        The wrong ones, without a name in `true`, are cached by the name of the group and the normalised label of the
        entity in the question, so that the time of a draw does not depend on the relation's size.
        """
        if len(candidates) <= _MAX_UNFILTERED or 2 * true.count() < len(candidates):
            return candidates
        if (name, question_key) not in self._wrong_candidates:
            wrong = [candidate for candidate in candidates if not true.clash(candidate)]
            self._wrong_candidates[name, question_key] = wrong
        return self._wrong_candidates[name, question_key]

    def wrong_answers(self, true: CandidateNames, right: Entity) -> list[Entity]:
        """Return the entities without a name in `true`, and `right`, distinct by label, in the order of `all`."""
        key = normalise(right.label)
        return [
            right if candidate.key == key else candidate.entity
            for candidate in self.all
            if candidate.key == key or not true.clash(candidate)
        ]


def shuffled(pool: Sequence[Candidate], rng: Random) -> Iterator[Candidate]:
    """Yield the candidates in random order; unread candidates are not shuffled."""
    random = rng.random
    swapped: dict[int, int] = {}
    place = swapped.get
    for remaining in range(len(pool), 0, -1):
        pick = int(random() * remaining)
        yield pool[place(pick, pick)]
        swapped[pick] = place(remaining - 1, remaining - 1)


def spread_sample(uris: Sequence[str], count: int) -> Sequence[str]:
    """Return at most `count` of some URIs, evenly spread over all."""
    return uris[:: -(-len(uris) // count)] if len(uris) > count else uris
