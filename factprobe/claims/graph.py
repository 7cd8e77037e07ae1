"""Claims without a language model: a graph's entities in a sentence, and the relation that its words tell of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from factprobe.claims.asserted import asserted
from factprobe.claims.attachment import is_loose, is_of_both, is_put_before
from factprobe.claims.base import ClaimExtractor
from factprobe.claims.facts import EntityMention, GraphFacts, facts_of
from factprobe.claims.former import is_former_state
from factprobe.claims.mentioned import (
    in_lines,
    in_small_letters,
    is_adjective,
    is_attribute,
    is_kind,
    is_part,
    whole,
    with_other_names,
)
from factprobe.claims.namesakes import Namesakes
from factprobe.claims.nesting import Nesting
from factprobe.claims.pairs import Pair, pairs
from factprobe.claims.phrases import is_apposition_of_place, preposition
from factprobe.claims.places import Located, Places
from factprobe.claims.pronouns import Sentence, opening
from factprobe.claims.reaching import is_whereabouts
from factprobe.claims.surroundings import Surroundings
from factprobe.claims.told import Told
from factprobe.claims.wordings import Wordings
from factprobe.question_types import End
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.sentences import sentences
from factprobe.reading.values import values_in
from factprobe.records import Claim, Claimed, ClaimFormat, Item, RelationSummary, Span

_BESIDE = 5
"""Names on each side of a date or number that may be what it is told of."""
_NOT = in_order("negation_not")[0]


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
        self.nesting = Nesting(facts)
        self.wordings = Wordings(facts.relations.values())
        self.places = Places(facts, self.nesting, self.wordings)
        self._namesakes = Namesakes(facts, self.places)

    def claims(self, text: str) -> Iterator[Claim]:
        """The claims of a text, in the order of its sentences, with their spans in it."""
        text = in_lines(text)
        mentions = self.facts.mentions(text)
        at = 0
        before: Sentence | None = None
        for start, end in sentences(text):
            while at < len(mentions) and mentions[at].start < start:
                at += 1
            first = at
            while at < len(mentions) and mentions[at].start < end:
                at += 1
            named = [*opening(text, start, before, self.facts), *mentions[first:at]]
            before = Sentence((start, end), named)
            if text[start:end].isupper():
                text, named = in_small_letters(text, start, end, named)
            if not text[start:end].rstrip("\"'”’)").endswith("?"):
                yield from self._in_sentence(text, start, end, named)

    def _in_sentence(self, text: str, start: int, end: int, mentions: list[EntityMention]) -> Iterator[Claim]:
        values: list[EntityMention] = []
        if any(map(str.isdigit, text[start:end])):
            found = [(start + value.start, start + value.end) for value in values_in(text[start:end])]
            is_valued = bool(self.facts.value_relations)
            mentions = [one for one in mentions if not is_part(one, found, whole=is_valued)]
            values = [EntityMention(*span, self.facts.named(text[slice(*span)])) for span in found if is_valued]
        if not mentions or len(mentions) + len(values) < 2:
            return
        mentions = [one for one in whole(text, start, end, mentions) if not is_adjective(text, one)]
        if "(" in text[start:end]:
            mentions = with_other_names(text, mentions)
        mentions, located = self.places.located(text, (start, end), mentions)
        mentions, located = self._namesakes.without(text, (start, end), mentions, located)
        for pair in pairs(text, start, end, mentions):
            yield from self._claim(text, start, end, pair, frozenset())
        yield from (self._located(text, one) for one in located)
        starts = [one.start for one in mentions]
        for value in values:
            at = bisect_left(starts, value.start)
            near = [*mentions[max(at - _BESIDE, 0) : at], value, *mentions[at : at + _BESIDE]]
            begin = mentions[at - _BESIDE - 1].end if at > _BESIDE else start
            last = mentions[at + _BESIDE].start if at + _BESIDE < len(mentions) else end
            for pair in pairs(text, begin, last, near):
                if value in (pair.first, pair.second):
                    yield from self._claim(text, start, end, pair, self.facts.value_relations)

    def _claim(self, text: str, start: int, end: int, pair: Pair, valued: frozenset[str]) -> Iterator[Claim]:
        """The claim that the words around two names make, if any.

        Args:
            text: all of it.
            start: where the sentence begins.
            end: where it ends.
            pair: the names and the words.
            valued: the relations that are told of a value; empty where both are names.
        """
        found = self.wordings.best_told(pair.around, lambda one: self._fitting(text, one, pair, valued))
        if not found:
            return
        one = max(found, key=lambda one: self._likely(one, pair)) if len(found) > 1 else found[0]
        stance = asserted(text, start, end, pair, one, self.wordings.words[one.relation])
        subject, object_ = _ends(one, pair)
        if stance == "open" or self._is_of_former_days(text, one, pair):
            return
        if (
            subject.uris == object_.uris
            or not subject.uris
            or is_kind(text, subject)
            or (not valued and self._is_of_unknown(text, start, pair))
            or (object_ is pair.second and not one.firm and is_attribute(pair))
        ):
            return
        uris = self._meant(subject, one.relation, "subject"), one.relation, self._meant(object_, one.relation, "object")
        label = self.facts.relations[one.relation].label or one.relation
        if stance == "denied":
            label = f"{_NOT} {label}"
        head, tail = (one.name or text[one.start : one.end] for one in (subject, object_))
        spans = _span(text, subject), one.span(pair.around), _span(text, object_)
        yield Claim((head, label, tail), spans, uris)

    def _is_of_unknown(self, text: str, start: int, pair: Pair) -> bool:
        """Whether one of two names is that of nobody, or of the larger place beside one that is not known."""
        if not (pair.first.uris and pair.second.uris):
            return True
        is_closed = text[pair.first.end : pair.first.end + 1] == ","  # the capital of Ontario, Canada, is
        return self.places.is_beside_unknown(text, pair.first.end, pair.second) or (
            is_closed and self.places.is_beside_unknown(text, start, pair.first)
        )

    def _located(self, text: str, place: Located) -> Claim:
        """The claim that a place lies in the larger one beside it."""
        inner, outer, relation = place
        uris = self._meant(inner, relation, "subject"), relation, self._meant(outer, relation, "object")
        spans = (inner.start, inner.end), (inner.end, outer.start), (outer.start, outer.end)
        inner_name, outer_name = (one.name or text[one.start : one.end] for one in (inner, outer))
        return Claim((inner_name, self.facts.relations[relation].label or relation, outer_name), spans, uris)

    def _fitting(self, text: str, told: Told, pair: Pair, valued: frozenset[str]) -> int:  # noqa: PLR0911  # a list of cases
        """How many of two names could stand at the ends of a relation; -1 where it is not told of them."""
        if bool(valued) != (told.relation in self.facts.value_relations):
            return -1  # a date is no place, and has none
        subject, object_ = _ends(told, pair)
        fits = self._stands(subject, told.relation, "subject")
        if valued and (not fits or _is_of_another(told, pair)):
            return -1
        ends = fits + (bool(valued) or self._stands(object_, told.relation, "object"))
        if ends < 2 and not (told.firm and self._are_of_kind(told, pair) and not is_attribute(pair)):
            return -1 if told.firm else ends
        here = Surroundings(text, pair, told)
        if not is_of_both(here):
            return -1
        if ends < 2 and (is_whereabouts(here) or (not fits and told.subject_first and is_put_before(here))):
            return -1
        is_far = told.subject_first and not told.wording.parts[0] and preposition(here) >= 0
        if is_far and not fits:
            return -1  # a man from Ulm who was born in
        if is_apposition_of_place(here) and not self._stands(pair.first, told.relation, _first_end(told)):
            return -1  # lived in Ulm, author of
        if is_loose(here) and (told.wording.is_noun or self._is_of_passed(told, pair)):
            return -1
        return ends

    def _stands(self, mention: EntityMention, relation: str, end: End) -> bool:
        """Whether a name could stand at an end of a relation, by its facts or its kind, so that a relation is told of a
        wrong object as of the right one."""
        return any(
            self.facts.stands(uri, relation, end) or self.nesting.may_be(uri, (relation, end)) for uri in mention.uris
        )

    def _is_of_passed(self, told: Told, pair: Pair) -> bool:
        """Whether one of the names between could stand where the first does."""
        return any(self._stands(one, told.relation, _first_end(told)) for one in pair.passed)

    def _are_of_kind(self, told: Told, pair: Pair) -> bool:
        """Whether two names are of the kinds that a relation is told of, where its words say only where a thing is."""
        is_place = told.wording.is_place
        return not is_place or (
            self._is_of_kind(pair.first, told, is_first=True) and self._is_of_kind(pair.second, told)
        )

    def _is_of_kind(self, mention: EntityMention, told: Told, *, is_first: bool = False) -> bool:
        """Whether the first name or the second is of the kind that stands at its end of a relation."""
        end: End = "subject" if told.subject_first == is_first else "object"
        return any(self.nesting.is_typical(uri, (told.relation, end)) for uri in mention.uris)

    def _is_of_former_days(self, text: str, told: Told, pair: Pair) -> bool:
        """Whether a state that may have ended is told in the past; of people all is."""
        return self.facts.may_end(told.relation) and is_former_state(Surroundings(text, pair, told))

    def _likely(self, told: Told, pair: Pair) -> tuple[bool, int]:
        """Of relations that are told alike one by which the graph has anything of the subject comes first, then the one
        with most such objects."""
        subject, object_ = _ends(told, pair)
        holds = any(self.facts.partners(told.relation, uri, "subject") for uri in subject.uris)
        return holds, max((len(self.facts.partners(told.relation, uri, "object")) for uri in object_.uris), default=0)

    def _meant(self, mention: EntityMention, relation: str, end: End) -> str:
        """The one entity that can be meant; empty where there are several."""
        if mention.is_open:
            return ""
        found = [uri for uri in mention.uris if self.facts.stands(uri, relation, end)] or mention.uris
        return found[0] if len(found) == 1 else ""


def _span(text: str, mention: EntityMention) -> Span:
    """Where a name itself stands, without the larger place that it reaches over."""
    is_itself = bool(mention.name) and text.startswith(mention.name, mention.start)
    return mention.start, mention.start + len(mention.name) if is_itself else mention.end


def _ends(told: Told, pair: Pair) -> tuple[EntityMention, EntityMention]:
    return (pair.first, pair.second) if told.subject_first else (pair.second, pair.first)


def _first_end(told: Told) -> End:
    return "subject" if told.subject_first else "object"


def _is_of_another(told: Told, pair: Pair) -> bool:
    """Whether a date or number is that of another statement, or is counted from one: born in 1997, wrote it in 2013;
    born two years before 1999."""
    _, between, after = pair.around
    first, last = told.places[1]
    tail = between[last + 1 :] if first <= last else ()
    mark = next((i for i, word in enumerate(tail) if word.text in ",;)"), len(tail))
    return (
        any(word.text.isdigit() for word in tail)
        or any(word.says for word in tail[mark:])
        or any(word.text in vocabulary("counted_from") for word in after[:1])
    )
