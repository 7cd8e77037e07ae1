"""The questions about one fact that ask for one of its ends; what the generators share that go through facts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from factprobe.generators.agreement import agree
from factprobe.generators.base import Fact, Generated, StatedFact
from factprobe.generators.contexts import Contexts
from factprobe.generators.ids import escaped
from factprobe.question_types import End, Form, QuestionType
from factprobe.reading.giveaway import named_by, named_in
from factprobe.records import (
    Answer,
    Entity,
    Giveaway,
    Hop,
    Message,
    Popularity,
    Question,
    RelationSummary,
    Statement,
)
from factprobe.templating import Template
from factprobe.text import one_line

if TYPE_CHECKING:
    from random import Random

    from factprobe.generators.direction import Direction
    from factprobe.parts.prompts import Prompt
    from factprobe.periods import Day

NO_LABEL = "an entity has no label"
NO_CANDIDATE = "no false candidate in the relation"
INCOMPLETE = "what the relation lacks may be true, so that no answer is known to be wrong"
NAMES_ANSWER = "its own words name a right answer"


class StrangerError(Exception):
    """A fact is not in the summary of its relation."""


class Asker(Protocol):
    """What a questioner needs of the generator that it asks for."""

    settings: Any
    """Of the type `FactSettings`."""
    context_prompt: Prompt | None
    """The wording of a question with a passage."""
    graph: Callable[[], Iterable[RelationSummary]] | None
    """Gives the relation summaries of the whole graph, where somebody has set it."""
    day: Day | None
    """On which the answers are right."""

    @property
    def around(self) -> tuple[str, str]:
        """What stands before and behind a statement."""

    def rng(self, relation: str, what: str) -> Random:
        """A generator of chance of its own for each relation and purpose."""

    def direction(self, summary: RelationSummary, end: End) -> Direction:
        """A relation read towards one end."""

    def popularity_of(self, fact: Fact) -> Popularity | Literal[""]:
        """How popular the subject is, where a file says so."""

    def dated(self, statement: str) -> str:
        """What a question shows for its statement."""


class Questioner(ABC):
    """The questions that ask for one end of the facts: the object of a subject, or the subject of an object.

    Args:
        generator: whose settings count.
        end: what is asked for.
        template: the relation in words.
        summary: the relation's answer sets.
        report: counts what is made and names what is not.
    """

    def __init__(
        self,
        generator: Asker,
        end: End,
        template: Template,
        summary: RelationSummary,
        report: Generated,
    ) -> None:
        self.end = end
        self.generator = generator
        self.template = template
        self.relation = summary.relation_info.relation
        self.direction = generator.direction(summary, end)
        self.has_wrong_answers = summary.relation_info.complete is not False
        self.no_candidate = NO_CANDIDATE if self.has_wrong_answers else INCOMPLETE
        self.path = _towards(end, summary.relation_info.path or ())
        self._report = report
        self._relation_part = escaped(self.relation)
        self._blank = one_line(generator.settings.blank)
        self._fact_part = ""
        """What the ids of the questions about a fact begin with."""
        self._popularity: Popularity | Literal[""] = ""
        self._told: tuple[object, Giveaway] = None, ""
        """The words of the last question with right answers, and where they name one: of a fact they come again."""
        self.choices_form: Form = "multi_choices_obj" if end == "object" else "multi_choices_sub"
        self._contexts = self._passages(generator, summary)

    def _passages(self, generator: Asker, summary: RelationSummary) -> Contexts | None:
        """What puts passages before these questions, where the settings say so."""
        kind = generator.settings.context
        if kind == "none":
            return None
        from factprobe.generators.evidence import EvidenceReader  # what reads passages takes a while to load

        template = self.template  # the relation's own, whatever words a question about a fact is put in
        return Contexts(
            kind,
            generator.settings.context_chars,
            self.end,
            self.direction,
            lambda known, other: self.statement(known, other, template).text,
            EvidenceReader(summary.relation_info, generator.graph or (lambda: [summary])),
            generator.rng(self.relation, f"{kind}_{self.end}"),
            generator.context_prompt,
        )

    def questions(self, fact: Fact, *, with_true_statement: bool) -> Sequence[Question]:
        """Every question about one fact; those that cannot be made are reported instead.

        Raises:
            StrangerError: the fact is not in the summary.
        """
        ends = self._ends(fact)
        direction = self.direction
        try:
            known, right = direction.known(ends[0]), direction.sought(ends[1])
        except KeyError as error:
            raise StrangerError from error
        if not direction.holds(*ends):
            raise StrangerError
        if not direction.is_then(*ends):
            return ()
        self._fact_part = f"{escaped(fact.subject_uri)}:{escaped(fact.object_uri)}:{self._relation_part}"
        self._popularity = self.generator.popularity_of(fact)
        if self._contexts is not None:
            self._contexts.begin(known, right, fact.evidences if isinstance(fact, StatedFact) else ())
        asked = self.ask(fact, known, right, with_true_statement=with_true_statement)
        made = [question for question in asked if question is not None]
        if self._contexts is not None:
            made = self._in_context(made, self._contexts)
        self._report.count(made)
        return made

    def _in_context(self, questions: Iterable[Question], contexts: Contexts) -> list[Question]:
        """Questions with their passages; those that have none are reported instead."""
        made = []
        for question in questions:
            found = contexts.before(question)
            if isinstance(found, str):
                self._report.refuse(found, question.question_id)
            else:
                made.append(found)
        self._report.count_passages(made)
        return made

    @abstractmethod
    def ask(self, fact: Fact, known: Entity, right: Entity, *, with_true_statement: bool) -> Iterable[Question | None]:
        """The questions about one fact, None for one that was refused."""

    def question(
        self,
        fact: Fact,
        question_type: QuestionType,
        form: Form,
        prompts: tuple[Message, ...],
        answers: tuple[Answer, ...] | Literal["correct", "incorrect"],
        statement: Statement | None,
        choices: tuple[str, ...] = (),
        cloze: tuple[str, str] | None = None,
        shown: str = "",
        none: str = "",
        denied: Statement | None = None,
        outdated: tuple[Answer, ...] = (),
        bare: str = "",
    ) -> Question:
        """A question about one fact."""
        name = self._id(question_type, form)
        if self.generator.day and statement is not None and not bare:
            bare = self.generator.dated(statement.text)
        return Question(
            name,
            question_type,
            prompts,
            answers,
            self.relation,
            fact.subject_uri,
            fact.object_uri,
            choices,
            cloze,
            statement=statement,
            shown=shown,
            none=none,
            popularity=self._popularity,
            bare=bare,
            denied=denied,
            outdated=outdated,
            path=self.path,
            giveaway="" if isinstance(answers, str) else self._giveaway(fact, bare, statement, answers),
        )

    def _giveaway(self, fact: Fact, bare: str, statement: Statement | None, answers: tuple[Answer, ...]) -> Giveaway:
        """Where a question with such words names an answer."""
        words = fact, bare, statement, answers
        if words != self._told[0]:
            known, right = self._ends(fact)
            if statement is None:
                found = named_in(bare, self.direction.known(known).names(), answers)
            else:
                found = named_by(statement, self.end, answers, self.direction.keys(known, right))
            self._told = words, found
        return self._told[1]

    def _ends(self, fact: Fact) -> tuple[str, str]:
        """What is asked about, and what is asked for."""
        return (fact.subject_uri, fact.object_uri) if self.end == "object" else (fact.object_uri, fact.subject_uri)

    def refuse(self, reason: str, question_type: QuestionType, form: Form) -> None:
        """Reports a question that cannot be made."""
        self._report.refuse(reason, self._id(question_type, form))

    def has_labels(self, known: Entity, right: Entity) -> bool:
        """Whether a multiple-choice question can name what it is about and the right option; if not, it is reported."""
        if known.label.strip() and right.label.strip():
            return True
        self.refuse(NO_LABEL, "multi_choices", self.choices_form)
        return False

    def has_choice(self, options: Sequence[Entity]) -> bool:
        """Whether there is something to choose from; if not, the multiple-choice question is reported."""
        if len(options) > 1:
            return True
        self.refuse(self.no_candidate, "multi_choices", self.choices_form)
        return False

    def statement(self, known: Entity, other: Entity | None = None, template: Template | None = None) -> Statement:
        """The template, or another one, about the entity that is given, with another in the place of what is asked for,
        or the blank."""
        given, sought = one_line(known.label), self._blank if other is None else one_line(other.label)
        subject, object_ = (given, sought) if self.end == "object" else (sought, given)
        return agree((template or self.template).fill(subject, object_, self.end if other is None else ""))

    def _id(self, question_type: QuestionType, form: Form) -> str:
        return f"{self._fact_part}:{question_type}:{form}"


def _towards(end: End, path: tuple[Hop, ...]) -> tuple[Hop, ...]:
    """The steps from the end that is given to the one that is sought."""
    if end == "object":
        return path
    return tuple(Hop(hop.relation, "subject" if hop.sought == "object" else "object") for hop in reversed(path))


def answer(entity: Entity) -> Answer:
    """An entity as a right answer."""
    return Answer(entity.uri, entity.label, entity.aliases)
