"""Checker that compares claims with the facts of a graph and with the cardinality of its relations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from factprobe.checkers.base import Checker
from factprobe.checkers.linking import LinkedClaim, TripletLinker, adds_words, is_covered, joins_word, status_in_claim
from factprobe.checkers.listed import with_lists
from factprobe.checkers.nearest import THRESHOLD, RelationEmbeddings
from factprobe.claims.by_graph.reader import ClaimReader, reader_of
from factprobe.components.base import PartSettings
from factprobe.config import NotEmpty
from factprobe.errors import UnknownNameError
from factprobe.kgs.fact_lookup import RelationEnd
from factprobe.question_types import End, other_end
from factprobe.reading.language import vocabulary
from factprobe.reading.values.value_parsing import value_of, with_unit
from factprobe.records import Claim, ClaimedText, ClaimLabel, ClaimVerdict, GraphFact
from factprobe.templating import templates_of
from factprobe.text import quote

if TYPE_CHECKING:
    from factprobe.models.embedders import Embedder

_MAX_SHOWN_FACTS = 5
_PRECEDENCE: tuple[ClaimLabel, ...] = ("Entailment", "Neutral")
"""Precedence of the labels of a claim's readings; without either, the first reading decides."""
_ONE_OBJECT_TYPES, _ONE_SUBJECT_TYPES = ("1-1", "N-1"), ("1-1", "1-N")
_DIFFERS_IN_DETAIL = "the graph has it more or less exact"
_OTHER_KIND = "the graph has another kind of thing, and both may be right"


class GraphCheckerSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the graph checker."""

    closed: tuple[str, ...] | Literal["all"] = ()
    """Ids of complete relations, or `all`: if the graph has any object of a subject, it has all of them."""
    open: tuple[str, ...] = ()
    """Ids of incomplete relations: claims that the graph lacks may be right, even if the graph declares the relation
    complete or has one object per subject."""
    embedder: NotEmpty | dict[str, Any] | None = None
    """Embedding model that links relation words to a relation if they match no wording of the graph: `minilm`, a
    sentence-transformers model or folder, or an endpoint (`{backend: openai, model: text-embedding-3-small}`); off by
    default."""
    similarity: Annotated[float, Meta(gt=0, le=1)] = THRESHOLD
    """Minimum cosine similarity of relation words to a relation's label or template, if `embedder` is set."""


