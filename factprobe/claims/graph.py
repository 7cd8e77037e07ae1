"""Claims without a language model: a graph's entities in a sentence, and the relation that its words tell of them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from factprobe.claims.base import ClaimExtractor
from factprobe.claims.facts import EntityMention, GraphFacts, facts_of
from factprobe.claims.tokens import COPULA, Token, tokens
from factprobe.claims.wordings import Around, Told, Wordings
from factprobe.question_types import End
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.names.whole import is_whole
from factprobe.reading.phrasing import Phrases
from factprobe.reading.sentences import sentences
from factprobe.reading.stance.denial import denies
from factprobe.reading.values import values_in
from factprobe.reading.words import Text
from factprobe.records import Claim, Claimed, ClaimFormat, Item, RelationSummary
from factprobe.text import normalise

_FAR = 20
"""Names of one sentence that may stand between the two of a claim: a list of objects."""
_LONGEST = 40
"""Letters of a word before a name."""
_WORD_BEFORE = re.compile(r"(\S+)[ -]\Z")
_WRONG = Phrases(phrases("stance_wrong"))
_TELLS, _DOUBT = Phrases(phrases("stance_tells")), Phrases(phrases("stance_doubt"))
_JOINS = vocabulary("link_and", "link_or")
_RELATIVE = vocabulary("relative", "asks_person")


class Pair(NamedTuple):
    """Two names of a sentence, and the words that may tell a relation of them."""

    first: EntityMention
    second: EntityMention
    around: Around


class GraphClaims(ClaimExtractor):
    """Finds the entities of the graph in each sentence and the relations that its words tell of two of them.

    No model is asked. A claim need not be a fact of the graph; one that is denied, asked or only reported is none.
    """

    wants_graph = True

    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "triplet") -> Iterator[Claimed]:  # noqa: ARG002  # the only one
        """See the base class."""
        assert self.graph is not None
        reader = reader_of(self.graph)
        return (Claimed(item, tuple(reader.claims(item.response))) for item in items)


@lru_cache(maxsize=1)
def reader_of(graph: Callable[[], Iterable[RelationSummary]]) -> ClaimReader:
    """Reads texts by a graph, made once for all parts of a run."""
    return ClaimReader(facts_of(graph))


class ClaimReader:
    """Reads claims about a graph's entities in texts."""

    def __init__(self, facts: GraphFacts) -> None:
        self.facts = facts
        self.wordings = Wordings(facts.relations.values())

    def claims(self, text: str) -> Iterator[Claim]:
        """The claims of a text, in the order of its sentences, with their spans in it."""
        mentions = self.facts.mentions(text)
        at = 0
        for start, end in sentences(text):
            while at < len(mentions) and mentions[at].start < start:
                at += 1
            first = at
            while at < len(mentions) and mentions[at].start < end:
                at += 1
            if not text[start:end].rstrip("\"'”’)").endswith("?"):
                yield from self._in_sentence(text, start, end, mentions[first:at])

    def _in_sentence(self, text: str, start: int, end: int, mentions: list[EntityMention]) -> Iterator[Claim]:
        values: list[EntityMention] = []
        if self.facts.value_relations and any(map(str.isdigit, text[start:end])):
            for found in values_in(text[start:end]):
                span = start + found.start, start + found.end
                values.append(EntityMention(*span, self.facts.named(text[slice(*span)])))
            mentions = [one for one in mentions if not any(v.start <= one.start < v.end for v in values)]
        if len(mentions) + len(values) < 2 or not mentions:
            return
        mentions = _whole(text, start, end, mentions)
        for pair in _pairs(text, start, end, mentions):
            yield from self._claim(text, pair, frozenset())
        for value in values:
            both = sorted([*mentions, value], key=lambda one: one.start)
            for pair in _pairs(text, start, end, both):
                if value in (pair.first, pair.second):
                    yield from self._claim(text, pair, self.facts.value_relations)

    def _claim(self, text: str, pair: Pair, valued: frozenset[str]) -> Iterator[Claim]:
        """The claim that the words around two names make, if any.

        Args:
            text: all of it.
            pair: the names and the words.
            valued: the relations that are told of a value; empty where both are names.
        """
        found = self.wordings.told(pair.around, lambda one: self._fitting(one, pair, valued))
        if not found or _is_denied(text, pair.around):
            return
        one = max(found, key=lambda one: self._likely(one, pair))
        subject, object_ = _ends(one, pair)
        uris = self._meant(subject, one.relation, "subject"), one.relation, self._meant(object_, one.relation, "object")
        label = self.facts.relations[one.relation].label or one.relation
        parts = text[subject.start : subject.end], label, text[object_.start : object_.end]
        spans = (subject.start, subject.end), one.span, (object_.start, object_.end)
        yield Claim(parts, spans, uris)

    def _fitting(self, told: Told, pair: Pair, valued: frozenset[str]) -> int:
        if valued and told.relation not in valued:
            return -1  # a date is no place
        subject, object_ = _ends(told, pair)
        fits = any(self.facts.stands(uri, told.relation, "subject") for uri in subject.uris)
        return fits + (bool(valued) or any(self.facts.stands(uri, told.relation, "object") for uri in object_.uris))

    def _likely(self, told: Told, pair: Pair) -> tuple[bool, int]:
        """Of relations that are told alike the one that the graph has comes first, else that with most such objects."""
        subject, object_ = _ends(told, pair)
        holds = any(self.facts.holds(told.relation, s, o) for s in subject.uris for o in object_.uris)
        return holds, max((len(self.facts.partners(told.relation, uri, "object")) for uri in object_.uris), default=0)

    def _meant(self, mention: EntityMention, relation: str, end: End) -> str:
        """The one entity that can be meant; empty where there are several."""
        found = [uri for uri in mention.uris if self.facts.stands(uri, relation, end)] or mention.uris
        return found[0] if len(found) == 1 else ""


