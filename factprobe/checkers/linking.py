"""Linker of the names and relation words of a triplet to the entities and relations of a graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from factprobe.checkers.names import EntityLinker
from factprobe.checkers.nearest import CloseRelation, RelationEmbeddings
from factprobe.checkers.nesting import Nesting
from factprobe.claims.by_graph.cues import BETWEEN
from factprobe.claims.by_graph.mention import Mention
from factprobe.claims.by_graph.pairs import FIT, FitLevels, pairs
from factprobe.claims.by_graph.reader import ClaimReader
from factprobe.claims.by_graph.scoring import ScoredPair, score_pair
from factprobe.claims.by_graph.sentence import CONJUNCTION, CONTENT, Sentence, tokens
from factprobe.question_types import End
from factprobe.reading.language import vocabulary
from factprobe.reading.relation_status import RelationStatus, relation_status
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Claim, Span
from factprobe.text import quote


class LinkedClaim(NamedTuple):
    """Possible reading of a claim as a triplet of the graph."""

    subject: str
    relation: str
    object: str
    """URI of the object; empty for a value without an entity in the graph."""
    value: Value | None = None
    """Date or number of the object, for relations with values as objects."""
    near: CloseRelation | None = None
    """Relation linked by embedding similarity alone; None if it was linked by name or wording."""


class _Ends(NamedTuple):
    """Names of a claim's head and tail with their candidate entities."""

    names: tuple[str, str]
    candidates: tuple[tuple[str, ...], tuple[str, ...]]
    """URIs of the candidate entities of head and of tail."""


class _CandidateRelation(NamedTuple):
    """Candidate relation of a claim, with its direction."""

    relation: str
    subject_first: bool
    """True if the head of the claim is the subject."""
    is_sure: bool = False
    """True if the words are a name or wording of the relation, or both entities fit its domain and range."""


_BOTH_ENDS = 2
_FIT_BONUS = 0.5
"""Score added by each end that fits the relation."""
_TIE = 0.15
"""Maximum difference of scores that count as equal."""
_LIKELY = 0.25
"""Minimum probability at which the words of a triplet are linked to a relation."""
_NO_ENDS = _Ends(("", ""), ((), ()))


