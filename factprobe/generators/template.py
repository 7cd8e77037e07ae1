"""The template generator: a relation's sentence, true, false, or with a blank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from string import ascii_uppercase
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from factprobe.errors import ConfigError, DataError
from factprobe.generators.base import Generated, Generator, GeneratorSettings
from factprobe.generators.direction import Direction
from factprobe.generators.prompts import Prompt, Template
from factprobe.records import (
    QUESTION_TYPES,
    Answer,
    Entity,
    Form,
    Message,
    Question,
    QuestionType,
    RelationSummary,
)
from factprobe.storage import Lines, Problems, read_json, write_lines
from factprobe.text import one_line

NO_LABEL = "an entity has no label"
NO_CANDIDATE = "no false candidate in the relation"

_PLACEHOLDERS: Mapping[QuestionType, tuple[str, ...]] = {
    "binary_answer": ("statement",),
    "multi_choices": ("statement", "choices"),
    "single_answer": ("statement",),
    "multiple_answer": ("statement",),
}


class PromptSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The wording of one question type, a file of `conf/prompts/`."""

    messages: tuple[Message, ...]


class TemplateSettings(GeneratorSettings, frozen=True, kw_only=True):
    """What `conf/generator/template.yaml` sets."""

    prompts: dict[QuestionType, PromptSettings]
    ask: Literal["object", "subject", "both"] = "object"
    """Which end of a fact the questions ask for."""
    question_types: tuple[QuestionType, ...] = QUESTION_TYPES
    options: Annotated[int, Meta(ge=2, le=26)] = 4
    """Options of a multiple-choice question, the right one included."""
    blank: str = "____"
    """What stands for the missing name."""
    template: Annotated[int, Meta(ge=0)] = 0
    """Which of a relation's templates, from 0; a relation with fewer uses its first."""


class Pair(Struct, frozen=True, gc=False):
    """The ends of a fact, all that is read of a triplet here; the rest is in the summary."""

    subject_uri: str
    object_uri: str


class TemplateGenerator(Generator):
    """Makes, for each triplet, true/false, multiple-choice and short-answer questions; linear in the triplets.

    Where the summary says that several answers hold, they are asked for together, once per subject (or object).

    Raises:
        ConfigError: a prompt is missing or lacks a placeholder.
    """

    settings_type: ClassVar[type[GeneratorSettings]] = TemplateSettings

    def __init__(self, settings: TemplateSettings, seed: int = 0, limit: int | None = None) -> None:
        super().__init__(settings, seed, limit)
        for missing in sorted({*settings.question_types} - settings.prompts.keys()):
            raise ConfigError(f"there is no prompt for {missing}", where="generator.prompts")
        self._prompts = {
            name: Prompt(name, prompt.messages, _PLACEHOLDERS[name]) for name, prompt in settings.prompts.items()
        }

    def generate_questions(self, triplet_input_file: Path, relation_summary_file: Path, output_file: Path) -> Generated:
        """See the base class."""
        summary = read_json(relation_summary_file, RelationSummary)
        pairs = Lines(triplet_input_file, Pair, Problems(strict=True, mend="run step=extract again"))
        report = Generated()
        write_lines(output_file, self.questions(summary, pairs, report, where=str(relation_summary_file)))
        return report

    def questions(
        self,
        summary: RelationSummary,
        pairs: Iterable[Pair],
        report: Generated,
        where: str = "",
    ) -> Iterator[Question]:
        """The questions of one relation, one after the other.

        Args:
            summary: the relation's answer sets.
            pairs: the facts to ask about, in order; all of them are in the summary.
            report: counts what is made and names what is not.
            where: the relation's source, for messages.

        Raises:
            DataError: the relation has no template.
        """
        relation = summary.relation_info
        templates = relation.templates or (relation.template,)
        chosen = templates[self.settings.template if self.settings.template < len(templates) else 0]
        template = Template(relation, where or relation.relation, chosen)
        ends = [
            _End(self, end, template, summary, report)
            for end in ("object", "subject")
            if self.settings.ask in (end, "both")
        ]
        for pair in islice(pairs, self.limit):
            for number, end in enumerate(ends):
                try:
                    yield from end.questions(pair, with_true_statement=number == 0)
                except KeyError as error:
                    what = f"the triplet {pair.subject_uri} {pair.object_uri} is not in the relation's summary"
                    raise DataError(what, where=where, mend="run step=extract again") from error

    def rng(self, relation: str, form: Form) -> Random:
        """A generator of its own for each relation and form, so that no choice depends on what else is asked."""
        return Random(f"{self.seed}:{relation}:{form}")

    def prompt(self, question_type: QuestionType, statement: str, choices: str = "") -> tuple[Message, ...]:
        """The chat messages of a question."""
        return self._prompts[question_type].fill({"statement": statement, "choices": choices})


