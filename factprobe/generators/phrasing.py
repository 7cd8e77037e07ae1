"""Facts in a model's words: what it is asked about each, what of its replies is taken, and what is asked again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from factprobe.endings import ending_of
from factprobe.generators.checks import FAULTS, Broken, NameIndex, read_question, read_statement
from factprobe.generators.direction import Direction
from factprobe.generators.prompts import Prompt
from factprobe.generators.questioner import Fact, parts_of_id, question_id
from factprobe.question_types import End
from factprobe.records import Entity, Message, PlainRequest, RelationSummary, Response, Statement
from factprobe.templating import Template
from factprobe.text import one_line

_KNOWN = ("relation", "description", "statement", "gap", "given", "answer", "subject", "object")
"""What a wording may have a place for."""


class Wording(Struct, frozen=True, forbid_unknown_fields=True):
    """How a model is asked to phrase facts, a file of `conf/prompts/`."""

    messages: tuple[Message, ...]
    """Of a chat, with placeholders; pairs of `user` and `assistant` before the last one are examples."""
    again: str
    """What is added to the last message where a reply was not taken; `{fault}` says why."""


class Phrase(Struct, frozen=True, omit_defaults=True):
    """A fact in a model's words; without a statement and a question there are none, and its template stands in."""

    phrase_id: str
    """`<subject_uri>:<object_uri>:<relation>:phrase:<form>`."""
    statement: Statement | None = None
    """A sentence that states the fact."""
    question: str = ""
    """A question whose answer is one end of the fact."""
    faults: tuple[str, ...] = ()
    """The rules that the replies broke which were not taken, in their order."""

    @property
    def is_there(self) -> bool:
        """Whether there are words that were taken."""
        return bool(self.statement or self.question)


class Phraser(ABC):
    """Has the facts of one relation phrased.

    Args:
        wording: how the model is asked.
        summary: the relation's answer sets.
        template: its sentence.
        ends: which ends of the facts the questions ask for.
        blank: what stands for a missing name.
    """

    forms: ClassVar[Mapping[str, End]]
    """What is phrased of a fact: by the last part of the id the end that is left out, or may be."""

    def __init__(
        self, wording: Wording, summary: RelationSummary, template: Template, ends: Sequence[End], blank: str
    ) -> None:
        self._prompt = Prompt("messages", wording.messages, (), _KNOWN, "generator.phrasing")
        self._again = Prompt("again", (Message("user", wording.again),), ("fault",), (), "generator.phrasing")
        self._relation = summary.relation_info
        self._template, self._blank, self._ends = template, blank, ends
        self._directions: dict[End, Direction] = {end: Direction(summary, end) for end in ("subject", "object")}
        self._indexes: dict[tuple[str, End], NameIndex] = {}

    def requests(self, facts: Iterable[Fact]) -> Iterator[PlainRequest]:
        """What is asked first, fact by fact; nothing of one without a name at both ends."""
        for fact in facts:
            try:
                subject, object_ = self._entities(fact)
            except KeyError:  # it is no fact of the relation, which is told where its questions are made
                continue
            if not (subject.names() and object_.names()):
                continue
            for form, end in self.forms.items():
                if self._is_wanted(end):
                    values = self._values(subject, object_, end)
                    yield PlainRequest(phrase_id(fact, self._relation.relation, form), self._prompt.fill(values))

    def again(self, replies: Iterable[tuple[PlainRequest, Response | None]], number: int) -> Iterator[PlainRequest]:
        """What is asked where a reply was not taken: the same with the examples in another order, and what was wrong.

        Every try is another request, so that a cache and a model without chance have something new to say. The reply
        itself is not shown, for small models would only repeat it.

        Args:
            replies: those to the try before.
            number: of the try, from 1.
        """
        for request, response in replies:
            name = request.question_id
            found = self.read(name, response)
            if found.is_there or response is None or response.failed:
                continue
            values = self._values(*self._entities(_fact_of(name)), self.forms[name.rpartition(":")[2]])
            [fault] = found.faults
            [what] = Prompt(fault, (Message("user", FAULTS[fault]),), (), values).fill(values)
            [note] = self._again.fill({"fault": what.content})
            *before, last = _turned(self._prompt.fill(values), number)
            yield PlainRequest(name, (*before, replace(last, content=f"{last.content}\n{note.content}")))

    def read(self, name: str, response: Response | None) -> Phrase:
        """What is taken of a reply."""
        try:
            if response is None or response.failed:
                raise Broken("no_reply")
            if ending_of(response.finish_reason) == "cut":
                raise Broken("cut_off")
            return self._read(name, response.response or "", *self._entities(_fact_of(name)))
        except Broken as broken:
            return Phrase(name, faults=broken.args)

    @abstractmethod
    def _is_wanted(self, end: End) -> bool:
        """Whether the questions that ask for an end use such words."""

    @abstractmethod
    def _read(self, name: str, reply: str, subject: Entity, object_: Entity) -> Phrase:
        """What is taken of a reply.

        Raises:
            Broken: it is not taken.
        """

    def _entities(self, fact: Fact) -> tuple[Entity, Entity]:
        return self._directions["object"].known(fact.subject_uri), self._directions["object"].sought(fact.object_uri)

    def _answers(self, known: str, sought: End) -> NameIndex:
        """The names of all right answers, kept where there are several."""
        found = self._indexes.get((known, sought))
        if found is None:
            direction = self._directions[sought]
            answers = direction.answers(known)
            found = NameIndex(map(direction.sought, answers))
            if len(answers) > 1:
                self._indexes[known, sought] = found
        return found

    def _values(self, subject: Entity, object_: Entity, end: End) -> dict[str, str]:
        """What stands in the places of the wording."""
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
    """One sentence for each fact, whichever end is asked for."""

    forms: ClassVar[Mapping[str, End]] = {"sentence": "object"}

    def _is_wanted(self, end: End) -> bool:  # noqa: ARG002  # it serves both ends
        return True

    def _read(self, name: str, reply: str, subject: Entity, object_: Entity) -> Phrase:
        known: dict[End, str] = {"object": subject.uri, "subject": object_.uri}
        others = [self._answers(known[end], end) for end in self._ends]
        return Phrase(name, read_statement(reply, subject, object_, others))


