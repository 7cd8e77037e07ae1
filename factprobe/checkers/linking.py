"""Linking of the names and relation words of a triplet to the entities and relations of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from factprobe.checkers.names import EntityLinker
from factprobe.checkers.nearest import CloseRelation, RelationEmbeddings
from factprobe.checkers.nesting import Nesting
from factprobe.claims.by_graph.mentions import Mention
from factprobe.claims.by_graph.pairs import FIT, FitLevels, MentionPair
from factprobe.claims.by_graph.reader import NOT, ClaimReader
from factprobe.claims.by_graph.sentence import CONJUNCTION, CONTENT, Sentence, tokens
from factprobe.question_types import End
from factprobe.reading.language import vocabulary
from factprobe.reading.relation_status import RelationStatus, relation_status
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Claim, Span
from factprobe.text import quote


class LinkedClaim(NamedTuple):
    """Candidate triplet of graph entities and relation for a claim."""

    subject: str
    relation: str
    object: str
    """URI of the object; empty for a value without an entity in the graph."""
    value: Value | None = None
    """Date or number of the object, for relations with values as objects."""
    near: CloseRelation | None = None
    """Relation linked by embedding similarity alone; None if it was linked by name or wording."""


class _Ends(NamedTuple):
    """Names of a claim's head and tail (or subject and object), with their candidate entities."""

    names: tuple[str, str]
    candidates: tuple[tuple[str, ...], tuple[str, ...]]
    """URIs of the candidate entities, in the order of `names`."""


class _CandidateRelation(NamedTuple):
    """Candidate relation of a claim, with its direction."""

    relation: str
    subject_first: bool
    """True if the head of the claim is the subject."""
    is_sure: bool = False
    """True if the words are a name or wording of the relation, or both entities fit its domain and range."""


_END_COUNT = 2
_FIT_BONUS = 0.5
"""Score added by each end that fits the relation."""
_MAX_TIE_GAP = 0.15
"""Maximum difference of scores that count as equal."""
_MIN_PROBABILITY = 0.25
"""Minimum probability at which the words of a triplet are linked to a relation."""
_NO_ENDS = _Ends(("", ""), ((), ()))