class _End:
    """The questions that ask for one end of the facts: the object of a subject, or the subject of an object."""

    def __init__(
        self,
        generator: TemplateGenerator,
        end: Literal["object", "subject"],
        template: Template,
        summary: RelationSummary,
        report: Generated,
    ) -> None:
        self._asks_object = end == "object"
        self._generator = generator
        self._types = frozenset(generator.settings.question_types)
        self._template = template
        self._relation = summary.relation_info.relation
        self._report = report
        self._direction = Direction(summary.node_summary, end)
        self._asked: set[str] = set()
        self._ask_form: Form = "ask_object" if self._asks_object else "ask_subject"
        self._false_form: Form = "binary_obj_incorrect" if self._asks_object else "binary_sub_incorrect"
        self._choices_form: Form = "multi_choices_obj" if self._asks_object else "multi_choices_sub"
        self._false_rng = generator.rng(self._relation, self._false_form)
        self._choices_rng = generator.rng(self._relation, self._choices_form)

    def questions(self, pair: Pair, *, with_true_statement: bool) -> Iterator[Question]:
        """Every question about one fact; those that cannot be made are reported instead."""
        ends = (pair.subject_uri, pair.object_uri) if self._asks_object else (pair.object_uri, pair.subject_uri)
        direction = self._direction
        if not direction.holds(*ends):
            raise KeyError(ends)
        known, right, answers = direction.known[ends[0]], direction.sought[ends[1]], direction.answers[ends[0]]
        made: list[Question | None] = []
        if "binary_answer" in self._types:
            if with_true_statement:
                made.append(self._binary(pair, "binary_correct", known, [right]))
            false = direction.draw(1, known, self._false_rng)
            made.append(self._binary(pair, self._false_form, known, false))
        if "multi_choices" in self._types:
            false = direction.draw(self._generator.settings.options - 1, known, self._choices_rng)
            made.append(self._multi_choices(pair, known, right, false))
        if len(answers) == 1 and "single_answer" in self._types:
            made.append(self._short(pair, "single_answer", known, answers))
        if len(answers) > 1 and "multiple_answer" in self._types and known.uri not in self._asked:
            self._asked.add(known.uri)
            made.append(self._short(pair, "multiple_answer", known, answers))
        for question in made:
            if question is not None:
                self._report.count(question.question_type)
                yield question

    def _binary(self, pair: Pair, form: Form, known: Entity, shown: Sequence[Entity]) -> Question | None:
        if not shown:
            self._refuse(NO_CANDIDATE, pair, "binary_answer", form)
            return None
        if not (known.label.strip() and shown[0].label.strip()):
            self._refuse(NO_LABEL, pair, "binary_answer", form)
            return None
        statement = self._statement(known.label, shown[0].label)
        prompts = self._generator.prompt("binary_answer", statement)
        answer: Literal["correct", "incorrect"] = "correct" if form == "binary_correct" else "incorrect"
        return self._question(pair, "binary_answer", form, prompts, answer)

    def _multi_choices(self, pair: Pair, known: Entity, right: Entity, false: list[Entity]) -> Question | None:
        form, settings = self._choices_form, self._generator.settings
        options = [right, *false]
        self._choices_rng.shuffle(options)
        if not (known.label.strip() and right.label.strip()):
            self._refuse(NO_LABEL, pair, "multi_choices", form)
            return None
        if len(options) < 2:
            self._refuse(NO_CANDIDATE, pair, "multi_choices", form)
            return None
        lines = (
            f"{letter}) {one_line(option.label)}" for letter, option in zip(ascii_uppercase, options, strict=False)
        )
        prompts = self._generator.prompt(
            "multi_choices", self._statement(known.label, settings.blank), "\n".join(lines)
        )
        choices = tuple(option.label for option in options)
        return self._question(pair, "multi_choices", form, prompts, (_answer(right),), choices)

    def _short(self, pair: Pair, question_type: QuestionType, known: Entity, uris: Sequence[str]) -> Question | None:
        answers = tuple(_answer(entity) for uri in uris if (entity := self._direction.sought[uri]).label.strip())
        if not (known.label.strip() and answers):
            self._refuse(NO_LABEL, pair, question_type, self._ask_form)
            return None
        prompts = self._generator.prompt(question_type, self._statement(known.label, self._generator.settings.blank))
        return self._question(pair, question_type, self._ask_form, prompts, answers)

    def _question(
        self,
        pair: Pair,
        question_type: QuestionType,
        form: Form,
        prompts: tuple[Message, ...],
        answers: tuple[Answer, ...] | Literal["correct", "incorrect"],
        choices: tuple[str, ...] = (),
    ) -> Question:
        name = self._id(pair, question_type, form)
        ends = pair.subject_uri, pair.object_uri
        return Question(name, question_type, prompts, answers, self._relation, *ends, choices)

    def _refuse(self, reason: str, pair: Pair, question_type: QuestionType, form: Form) -> None:
        self._report.refuse(reason, self._id(pair, question_type, form))

    def _statement(self, known: str, other: str) -> str:
        ends = (one_line(known), one_line(other))
        return self._template.fill(*(ends if self._asks_object else ends[::-1]))

    def _id(self, pair: Pair, question_type: QuestionType, form: Form) -> str:
        return question_id(pair.subject_uri, pair.object_uri, self._relation, question_type, form)


def question_id(subject_uri: str, object_uri: str, relation: str, question_type: QuestionType, form: Form) -> str:
    """The id of a question; a colon or a percent sign in one of its parts is percent-encoded."""
    return f"{_escape(subject_uri)}:{_escape(object_uri)}:{_escape(relation)}:{question_type}:{form}"


def _escape(part: str) -> str:
    return part.replace("%", "%25").replace(":", "%3A")


def _answer(entity: Entity) -> Answer:
    return Answer(entity.uri, entity.label, entity.aliases)
