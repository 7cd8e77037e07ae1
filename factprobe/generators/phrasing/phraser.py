"""Phrasing of facts by a model in rounds: requests, reading of replies, and requests after rejected replies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from factprobe.components.prompts import Prompt, RepeatedPrompt, Wording
from factprobe.endings import ending_of
from factprobe.generators.base import Fact
from factprobe.generators.ids import parts_of_id, question_id
from factprobe.generators.phrasing.checks import BrokenRuleError, NameIndex, read_question, read_statement
from factprobe.generators.relation_view import RelationView
from factprobe.periods import Day
from factprobe.question_types import End, QuestionType
from factprobe.records import Entity, Message, PlainRequest, RelationSummary, Response, Statement
from factprobe.templating import Template
from factprobe.text import one_line

_PLACEHOLDERS = ("relation", "description", "statement", "gap", "given", "answer", "subject", "object")
"""Placeholders that a prompt may have."""


class Phrase(Struct, frozen=True, omit_defaults=True):
    """Fact in the words of a model; if it has neither statement nor question, the template is used."""

    phrase_id: str
    """`<subject_uri>:<object_uri>:<relation>:phrase:<form>`."""
    statement: Statement | None = None
    """Sentence that states the fact."""
    question: str = ""
    """Question whose answer is one end of the fact."""
    faults: tuple[str, ...] = ()
    """Rules that the rejected replies broke, in order."""

    @property
    def is_accepted(self) -> bool:
        """True if the model's phrasing was accepted."""
        return bool(self.statement or self.question)


class Phraser(ABC):
    """Base class of phrasers, which write requests for phrasings of one relation's facts and read the replies.

    `faults` has the message to the model about a rejected phrasing, by the rule that it broke; `ends` and `types` are
    those of the questions, `blank` stands for a missing name, and `day` is the day on which facts have to hold.
    """

    forms: ClassVar[Mapping[str, End]]
    """Forms of phrasings (last part of their ids), each with the end that is asked for or masked."""

    def __init__(
        self,
        wording: Wording,
        faults: Mapping[str, str],
        summary: RelationSummary,
        template: Template,
        ends: Sequence[End],
        blank: str,
        types: Collection[QuestionType],
        day: Day | None,
    ) -> None:
        self._prompt = RepeatedPrompt(wording, (), _PLACEHOLDERS, "generator.phrasing")
        self._faults = faults
        self._relation = summary.relation_info
        self._template, self._blank, self._ends = template, blank, ends
        self._of_every_fact = not {"binary_answer", "multi_choices"}.isdisjoint(types)
        self._types = frozenset(types)
        self._views: dict[End, RelationView] = {end: RelationView(summary, end, day) for end in ("subject", "object")}
        self._indexes: dict[tuple[str, End], NameIndex] = {}

    def requests(self, facts: Iterable[Fact]) -> Iterator[PlainRequest]:
        """Yield the first requests, fact by fact, without facts that lack a name or that no question is about."""
        seen: set[tuple[str, End]] = set()
        for fact in facts:
            try:
                subject, object_ = self._entities(fact)
            except KeyError:  # the questioner reports facts that the summary lacks
                continue
            ends = [end for end in self._ends if self._is_asked_for(fact, end, seen)]
            if not (subject.names() and object_.names()):
                continue
            for form, end in self.forms.items():
                if self._is_wanted(end, ends):
                    values = self._values(subject, object_, end)
                    yield PlainRequest(phrase_id(fact, self._relation.relation, form), self._prompt.fill(values))

    def retries(self, replies: Iterable[tuple[PlainRequest, Response | None]], number: int) -> Iterator[PlainRequest]:
        """Yield requests to replace rejected replies, with the reason; `number` is the number of the retry, from 1."""
        for request, response in replies:
            name = request.question_id
            phrase = self.read(name, response)
            if phrase.is_accepted or response is None or response.failed:
                continue
            values = self._values(*self._entities(_fact_of(name)), self.forms[name.rpartition(":")[2]])
            [fault] = phrase.faults
            [what] = Prompt(fault, (Message("user", self._faults[fault]),), (), values).fill(values)
            yield PlainRequest(name, self._prompt.fill_for_retry(values, what.content, number))

    def read(self, name: str, response: Response | None) -> Phrase:
        """Return the phrasing in a response; if it is rejected, only with the rule that it broke."""
        try:
            if response is None or response.failed:
                raise BrokenRuleError("no_reply")
            if ending_of(response.finish_reason) == "cut":
                raise BrokenRuleError("cut_off")
            return self._read(name, response.response or "", *self._entities(_fact_of(name)))
        except BrokenRuleError as broken:
            return Phrase(name, faults=broken.args)

    def _is_asked_for(self, fact: Fact, end: End, seen: set[tuple[str, End]]) -> bool:
        """Return whether a question that asks for an end of a fact needs a phrasing of this fact.

        Short-answer questions about an entity use the phrasing of its first fact only. `seen` has the entities in the
        questions of earlier facts, with the ends asked for; that of this fact is added.
        """
        known, right = (fact.subject_uri, fact.object_uri)[:: 1 if end == "object" else -1]
        view = self._views[end]
        if not view.is_valid_on_day(known, right):
            return False
        if self._of_every_fact:
            return True
        if (known, end) in seen:
            return False
        seen.add((known, end))
        return ("multiple_answer" if len(view.answers(known)) > 1 else "single_answer") in self._types

    @abstractmethod
    def _is_wanted(self, end: End, ends: Collection[End]) -> bool:
        """Return whether questions that ask for some ends need the phrasing for one end."""

    @abstractmethod
    def _read(self, name: str, reply: str, subject: Entity, object_: Entity) -> Phrase:
        """Return the phrasing in a reply; raise a `BrokenRuleError` if it breaks a rule."""

    def _entities(self, fact: Fact) -> tuple[Entity, Entity]:
        view = self._views["object"]
        return view.given_entity(fact.subject_uri), view.sought_entity(fact.object_uri)

    def _answers(self, known: str, sought: End) -> NameIndex:
        """Return an index of the names of all answers that are right at any time; cached if there are several."""
        index = self._indexes.get((known, sought))
        if index is None:
            view = self._views[sought]
            answers = [*view.answers(known), *view.outdated_answers(known)]
            index = NameIndex(map(view.sought_entity, answers))
            if len(answers) > 1:
                self._indexes[known, sought] = index
        return index

    def _values(self, subject: Entity, object_: Entity, end: End) -> dict[str, str]:
        labels = one_line(subject.label), one_line(object_.label)
        given, answer = labels if end == "object" else labels[::-1]
        ends = (given, self._blank) if end == "object" else (self._blank, given)
        return {
            "subject": labels[0],
            "object": labels[1],
            "given": given,
            "answer": answer,
            "relation": self._relation.label or self._relation.relation,
            "description": self._relation.description,
            "statement": self._template.fill(*labels).text,
            "gap": self._template.fill(*ends, end).text,
        }


