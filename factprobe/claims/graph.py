"""Claim extraction without a language model: mentions, coreference, pairs, relations, assertion status, claims."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Annotated, ClassVar

from msgspec import Meta

from factprobe.claims.base import ClaimExtractor
from factprobe.claims.coreference import resolve
from factprobe.claims.fact_index import ENDS, GraphFacts, Mention, facts_of
from factprobe.claims.learning import learn_cues
from factprobe.claims.mentions import MentionFinder
from factprobe.claims.pairs import FITS, Fits, Pair, Sentence, pairs
from factprobe.claims.scoring import ScoredPair, choose, score
from factprobe.claims.wordings import BETWEEN, LearnedRelation, Wordings, is_same, shipped_model
from factprobe.components.base import PartSettings
from factprobe.question_types import End
from factprobe.reading.language import in_order
from factprobe.reading.relation_status import RelationStatus, relation_status
from factprobe.reading.tokenisation.sentences import sentences
from factprobe.records import Claim, ClaimedText, ClaimFormat, Item, RelationSummary, Span

THRESHOLD = 0.7
"""Default for the minimal score of a claim."""
LINKED = 0.25
"""Minimal probability at which the words of a triplet are linked to a relation."""
_NOT = in_order("negation_not")[0]
_WINDOW = 200
"""Number of characters on each side of a pair in which cues of its assertion status are searched."""


class ClaimReader:
    """Extractor of claims about a graph's entities.

    Args:
        facts: Facts of the graph.
        learned: Learned cues of relations; by default the shipped ones. Cues of other relations are learned from the
            graph's sentences.
        weights: Weight of each feature of a pair; by default the shipped ones.
    """

    def __init__(
        self,
        facts: GraphFacts,
        learned: Iterable[LearnedRelation] | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        self.facts = facts
        self._weights = shipped_model().weights if weights is None else weights
        self._finder = MentionFinder(facts)
        known = shipped_model().relations if learned is None else tuple(learned)
        self.wordings = Wordings(facts.relations.values(), (*known, *self._learn_cues(known)))

    def _learn_cues(self, known: Iterable[LearnedRelation]) -> Iterator[LearnedRelation]:
        """Yield cues of the relations without shipped cues, learned from the graph's sentences."""
        facts = self.facts
        new = {one for one, info in facts.relations.items() if not any(is_same(other, info) for other in known)}
        new -= facts.value_relations.keys()
        texts = dict.fromkeys(text for one in facts.relations if one in new for text in facts.sentences(one))
        found = learn_cues(facts, chain.from_iterable(map(self.sentences, texts))) if texts else ()
        return (one for one in found if one.id in new)

    def sentences(self, text: str) -> Iterator[Sentence]:
        """Yield the sentences of a text that have at least two mentions."""
        spans = sentences(text)
        mentions = resolve(self.facts.people, text, spans, self._finder.find(text, spans))
        starts = [one.start for one in mentions]
        for start, end in spans:
            here = mentions[bisect_left(starts, start) : bisect_left(starts, end)]
            if len(here) > 1:
                yield Sentence(text, (start, end), here)

    def claims(self, text: str, threshold: float = THRESHOLD) -> Iterator[Claim]:
        """Yield the claims of a text, sentence by sentence.

        Args:
            text: Text to read.
            threshold: Minimal score of a claim.
        """
        for sentence in self.sentences(text):
            if not text[slice(*sentence.span)].rstrip("\"'”’)").endswith("?"):
                for one in self.chosen(sentence, threshold):
                    status = self.status(sentence, one.pair)
                    if status != "open":
                        yield self._claim(sentence, one, is_denied=status == "denied")

    def chosen(self, sentence: Sentence, threshold: float = THRESHOLD) -> list[ScoredPair]:
        """Return the best compatible candidates above the threshold, in the order of the text."""
        return choose(self.facts, sentence, self.candidates(sentence), threshold)

    def status(self, sentence: Sentence, pair: Pair) -> RelationStatus:
        """Return the assertion status of a pair's relation in its sentence."""
        places = sorted((sentence.places[pair.subject], sentence.places[pair.object], pair.first, pair.last))
        start = max(sentence.span[0], sentence.spans[places[0]][0] - _WINDOW)
        end = min(sentence.span[1], sentence.spans[places[-1]][1] + _WINDOW)
        parts = [(sentence.spans[i][0] - start, sentence.spans[i][1] - start) for i in places]
        return self.status_of(sentence.text[start:end], parts, pair.cue.relation)

    def status_of(self, text: str, parts: Sequence[Span], relation: str) -> RelationStatus:
        """Return the assertion status of a relation in a text, given the spans of its parts."""
        facts = self.facts
        is_unique = facts.relations[relation].type == "1-1"
        own = self.wordings.words[relation]
        return relation_status(text, parts, own, may_end=relation in facts.temporary_relations, is_unique=is_unique)

    def _claim(self, sentence: Sentence, scored: ScoredPair, *, is_denied: bool) -> Claim:
        pair = scored.pair
        subject, object_ = sentence.mentions[pair.subject], sentence.mentions[pair.object]
        relation, text = pair.cue.relation, sentence.text
        uris = self._meant(subject, relation, "subject"), relation, self._meant(object_, relation, "object")
        head, tail = (one.name or text[one.start : one.end] for one in (subject, object_))
        words = sentence.spans[pair.first][0], sentence.spans[pair.last][1]
        spans = (subject.start, subject.end), words, (object_.start, object_.end)
        label = self.facts.relations[relation].label or relation
        return Claim((head, f"{_NOT} {label}" if is_denied else label, tail), spans, uris, round(scored.score, 3))

    def _meant(self, mention: Mention, relation: str, end: End) -> str:
        """Return the URI of a mention's entity at an end of a relation; empty if it is ambiguous."""
        uris = mention.uris
        found = [uri for uri in uris if len(uris) == 1 or self.facts.stands(uri, relation, end)] or uris
        return found[0] if len(found) == 1 else ""

    def candidates(self, sentence: Sentence) -> list[ScoredPair]:
        """Return the pairs of a sentence with their scores."""
        found = self.wordings.find(tuple(sentence.keys))
        fits = self._fits(sentence.mentions, found.relations)
        return [score(sentence, pair, self._weights) for pair in pairs(sentence, found, fits)]

    def _fits(self, mentions: Sequence[Mention], relations: Iterable[str]) -> dict[str, Fits]:
        """Return how each mention fits both ends of each relation."""
        return {one: {end: [self._fit(mention, one, end) for mention in mentions] for end in ENDS} for one in relations}

    def _fit(self, mention: Mention, relation: str, end: End) -> int:
        if end == "object" and relation in self.facts.value_relations:
            value = mention.value
            return FITS if value and (value.year is not None or not self.facts.value_relations[relation]) else -1
        if not mention.uris:
            return -1
        return FITS if any(self.facts.stands(uri, relation, end) for uri in mention.uris) else 0

    def link(self, head: str, words: str, tail: str) -> list[ScoredPair]:
        """Return the relations that a triplet's words may express, whatever its ends, most likely first."""
        text = f"{head} {words} {tail}"
        start = len(text) - len(tail)
        sentence = Sentence(text, (0, len(text)), [Mention(0, len(head)), Mention(start, len(text))])
        found = self.wordings.find(tuple(sentence.keys))
        every = pairs(sentence, found, {one: dict.fromkeys(ENDS, (FITS, FITS)) for one in found.relations})
        scored = (score(sentence, pair, self._weights) for pair in every if pair.zone == BETWEEN)
        likely = [one for one in scored if one.score >= LINKED]
        return sorted(likely, key=lambda one: (one.pair.link == "other", -one.score))


class GraphClaimSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the graph-based claim extractor."""

    threshold: Annotated[float, Meta(ge=0, le=1)] = THRESHOLD
    """Minimal score of a claim: a higher value gives fewer claims with higher precision."""


class GraphClaims(ClaimExtractor):
    """Extractor of claims about entities of a graph, without a language model.

    It finds the entities in a text and the relations that the words express between two of them. A claim need not be a
    fact of the graph.
    """

    settings_type: ClassVar[type[PartSettings]] = GraphClaimSettings
    settings: GraphClaimSettings
    wants_graph = True

    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "triplet") -> Iterator[ClaimedText]:  # noqa: ARG002  # the only format
        """See the base class."""
        assert self.graph is not None
        reader = reader_of(self.graph)
        threshold = self.settings.threshold
        return (ClaimedText(item, tuple(reader.claims(item.response, threshold))) for item in items)


@lru_cache(maxsize=1)
def reader_of(graph: Callable[[], Iterable[RelationSummary]]) -> ClaimReader:
    """Return the claim reader of a graph; it is cached for all components of a run."""
    return ClaimReader(facts_of(graph))
