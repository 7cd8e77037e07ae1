"""Preparation: index of a graph for claim extraction, with its names in texts and the kinds of its relations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Literal, NamedTuple

from factprobe.kgs.fact_lookup import FactLookup, RelationEnd
from factprobe.question_types import End
from factprobe.reading.language import table, vocabulary
from factprobe.reading.names.folded_text import is_meant, is_ordinary, is_whole
from factprobe.reading.names.forms import people as person_test
from factprobe.reading.values.value_parsing import value_of, with_unit
from factprobe.records import RelationSummary
from factprobe.templating import templates_of
from factprobe.text import LONE_SURROGATE, fold_with_offsets

LETTERS = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
"""Pattern of a word without digits: o'neill, guinea-bissau."""
NO_NAME_PARTS = vocabulary("title", "kind", "demonym").union(*table("month").values())
"""Words that are no part of a name, even if they are capitalised next to it: King, River, French, May."""
SENTENCE_OPENERS = vocabulary("function", "hedge", "preposition")
"""Words that are capitalised at the start of a sentence and no names: However, In."""
_SAMPLE = 200
"""Number of sampled facts or labels of a relation."""
_MIN_PERSON_SHARE = 0.25
"""Share of personal names at an end of a relation above which people are there."""


class FoundName(NamedTuple):
    """Name of the graph in a text."""

    start: int
    end: int
    """Span in characters; the end is exclusive."""
    uris: tuple[str, ...]
    """Entities with the name, in the order of the graph; several for an ambiguous name."""


class GraphFacts(FactLookup):
    """Index of a graph's facts (see the base class) that also finds names in texts and knows kinds of relations."""

    def names_in(self, text: str) -> list[FoundName]:
        """Find the names of entities in a text, from left to right; of overlapping ones, the longest."""
        plain, offsets = fold_with_offsets(text)
        matches = sorted(self._find_names(plain), key=lambda match: (match[1] - match[2], match[1]))  # longest first
        is_taken = bytearray(len(plain))
        found = []
        for number, start, end in matches:
            if is_taken.find(1, start, end) >= 0 or not is_whole(text, plain, offsets, start, end):
                continue
            name, first, last = self.names[number], offsets[start], offsets[end]
            if not is_ordinary(name) or is_meant(text, first, last):
                is_taken[start:end] = b"\1" * (end - start)
                found.append(FoundName(first, last, self.uris_by_name[name]))
        return sorted(found)

    @cached_property
    def names(self) -> list[str]:
        """All names of the graph, normalised."""
        return list(self.uris_by_name)

    @cached_property
    def _find_names(self) -> Callable[[str], list[tuple[int, int, int]]]:
        """Function that finds all names in a normalised text; it returns the index, start and end of each."""
        from ahocorasick_rs import AhoCorasick

        automaton = AhoCorasick(self.names)
        return lambda text: automaton.find_matches_as_indexes(LONE_SURROGATE.sub("\ufffd", text), overlapping=True)

    def fits(self, uris: Sequence[str], relation: str, end: End) -> bool:
        """Return whether any of the entities, or an entity of the same type, is at an end of a relation."""
        if not self.nodes[relation, end].keys().isdisjoint(uris):
            return True
        types = self._types[relation, end]
        return bool(types) and any(not types.isdisjoint(self.entities[uri].types) for uri in uris)

    @cached_property
    def _types(self) -> Mapping[tuple[str, End], frozenset[str]]:
        """Types of the entities at each end of a relation."""
        return {
            (relation, end): frozenset(kind for one in self.summaries[relation].entities(end) for kind in one.types)
            for relation, end in self.nodes
        }

    @cached_property
    def disjoint_relations(self) -> frozenset[str]:
        """Relations in which no entity is both a subject and an object, such as place of birth."""
        return frozenset(relation for relation, summary in self.summaries.items() if not summary.is_chained())

    @cached_property
    def value_types(self) -> Mapping[str, Literal["date", "number"]]:
        """Relations whose objects are mostly dates or numbers: `date` if more than half are dates, else `number`."""
        types: dict[str, Literal["date", "number"]] = {}
        for relation, summary in self.summaries.items():
            templates = list(templates_of(summary.relation_info))
            labels = [entity.label for entity in islice(summary.entities("object"), _SAMPLE)]
            values = [value_of(with_unit(templates, label)) for label in labels]
            if 2 * sum(value is not None for value in values) > len(values):
                dates = sum(value is not None and not value.is_number() for value in values)
                types[relation] = "date" if 2 * dates > len(values) else "number"
        return types

    @cached_property
    def ends_with_people(self) -> frozenset[RelationEnd]:
        """Ends of relations at which people are, judged by a sample of the names.

        The past tense may mean that facts of other subjects have ended; texts about the dead are in it anyway.
        """
        ends = set()
        for relation, end in self.nodes:
            sample = {entity.uri: entity for entity in islice(self.summaries[relation].entities(end), _SAMPLE)}
            is_person = person_test(sample)
            if sum(is_person(entity.label) for entity in sample.values()) > _MIN_PERSON_SHARE * len(sample):
                ends.add((relation, end))
        return frozenset(ends)

    @cached_property
    def people(self) -> frozenset[str]:
        """URIs of all entities at ends with people."""
        return frozenset(uri for place in self.ends_with_people for uri in self.nodes[place])

    @cached_property
    def by_surname(self) -> Mapping[str, Sequence[tuple[str, Sequence[str]]]]:
        """Persons by surname, each as URI and words of a name."""
        bearers: dict[str, list[tuple[str, list[str]]]] = {}
        for uri in filter(self.people.__contains__, self.entities):
            for name in self.entities[uri].names():
                words = LETTERS.findall(fold_with_offsets(name)[0])
                has_suffix = len(words) > 2 and words[-1] in vocabulary("name_suffix")
                surname = words[-2 if has_suffix else -1] if len(words) > 1 else ""
                if len(surname) > 2 and surname not in SENTENCE_OPENERS and surname not in NO_NAME_PARTS:
                    bearers.setdefault(surname, []).append((uri, words))
        return bearers

    def people_called(self, name: str) -> tuple[tuple[str, ...], bool]:
        """Return the persons with a surname, or the only one whose name a name varies; and whether it is a surname."""
        words = LETTERS.findall(fold_with_offsets(name)[0])
        while len(words) > 1 and (words[0] in NO_NAME_PARTS or words[0] in vocabulary("surname_particle")):
            words = words[1:]
        if len(words) == 1:
            return tuple(dict.fromkeys(uri for uri, _ in self.by_surname.get(words[0], ()))), True
        persons = (person for word in words[1:] for person in self.by_surname.get(word, ()))
        people = {uri for uri, own in persons if _is_variant(words, own)}
        return (tuple(people) if len(people) == 1 else ()), False


def _is_variant(words: Sequence[str], name: Sequence[str]) -> bool:
    """Return whether words with the surname of a person are a variant of the name, apart from middle names.

    The first name may be an initial, and a suffix may be left out: A. Einstein, Marie Salomea Curie, Sammy Davis (Jr).
    """
    first, other = sorted((words[0], name[0]), key=len)
    is_first = first == other or (len(first) == 1 and other.startswith(first))
    return is_first and vocabulary("name_suffix").intersection(words) <= {*name}


@lru_cache(maxsize=1)
def facts_of(graph: Callable[[], Iterable[RelationSummary]]) -> GraphFacts:
    """Index the facts of a graph; the index is cached for all components of a run."""
    return GraphFacts(graph())
