"""First stage: mentions of entities, values and unknown names."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from factprobe.claims.fact_index import GraphFacts, Mention
from factprobe.reading.language import table, vocabulary
from factprobe.reading.values.value_parsing import value_of, values_in
from factprobe.records import Span
from factprobe.text import fold_with_offsets

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
        known = (one for one in self._facts.mentions(text) if self._is_written(text, one))
        names = [Mention(one.start, one.end, self._with_place(text, one)) for one in known]
        # a name may contain a number, and a date a name
        names = [one for one in names if all(_length(one) > _length(other) for other in overlapping(one, values))]
        values = [one for one in values if not overlapping(one, names)]
        dropped: set[int] = set()
        longer = []
        for start, end in sentences:
            for run in self._runs(text, start, end):
                inside = overlapping(run, names)
                if (inside and _covers(text, run, inside)) or overlapping(run, values):
                    continue
                longer.append(self._person(text, run))
                dropped.update(one.start for one in inside)
        whole = (one for one in names if one.start not in dropped)
        return sorted((*values, *whole, *longer), key=lambda one: one.start)

    def _is_written(self, text: str, one: Mention) -> bool:
        """Return whether a name that the graph capitalises is capitalised in the text, if the text has capitals."""
        if not text[one.start].islower() or text.islower():
            return True
        return any(name[0].islower() for uri in one.uris for name in self._facts.entities[uri].names())

    def _with_place(self, text: str, one: Mention) -> tuple[str, ...]:
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
                elif word and word.end() == last and (plain not in self._people or _PREPOSITION.match(text, last)):
                    continue  # capitalised only as the first word of the sentence
            if text[first:last].lower() not in _BESIDE:
                yield Mention(first, last, kind="unknown")

    def _person(self, text: str, run: Mention) -> Mention:
        """Return a capitalised run as a mention of the person of whose name it is a form."""
        words = _LETTERS.findall(fold_with_offsets(text[run.start : run.end])[0])
        while len(words) > 1 and (words[0] in _BESIDE or words[0] in vocabulary("surname_particle")):
            words = words[1:]
        if len(words) < 2:
            uris = tuple(dict.fromkeys(uri for uri, _ in self._people.get("".join(words), ())))
            return Mention(run.start, run.end, uris, "surname") if uris else run
        known = (one for word in words[1:] for one in self._people.get(word, ()))
        found = {uri for uri, name in known if _is_form(words, name)}
        return Mention(run.start, run.end, tuple(found)) if len(found) == 1 else run

    @cached_property
    def _people(self) -> dict[str, list[tuple[str, list[str]]]]:
        """Return the people of each surname, with the words of their names."""
        found: dict[str, list[tuple[str, list[str]]]] = {}
        for uri in filter(self._facts.people.__contains__, self._facts.entities):
            for name in self._facts.entities[uri].names():
                words = _LETTERS.findall(fold_with_offsets(name)[0])
                last = words[-2 if len(words) > 2 and words[-1] in vocabulary("name_suffix") else -1] if words else ""
                if len(words) > 1 and len(last) > 2 and last not in _OPENERS and last not in _BESIDE:
                    found.setdefault(last, []).append((uri, words))
        return found


def overlapping(one: Mention, others: Sequence[Mention]) -> Sequence[Mention]:
    """Return the mentions that overlap another one; they have to be sorted from left to right."""
    first = bisect_right(others, one.start, key=lambda other: other.end)
    return others[first : bisect_left(others, one.end, lo=first, key=lambda other: other.start)]


def _length(one: Mention) -> int:
    return one.end - one.start


def _covers(text: str, run: Mention, names: Sequence[Mention]) -> bool:
    """Return whether names cover a capitalised run, but for words that may be adjacent to a name."""
    starts, ends = (*(one.start for one in names), run.end), (run.start, *(one.end for one in names))
    rest = (word for end, start in zip(ends, starts, strict=True) for word in _LETTERS.findall(text[end:start]))
    return all(word.lower() in _BESIDE or not word[0].isupper() for word in rest)


def _is_form(words: Sequence[str], name: Sequence[str]) -> bool:
    """Return whether words are a form of a name with other middle names, or with an initial for the first one."""
    first, other = sorted((words[0], name[0]), key=len)
    is_first = first == other or (len(first) == 1 and other.startswith(first))
    return is_first and name[-1] in words[1:] and (len(words[0]) > 1 or len(name) == len(words))


def _value_mentions(text: str) -> Iterator[Mention]:
    """Yield the dates and numbers in figures; a span of years gives two."""
    for value in values_in(text):
        span = text[value.start : value.end]
        years = list(_YEAR.finditer(span)) if value.until is not None else []
        if len(years) == 2:
            following = _LETTER.search(span, years[0].end())
            halves = (0, years[0].end()), (following.start() if following else len(span), len(span))
            for start, end in halves:
                yield Mention(value.start + start, value.start + end, kind="value", value=value_of(span[start:end]))
        elif any(map(str.isdigit, span)):
            yield Mention(value.start, value.end, kind="value", value=value)