class QuestionPhraser(Phraser):
    """A question for each fact and end that is asked for."""

    forms: ClassVar[Mapping[str, End]] = {"ask_object": "object", "ask_subject": "subject"}

    def _is_wanted(self, end: End) -> bool:
        return end in self._ends

    def _read(self, name: str, reply: str, subject: Entity, object_: Entity) -> Phrase:
        asks_object = self.forms[name.rpartition(":")[2]] == "object"
        known = subject if asks_object else object_
        answers = self._answers(known.uri, "object" if asks_object else "subject")
        return Phrase(name, question=read_question(reply, known, answers, known_is_subject=asks_object))


def _turned(messages: tuple[Message, ...], by: int) -> tuple[Message, ...]:
    """A chat whose examples, pairs of what is asked and answered before the last message, begin with a later one."""
    start = next((at for at, message in enumerate(messages) if message.role != "system"), 0)
    examples = messages[start:-1]
    if not examples or len(examples) % 2:
        return messages
    begin = 2 * by % len(examples)
    return (*messages[:start], *examples[begin:], *examples[:begin], messages[-1])


def phrase_id(fact: Fact, relation: str, form: str) -> str:
    """The id of a fact's words."""
    return question_id(fact.subject_uri, fact.object_uri, relation, "phrase", form)


def _fact_of(name: str) -> Fact:
    return Fact(*parts_of_id(name)[:2])


Replies = Callable[[str], Iterable[tuple[PlainRequest, Response | None]]]
"""By the name of a relation each request with the response to it."""
Ask = Callable[[int, Mapping[str, Iterable[PlainRequest]]], Replies | None]
"""Asks a model, for the nth time from 0, what is wanted of each relation; None where nothing is."""


def phrased(phraser: Callable[[str], Phraser], facts: Mapping[str, Iterable[Fact]], ask: Ask, tries: int) -> Phrases:
    """Has the facts of some relations phrased; what is not taken is asked again.

    Args:
        phraser: by the name of a relation.
        facts: of each relation.
        ask: asks the model.
        tries: how often it is asked about one fact at most.
    """
    rounds: list[Replies] = []

    def wanted(name: str) -> Iterator[PlainRequest]:  # one relation's summary after the other is read
        if rounds:
            yield from phraser(name).again(rounds[-1](name), len(rounds))
        else:
            yield from phraser(name).requests(facts[name])

    for number in range(tries):
        replies = ask(number, {name: wanted(name) for name in facts})
        if replies is None:
            break
        rounds.append(replies)
    return Phrases(phraser, rounds)


class Phrases:
    """What came of phrasing.

    Args:
        phraser: by the name of a relation.
        rounds: the replies to each round of requests.
    """

    def __init__(self, phraser: Callable[[str], Phraser], rounds: Sequence[Replies]) -> None:
        self._phraser, self._rounds = phraser, rounds
        self.faults: Counter[str] = Counter()
        """How many replies broke each rule, of the relations that were read."""
        self.fallbacks: Counter[str] = Counter()
        """How many facts have no words, by the rule that the last reply broke."""
        self.count = 0
        """How many facts, or ends of facts, were to be phrased."""

    def of(self, name: str) -> Iterator[Phrase]:
        """Those of a relation in the order of its facts."""
        found: dict[str, Phrase] = {}
        phraser = self._phraser(name)
        for replies in self._rounds:
            for request, response in replies(name):
                read = phraser.read(request.question_id, response)
                before = found[read.phrase_id].faults if read.phrase_id in found else ()
                found[read.phrase_id] = replace(read, faults=(*before, *read.faults))
        for phrase in found.values():
            self.count += 1
            self.faults.update(phrase.faults)
            if not phrase.is_there:
                self.fallbacks[phrase.faults[-1]] += 1
            yield phrase