class TripletLinker:
    """Linker of triplets to a graph.

    A URI of the claim is used only if its entity or relation has the name that the claim uses. `nearest` links relation
    words that match no wording of the graph; by default they are not linked.
    """

    def __init__(self, reader: ClaimReader, nearest: RelationEmbeddings | None = None) -> None:
        self._reader, self._nearest = reader, nearest
        self.facts = reader.facts
        self.nesting = Nesting(reader.facts)
        self.names = EntityLinker(reader.facts, self.nesting)

    def link(self, claim: Claim) -> Iterator[tuple[list[LinkedClaim], str]]:
        """Yield groups of candidate triplets, likeliest first; use the next group if the graph has no facts for one.

        Each group comes with a message about the name or relation that is not in the graph, or an empty string.
        """
        relation, ends = claim.parts[1], self._ends(claim)
        if not any(ends.candidates):
            yield [], f"neither {quote(ends.names[0])} nor {quote(ends.names[1])} is in the graph"
            return
        is_sure = False
        for relations in self._relations(claim, ends):
            is_sure = is_sure or any(one.is_sure for one in relations)
            yield self._triplets_for(relations, ends)
        nothing = f"{quote(relation)} is no relation of the graph that these two could have"
        among = {} if self._nearest is None or is_sure else self._relations_that_fit(ends)
        if self._nearest is not None and (near := self._nearest.of(relation, [*among])):
            if near.is_near:
                readings, missing = self._triplets_for([among[near.relation]], ends)
                yield [reading._replace(near=near) for reading in readings], missing
            nothing = f"{nothing}; the nearest is {near}"
        yield [], nothing

    def unlinked_phrases(self, claims: Iterable[Claim]) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield relation words that match no wording, each with the ids of the relations that fit its entities."""
        for claim in claims:
            ends = self._ends(claim) if len(claim.parts) == 3 else _NO_ENDS
            groups = self._relations(claim, ends)
            if any(ends.candidates) and not any(one.is_sure for group in groups for one in group):
                yield claim.parts[1], [*self._relations_that_fit(ends)]

    def _relations_that_fit(self, ends: _Ends) -> dict[str, _CandidateRelation]:
        """Return the relations that fit both names in one direction, or in both if they are symmetric."""
        found = {}
        for relation in self.facts.relations:
            counts = {first: self._count_fitting_ends(relation, ends, subject_first=first) for first in (True, False)}
            firsts = [first for first, count in counts.items() if count == _BOTH_ENDS]
            if len(firsts) == 1 or (firsts and relation in self.nesting.inverses(relation)):
                found[relation] = _CandidateRelation(relation, firsts[0])
        return found

    def _triplets_for(self, relations: Sequence[_CandidateRelation], ends: _Ends) -> tuple[list[LinkedClaim], str]:
        """Return all readings of a claim for some relations, and a message on the name that the graph lacks, if any."""
        readings: list[LinkedClaim] = []
        missing = ""
        for one, subject_first, _ in relations:
            (subject, object_), (subjects, objects) = _in_order(ends, subject_first=subject_first)
            value = value_of(object_) if one in self.facts.kinds.of_values else None
            if not (objects or value):
                held = chain.from_iterable(self.facts.partners(one, uri, "subject") for uri in subjects)
                objects = self.names.near(object_, held)
            elif not subjects:
                held = chain.from_iterable(self.facts.partners(one, uri, "object") for uri in objects)
                subjects = self.names.near(subject, held)
            missing = missing or f"{quote(object_ if subjects else subject)} is not in the graph"
            readings += [
                LinkedClaim(s, one, o, value)
                for s in self._fitting(subjects, one, "subject")
                for o in self._fitting(objects, one, "object") or ("",) * (value is not None)
            ]
        return readings, missing

    def _ends(self, claim: Claim) -> _Ends:
        head, _, tail = claim.parts
        uris = claim.uris if len(claim.uris) == 3 else ("", "", "")
        return _Ends((head, tail), (self._candidates(head, uris[0]), self._candidates(tail, uris[2])))

    def _candidates(self, name: str, uri: str) -> tuple[str, ...]:
        """Return the candidate entities of a name: only `uri`, the claim's, if its entity has the name."""
        if uri in self.facts.entities and (
            self.names.bears(uri, name) or uri in (*self.names.resolve(name), *self.names.near(name, (uri,)))
        ):
            return (uri,)
        is_name = self.facts.named(name) or relation_status(name, [(len(name), len(name))]) == "affirmed"
        return self.names.resolve(name) if is_name else ()

    def _relations(self, claim: Claim, ends: _Ends) -> Iterator[list[_CandidateRelation]]:
        """Yield groups of candidate relations: those with the words as id or label, then those with matching cues."""
        text = claim.parts[1]
        uri = claim.uris[1] if len(claim.uris) == 3 else ""
        named = self.facts.relations_called(text)
        named = [uri] if uri in named else named
        if named:
            yield [_CandidateRelation(one, True, True) for one in named]
        if uri in named:
            return

        found = []
        for probability, pair in _score_cues(self._reader, claim):
            relation, is_first = pair.cue.relation, pair.subject == 0
            standing = self._count_fitting_ends(relation, ends, subject_first=is_first)
            if relation not in named and (standing == _BOTH_ENDS or not pair.cue.is_learned):
                is_worded = pair.is_whole or (pair.agrees and not says_more(text, self._reader.words[relation]))
                if named and not is_worded:
                    continue
                if not pair.agrees and not pair.is_whole:  # Ada Lovelace, birthplace, London
                    turned = self._count_fitting_ends(relation, ends, subject_first=not is_first)
                    is_first, standing = (not is_first, turned) if turned > standing else (is_first, standing)
                one = _CandidateRelation(relation, is_first, is_worded or standing == _BOTH_ENDS)
                found.append((probability + standing * _FIT_BONUS, one))
        best = max((score for score, _ in found), default=0.0)
        others = list(dict.fromkeys(one for score, one in found if score >= best - _TIE))
        others = [other for other in others if other.relation == uri] or others
        if others:
            yield others

    def _count_fitting_ends(self, relation: str, ends: _Ends, *, subject_first: bool) -> int:
        """Count the names of a claim that fit the relation's domain and range in the given direction: 0, 1 or 2."""
        (_, object_), (subjects, objects) = _in_order(ends, subject_first=subject_first)
        is_value = relation in self.facts.kinds.of_values and value_of(object_) is not None
        fits = self.facts.fits(subjects, relation, "subject")
        return fits + (is_value or self.facts.fits(objects, relation, "object"))

    def _fitting(self, uris: Sequence[str], relation: str, end: End) -> Sequence[str]:
        """Return the entities that fit an end of a relation, or all if none does."""
        if len(uris) < 2:
            return uris
        return [uri for uri in uris if self.facts.fits((uri,), relation, end)] or uris


