"""Checker that compares claims with the facts of a graph and with the cardinality of its relations."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from factprobe.checkers.base import Checker
from factprobe.checkers.linking import LinkedClaim, TripletLinker, is_covered, is_joined, says_more, status_in_claim
from factprobe.checkers.listed import with_lists
from factprobe.checkers.nearest import THRESHOLD, RelationEmbeddings
from factprobe.claims.by_graph.fact_index import GraphFacts, RelationEnd
from factprobe.claims.by_graph.reader import ClaimReader, reader_of
from factprobe.components.base import PartSettings
from factprobe.config import NotEmpty
from factprobe.errors import UnknownNameError
from factprobe.question_types import End
from factprobe.reading.language import vocabulary
from factprobe.reading.values.compound import Quantity, quantities_of
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Claim, ClaimedText, ClaimLabel, ClaimVerdict, GraphFact
from factprobe.text import quote

if TYPE_CHECKING:
    from factprobe.models.embedders import Embedder

_MOST_FACTS_SHOWN = 5
_KINDEST: tuple[ClaimLabel, ...] = ("Entailment", "Neutral")
"""Labels that take precedence, in this order, when readings of a claim disagree."""
_ONE_OBJECT, _ONE_SUBJECT = ("1-1", "N-1"), ("1-1", "1-N")
_LESS_EXACT = "the graph has it more or less exact"
_OTHER_KIND = "the graph has another kind of thing, and both may be right"


class GraphCheckerSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the graph checker."""

    closed: tuple[str, ...] | Literal["all"] = ()
    """Ids of relations for which the graph has all objects of every subject that it has any object of; or `all`."""
    open: tuple[str, ...] = ()
    """Ids of relations that may lack facts although the graph declares them complete or single-valued: a claim that the
    graph does not have may be right."""
    embedder: NotEmpty | dict[str, Any] | None = None
    """Embedding model that links relation words matching no wording of the graph, so that facts can entail such claims:
    `minilm`, a sentence-transformers model or folder, or an endpoint (`{backend: openai, model:
    text-embedding-3-small}`); off by default."""
    similarity: Annotated[float, Meta(gt=0, le=1)] = THRESHOLD
    """Minimum cosine similarity of such words to a label or template; see `embedder`."""


class GraphChecker(Checker):
    """Checker that reads only the facts of the graph, without references.

    The only model called is the optional embedder. The rules are:

    - A claim is entailed if the graph has it as a fact, also as a fact of the inverse relation.
    - It is contradicted if the graph has another object of the subject and cannot have more: the relation has one
      object per subject, or the graph has all objects, as its source (`complete`) or the user (`closed`) declares.
    - Another subject of the same object contradicts it only if the relation is `closed`.
    - A part of the graph's entity, or a whole that contains it, is neutral.
    - A negated claim is entailed if the claim without the negation is contradicted, and the reverse; a hedged claim is
      neutral.
    - For an ambiguous name, one entity suffices for Entailment; for Contradiction, every entity with facts of the
      relation has to contradict the claim.
    - A sentence is contradicted if any of its claims is, and entailed if all are and cover it: a content word, name or
      number that is part of none makes it neutral.
    - In an enumeration of objects with an entailed one, contradicted ones become neutral.
    - A relation that is linked by embedding similarity alone gives only Entailment or Neutral.
    """

    settings_type = GraphCheckerSettings
    settings: GraphCheckerSettings
    wants_graph = True
    wants_references = False
    embedder: Embedder | None = None
    """Embedding model named in the settings; set by the caller that builds the checker."""

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        """Yield the graph's verdicts on each text's claims."""
        assert self.graph is not None
        reader, nearest = reader_of(self.graph), None
        if self.embedder is not None:
            nearest = RelationEmbeddings(reader.facts.relations, self.embedder, self.settings.similarity)
        linker = TripletLinker(reader, nearest)
        judge = _Judge(reader, linker, self.settings)
        if nearest is not None:
            nearest.read(linker.unlinked_phrases(chain.from_iterable(text.claims for text in texts)))
        return (with_lists(text, [*map(judge.verdict, text.claims)], judge.is_complete) for text in texts)


