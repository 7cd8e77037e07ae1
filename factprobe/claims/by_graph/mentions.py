"""Stages 1 and 2: mentions of entities, values and unknown names, and the antecedents of pronouns and surnames."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from factprobe.claims.by_graph.fact_index import LETTERS, NO_NAME_PARTS, SENTENCE_OPENERS, FoundName, GraphFacts
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import value_of, values_in
from factprobe.records import Span
from factprobe.text import CAPITAL, fold_with_offsets

_WORD = (
    rf"(?:(?:{CAPITAL}\.)+"  # J.R.R.
    rf"|{CAPITAL}\w{{0,2}}\.(?=\s)"  # St. Gallen
    rf"|{CAPITAL}(?:[\w-]|['’](?!s\b))*)"  # O'Neill, Guinea-Bissau, but only Ulm of Ulm's
)
_PARTICLE = "|".join(sorted(vocabulary("surname_particle")))
_RUN = re.compile(rf"\b{_WORD}(?:\s+(?:(?:{_PARTICLE})\s+){{0,2}}{_WORD})*")
"""Pattern of a run of capitalised words: Ludwig van Beethoven."""
_YEAR = re.compile(r"\d{3,4}")
_PREPOSITION_AFTER = re.compile(rf"\s+(?:{'|'.join(sorted(vocabulary('preposition')))})\b")
_ANAPHOR = re.compile(
    rf"(?<![\w'’-])(?:{phrases('personal')}|{phrases('thing')}|the (?:{'|'.join(sorted(vocabulary('title')))}))"
    rf"(?![\w'’-]|\s+(?-i:{CAPITAL}|of\b))",
    re.IGNORECASE,
)
"""Pattern of a pronoun or "the" with a noun, with no name or "of" after it: the singer, not the singer Nico."""
_POSSESSIVE = re.compile(phrases("possessive_ending").replace("'", "['’]"))


class Mention(Struct, frozen=True, gc=False):
    """Mention of an entity, value or unknown name in a text."""

    start: int
    end: int
    """Span in characters; the end is exclusive."""
    uris: tuple[str, ...] = ()
    """Candidate entities, in the order of the graph; several for an ambiguous name, none for an unknown one."""
    kind: Literal["name", "surname", "pronoun", "value", "unknown"] = "name"
    """Type of mention.

    - `name`: a name of the graph, or a variant (A. Einstein); Mozart too, if it is an alias in the graph.
    - `surname`: the surname of a person in the graph (`GraphFacts.people`), which is no name of the graph.
    - `pronoun`: a pronoun or a noun such as "the singer".
    - `value`: a date or number with digits.
    - `unknown`: a capitalised name that the graph lacks.
    """
    name: str = ""
    """Name of the antecedent, of a pronoun or surname; empty if it has none, and for other mentions."""
    value: Value | None = None
    """Date or number, for mentions of values."""


class MentionFinder:
    """Finder of the mentions in a text: names of a graph, capitalised runs, values."""

    def __init__(self, facts: GraphFacts) -> None:
        self._facts = facts

    def find(self, text: str, spans: Sequence[Span]) -> list[Mention]:
        """Return the mentions of a text, from left to right, without overlaps; `spans` are the spans of its sentences.

        A capitalised run replaces the names that it overlaps, unless they are all of it: Paris Hilton is not Paris.
        """
        values = list(_value_mentions(text)) if any(map(str.isdigit, text)) else []
        found = (name for name in self._facts.names_in(text) if self._has_case_of_graph(text, name))
        names = [Mention(name.start, name.end, name.uris) for name in found]
        if values:  # the longer one counts: a name may contain a number, and a date a name
            names = [n for n in names if all(n.end - n.start > v.end - v.start for v in overlapping(n, values))]
            values = [value for value in values if not overlapping(value, names)]
        replaced: set[int] = set()
        runs: list[Mention] = []
        for run in chain.from_iterable(self._capitalised_runs(text, *span) for span in spans):
            names_in_run = overlapping(run, names)
            if not (names_in_run and _covers(text, run, names_in_run)) and not overlapping(run, values):
                uris, is_surname = self._facts.people_called(text[run.start : run.end])
                runs.append(replace(run, uris=uris, kind="surname" if is_surname else "name") if uris else run)
                replaced.update(name.start for name in names_in_run)
        remaining = [name for name in names if name.start not in replaced]
        return sorted((*values, *remaining, *runs), key=lambda mention: mention.start) if values or runs else remaining

    def _has_case_of_graph(self, text: str, name: FoundName) -> bool:
        """Return whether a name has a capital in a text if it has one in the graph; True in a text without capitals."""
        if not text[name.start].islower() or text.islower():
            return True
        return any(label[0].islower() for uri in name.uris for label in self._facts.entities[uri].names())

    def _capitalised_runs(self, text: str, start: int, end: int) -> Iterator[Mention]:
        """Yield the capitalised runs of a sentence, without its first word if this need not be a name."""
        for match in _RUN.finditer(text, start, end):
            first, last = match.span()
            if first == start:
                first = self._name_start(text, first, last)
            if first < last and text[first:last].lower() not in NO_NAME_PARTS:
                yield Mention(first, last, kind="unknown")

    def _name_start(self, text: str, first: int, last: int) -> int:
        """Return where a name begins in the capitalised run that opens a sentence; the end of the run if it has none.

        Names of the graph are found without it. A function word is cut off: "However Nico left" has Nico. If the run is
        a single other word, it counts only as a surname of the graph, with no preposition after it: "Einstein left" has
        Einstein, "Singers left" none.
        """
        word = LETTERS.match(text, first, last)
        plain = fold_with_offsets(word[0])[0] if word else ""
        if plain in SENTENCE_OPENERS:
            following = _RUN.search(text, word.end() if word else last, last)
            return following.start() if following else last
        if word is None or word.end() < last:
            return first
        return first if plain in self._facts.by_surname and not _PREPOSITION_AFTER.match(text, last) else last


def overlapping(mention: Mention, others: Sequence[Mention]) -> Sequence[Mention]:
    """Return the mentions in `others`, sorted from left to right, that overlap a mention."""
    first = bisect_right(others, mention.start, key=lambda other: other.end)
    return others[first : bisect_left(others, mention.end, lo=first, key=lambda other: other.start)]


def _covers(text: str, run: Mention, names: Sequence[Mention]) -> bool:
    """Return whether names are all of a capitalised run, apart from types and titles.

    Severn is all of River Severn, since River is a type; Paris is not all of Paris Hilton.
    """
    bounds = run.start, *(bound for name in names for bound in (name.start, name.end)), run.end
    rest = " ".join(text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True))
    return all(word.lower() in NO_NAME_PARTS or not word[0].isupper() for word in LETTERS.findall(rest))


def _value_mentions(text: str) -> Iterator[Mention]:
    """Yield the dates and numbers with digits; a period of years (1879-1955) gives two."""
    for value in values_in(text):
        parts: list[tuple[int, int, Value | None]] = [(value.start, value.end, value)]
        years = list(_YEAR.finditer(text, value.start, value.end)) if value.until is not None else []
        if len(years) == 2:
            middle = years[0].end()
            second = values_in(text[middle : value.end].lstrip(" -–—"))[-1]  # a dash would be a minus sign
            first_part = value.start, middle, value_of(text[value.start : middle])
            parts = [first_part, (value.end - second.end + second.start, value.end, second)]
        for start, end, part in parts:
            if any(map(str.isdigit, text[start:end])):
                yield Mention(start, end, kind="value", value=part)


def resolve(
    people: frozenset[str], text: str, spans: Sequence[Span], mentions: Sequence[Mention]
) -> Iterator[tuple[Span, list[Mention]]]:
    """Yield the span of each sentence with its mentions, among them pronouns and nouns with their antecedents.

    These are, regardless of gender and number:

    - of a surname, the last person of that name;
    - of "it", the first thing named in its sentence, or else in the last sentence that names one: Norway, in "Norway is
      in Europe. It borders Sweden.";
    - of other pronouns and of nouns, the first person in the same way; of nouns only if their sentence names none.

    A name of the graph before 's is no antecedent (Marx in "Marx's friend"). A name that the graph lacks may be that of
    a person or a thing if it begins a sentence.

    `people` has the URIs of the persons in the graph; `spans` and `mentions` are those of the text's sentences.
    """
    pronouns = (Mention(*match.span(), kind="pronoun") for match in _ANAPHOR.finditer(text))
    separate = (pronoun for pronoun in pronouns if not overlapping(pronoun, mentions))
    ordered = sorted([*mentions, *separate], key=lambda mention: mention.start)
    starts = [mention.start for mention in ordered]
    last_named: dict[str, Mention] = {}
    """Last mention of each person or thing, by URI."""
    first_named: dict[str, Mention] = {}
    """First person and first thing of this sentence, or else of the last one with any."""
    for start, end in spans:
        resolved: list[Mention] = []
        named_here: set[str] = set()
        for raw in ordered[bisect_left(starts, start) : bisect_left(starts, end)]:
            word, antecedent = text[raw.start : raw.end].lower(), None
            if raw.kind == "surname":
                named = (last_named[uri] for uri in raw.uris if uri in last_named)
                antecedent = max(named, key=lambda mention: mention.start, default=None)
            elif raw.kind == "pronoun":
                antecedent = first_named.get("thing" if word in vocabulary("thing") else "person")
                if antecedent is None or (" " in word and "person" in named_here):
                    continue  # the noun in "Goethe praised the poet" is somebody else
            mention = raw
            if antecedent is not None:
                own = text[antecedent.start : antecedent.end] if antecedent.kind != "surname" else ""
                mention = replace(raw, uris=antecedent.uris, name=antecedent.name or own)
            resolved.append(mention)
            last_named.update(dict.fromkeys(mention.uris, mention))
            referents = _referents(people, text, mention, start)
            first_named.update(dict.fromkeys(referents - named_here, mention))
            named_here |= referents
        yield (start, end), resolved


def _referents(people: frozenset[str], text: str, mention: Mention, sentence_start: int) -> set[str]:
    """Return whether a mention may be an antecedent as a `person`, a `thing`, both or neither."""
    if mention.uris and not _POSSESSIVE.match(text, mention.end):
        return {"thing" if people.isdisjoint(mention.uris) else "person"}
    if mention.kind == "pronoun":
        return {"thing" if text[mention.start : mention.end].lower() in vocabulary("thing") else "person"}
    return {"person", "thing"} if mention.kind == "unknown" and mention.start == sentence_start else set()