def _in_order(ends: _Ends, *, subject_first: bool) -> _Ends:
    """Return the ends in the order subject, object."""
    return ends if subject_first else _Ends(ends.names[::-1], ends.candidates[::-1])


def _score_cues(reader: ClaimReader, claim: Claim) -> list[ScoredPair]:
    """Return scored pairs of relation cue and arguments with a score of at least `_LIKELY`, best first."""
    head, _, tail = claim.parts
    text = " ".join(claim.parts)
    mentions = Mention(0, len(head)), Mention(len(text) - len(tail), len(text))
    sentence = Sentence(text, (0, len(text)), mentions)
    levels: Mapping[str, FitLevels] = defaultdict(lambda: FitLevels([FIT, FIT], [FIT, FIT]))
    every = pairs(sentence, reader.cues.find(tuple(sentence.keys)), levels)
    scored = (score_pair(sentence, pair, reader.weights) for pair in every if pair.zone == BETWEEN)
    likely = [one for one in scored if one.score >= _LIKELY]
    return sorted(likely, key=lambda one: -one.score)


def status_in_claim(reader: ClaimReader, claim: Claim, relation: str) -> RelationStatus:
    """Return the assertion status of a relation in the words of a triplet."""
    head, words, tail = claim.parts
    text = f"{head} {words} {tail}"
    begin, end = len(head) + 1, len(text) - len(tail)
    return reader.status_in_text(text, [(0, len(head)), (begin, end - 1), (end, len(text))], relation)


def says_more(text: str, own: frozenset[str]) -> bool:
    """Return whether relation words contain a content word that no wording of the relation has ("wife died in")."""
    return bool(_extra_words(text, own))


def is_covered(text: str, spans: Iterable[Span], own: frozenset[str]) -> bool:
    """Return whether a text has no number outside of spans, and no content word that is in no relation's wordings."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return not (says_more(text, own) or any(map(str.isdigit, text)))


def is_joined(text: str, own: frozenset[str]) -> bool:
    """Return whether one further word is coordinated with the relation's words, as in "born and raised in"."""
    more = _extra_words(text, own)
    if len(more) != 1:
        return False
    parts: list[list[str]] = [[]]
    for key, word_class, _ in tokens(text):
        parts.append([]) if word_class == CONJUNCTION else parts[-1].append(key)
    strange = next(part for part in parts if more[0] in part)
    has_link = any(key not in own and key in vocabulary("preposition") for key in strange)
    return len(parts) > 1 and not has_link and any(not own.isdisjoint(part) for part in parts if part is not strange)


def _extra_words(text: str, own: frozenset[str]) -> list[str]:
    harmless = vocabulary("harmless", "light_verb", "part_of", "kind")
    return [
        key
        for key, word_class, (start, end) in tokens(text)
        if word_class == CONTENT and key not in own and text[start:end].lower() not in harmless
    ]
