"""Claims checked against a graph: by the facts that it has, and by how many a relation allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from factprobe.checkers.base import Checker
from factprobe.checkers.linking import LinkedClaim, Linker, is_joined, says_more, status_of
from factprobe.checkers.listed import with_lists
from factprobe.checkers.nearest import THRESHOLD, Nearest
from factprobe.claims.facts import GraphFacts, Place
from factprobe.claims.graph import ClaimReader, reader_of
from factprobe.config import NotEmpty
from factprobe.errors import UnknownNameError
from factprobe.parts.base import PartSettings
from factprobe.question_types import End
from factprobe.reading.language import vocabulary
from factprobe.reading.values import Value, value_of
from factprobe.records import Claim, ClaimedText, ClaimLabel, ClaimVerdict, GraphFact
from factprobe.text import quote

if TYPE_CHECKING:
    from factprobe.models.embedders import Embedder

_SHOWN = 5
"""Facts that a verdict is given, of an entity that has more of a relation."""
_KINDEST: tuple[ClaimLabel, ...] = ("Entailment", "Neutral")
"""What one of several readings makes of a claim, before the others."""
_ONE_OBJECT = ("1-1", "N-1")
_LESS_EXACT = "the graph has it more or less exact"
_OTHER_KIND = "the graph has another kind of thing, and both may be right"


class GraphCheckerSettings(PartSettings, frozen=True, kw_only=True):
    """The settings of the graph checker."""

    closed: tuple[str, ...] | Literal["all"] = ()
    """Relations of which the graph has every object of each subject that it has any of, by their ids; or `all`."""
    open: tuple[str, ...] = ()
    """Relations of which it may lack facts, though it says that a subject has but one object, or that it has all of
    them: what it has not may be right."""
    embedder: NotEmpty | dict[str, Any] | None = None
    """What tells which relation is meant by words that no wording of the graph fits, so that its facts entail what they
    say: `minilm`, a sentence-transformers model or folder, or an endpoint: `{backend: openai, model:
    text-embedding-3-small}`; by default nothing does."""
    similarity: Annotated[float, Meta(gt=0, le=1)] = THRESHOLD
    """How alike such words must be to a label or template (cosine); see `embedder`."""


class GraphChecker(Checker):
    """Goes by the facts of the graph alone; no reference is read, and no model asked but for embeddings.

    A fact of the graph entails the claim. It contradicts it where the graph has another object of the same subject in
    its place: the relation allows but one, or the graph is said to have all, by its source (`complete`) or by the user
    (`closed`); a relation that says the same the other way round is read alike. Another subject of the same object
    contradicts it only by `closed`. A smaller or larger thing than the graph's is neither right nor wrong. What denies
    a relation is right where the relation is wrong, and what leaves it open is neither. Of an ambiguous name any entity
    may make the claim right, and all of whom the graph knows something have to make it wrong. A sentence is as wrong as
    one of its claims, and right when all that it claims of the graph's entities is. In a list of objects with a right
    one the others are left open. What is linked by the likeness of its words alone is entailed or open.
    """

    settings_type = GraphCheckerSettings
    settings: GraphCheckerSettings
    wants_graph = True
    wants_references = False
    embedder: Embedder | None = None
    """The one that the settings name; whoever builds the checker gives it."""

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        """See the base class.

        Raises:
            UnknownNameError: the settings name a relation that the graph has not.
            ModelError: the embedder cannot be loaded, or does not answer.
        """
        assert self.graph is not None
        reader, nearest = reader_of(self.graph), None
        if self.embedder is not None:
            nearest = Nearest(reader.facts.relations, self.embedder, self.settings.similarity)
        linker = Linker(reader, nearest)
        judge = _Judge(reader, linker, self.settings)
        if nearest is not None:
            nearest.read(linker.unworded(chain.from_iterable(text.claims for text in texts)))
        return (with_lists(text, [*map(judge.verdict, text.claims)], judge.is_complete) for text in texts)


class _Judge:
    def __init__(self, reader: ClaimReader, linker: Linker, settings: GraphCheckerSettings) -> None:
        self.reader, self.facts = reader, reader.facts
        self._linker, self._nesting = linker, reader.nesting
        known = self.facts.relations
        closed = known if settings.closed == "all" else settings.closed
        for relation in (*closed, *settings.open):
            if relation not in known:
                raise UnknownNameError(f"relation of the graph for checker {settings.name}", relation, known)
        self._closed = frozenset(closed).difference(settings.open)
        self._open = frozenset(settings.open)

    def verdict(self, claim: Claim) -> ClaimVerdict:
        """What the graph says of a claim."""
        if len(claim.parts) == 3:
            return self._unless_namesake(claim, self._of_triplet(claim))
        found = [self.verdict(one) for one in self.reader.claims(claim.text)]
        if not found:
            return ClaimVerdict("Neutral", "no relation of the graph between two of its entities is told")
        order: tuple[ClaimLabel, ...] = ("Contradiction", "Neutral", "Entailment")
        label = next(label for label in order if any(one.label == label for one in found))
        deciding = [one for one in found if one.label == label]
        facts = dict.fromkeys(fact for one in deciding for fact in one.facts)
        return ClaimVerdict(label, deciding[0].why, facts=tuple(facts))

    def _unless_namesake(self, claim: Claim, verdict: ClaimVerdict) -> ClaimVerdict:
        """No contradiction where one of the names may be that of something that the graph does not know."""
        if verdict.label != "Contradiction":
            return verdict
        unsure = [name for name in (claim.parts[0], claim.parts[2]) if self._linker.names.perhaps(name)]
        if not unsure:
            return verdict
        return ClaimVerdict(
            "Neutral", f"{quote(unsure[0])} may be a namesake of what the graph has", facts=verdict.facts
        )

    def _of_triplet(self, claim: Claim) -> ClaimVerdict:
        nothing = ""
        for readings, missing in self._linker.readings(claim):
            found = [(reading, self._judged(claim, reading)) for reading in readings]
            nothing = nothing or (found[0][1].why if found else missing)
            fits = {one.relation for one, verdict in found if verdict.facts and verdict.why != _OTHER_KIND}
            known = [
                self._said(claim, one, verdict)
                for one, verdict in found
                if verdict.facts and (one.relation in fits or not fits)
            ]
            if known:
                return next((one for label in _KINDEST for one in known if one.label == label), known[0])
        return ClaimVerdict("Neutral", nothing)

    def _said(self, claim: Claim, reading: LinkedClaim, verdict: ClaimVerdict) -> ClaimVerdict:
        """Return the verdict on a reading as the words of its relation have it: they may deny it, or leave it open."""
        text = claim.parts[1]
        if reading.near is not None or reading.relation in self.reader.wordings.called(text):
            return verdict
        own = self.reader.wordings.words[reading.relation]
        if verdict.label == "Contradiction" and self._is_whereabouts(text, reading, verdict):
            return ClaimVerdict("Neutral", _OTHER_KIND, facts=verdict.facts)
        says = status_of(self.reader, claim, reading.relation)
        is_wrong = says == "affirmed" and verdict.label == "Contradiction" and is_joined(text, own)
        if says == "open" or (verdict.label != "Neutral" and says_more(text, own) and not is_wrong):
            return ClaimVerdict("Neutral", f"{quote(text)} leaves open whether it is so", facts=verdict.facts)
        if says == "affirmed" or verdict.label == "Neutral":
            return verdict
        is_held = verdict.label == "Entailment"
        return ClaimVerdict(
            "Contradiction" if is_held else "Entailment", "the graph has it" if is_held else "", facts=verdict.facts
        )

    def _is_whereabouts(self, text: str, reading: LinkedClaim, verdict: ClaimVerdict) -> bool:
        """Whether words lead to where the one object of a relation is, and not to that: capital is in, Europe."""
        place: Place = (reading.relation, "object")
        return (
            self.facts.relations[reading.relation].type == "1-1"
            and all(fact.uris[0] == reading.subject for fact in verdict.facts)
            and bool(reading.object)
            and not vocabulary("place_preposition").isdisjoint(text.lower().split()[-1:])
            and not (self.facts.stands(reading.object, *place) or self._nesting.may_be(reading.object, place))
        )

    def _judged(self, claim: Claim, reading: LinkedClaim) -> ClaimVerdict:
        """What the graph says of a reading; of one by the likeness of words alone, that it is so or nothing."""
        verdict = self._of_reading(reading)
        if reading.near is None:
            return verdict
        taken = f"{quote(claim.parts[1])} is taken for {reading.near}"
        if status_of(self.reader, claim, reading.relation) != "affirmed":
            return ClaimVerdict("Neutral", f"{taken}, and denies it or leaves it open", facts=verdict.facts)
        if verdict.label == "Entailment":
            return replace(verdict, why=taken)
        doubt = ", by which nothing is contradicted" if verdict.label == "Contradiction" else ""
        return ClaimVerdict("Neutral", f"{taken}{doubt}: {verdict.why}", facts=verdict.facts)

    def _of_reading(self, reading: LinkedClaim) -> ClaimVerdict:
        subject, relation, object_, value, _ = reading
        if object_:
            if self.facts.holds(relation, subject, object_):
                return ClaimVerdict("Entailment", facts=(self.facts.fact(subject, relation, object_),))
            for other in self.facts.inverses(relation):
                if self.facts.holds(other, object_, subject):
                    return ClaimVerdict("Entailment", facts=(self.facts.fact(object_, other, subject),))
            if self.facts.holds(relation, object_, subject) and self._nesting.is_one_way(relation):
                fact = self.facts.fact(object_, relation, subject)
                return ClaimVerdict("Contradiction", "the graph has it the other way round", facts=(fact,))
        if value is not None:
            return self._of_value(subject, relation, value)
        found = ClaimVerdict("Neutral", "the graph has nothing of it")
        for one, uri, end in self._places(subject, relation, object_):
            others = self.facts.partners(one, uri, end)
            if not others:
                continue
            facts = self._facts(one, uri, end, others)
            if self._is_all(relation, others, (one, end)):
                claimed = object_ if uri == subject else subject
                why = self._beside(claimed, others, (one, "object" if end == "subject" else "subject"))
                label: ClaimLabel = "Neutral" if why else "Contradiction"
                return ClaimVerdict(label, why or _instead(self.facts, others), facts=facts)
            if uri == subject:
                found = ClaimVerdict("Neutral", "the graph has others, and there may be more", facts=facts)
        return found

    def _of_value(self, subject: str, relation: str, value: Value) -> ClaimVerdict:
        """What the graph says of a date or number; one that is less exact than the graph's is entailed."""
        held = self.facts.partners(relation, subject, "subject")
        less_exact = False
        for uri in held:
            known = value_of(self.facts.label(uri))
            if known is not None and known.answers(value):
                return ClaimVerdict("Entailment", facts=(self.facts.fact(subject, relation, uri),))
            less_exact = less_exact or (known is not None and value.answers(known))
        if not held:
            return ClaimVerdict("Neutral", "the graph has nothing of it")
        facts = self._facts(relation, subject, "subject", held)
        if less_exact:
            return ClaimVerdict("Neutral", _LESS_EXACT, facts=facts)
        if self._is_all(relation, held):
            return ClaimVerdict("Contradiction", _instead(self.facts, held), facts=facts)
        return ClaimVerdict("Neutral", "the graph has others, and there may be more", facts=facts)

    def _places(self, subject: str, relation: str, object_: str) -> Iterator[tuple[str, str, End]]:
        """Where others may stand in the place of one of two entities: the relation, the other entity and its end."""
        yield relation, subject, "subject"
        inverses = self.facts.inverses(relation)
        yield from ((other, subject, "object") for other in inverses)
        if object_:
            if relation in self._closed:
                yield relation, object_, "object"
            yield from ((other, object_, "subject") for other in inverses)

    def _facts(self, relation: str, uri: str, end: End, others: Sequence[str]) -> tuple[GraphFact, ...]:
        pairs = ((uri, other) if end == "subject" else (other, uri) for other in others[:_SHOWN])
        return tuple(self.facts.fact(subject, relation, object_) for subject, object_ in pairs)

    def _is_all(self, relation: str, others: Sequence[str], place: Place | None = None) -> bool:
        """Whether there are no more in the place of what is claimed than the graph has.

        Args:
            relation: of the claim.
            others: those of the graph.
            place: the relation that has them and the end of the other entity, where it is not the claim's own subject.
        """
        by, end = place or (relation, "subject")
        if not self._closed.isdisjoint((relation, by)):
            return True
        is_one = len(others) == 1 and self.facts.relations[by if end == "subject" else relation].type in _ONE_OBJECT
        return self._open.isdisjoint((relation, by)) and (is_one or (end == "subject" and self.is_complete(by)))

    def is_complete(self, relation: str) -> bool:
        """Whether the graph has all objects of the subjects of a relation."""
        is_declared = self.facts.relations[relation].complete is True and relation not in self._open
        return relation in self._closed or is_declared

    def _beside(self, claimed: str, others: Sequence[str], place: Place) -> str:
        """Why an entity may be right beside those that the graph has at that end of a relation, if it may."""
        if any(self._nesting.are_nested(claimed, other) for other in others):
            return _LESS_EXACT
        is_pair = self.facts.relations[place[0]].type == "1-1"  # of which no larger thing stands for a smaller one
        is_alike = is_pair or place[0] in self._closed
        is_other = is_alike or any(
            self._nesting.are_alike(claimed, one, place) or self._nesting.are_apart(claimed, one) for one in others
        )
        return "" if is_other else _OTHER_KIND


def _instead(facts: GraphFacts, others: Sequence[str]) -> str:
    names = ", ".join(facts.label(uri) for uri in others[:_SHOWN])
    return f"the graph has {names}{', …' * (len(others) > _SHOWN)}"