def _ends(told: Told, pair: Pair) -> tuple[EntityMention, EntityMention]:
    return (pair.first, pair.second) if told.subject_first else (pair.second, pair.first)


def _whole(text: str, start: int, end: int, mentions: list[EntityMention]) -> list[EntityMention]:
    """The names that are no part of a longer one that the graph does not know: Hermann Einstein, Ulm University."""
    if not any(_may_grow(text, one) for one in mentions):
        return mentions
    read = Text(text[start:end])
    if read.source != text[start:end]:
        return mentions
    places = [
        (bisect_left(read.starts, one.start - start), bisect_left(read.starts, one.end - start)) for one in mentions
    ]
    begins = {first for first, _ in places}
    whole = [is_whole(read, Mention(*place, frozenset()), begins) for place in places]
    return list(compress(mentions, whole))


def _may_grow(text: str, mention: EntityMention) -> bool:
    """Whether the words beside a name are such as may belong to it."""
    behind = text[mention.end : mention.end + 2]
    before = _WORD_BEFORE.search(text, max(mention.start - _LONGEST, 0), mention.start)
    return (
        behind[:1] == "-"
        or (behind[:1] == " " and (behind[1:].isupper() or behind[1:].isdigit()))
        or (before is not None and (before[1][0].isupper() or before[1] in vocabulary("name_of")))
    )


def _pairs(text: str, start: int, end: int, mentions: Sequence[EntityMention]) -> Iterator[Pair]:
    """The names that a relation may be told of: beside each other, or with a list or another statement in between."""
    bounds = [start, *(place for one in mentions for place in (one.start, one.end)), end]
    gaps = [tokens(text, bounds[i], bounds[i + 1]) for i in range(0, len(bounds), 2)]
    joins = [False, *map(_is_glue, gaps[1:-1]), False]
    for second in range(1, len(mentions)):
        for first in range(max(second - _FAR, 0), second):
            around = _around(first, second, gaps, joins)
            if around is not None:
                before, between, after = around
                yield Pair(mentions[first], mentions[second], (gaps[before], gaps[between], gaps[after]))


def _around(
    first: int, second: int, gaps: Sequence[Sequence[Token]], joins: Sequence[bool]
) -> tuple[int, int, int] | None:
    """The gaps before, between and behind two names in which the words are that are said of both; None for no such.

    Gap `i` stands before name `i`.
    """
    if second == first + 1:
        return first, second, second + 1
    if all(joins[first + 2 : second + 1]):
        last = next(i for i in range(second, len(gaps) - 1) if not joins[i + 1])
        if _is_joined(gaps[first + 2 : last + 1]) and not _begins_statement(gaps[last + 1]):
            return first, first + 1, last + 1  # borders Spain, Italy and Germany
    if all(joins[first + 1 : second]):
        begin = next(i for i in range(first, -1, -1) if not joins[i])
        behind_other = begin > 0 and gaps[begin][-1:] and gaps[begin][-1].text.isalpha()
        if _is_joined(gaps[begin + 1 : second]) and not behind_other:
            return begin, second, second + 1  # Spain and Italy border
    words = [word.text for word in gaps[second][:2]]
    carries = first == 0 and words and (words[0] == "," or words[0] in _JOINS) and _RELATIVE.isdisjoint(words)
    return (first, second, second + 1) if carries else None  # was born in Ulm and died in


def _begins_statement(gap: Sequence[Token]) -> bool:
    """Whether the words behind a name say something of it: its verb, or what is its own."""
    return bool(gap) and (gap[0].says or gap[0].key == COPULA or gap[0].text[0] == "'")


def _is_glue(gap: Sequence[Token]) -> bool:
    return bool(gap) and all(word.text == "," or word.text in _JOINS for word in gap)


def _is_joined(gaps: Iterable[Sequence[Token]]) -> bool:
    """Whether what parts the names of a list joins them somewhere; commas alone may part a place from its country."""
    return any(word.text in _JOINS for gap in gaps for word in gap)


def _is_denied(text: str, around: Around) -> bool:
    """Whether the words deny what they tell, or leave it open whether it is so."""
    before, between, after = (normalise(_words(text, part)) for part in around)
    lead = f"{before} {between}"
    return (
        denies(lead)
        or _DOUBT.search(lead) is not None
        or _TELLS.search(lead) is not None
        or _WRONG.match(f" {after}") is not None
    )


def _words(text: str, part: Sequence[Token]) -> str:
    return text[part[0].span[0] : part[-1].span[1]] if part else ""