class SentencePhraser(Phraser):
    """Phraser that asks for one sentence for each fact, from which questions about both ends are made."""

    forms: ClassVar[Mapping[str, End]] = {"sentence": "object"}

    def _is_wanted(self, end: End, ends: Collection[End]) -> bool:  # noqa: ARG002  # one sentence serves both ends
        return bool(ends)

    def _read(self, name: str, reply: str, subject: Entity, object_: Entity) -> Phrase:
        known: dict[End, str] = {"object": subject.uri, "subject": object_.uri}
        others = [self._answers(known[end], end) for end in self._ends]
        return Phrase(name, read_statement(reply, subject, object_, others))


class QuestionPhraser(Phraser):
    """Phraser that asks for one question for each fact and each end that is asked for."""

    forms: ClassVar[Mapping[str, End]] = {"ask_object": "object", "ask_subject": "subject"}

    def _is_wanted(self, end: End, ends: Collection[End]) -> bool:
        return end in ends

    def _read(self, name: str, reply: str, subject: Entity, object_: Entity) -> Phrase:
        asks_object = self.forms[name.rpartition(":")[2]] == "object"
        known = subject if asks_object else object_
        answers = self._answers(known.uri, "object" if asks_object else "subject")
        return Phrase(name, question=read_question(reply, known, answers, known_is_subject=asks_object))


def phrase_id(fact: Fact, relation: str, form: str) -> str:
    """Return the id of a fact's phrasing."""
    return question_id(fact.subject_uri, fact.object_uri, relation, "phrase", form)


def _fact_of(name: str) -> Fact:
    return Fact(*parts_of_id(name)[:2])


Replies = Callable[[str], Iterable[tuple[PlainRequest, Response | None]]]
"""Function that returns the requests of a relation, given by name, with their responses."""
Ask = Callable[[int, Mapping[str, Iterable[PlainRequest]]], Replies | None]
"""Function that sends the requests of a round, given its number from 0 and the requests by relation, and returns the
replies, or None without requests."""


def phrase_facts(
    phraser: Callable[[str], Phraser], facts: Mapping[str, Iterable[Fact]], ask: Ask, tries: int
) -> PhrasingResult:
    """Let a model phrase the facts of relations, with at most `tries` requests for each fact."""
    rounds: list[Replies] = []

    def next_requests(name: str) -> Iterator[PlainRequest]:  # lazy, so that one summary is in memory at a time
        if rounds:
            yield from phraser(name).retries(rounds[-1](name), len(rounds))
        else:
            yield from phraser(name).requests(facts[name])

    for number in range(tries):
        replies = ask(number, {name: next_requests(name) for name in facts})
        if replies is None:
            break
        rounds.append(replies)
    return PhrasingResult(phraser, rounds)


class PhrasingResult:
    """Phrasings of the facts of relations, with counts of rejected replies."""

    def __init__(self, phraser: Callable[[str], Phraser], rounds: Sequence[Replies]) -> None:
        self._phraser, self._rounds = phraser, rounds
        self.faults: Counter[str] = Counter()
        """Number of replies that broke each rule, in the relations read so far."""
        self.fallbacks: Counter[str] = Counter()
        """Number of facts without an accepted phrasing, by the rule that the last reply broke."""
        self.count = 0
        """Number of phrasings asked for: one for each fact, or for each end of a fact."""

    def phrases_of(self, name: str) -> Iterator[Phrase]:
        """Yield the phrasings of a relation, accepted or not, in the order of its facts."""
        phrases: dict[str, Phrase] = {}
        phraser = self._phraser(name)
        for replies in self._rounds:
            for request, response in replies(name):
                read = phraser.read(request.question_id, response)
                before = phrases[read.phrase_id].faults if read.phrase_id in phrases else ()
                phrases[read.phrase_id] = replace(read, faults=(*before, *read.faults))
        for phrase in phrases.values():
            self.count += 1
            self.faults.update(phrase.faults)
            if not phrase.is_accepted:
                self.fallbacks[phrase.faults[-1]] += 1
            yield phrase