class _Judge:
    def __init__(self, reader: ClaimReader, linker: TripletLinker, settings: GraphCheckerSettings) -> None:
        self.reader, self.facts = reader, reader.facts
        self._linker, self._nesting = linker, linker.nesting
        known = self.facts.relations
        closed = known if settings.closed == "all" else settings.closed
        for relation in (*closed, *settings.open):
            if relation not in known:
                raise UnknownNameError(f"relation of the graph for checker {settings.name}", relation, known)
        self._closed = frozenset(closed).difference(settings.open)
        self._open = frozenset(settings.open)

    def verdict(self, claim: Claim) -> ClaimVerdict:
        """Return the graph's verdict on a triplet, or on the claims extracted from a sentence."""
        if len(claim.parts) == 3:
            return self._unless_namesake(claim, self._of_triplet(claim))
        claims = [*self.reader.claims(claim.text)]
        found = [self.verdict(one) for one in claims]
        if not found:
            return ClaimVerdict("Neutral", "no relation of the graph between two of its entities is told")
        order: tuple[ClaimLabel, ...] = ("Contradiction", "Neutral", "Entailment")
        label = next(label for label in order if any(one.label == label for one in found))
        deciding = [one for one in found if one.label == label]
        facts = tuple(dict.fromkeys(fact for one in deciding for fact in one.facts))
        own = frozenset(chain.from_iterable(self.reader.words[one.uris[1]] for one in claims))
        spans = chain.from_iterable(one.spans for one in claims)
        if label == "Entailment" and not is_covered(claim.text, spans, own):
            return ClaimVerdict("Neutral", "the graph has a part of it", facts=facts)
        return ClaimVerdict(label, deciding[0].why, facts=facts)

    def _unless_namesake(self, claim: Claim, verdict: ClaimVerdict) -> ClaimVerdict:
        """Return the verdict, but Neutral for Contradiction if the claim may mean an unknown namesake."""
        if verdict.label != "Contradiction":
            return verdict
        unsure = [name for name in (claim.parts[0], claim.parts[2]) if self._linker.names.perhaps(name)]
        if not unsure:
            return verdict
        why = f"{quote(unsure[0])} may be a namesake of what the graph has"
        return ClaimVerdict("Neutral", why, facts=verdict.facts)

    def _of_triplet(self, claim: Claim) -> ClaimVerdict:
        nothing = ""
        for readings, missing in self._linker.link(claim):
            found = [(reading, self._judge(claim, reading)) for reading in readings]
            nothing = nothing or (found[0][1].why if found else missing)
            fits = {one.relation for one, verdict in found if verdict.facts and verdict.why != _OTHER_KIND}
            known = [
                self._apply_assertion(claim, one, verdict)
                for one, verdict in found
                if verdict.facts and (one.relation in fits or not fits)
            ]
            if known:
                return next((one for label in _KINDEST for one in known if one.label == label), known[0])
        return ClaimVerdict("Neutral", nothing)

    def _apply_assertion(self, claim: Claim, reading: LinkedClaim, verdict: ClaimVerdict) -> ClaimVerdict:
        """Adjust the verdict on a reading to the assertion status of its relation words."""
        text = claim.parts[1]
        if reading.near is not None or reading.relation in self.facts.relations_called(text):
            return verdict
        own = self.reader.words[reading.relation]
        if verdict.label == "Contradiction" and self._is_whereabouts(text, reading, verdict):
            return ClaimVerdict("Neutral", _OTHER_KIND, facts=verdict.facts)
        says = status_in_claim(self.reader, claim, reading.relation)
        is_wrong = says == "affirmed" and verdict.label == "Contradiction" and is_joined(text, own)
        if says == "open" or (verdict.label != "Neutral" and says_more(text, own) and not is_wrong):
            return ClaimVerdict("Neutral", f"{quote(text)} leaves open whether it is so", facts=verdict.facts)
        if says == "affirmed" or verdict.label == "Neutral":
            return verdict
        if verdict.label == "Entailment":
            return ClaimVerdict("Contradiction", "the graph has it", facts=verdict.facts)
        return ClaimVerdict("Entailment", facts=verdict.facts)

    def _is_whereabouts(self, text: str, reading: LinkedClaim, verdict: ClaimVerdict) -> bool:
        """Return whether the words give the object's location instead of the object ("capital is in", Europe)."""
        place: RelationEnd = (reading.relation, "object")
        return (
            self.facts.relations[reading.relation].type == "1-1"
            and all(fact.uris[0] == reading.subject for fact in verdict.facts)
            and bool(reading.object)
            and not vocabulary("place_preposition").isdisjoint(text.lower().split()[-1:])
            and not (self.facts.fits((reading.object,), *place) or self._nesting.may_be(reading.object, place))
        )

    def _judge(self, claim: Claim, reading: LinkedClaim) -> ClaimVerdict:
        """Return the verdict on a reading; a relation linked by embeddings gives only Entailment or Neutral."""
        verdict = self._of_reading(reading, claim.parts[2])
        if reading.near is None:
            return verdict
        taken = f"{quote(claim.parts[1])} is taken for {reading.near}"
        if status_in_claim(self.reader, claim, reading.relation) != "affirmed":
            return ClaimVerdict("Neutral", f"{taken}, and denies it or leaves it open", facts=verdict.facts)
        if verdict.label == "Entailment":
            return replace(verdict, why=taken)
        doubt = ", by which nothing is contradicted" if verdict.label == "Contradiction" else ""
        return ClaimVerdict("Neutral", f"{taken}{doubt}: {verdict.why}", facts=verdict.facts)

    def _of_reading(self, reading: LinkedClaim, said: str) -> ClaimVerdict:
        subject, relation, object_, value, _ = reading
        if object_:
            if self.facts.holds(relation, subject, object_):
                return ClaimVerdict("Entailment", facts=(self.facts.fact(subject, relation, object_),))
            for other in self._nesting.inverses(relation):
                if self.facts.holds(other, object_, subject):
                    return ClaimVerdict("Entailment", facts=(self.facts.fact(object_, other, subject),))
            if self.facts.holds(relation, object_, subject) and self._nesting.is_one_way(relation):
                fact = self.facts.fact(object_, relation, subject)
                return ClaimVerdict("Contradiction", "the graph has it the other way round", facts=(fact,))
        if value is not None:
            return self._of_value(subject, relation, value, quantities_of(said))
        found = ClaimVerdict("Neutral", "the graph has nothing of it")
        for one, uri, end in self._places(subject, relation, object_):
            others = self.facts.partners(one, uri, end)
            if not others:
                continue
            facts = self._facts(one, uri, end, others)
            if self._is_all(relation, others, (one, end)):
                claimed = object_ if uri == subject else subject
                why = self._nearby_facts(claimed, others, (one, "object" if end == "subject" else "subject"))
                label: ClaimLabel = "Neutral" if why else "Contradiction"
                return ClaimVerdict(label, why or _instead(self.facts, others), facts=facts)
            if uri == subject:
                found = ClaimVerdict("Neutral", "the graph has others, and there may be more", facts=facts)
        return found

    def _of_value(self, subject: str, relation: str, value: Value, said: Collection[Quantity]) -> ClaimVerdict:
        """Return the verdict on a value: a coarser or rounded one is entailed, a more exact or near one neutral.

        `said` has the value as quantities, which are compared across units; in a unit that is not known it is neutral.
        """
        held = self.facts.partners(relation, subject, "subject")
        doubt = ""
        for uri in held:
            if (known := value_of(self.facts.label(uri))) is None:
                continue
            quantities = quantities_of(self.facts.label(uri))
            is_equal = any(one.equals(other) for one in said for other in quantities)
            if is_equal or known.answers(value) or value.is_rounded(known):
                return ClaimVerdict("Entailment", facts=(self.facts.fact(subject, relation, uri),))
            near = "the graph has a number near it" if value.is_near(known) else ""
            is_known = not {one.kind for one in said}.isdisjoint(one.kind for one in quantities)
            unit = "the graph has it in another unit" if known.unit and value.unit and not is_known else ""
            doubt = doubt or (_LESS_EXACT if value.answers(known) else near or unit)
        if not held:
            return ClaimVerdict("Neutral", "the graph has nothing of it")
        facts = self._facts(relation, subject, "subject", held)
        if doubt:
            return ClaimVerdict("Neutral", doubt, facts=facts)
        if self._is_all(relation, held):
            return ClaimVerdict("Contradiction", _instead(self.facts, held), facts=facts)
        return ClaimVerdict("Neutral", "the graph has others, and there may be more", facts=facts)

    def _places(self, subject: str, relation: str, object_: str) -> Iterator[tuple[str, str, End]]:
        """Yield the places where the graph may have a competing entity, each as relation, known entity and its end."""
        yield relation, subject, "subject"
        inverses = self._nesting.inverses(relation)
        yield from ((other, subject, "object") for other in inverses)
        if object_:
            if relation in self._closed:
                yield relation, object_, "object"
            yield from ((other, object_, "subject") for other in inverses)

    def _facts(self, relation: str, uri: str, end: End, others: Sequence[str]) -> tuple[GraphFact, ...]:
        pairs = ((uri, other) if end == "subject" else (other, uri) for other in others[:_MOST_FACTS_SHOWN])
        return tuple(self.facts.fact(subject, relation, object_) for subject, object_ in pairs)

    def _is_all(self, relation: str, others: Sequence[str], place: RelationEnd | None = None) -> bool:
        """Return whether the graph has all entities that could take the place of the claimed one.

        `place` is the relation of `others` and the end of the known entity; by default the claim's relation and its
        subject.
        """
        by, end = place or (relation, "subject")
        if not self._closed.isdisjoint((relation, by)):
            return True
        own, inverse = self.facts.relations[relation].type, self.facts.relations[by].type
        types_of_one = own in _ONE_OBJECT and inverse in _ONE_SUBJECT if end == "object" else inverse in _ONE_OBJECT
        is_one = len(others) == 1 and types_of_one
        return self._open.isdisjoint((relation, by)) and (is_one or (end == "subject" and self.is_complete(by)))

    def is_complete(self, relation: str) -> bool:
        """Return whether the graph has all objects of a relation's subjects."""
        is_declared = self.facts.relations[relation].complete is True and relation not in self._open
        return relation in self._closed or is_declared

    def _nearby_facts(self, claimed: str, others: Sequence[str], place: RelationEnd) -> str:
        """Return why a claimed entity may be right beside those in the graph; empty if they contradict it."""
        if any(self._nesting.are_nested(claimed, other) for other in others):
            return _LESS_EXACT
        is_pair = self.facts.relations[place[0]].type == "1-1"  # here a whole cannot stand for its part
        is_alike = is_pair or place[0] in self._closed
        is_other = is_alike or any(
            self._nesting.are_alike(claimed, one, place) or self._nesting.are_apart(claimed, one) for one in others
        )
        return "" if is_other else _OTHER_KIND


def _instead(facts: GraphFacts, others: Sequence[str]) -> str:
    names = ", ".join(facts.label(uri) for uri in others[:_MOST_FACTS_SHOWN])
    return f"the graph has {names}{', …' * (len(others) > _MOST_FACTS_SHOWN)}"