class TripletLinker:
    """Linker of triplets to a graph.

    A URI in the claim is ignored unless its entity or relation has the name in the claim. `nearest` links relation
    words that match no wording of the graph; without it they are not linked.
    """

    def __init__(self, reader: ClaimReader, nearest: RelationEmbeddings | None = None) -> None:
        self._reader, self._nearest = reader, nearest
        self.facts = reader.facts
        self.nesting = Nesting(reader.facts)
        self.names = EntityLinker(reader.facts, self.nesting)

    def link(self, claim: Claim) -> Iterator[tuple[list[LinkedClaim], str]]:
        """Yield groups of candidate triplets, likeliest first; use the next group if the graph has no facts for one.

        Each group comes with a message for the case that it is empty: the name or relation that the graph lacks.
        """
        relation, ends = claim.parts[1], self._ends(claim)
        if not any(ends.candidates):
            yield [], f"neither {quote(ends.names[0])} nor {quote(ends.names[1])} is in the graph"
            return
        is_sure = False
        for relations in self._relations(claim, ends):
            is_sure = is_sure or any(relation.is_sure for relation in relations)
            yield self._triplets_for(relations, ends)
        not_linked = f"{quote(relation)} is no relation of the graph that these two could have"
        among = {} if self._nearest is None or is_sure else self._relations_that_fit(ends)
        if self._nearest is not None and (near := self._nearest.of(relation, [*among])):
            if near.is_near:
                readings, missing = self._triplets_for([among[near.relation]], ends)
                yield [reading._replace(near=near) for reading in readings], missing
            not_linked = f"{not_linked}; the nearest is {near}"
        yield [], not_linked

    def unlinked_phrases(self, claims: Iterable[Claim]) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield relation words that match no wording of the graph, with ids of the relations that fit the entities."""
        for claim in claims:
            ends = self._ends(claim) if len(claim.parts) == 3 else _NO_ENDS
            groups = self._relations(claim, ends)
            if any(ends.candidates) and not any(relation.is_sure for group in groups for relation in group):
                yield claim.parts[1], [*self._relations_that_fit(ends)]

    def _relations_that_fit(self, ends: _Ends) -> dict[str, _CandidateRelation]:
        """Return the relations whose domain and range fit both names in one direction only, or that are symmetric."""
        relations = {}
        for relation in self.facts.relations:
            counts = {first: self._count_fitting_ends(relation, ends, subject_first=first) for first in (True, False)}
            firsts = [first for first, count in counts.items() if count == _END_COUNT]
            if len(firsts) == 1 or (firsts and relation in self.nesting.inverses(relation)):
                relations[relation] = _CandidateRelation(relation, firsts[0])
        return relations

    def _triplets_for(self, relations: Sequence[_CandidateRelation], ends: _Ends) -> tuple[list[LinkedClaim], str]:
        """Return a claim's candidate triplets for some relations, and a message on a name that the graph lacks."""
        readings: list[LinkedClaim] = []
        missing = ""
        for relation, subject_first, _ in relations:
            summary = self.facts.summaries[relation]
            (subject, object_), (subjects, objects) = _as_subject_object(ends, subject_first=subject_first)
            value = value_of(object_) if relation in self.facts.value_types else None
            if not (objects or value):
                partners = chain.from_iterable(summary.partners(uri, "subject") for uri in subjects)
                objects = self.names.closest_names(object_, partners)
            elif not subjects:
                partners = chain.from_iterable(summary.partners(uri, "object") for uri in objects)
                subjects = self.names.closest_names(subject, partners)
            missing = missing or f"{quote(object_ if subjects else subject)} is not in the graph"
            readings += [
                LinkedClaim(s, relation, o, value)
                for s in self._fitting(subjects, relation, "subject")
                for o in self._fitting(objects, relation, "object") or ("",) * (value is not None)
            ]
        return readings, missing

    def _ends(self, claim: Claim) -> _Ends:
        head, _, tail = claim.parts
        uris = claim.uris if len(claim.uris) == 3 else ("", "", "")
        return _Ends((head, tail), (self._candidates(head, uris[0]), self._candidates(tail, uris[2])))

    def _candidates(self, name: str, uri: str) -> tuple[str, ...]:
        """Return the entities that a name may refer to; only the claim's own `uri` if that entity has the name."""
        if uri in self.facts.entities and (
            self.names.bears(uri, name) or uri in (*self.names.resolve(name), *self.names.closest_names(name, (uri,)))
        ):
            return (uri,)
        is_name = self.facts.named(name) or relation_status(name, [(len(name), len(name))]) == "affirmed"
        return self.names.resolve(name) if is_name else ()

    def _relations(self, claim: Claim, ends: _Ends) -> Iterator[list[_CandidateRelation]]:
        """Yield the relations with the claim's words as id or label, maybe negated; then those with them as wording."""
        text = claim.parts[1]
        uri = claim.uris[1] if len(claim.uris) == 3 else ""
        named = self.facts.relations_called(text) or self.facts.relations_called(text.removeprefix(f"{NOT} "))
        named = [uri] if uri in named else named
        if named:
            yield [_CandidateRelation(relation, True, True) for relation in named]
        if uri in named:
            return

        scored = []
        for pair in _score_cues(self._reader, claim):
            relation, is_first = pair.cue.relation, pair.subject == 0
            fitting = self._count_fitting_ends(relation, ends, subject_first=is_first)
            if relation not in named and (fitting == _END_COUNT or not pair.cue.is_learned):
                is_worded = pair.has_same_link and not adds_words(text, self._reader.words[relation])
                if named and not is_worded:
                    continue
                if not pair.has_same_link:  # Ada Lovelace, birthplace, London
                    swapped = self._count_fitting_ends(relation, ends, subject_first=not is_first)
                    is_first, fitting = (not is_first, swapped) if swapped > fitting else (is_first, fitting)
                candidate = _CandidateRelation(relation, is_first, is_worded or fitting == _END_COUNT)
                scored.append((pair.score + fitting * _FIT_BONUS, candidate))
        best = max((score for score, _ in scored), default=0.0)
        others = list(dict.fromkeys(one for score, one in scored if score >= best - _MAX_TIE_GAP))
        others = [other for other in others if other.relation == uri] or others
        if others:
            yield others

    def _count_fitting_ends(self, relation: str, ends: _Ends, *, subject_first: bool) -> int:
        """Count the names of a claim that fit the relation's domain and range in the given direction: 0, 1 or 2."""
        (_, object_), (subjects, objects) = _as_subject_object(ends, subject_first=subject_first)
        is_value = relation in self.facts.value_types and value_of(object_) is not None
        fits = self.facts.fits(subjects, relation, "subject")
        return fits + (is_value or self.facts.fits(objects, relation, "object"))

    def _fitting(self, uris: Sequence[str], relation: str, end: End) -> Sequence[str]:
        """Return the entities that fit an end of a relation, or all if none does."""
        if len(uris) < 2:
            return uris
        return [uri for uri in uris if self.facts.fits((uri,), relation, end)] or uris


