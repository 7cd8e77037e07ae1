"""First stage: mentions of entities, values and unknown names."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct

from factprobe.claims.fact_index import EntityMention, GraphFacts
from factprobe.reading.language import table, vocabulary
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import value_of, values_in
from factprobe.records import Span
from factprobe.text import fold_with_offsets

Kind = Literal["name", "surname", "pronoun", "noun", "value", "unknown"]
"""Type of a mention; `unknown` is a capitalised name that the graph lacks."""
_PARTICLE = "|".join(sorted(vocabulary("surname_particle")))
_WORD = r"(?:[a-z]{1,2}['’])?(?:(?:[^\W\d_a-z]\.)+|[^\W\d_a-z]\w{0,2}\.(?=\s)|[^\W\d_a-z](?:[\w-]|['’](?!s\b))*)"
_NICKNAME = r"(?:(?:``|[\"“'(])\w+(?:''|[\"”')])\s+)?"
_RUN = re.compile(rf"\b{_WORD}(?:\s+{_NICKNAME}(?:(?:{_PARTICLE})\s+){{0,2}}{_WORD})*")
"""Consecutive capitalised words, with initials, particles and a nickname between them."""
_LETTERS = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_YEAR = re.compile(r"\d{3,4}")
_LETTER = re.compile(r"\w")
_BESIDE = vocabulary("title", "kind", "demonym").union(*table("month").values())
"""Capitalised words that may be adjacent to a name without being a part of it."""
_PREPOSITION = re.compile(rf"\s+(?:{'|'.join(sorted(vocabulary('preposition')))})\b")
_OPENERS = vocabulary("function", "hedge")
_ADVERB = "ly"


class Mention(Struct, frozen=True, gc=False):
    """Mention of an entity, value or unknown name in a text."""

    start: int
    end: int
    """Span in characters; the end is exclusive."""
    uris: tuple[str, ...] = ()
    """Candidate entities; several for an ambiguous name, none for an unknown one."""
    kind: Kind = "name"
    name: str = ""
    """Name of the antecedent, for pronouns, surnames and nouns."""
    value: Value | None = None
    """Date or number, for mentions of values."""

    def shape(self, text: str) -> tuple[object, ...]:
        """Return the properties of the mention on which scores depend, apart from its candidate entities."""
        word = text[self.start : self.end].lower() if self.kind == "pronoun" else ""
        return self.kind, bool(self.name), len(self.uris) > 1, word


class MentionFinder:
    """Finder of mentions by the names of a graph.

    Args:
        facts: Facts of the graph.
    """

    def __init__(self, facts: GraphFacts) -> None:
        self._facts = facts

    def find(self, text: str, sentences: Sequence[Span]) -> list[Mention]:
        """Return the mentions of a text from left to right; none overlap."""
        values = list(_value_mentions(text)) if any(map(str.isdigit, text)) else []
        is_small = text.islower()
        names = [
            Mention(one.start, one.end, self._with_place(text, one))
            for one in self._facts.mentions(text)
            if is_small or self._is_written(text, one)
        ]
        if values:  # a name may contain a number, and a date a name
            names = [one for one in names if not any(_is_within(one, other) for other in overlapping(one, values))]
            values = [one for one in values if not any(_is_within(one, other) for other in overlapping(one, names))]
        runs = [run for start, end in sentences for run in self._runs(text, start, end)]
        found = [*values, *self._whole(text, names, runs)]
        found.sort(key=lambda one: one.start)
        found += [self._person(text, run) for run in runs if not overlapping(run, found)]
        found.sort(key=lambda one: one.start)
        return found

    def _is_written(self, text: str, one: EntityMention) -> bool:
        """Return whether a name that the graph capitalises is capitalised in the text."""
        letter = text[one.start]
        return not letter.islower() or any(
            name[0].islower() for uri in one.uris for name in self._facts.entities[uri].names()
        )

    def _with_place(self, text: str, one: EntityMention) -> tuple[str, ...]:
        """Return the entities of a name, together with those of its part before a comma (Paris, France)."""
        place, comma, _ = text[one.start : one.end].partition(",")
        return tuple(dict.fromkeys((*one.uris, *self._facts.named(place)))) if comma else one.uris

    def _runs(self, text: str, start: int, end: int) -> Iterator[Mention]:
        """Yield the capitalised runs of a sentence, without its first word if that is an ordinary one."""
        for match in _RUN.finditer(text, start, end):
            first, last = match.span()
            if first == start and not text[start:end].isupper():
                word = _LETTERS.match(text, first, last)
                plain = word[0].lower() if word else ""
                if plain in _OPENERS or plain.endswith(_ADVERB):
                    following = _RUN.search(text, word.end() if word else last, last)
                    if following is None:
                        continue
                    first = following.start()
                elif word and word.end() == last and (plain not in self._surnames or _PREPOSITION.match(text, last)):
                    continue  # capitalised only as the first word of the sentence
            if text[first:last].lower() not in _BESIDE:
                yield Mention(first, last, kind="unknown")

    def _whole(self, text: str, names: Sequence[Mention], runs: Sequence[Mention]) -> Iterator[Mention]:
        """Yield the names that are not part of a longer unknown one.

        A longer form of a person's name replaces the name.
        """
        at = 0
        for number, name in enumerate(names):
            while at < len(runs) and runs[at].end <= name.start:
                at += 1
            run = runs[at] if at < len(runs) and runs[at].start < name.end else None
            if run is None or not text[name.start].isupper():
                yield name
                continue
            before = text[run.start : name.start] if run.start < name.start else ""
            after = text[name.end : run.end] if name.end < run.end else ""
            if number and names[number - 1].end > run.start:
                before = text[names[number - 1].end : name.start]
            if number + 1 < len(names) and names[number + 1].start < run.end:
                after = text[name.end : names[number + 1].start]
            if _is_beside(before) and _is_beside(after):
                yield name
                continue
            person = self._person(text, run)
            if not (number and names[number - 1].end > run.start):
                yield person if person.kind == "name" else Mention(run.start, run.end, kind="unknown")

    def _person(self, text: str, run: Mention) -> Mention:
        """Return a capitalised run as a mention of the person of whose name it is a form."""
        words = [
            (m[0], m.start() + run.start) for m in _LETTERS.finditer(fold_with_offsets(text[run.start : run.end])[0])
        ]
        while len(words) > 1 and words[0][0] in _BESIDE:
            words = words[1:]
        while len(words) > 1 and words[0][0] in vocabulary("surname_particle"):
            words = words[1:]
        if not words or run.end - run.start > 100:
            return run
        plain = [word for word, _ in words]
        if len(plain) == 1:
            uris = self._surnames.get(plain[0], ())
            return Mention(run.start, run.end, uris, "surname") if uris else run
        bearers = {uri: None for word in plain[1:] for uri in self._surnames.get(word, ())}
        found = [uri for uri in bearers if any(_is_form(plain, name) for name in self._names[uri])]
        return Mention(run.start, run.end, (found[0],), "name") if len(found) == 1 else run

    @cached_property
    def _names(self) -> dict[str, list[list[str]]]:
        """Return the words of the names of each person."""
        facts = self._facts
        people = {uri: facts.entities[uri].names() for uri in facts.people}
        found = {uri: [_LETTERS.findall(fold_with_offsets(name)[0]) for name in names] for uri, names in people.items()}
        return {uri: [words for words in names if len(words) > 1] for uri, names in found.items()}

    @cached_property
    def _surnames(self) -> dict[str, tuple[str, ...]]:
        """Return the people of each surname, leaving out surnames that are names of other entities."""
        found: dict[str, dict[str, None]] = {}
        for uri, names in self._names.items():
            for words in names:
                last = words[-2] if words[-1] in vocabulary("name_suffix") and len(words) > 2 else words[-1]
                if len(last) > 2 and last not in _OPENERS and last not in _BESIDE:
                    found.setdefault(last, {})[uri] = None
        return {last: tuple(uris) for last, uris in found.items()}


def overlapping(one: Mention, others: Sequence[Mention]) -> Sequence[Mention]:
    """Return the mentions that overlap another one; they have to be sorted from left to right."""
    first = bisect_right(others, one.start, key=lambda other: other.end)
    return others[first : bisect_left(others, one.end, lo=first, key=lambda other: other.start)]


def _is_within(one: Mention, other: Mention) -> bool:
    """Return whether the first of two overlapping mentions is not longer than the second."""
    return one.end - one.start <= other.end - other.start


def _is_beside(text: str) -> bool:
    """Return whether words adjacent to a name leave its reference unchanged."""
    return all(word.lower() in _BESIDE or not word[0].isupper() for word in _LETTERS.findall(text))


def _is_form(words: Sequence[str], name: Sequence[str]) -> bool:
    """Return whether words are a form of a name with more or fewer middle names, or with initials.

    The text has to contain the first and the last word of the name.
    """
    if not _agree(words[0], name[0]) or name[-1] not in words[1:]:
        return False
    at = 0
    for part in name[1:]:
        following = next((i for i in range(at + 1, len(words)) if _agree(words[i], part)), None)
        if following is None:
            if part == name[-1]:
                return False
            continue  # the text omits this middle name
        at = following
    return len(words[0]) > 1 or len(name) == len(words)


def _agree(word: str, part: str) -> bool:
    """Return whether two parts of a name are equal, or one is the initial of the other."""
    return word == part or (min(len(word), len(part)) == 1 and word[0] == part[0])


def _value_mentions(text: str) -> Iterator[Mention]:
    """Yield the dates and numbers in figures; a span of years gives two."""
    for value in values_in(text):
        span = text[value.start : value.end]
        years = list(_YEAR.finditer(span)) if value.until is not None else []
        if len(years) == 2:
            following = _LETTER.search(span, years[0].end())
            halves = (0, years[0].end()), (following.start() if following else len(span), len(span))
            for start, end in halves:
                one = value_of(span[start:end])
                yield Mention(value.start + start, value.start + end, kind="value", value=one)
        elif any(map(str.isdigit, span)):
            yield Mention(value.start, value.end, kind="value", value=value)
