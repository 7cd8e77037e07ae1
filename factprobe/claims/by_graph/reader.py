"""Extraction of claims about the entities of a graph, without a language model: the stages in their order.

To read it, begin with `ClaimReader`, from `claims` to `status_in_text`. Then read, for each stage, the docstring of its
module and what stands in brackets: in stages 4 to 7 the code, in the others the docstrings. Skip helpers (`_...`) and
the preparation. `docs/claims.md` lists what is not seen, and where to change what. For "Albert Einstein was a
physicist. He was born in Ulm, Germany." the stages find:

1. Mentions (`mentions.py`: `Mention`, `MentionFinder.find`): `Albert Einstein`, `Ulm` and `Germany` are in the graph.
2. Coreference (`mentions.py`: `resolve`): `He` is Albert Einstein.
3. Sentences (`sentence.py`: `Sentence`): only the second one has several mentions; its keys are `@ is born in @ , @`.
4. Pairs (`pairs.py`: `RelationCue`, `MentionPair`, `find_pairs`): the cue `born` and the whole wording "is born in" of
   "place of birth" each give a pair of `He`, which fits as subject, and `Ulm`, the nearest that fits as object.
5. Attachment (`attachment.py`: `attached`): no other noun has the cue `born`, and "in" is in the wording, too.
6. Scoring (`scoring.py`: `features`): the probability of both pairs is 0.91.
7. Selection (`scoring.py`: `select`): they are over the threshold of 0.7; the whole wording is taken first.
8. Assertion status (`reading/relation_status.py`: `relation_status`): affirmed. A denied relation makes the claim "not
   place of birth", an open one (hedged, reported, or former) no claim; its cues are in `reading/language/`.

Preparation, once for each graph: `fact_index.py` indexes its facts and names, with guesses about its relations;
`wordings.py` makes cues of its templates and labels, and learns some from the graph's own sentences (`learn_cues`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import Annotated, ClassVar

from msgspec import Meta

from factprobe.claims.base import ClaimExtractor
from factprobe.claims.by_graph.attachment import attached, may_have_other_verb
from factprobe.claims.by_graph.fact_index import GraphFacts, facts_of
from factprobe.claims.by_graph.mentions import Mention, MentionFinder, resolve
from factprobe.claims.by_graph.pairs import FitLevels, MentionPair, RelationCues, find_pairs, fit_levels
from factprobe.claims.by_graph.scoring import score_pair, select
from factprobe.claims.by_graph.sentence import COPULA, NEXT_CLAUSE, Sentence
from factprobe.claims.by_graph.wordings import LearnedRelation, cues_of, keys_of_wordings, learn_cues, shipped_model
from factprobe.components.base import PartSettings
from factprobe.kgs.fact_lookup import RelationEnd
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.relation_status import RelationStatus, relation_status
from factprobe.reading.tokenisation.sentences import sentences as sentence_spans
from factprobe.reading.tokenisation.sentences import unwrap
from factprobe.records import Claim, ClaimedText, ClaimFormat, Item, RelationSummary, Span

THRESHOLD = 0.7
"""Default for the minimum score of a claim."""
NOT = in_order("negation_not")[0]
"""Word before the label of a denied relation."""
_INVERTED = {COPULA, *(vocabulary("has") & vocabulary("auxiliary"))}
"""Keys of the auxiliary verbs (is, had) that begin a question or condition."""
_CONTEXT = 1000
"""Number of characters on each side of a pair in which cues of its assertion status are searched, to limit time."""


class ClaimReader:
    """Extractor of claims about the entities of a graph from single texts.

    Args:
        facts: Facts of the graph.
        learned: Learned cues of relations; by default those of the package. Cues of the relations without any are
            learned from the sentences of the graph.
        weights: Weight of each feature of a pair; by default those of the package.
    """

    def __init__(
        self,
        facts: GraphFacts,
        learned: Iterable[LearnedRelation] | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        self.facts = facts
        self.weights = shipped_model().weights if weights is None else weights
        self._finder = MentionFinder(facts)
        known = shipped_model().relations if learned is None else tuple(learned)
        every = (*known, *self._learn_cues(known))
        relations = facts.relations.values()
        self.cues = RelationCues(cue for info in relations for cue in cues_of(info, every, facts.value_types))
        self.words = {key: keys_of_wordings(relation) for key, relation in facts.relations.items()}
        """Keys of all words in the templates, label and common wordings of each relation."""

    def _learn_cues(self, known: Sequence[LearnedRelation]) -> list[LearnedRelation]:
        """Return cues that are learned from the graph's sentences, for the relations without known cues."""
        infos = {key: info for key, info in self.facts.relations.items() if key not in self.facts.value_types}
        new = [key for key, info in infos.items() if not any(learned.belongs_to(info) for learned in known)]
        texts = dict.fromkeys(text for relation in new for text in self.facts.summaries[relation].sentences)
        return learn_cues(self.facts, chain.from_iterable(map(self.sentences, texts)), new)

    def claims(self, text: str, threshold: float = THRESHOLD) -> Iterator[Claim]:
        """Yield the claims of a text with at least a score, in its order.

        Questions with a mark and sentences that begin with an auxiliary verb ("Had he died ...") have none.
        """
        for sentence in self.sentences(text):
            is_question = text[slice(*sentence.span)].rstrip("\"'”’)").endswith("?")
            if not is_question and sentence.keys[0] not in _INVERTED:
                for pair in self.selected(sentence, threshold):
                    status = self.status(sentence, pair)
                    if status != "open":
                        yield self._claim(sentence, pair, is_denied=status == "denied")

    def sentences(self, text: str) -> Iterator[Sentence]:
        """Yield the sentences of a text that have at least two mentions (stages 1 to 3)."""
        text = unwrap(text)
        spans = sentence_spans(text)
        resolved = resolve(self.facts.people, text, spans, self._finder.find(text, spans))
        return (Sentence(text, span, mentions) for span, mentions in resolved if len(mentions) > 1)

    def candidates(self, sentence: Sentence, levels: Callable[[str], FitLevels] | None = None) -> list[MentionPair]:
        """Return the pairs that cues join, with scores (stages 4 to 6).

        `levels` returns the levels of fit of the mentions for a relation; by default they are those of the graph.
        """
        levels = levels or partial(fit_levels, self.facts, sentence.mentions)
        pairs = attached(sentence, find_pairs(sentence, self.cues.find(sentence.keys), levels))
        return [score_pair(sentence, pair, self.weights) for pair in pairs]

    def selected(self, sentence: Sentence, threshold: float = THRESHOLD) -> list[MentionPair]:
        """Return the pairs that become claims unless their status is open, in the order of the text (stages 4 to 7)."""
        return select(self.facts, sentence, self.candidates(sentence), threshold)

    def status(self, sentence: Sentence, pair: MentionPair) -> RelationStatus:
        """Return the assertion status of a pair's relation in its sentence (stage 8).

        It is open if another verb may have the object ("born in a village, grew up in Bonn"). Else it is decided by the
        cues of denial and doubt in the clause of the pair, or before it in the sentence.
        """
        if may_have_other_verb(sentence, pair):
            return "open"
        tokens = sorted((sentence.positions[pair.subject], sentence.positions[pair.object], pair.first, pair.last))
        start = max(sentence.span[0], sentence.spans[tokens[0]][0] - _CONTEXT)
        clause = NEXT_CLAUSE.search(sentence.shape, tokens[-1] + 1)
        clause_end = sentence.spans[clause.start()][0] if clause else sentence.span[1]
        end = min(clause_end, sentence.spans[tokens[-1]][1] + _CONTEXT)
        parts = [(sentence.spans[i][0] - start, sentence.spans[i][1] - start) for i in tokens]
        return self.status_in_text(sentence.text[start:end], parts, pair.cue.relation)

    def status_in_text(self, text: str, parts: Sequence[Span], relation: str) -> RelationStatus:
        """Return the assertion status of a relation in a text; `parts` are the spans of its ends and its cue."""
        is_unique = self.facts.relations[relation].type == "1-1"
        may_end = (relation, "subject") not in self.facts.ends_with_people
        own, is_of_value = self.words[relation], relation in self.facts.value_types
        return relation_status(text, parts, own, may_end=may_end, is_unique=is_unique, is_of_value=is_of_value)

    def _claim(self, sentence: Sentence, pair: MentionPair, *, is_denied: bool) -> Claim:
        subject, object_ = sentence.mentions[pair.subject], sentence.mentions[pair.object]
        relation = pair.cue.relation
        head, subject_uri = self._name_and_uri(sentence.text, subject, (relation, "subject"))
        tail, object_uri = self._name_and_uri(sentence.text, object_, (relation, "object"))
        words = sentence.spans[pair.first][0], sentence.spans[pair.last][1]
        spans = (subject.start, subject.end), words, (object_.start, object_.end)
        label = self.facts.relations[relation].label or relation
        parts = head, f"{NOT} {label}" if is_denied else label, tail
        return Claim(parts, spans, (subject_uri, relation, object_uri), round(pair.score, 3))

    def _name_and_uri(self, text: str, mention: Mention, place: RelationEnd) -> tuple[str, str]:
        """Return the name of a mention and the URI of its entity, which is empty if there are several or none.

        The name is that of the antecedent or of the person with the surname, else the text of the mention.
        """
        uris = [uri for uri in mention.uris if self.facts.fits((uri,), *place)] or mention.uris
        uri = uris[0] if len(uris) == 1 else ""
        of_bearer = self.facts.label(uri) if uri and mention.kind in ("surname", "pronoun") else ""
        return mention.name or of_bearer or text[mention.start : mention.end], uri


class GraphClaimSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the graph-based claim extractor."""

    threshold: Annotated[float, Meta(ge=0, le=1)] = THRESHOLD
    """Minimum score of a claim: a higher value gives fewer claims with higher precision."""


class GraphClaims(ClaimExtractor):
    """Extractor of true and false claims about a graph's entities, without a language model."""

    settings_type: ClassVar[type[PartSettings]] = GraphClaimSettings
    settings: GraphClaimSettings
    wants_graph = True

    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "triplet") -> Iterator[ClaimedText]:  # noqa: ARG002  # the only format
        """Yield each text with the claims about entities of the graph, in order."""
        assert self.graph is not None
        reader = reader_of(self.graph)
        return (ClaimedText(item, tuple(reader.claims(item.response, self.settings.threshold))) for item in items)


@lru_cache(maxsize=1)
def reader_of(graph: Callable[[], Iterable[RelationSummary]]) -> ClaimReader:
    """Return the claim reader of a graph; it is cached for all components of a run."""
    return ClaimReader(facts_of(graph))