class GraphChecker(Checker):
    """Checker that reads only the facts of the graph, without references.

    The only model called is the optional embedder. The rules are:

    - A claim is entailed if it is a fact of the graph, or its reverse is a fact of the inverse relation.
    - It is contradicted if the graph has another object of the subject, and all of the subject's objects: the relation
      has one object per subject, or the graph's source (`complete`) or the user (`closed`) declares it complete.
    - If the graph has another subject of the same object, the claim is contradicted only if the relation is `closed`.
    - A claim about a part of the graph's entity, or about a whole that contains it, is neutral.
    - The verdict on a negated claim is the opposite of that on the claim without the negation; hedged claims are
      neutral.
    - For an ambiguous name, one entity suffices for Entailment; for Contradiction, every entity with facts of the
      relation has to contradict the claim.
    - A sentence is contradicted if any of its claims is. It is entailed if all are, and each content word, name and
      number belongs to one of them.
    - If one object of an enumeration is entailed, contradicted ones become neutral.
    - A claim whose relation is linked by embedding similarity alone is never contradicted.
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
        relations = self.facts.relations
        closed = relations if settings.closed == "all" else settings.closed
        for relation in (*closed, *settings.open):
            if relation not in relations:
                raise UnknownNameError(f"relation of the graph for checker {settings.name}", relation, relations)
        self._closed = frozenset(closed).difference(settings.open)
        self._open = frozenset(settings.open)

    def verdict(self, claim: Claim) -> ClaimVerdict:
        """Return the graph's verdict on a triplet, or on the claims extracted from a sentence."""
        if len(claim.parts) == 3:
            return self._unless_namesake(claim, self._of_triplet(claim))
        claims = [*self.reader.claims(claim.text)]
        verdicts = [self.verdict(claim) for claim in claims]
        if not verdicts:
            return ClaimVerdict("Neutral", "no relation of the graph between two of its entities is told")
        order: tuple[ClaimLabel, ...] = ("Contradiction", "Neutral", "Entailment")
        label = next(label for label in order if any(one.label == label for one in verdicts))
        deciding = [verdict for verdict in verdicts if verdict.label == label]
        facts = tuple(dict.fromkeys(fact for one in deciding for fact in one.facts))
        relation_words = frozenset(chain.from_iterable(self.reader.words[one.uris[1]] for one in claims))
        spans = chain.from_iterable(one.spans for one in claims)
        if label == "Entailment" and not is_covered(claim.text, spans, relation_words):
            return ClaimVerdict("Neutral", "the graph has a part of it", facts=facts)
        return ClaimVerdict(label, deciding[0].why, facts=facts)

    def _unless_namesake(self, claim: Claim, verdict: ClaimVerdict) -> ClaimVerdict:
        """Return the verdict, with Contradiction replaced by Neutral if the claim may mean an unknown namesake."""
        if verdict.label != "Contradiction":
            return verdict
        unsure = [name for name in (claim.parts[0], claim.parts[2]) if self._linker.names.possible_places(name)]
        if not unsure:
            return verdict
        why = f"{quote(unsure[0])} may be a namesake of what the graph has"
        return ClaimVerdict("Neutral", why, facts=verdict.facts)

    def _of_triplet(self, claim: Claim) -> ClaimVerdict:
        missing_reason = ""
        for readings, missing in self._linker.link(claim):
            verdicts = [(reading, self._judge(claim, reading)) for reading in readings]
            missing_reason = missing_reason or (verdicts[0][1].why if verdicts else missing)
            relations = {one.relation for one, verdict in verdicts if verdict.facts and verdict.why != _OTHER_KIND}
            with_facts = [
                self._apply_assertion(claim, one, verdict)
                for one, verdict in verdicts
                if verdict.facts and (one.relation in relations or not relations)
            ]
            if with_facts:
                return next((one for label in _PRECEDENCE for one in with_facts if one.label == label), with_facts[0])
        return ClaimVerdict("Neutral", missing_reason)

    def _apply_assertion(self, claim: Claim, reading: LinkedClaim, verdict: ClaimVerdict) -> ClaimVerdict:
        """Adjust the verdict on a reading to the assertion status of its relation words."""
        text = claim.parts[1]
        if reading.near is not None or reading.relation in self.facts.relations_called(text):
            return verdict
        words = self.reader.words[reading.relation]
        if verdict.label == "Contradiction" and self._is_whereabouts(text, reading, verdict):
            return ClaimVerdict("Neutral", _OTHER_KIND, facts=verdict.facts)
        status = status_in_claim(self.reader, claim, reading.relation)
        is_wrong = status == "affirmed" and verdict.label == "Contradiction" and joins_word(text, words)
        if status == "open" or (verdict.label != "Neutral" and adds_words(text, words) and not is_wrong):
            return ClaimVerdict("Neutral", f"{quote(text)} leaves open whether it is so", facts=verdict.facts)
        if status == "affirmed" or verdict.label == "Neutral":
            return verdict
        if verdict.label == "Entailment":
            return ClaimVerdict("Contradiction", "the graph has it", facts=verdict.facts)
        return ClaimVerdict("Entailment", facts=verdict.facts)

    def _is_whereabouts(self, text: str, reading: LinkedClaim, verdict: ClaimVerdict) -> bool:
        """Return whether a claim gives the location of the object instead of the object ("capital is in", Europe)."""
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
        assumption = f"{quote(claim.parts[1])} is taken for {reading.near}"
        if status_in_claim(self.reader, claim, reading.relation) != "affirmed":
            return ClaimVerdict("Neutral", f"{assumption}, and denies it or leaves it open", facts=verdict.facts)
        if verdict.label == "Entailment":
            return replace(verdict, why=assumption)
        doubt = ", by which nothing is contradicted" if verdict.label == "Contradiction" else ""
        return ClaimVerdict("Neutral", f"{assumption}{doubt}: {verdict.why}", facts=verdict.facts)

    def _of_reading(self, reading: LinkedClaim, object_name: str) -> ClaimVerdict:
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
        if value is not None or relation in self.facts.value_types:
            return self._of_value(subject, relation, object_name)
        verdict = ClaimVerdict("Neutral", "the graph has nothing of it")
        for one, uri, end in self._places(subject, relation, object_):
            others = self.facts.summaries[one].partners(uri, end)
            if not others:
                continue
            facts = self._facts(one, uri, end, others)
            if self._is_all(relation, others, (one, end)):
                claimed = object_ if uri == subject else subject
                why = self._nearby_facts(claimed, others, (one, other_end(end)))
                label: ClaimLabel = "Neutral" if why else "Contradiction"
                return ClaimVerdict(label, why or _instead([*map(self.facts.label, others)]), facts=facts)
            if uri == subject:
                verdict = ClaimVerdict("Neutral", "the graph has others, and there may be more", facts=facts)
        return verdict

    def _of_value(self, subject: str, relation: str, claimed: str) -> ClaimVerdict:
        """Return the verdict on a date or number: entailed if it is a coarser or rounded form of the graph's.

        A more exact or similar value is neutral, and so is a text that is no value. Quantities are compared across
        units; one in a unit that cannot be converted is neutral. A unit that the relation's templates have beside the
        value ("[X] is [Y] km long") is that of the graph's values, and of claimed ones without a unit.
        """
        objects = self.facts.summaries[relation].partners(subject, "subject")
        templates = list(templates_of(self.facts.relations[relation]))
        names = [with_unit(templates, self.facts.label(uri)) for uri in objects]
        doubt = "" if value_of(claimed) or value_of(with_unit(templates, claimed)) else _OTHER_KIND
        for uri, name in zip(objects, names, strict=True):
            for text in dict.fromkeys((claimed, with_unit(templates, claimed))):
                is_entailed, reason = _compare_values(text, name)
                if is_entailed:
                    return ClaimVerdict("Entailment", facts=(self.facts.fact(subject, relation, uri),))
                doubt = doubt or reason
        if not objects:
            return ClaimVerdict("Neutral", "the graph has nothing of it")
        facts = self._facts(relation, subject, "subject", objects)
        if doubt:
            return ClaimVerdict("Neutral", doubt, facts=facts)
        if self._is_all(relation, objects):
            return ClaimVerdict("Contradiction", _instead(names), facts=facts)
        return ClaimVerdict("Neutral", "the graph has others, and there may be more", facts=facts)

    def _places(self, subject: str, relation: str, object_: str) -> Iterator[tuple[str, str, End]]:
        """Yield where competing facts may be: a relation, the entity that they share with the claim, and its end."""
        yield relation, subject, "subject"
        inverses = self._nesting.inverses(relation)
        yield from ((other, subject, "object") for other in inverses)
        if object_:
            if relation in self._closed:
                yield relation, object_, "object"
            yield from ((other, object_, "subject") for other in inverses)

    def _facts(self, relation: str, uri: str, end: End, others: Sequence[str]) -> tuple[GraphFact, ...]:
        pairs = ((uri, other) if end == "subject" else (other, uri) for other in others[:_MAX_SHOWN_FACTS])
        return tuple(self.facts.fact(subject, relation, object_) for subject, object_ in pairs)

    def _is_all(self, relation: str, others: Sequence[str], place: RelationEnd | None = None) -> bool:
        """Return whether the graph has all facts that could compete with a claim about a relation.

        `others` are the entities that the graph has in place of the claimed one. `place` is their relation, maybe an
        inverse one, and the end of the entity shared with the claim; by default `relation` and its subject.
        """
        other, end = place or (relation, "subject")
        if not self._closed.isdisjoint((relation, other)):
            return True
        own_type, other_type = self.facts.relations[relation].type, self.facts.relations[other].type
        has_one = other_type in (_ONE_OBJECT_TYPES if end == "subject" else _ONE_SUBJECT_TYPES)
        if end == "object":
            has_one = has_one and own_type in _ONE_OBJECT_TYPES
        is_only = len(others) == 1 and has_one
        return self._open.isdisjoint((relation, other)) and (is_only or (end == "subject" and self.is_complete(other)))

    def is_complete(self, relation: str) -> bool:
        """Return whether the user or the graph declares a relation complete, so that no object is missing."""
        is_declared = self.facts.relations[relation].complete is True and relation not in self._open
        return relation in self._closed or is_declared

    def _nearby_facts(self, claimed: str, others: Sequence[str], place: RelationEnd) -> str:
        """Return why a claimed entity may be right besides the graph's entities; empty if these contradict it."""
        if any(self._nesting.are_nested(claimed, other) for other in others):
            return _DIFFERS_IN_DETAIL
        is_pair = self.facts.relations[place[0]].type == "1-1"  # here a whole cannot stand for its part
        is_alike = is_pair or place[0] in self._closed
        is_other = is_alike or any(
            self._nesting.are_alike(claimed, uri, place) or self._nesting.are_apart(claimed, uri) for uri in others
        )
        return "" if is_other else _OTHER_KIND


def _instead(names: Sequence[str]) -> str:
    return f"the graph has {', '.join(names[:_MAX_SHOWN_FACTS])}{', …' * (len(names) > _MAX_SHOWN_FACTS)}"


def _compare_values(claimed: str, name: str) -> tuple[bool, str]:
    """Return whether a value of the graph entails a claimed one and, if not, why the claim may be right besides it."""
    value, right = value_of(claimed), value_of(name)
    if value is None or right is None:
        return False, ""
    if value.is_as_much(right) or right.answers(value) or value.is_rounded(right):
        return True, ""
    kinds = ({quantity.kind for quantity in one.quantities()} for one in (value, right))
    is_known = not set.isdisjoint(*kinds)
    unit = "the graph has it in another unit" if right.unit and value.unit and not is_known else ""
    near = "the graph has a number near it" if value.is_near(right) else ""
    return False, _DIFFERS_IN_DETAIL if value.answers(right) else near or unit
