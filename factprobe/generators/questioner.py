"""Base class of questioners, which make the questions that ask for one end of a fact."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from factprobe.generators.base import Fact, GenerationReport, StatedFact
from factprobe.generators.ids import escape_part
from factprobe.generators.passages.context_passages import Contexts
from factprobe.generators.wording.articles import agree
from factprobe.question_types import End, Form, QuestionType, other_end
from factprobe.reading.answer_leak import named_by, named_in
from factprobe.records import Answer, Entity, Giveaway, Hop, Message, Popularity, Question, RelationSummary, Statement
from factprobe.templating import Template
from factprobe.text import one_line, one_line_label

if TYPE_CHECKING:
    from factprobe.generators.fact_generator import FactGenerator

NO_LABEL = "an entity has no label"
UNNAMED_ANSWER = "one of several right answers has no label, so that no list of them is complete"
NO_CANDIDATE = "the relation has no wrong answer"
INCOMPLETE = "facts that the relation lacks may be true, so that no answer is known to be wrong"
NAMES_ANSWER = "the question names a right answer"


class UnknownFactError(Exception):
    """Error for a fact that is missing from the summary of its relation."""


class Questioner(ABC):
    """Base class of the makers of questions that ask for one end of a relation's facts."""

    def __init__(
        self, generator: FactGenerator, end: End, template: Template, summary: RelationSummary, report: GenerationReport
    ) -> None:
        self.end = end
        self.generator = generator
        self.template = template
        self.relation = summary.relation_info.relation
        self.sampler = generator.make_sampler(summary, end)
        self.has_wrong_answers = summary.relation_info.complete is not False
        self.no_candidate = NO_CANDIDATE if self.has_wrong_answers else INCOMPLETE
        self.path = _oriented_path(end, summary.relation_info.path or ())
        self._report = report
        self._relation_part = escape_part(self.relation)
        self._blank = one_line(generator.settings.blank)
        self._fact_part = ""
        """First part of the ids of all questions about a fact."""
        self._popularity: Popularity | Literal[""] = ""
        self._last_giveaway: tuple[object, Giveaway] = None, ""
        """Cache: wording of the last question, and the part of it that contains a right answer."""
        self.choices_form: Form = "multi_choices_obj" if end == "object" else "multi_choices_sub"
        self._contexts = self._passages(generator, summary)

    def _passages(self, generator: FactGenerator, summary: RelationSummary) -> Contexts | None:
        """Return the choice of passages before the questions; None if the settings ask for none."""
        kind = generator.settings.context
        if kind == "none":
            return None
        from factprobe.generators.passages.evidence import EvidenceReader  # loads slowly

        template = self.template  # passages use the graph's template even if a model phrases the question
        return Contexts(
            kind,
            generator.settings.context_chars,
            self.end,
            self.sampler,
            lambda known, other: self.statement(known, other, template).text,
            EvidenceReader(summary.relation_info, generator.graph or (lambda: [summary])),
            generator.rng(self.relation, f"{kind}_{self.end}"),
            generator.context_prompt,
        )

    def questions(self, fact: Fact, *, with_true_statement: bool) -> Sequence[Question]:
        """Return all questions about one fact, report refused ones; raise `UnknownFactError` for an unknown fact."""
        ends = self._ends(fact)
        sampler = self.sampler
        try:
            known, right = sampler.given_entity(ends[0]), sampler.sought_entity(ends[1])
        except KeyError as error:
            raise UnknownFactError from error
        if not sampler.has_fact(*ends):
            raise UnknownFactError
        if not sampler.is_valid_on_day(*ends):
            return ()
        self._fact_part = f"{escape_part(fact.subject_uri)}:{escape_part(fact.object_uri)}:{self._relation_part}"
        self._popularity = self.generator.popularity_of(fact)
        if self._contexts is not None:
            self._contexts.begin(known, right, fact.evidences if isinstance(fact, StatedFact) else ())
        drafts = self.ask(fact, known, right, with_true_statement=with_true_statement)
        questions = [question for question in drafts if question is not None]
        if self._contexts is not None:
            questions = self._in_context(questions, self._contexts)
        for question in questions:
            self._report.made[question.question_type] += 1
        return questions

    def _in_context(self, questions: Iterable[Question], contexts: Contexts) -> list[Question]:
        """Return the questions with passages before them, and report questions without a passage as refused."""
        in_context = []
        for question in questions:
            result = contexts.add_passage(question)
            if isinstance(result, str):
                self._report.refuse(result, question.question_id)
            else:
                in_context.append(result)
        sources = (question.context.source for question in in_context if question.context)
        self._report.passages.update(filter(None, sources))
        return in_context

    @abstractmethod
    def ask(self, fact: Fact, known: Entity, right: Entity, *, with_true_statement: bool) -> Iterable[Question | None]:
        """Yield the questions about one fact, and None for each refused one.

        Args:
            fact: Fact to ask about.
            known: Entity that the questions give.
            right: Right answer.
            with_true_statement: True to make the true statement too; False for the second end, as both share it.
        """

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
        *,
        bare: str = "",
        **fields: Any,
    ) -> Question:
        """Return a question about one fact; `Question` explains the arguments and further `fields`."""
        if self.generator.day and statement is not None and not bare:
            bare = self.generator.with_day(statement.text)
        return Question(
            f"{self._fact_part}:{question_type}:{form}",
            question_type,
            prompts,
            answers,
            self.relation,
            fact.subject_uri,
            fact.object_uri,
            choices,
            cloze,
            statement=statement,
            popularity=self._popularity,
            bare=bare,
            path=self.path,
            giveaway="" if isinstance(answers, str) else self._giveaway(fact, bare, statement, answers),
            **fields,
        )

    def _giveaway(self, fact: Fact, bare: str, statement: Statement | None, answers: tuple[Answer, ...]) -> Giveaway:
        """Return the part of the wording of a question that contains a right answer; empty if none does."""
        words = fact, bare, statement, answers
        if words != self._last_giveaway[0]:
            if statement is None:
                giveaway = named_in(bare, self.sampler.given_entity(self._ends(fact)[0]).names(), answers)
            else:
                giveaway = named_by(statement, self.end, answers)
            self._last_giveaway = words, giveaway
        return self._last_giveaway[1]

    def _ends(self, fact: Fact) -> tuple[str, str]:
        """Return the URIs of the entity that questions give, and of the entity that they ask for."""
        return (fact.subject_uri, fact.object_uri) if self.end == "object" else (fact.object_uri, fact.subject_uri)

    def refuse(self, reason: str, question_type: QuestionType, form: Form) -> Question | None:
        """Add a refused question to the report, and return None in its place."""
        self._report.refuse(reason, f"{self._fact_part}:{question_type}:{form}")
        return None

    def has_labels(self, known: Entity, right: Entity) -> bool:
        """Return whether both entities of a multiple-choice question have labels; if not, report it as refused."""
        if known.label.strip() and right.label.strip():
            return True
        self.refuse(NO_LABEL, "multi_choices", self.choices_form)
        return False

    def has_choice(self, options: Sequence[Entity]) -> bool:
        """Return whether there are several options; if not, report the question as refused."""
        if len(options) > 1:
            return True
        self.refuse(self.no_candidate, "multi_choices", self.choices_form)
        return False

    def statement(self, known: Entity, other: Entity | None = None, template: Template | None = None) -> Statement:
        """Return the template with `known` at its end, and `other`, or a blank, at the end that is asked for."""
        given_label, sought = one_line_label(known.label), self._blank if other is None else one_line_label(other.label)
        subject, object_ = (given_label, sought) if self.end == "object" else (sought, given_label)
        return agree((template or self.template).fill(subject, object_, self.end if other is None else ""))


def _oriented_path(end: End, path: tuple[Hop, ...]) -> tuple[Hop, ...]:
    """Return the steps of a composed relation, from the end that questions give to the one they ask for."""
    return path if end == "object" else tuple(Hop(hop.relation, other_end(hop.sought)) for hop in reversed(path))


def answer(entity: Entity) -> Answer:
    """Return the answer that an entity is."""
    return Answer(entity.uri, entity.label, entity.aliases)