def _as_subject_object(ends: _Ends, *, subject_first: bool) -> _Ends:
    """Return the ends in the order subject, object."""
    return ends if subject_first else _Ends(ends.names[::-1], ends.candidates[::-1])


def _score_cues(reader: ClaimReader, claim: Claim) -> list[MentionPair]:
    """Return the matches of relation wordings in a triplet with at least `_MIN_PROBABILITY`, best first.

    If its words are a whole wording, no other match counts.
    """
    head, _, tail = claim.parts
    text = " ".join(claim.parts)
    mentions = Mention(0, len(head)), Mention(len(text) - len(tail), len(text))
    sentence = Sentence(text, (0, len(text)), mentions)
    both_fit: FitLevels = {"subject": [FIT, FIT], "object": [FIT, FIT]}
    likely = [pair for pair in reader.candidates(sentence, lambda _: both_fit) if pair.score >= _MIN_PROBABILITY]
    whole = [pair for pair in likely if pair.cue.is_given_wording]
    return sorted(whole or likely, key=lambda match: -match.score)


def status_in_claim(reader: ClaimReader, claim: Claim, relation: str) -> RelationStatus:
    """Return the assertion status that a triplet's words give to a relation (`was not born in` negates it)."""
    head, words, tail = claim.parts
    text = f"{head} {words} {tail}"
    begin, end = len(head) + 1, len(text) - len(tail)
    return reader.status_in_text(text, [(0, len(head)), (begin, end - 1), (end, len(text))], relation)


def adds_words(text: str, relation_words: frozenset[str]) -> bool:
    """Return whether a text has a content word that is not in `relation_words` ("wife" in "wife died in")."""
    return bool(_extra_words(text, relation_words))


def is_covered(text: str, spans: Iterable[Span], relation_words: frozenset[str]) -> bool:
    """Return whether all content words of a text, and all digits, are within `spans` or in `relation_words`."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return not (adds_words(text, relation_words) or any(map(str.isdigit, text)))


def joins_word(text: str, relation_words: frozenset[str]) -> bool:
    """Return whether exactly one other word is coordinated with `relation_words`, as in "born and raised in"."""
    extra = _extra_words(text, relation_words)
    if len(extra) != 1:
        return False
    parts: list[list[str]] = [[]]
    for key, word_class, _ in tokens(text):
        parts.append([]) if word_class == CONJUNCTION else parts[-1].append(key)
    extra_part = next(part for part in parts if extra[0] in part)
    has_link = any(key not in relation_words and key in vocabulary("preposition") for key in extra_part)
    return (
        len(parts) > 1
        and not has_link
        and any(not relation_words.isdisjoint(part) for part in parts if part is not extra_part)
    )


def _extra_words(text: str, relation_words: frozenset[str]) -> list[str]:
    harmless = vocabulary("harmless", "light_verb", "part_of", "kind")
    return [
        key
        for key, word_class, (start, end) in tokens(text)
        if word_class in CONTENT and key not in relation_words and text[start:end].lower() not in harmless
    ]
