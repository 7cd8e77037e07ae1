"""Generator of questions from templates: a relation's sentence as a true or false statement, or with a blank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import add
from random import Random
from string import ascii_uppercase
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from factprobe.components.prompts import Prompt, PromptSettings
from factprobe.config import Filled
from factprobe.errors import ConfigError, UnknownNameError
from factprobe.generators.base import Fact, GeneratorSettings
from factprobe.generators.distractor_sampler import DistractorSampler
from factprobe.generators.fact_generator import CONTEXT, FactGenerator, FactSettings
from factprobe.generators.negatives import WholeGraph, negatives
from factprobe.generators.options import BalancedLayout, OptionLayout
from factprobe.generators.questioner import NAMES_ANSWER, NO_LABEL, UNNAMED_ANSWER, Questioner, answer
from factprobe.generators.wording.negated_templates import negate
from factprobe.question_types import NEGATED, QUESTION_TYPES, End, Form, QuestionType, get_kind
from factprobe.reading.bracketed import as_sentence
from factprobe.records import Answer, Entity, Message, Question, Relation, RelationSummary, Statement
from factprobe.templating import Template
from factprobe.text import one_line_label

_OPTION_LETTERS = [f"{letter}) " for letter in ascii_uppercase]
TOO_MANY = "there are more right answers than generator.most_answers"
NO_NEGATION = "a template of several sentences cannot be negated"


class TemplateSettings(FactSettings, frozen=True, kw_only=True):
    """Settings of the template generator."""

    prompts: dict[QuestionType, PromptSettings]
    """Prompt of each question type, and of `context`; the defaults are in `conf/prompts/`."""
    question_types: Annotated[tuple[QuestionType, ...], Meta(min_length=1)] = QUESTION_TYPES
    """Question types to make."""
    options: Annotated[int, Meta(ge=2, le=26)] = 4
    """Number of options of a multiple-choice question, including the right one."""
    negatives: Filled = "typed"
    """Strategy for wrong answers: `typed` takes entities of the type of the right answer, if types are known or can be
    inferred, `near` entities close to it, `popular` entities as popular, and `random` any of the relation."""
    none_of_these: bool = False
    """Add a last option "none of these", which is right as often as each other option."""
    balanced: bool = True
    """Give the right option each letter equally often within a relation."""
    most_answers: Annotated[int, Meta(ge=2)] = 50
    """Maximum number of right answers of a `multiple_answer` question."""
    negated: bool = False
    """Ask about the negation of each true/false statement too: "Albert Einstein was not born in Ulm."."""


class WordedQuestion(Struct, frozen=True):
    """Wording of a question: its prompts, and either a statement or another text."""

    prompts: tuple[Message, ...]
    statement: Statement | None
    """Statement with a blank; None if the question is worded in another way."""
    bare: str = ""
    """Question without instructions, if it is no statement; else empty."""


class TemplateQuestioner(Questioner):
    """Maker of questions of all types that ask for one end of a relation's facts, from its template."""

    generator: TemplateGenerator

    def __init__(self, generator: TemplateGenerator, *args: Any) -> None:
        super().__init__(generator, *args)
        self._types = frozenset(generator.settings.question_types)
        self._asked_about: set[str] = set()
        self._used_wrong_answers: dict[str, set[str]] = {}
        """URIs of wrong answers in earlier false statements, by URI of the entity; dropped after its last fact."""
        asks_object = self.end == "object"
        self.ask_form: Form = "ask_object" if asks_object else "ask_subject"
        self._false_form: Form = "binary_obj_incorrect" if asks_object else "binary_sub_incorrect"
        self._false_rng = generator.rng(self.relation, self._false_form)
        self._choices_rng = generator.rng(self.relation, self.choices_form)
        self._layout = generator.option_layout(self.relation, self.choices_form, self._choices_rng)
        self._with_blank: tuple[tuple[Entity, Template], Statement] | None = None
        """Cache: last entity and template, and their statement with a blank."""
        self._negated = lru_cache(maxsize=2)(negate)  # a model may phrase each fact with its own template

    def ask(self, fact: Fact, known: Entity, right: Entity, *, with_true_statement: bool) -> Iterable[Question | None]:
        """Return the questions about one fact of the types in the settings, and None for each refused one."""
        answers = self.sampler.answers(known.uri)
        questions: list[Question | None] = []
        if "binary_answer" in self._types:
            if with_true_statement:
                questions += self._statements(fact, "binary_correct", known, [right])
            false = self._draw_false(known, right, len(answers))
            questions += self._statements(fact, self._false_form, known, false)
        if "multi_choices" in self._types:
            questions.append(self._multi_choices(fact, known, right))
        if len(answers) == 1 and "single_answer" in self._types:
            also = self.sampler.answers_of_namesakes(known)
            questions.append(self._short_answer(fact, "single_answer", known, answers, also))
        if len(answers) > 1 and "multiple_answer" in self._types and known.uri not in self._asked_about:
            self._asked_about.add(known.uri)
            questions.append(self._short_answer(fact, "multiple_answer", known, answers))
        return questions

    def _draw_false(self, known: Entity, right: Entity, answers: int) -> list[Entity]:
        """Return at most one wrong answer for a false statement, if possible one not yet used for `known`."""
        if answers == 1:
            return self.sampler.draw(1, known, self._false_rng, right)
        used_uris = self._used_wrong_answers.pop(known.uri, set())
        false = self.sampler.draw(1, known, self._false_rng, right, used_uris)
        used_uris.update([entity.uri for entity in false])
        if len(used_uris) < answers:
            self._used_wrong_answers[known.uri] = used_uris
        return false

    def _statements(self, fact: Fact, form: Form, known: Entity, answers: Sequence[Entity]) -> list[Question | None]:
        """Return a true/false question, and one about its negation if the settings ask for it."""
        plain = self._binary(fact, form, known, answers)
        if plain is None or not self.generator.settings.negated:
            return [plain]
        form = NEGATED[form]
        negation = self._negated(self.template)
        if negation is None:
            return [plain, self.refuse(NO_NEGATION, "binary_answer", form)]
        statement = self.statement(known, answers[0], negation)
        prompts = self.generator.prompt("binary_answer", statement.text)
        right: Literal["correct", "incorrect"] = "incorrect" if plain.answers == "correct" else "correct"
        uri, denied = plain.shown, plain.statement
        return [plain, self.question(fact, "binary_answer", form, prompts, right, statement, shown=uri, denied=denied)]

    def _binary(self, fact: Fact, form: Form, known: Entity, answers: Sequence[Entity]) -> Question | None:
        if not (answers and self.has_wrong_answers):
            return self.refuse(self.no_candidate, "binary_answer", form)
        if not (known.label.strip() and answers[0].label.strip()):
            return self.refuse(NO_LABEL, "binary_answer", form)
        statement = self.statement(known, answers[0])
        prompts = self.generator.prompt("binary_answer", statement.text)
        right: Literal["correct", "incorrect"] = "correct" if form == "binary_correct" else "incorrect"
        uri = fact.object_uri if right == "correct" else answers[0].uri
        return self.question(fact, "binary_answer", form, prompts, right, statement, shown=uri)

    def _multi_choices(self, fact: Fact, known: Entity, right: Entity) -> Question | None:
        def draw(count: int) -> list[Entity]:
            return self.sampler.draw(count, known, self._choices_rng, right)

        if not self.has_labels(known, right):
            return None
        option_set = self._layout.arrange(right, draw)
        if not self.has_choice(option_set.options):
            return None
        labels = tuple([option.label for option in option_set.options])
        lines = "\n".join(map(add, _OPTION_LETTERS, map(one_line_label, labels)))
        worded = self.word_question("multi_choices", known, lines)
        answers, prompts, none = (answer(option_set.right),), worded.prompts, option_set.none
        form, statement, bare = self.choices_form, worded.statement, worded.bare
        return self.question(fact, "multi_choices", form, prompts, answers, statement, labels, none=none, bare=bare)

    def _short_answer(
        self, fact: Fact, question_type: QuestionType, known: Entity, uris: Sequence[str], also: Sequence[str] = ()
    ) -> Question | None:
        form = self.ask_form
        if len(uris) + len(also) > self.generator.settings.most_answers:
            return self.refuse(TOO_MANY, question_type, form)
        answers = self._labelled_answers(uris)
        outdated = self._labelled_answers(self.sampler.outdated_answers(known.uri))
        if not (known.label.strip() and answers):
            return self.refuse(NO_LABEL, question_type, form)
        if len(answers) < len(uris):
            return self.refuse(UNNAMED_ANSWER, question_type, form)
        answers += self._labelled_answers(also)
        worded = self.word_question(question_type, known)
        prompts, statement, bare = worded.prompts, worded.statement, worded.bare
        question = self.question(fact, question_type, form, prompts, answers, statement, bare=bare, outdated=outdated)
        return self.refuse(NAMES_ANSWER, question_type, form) if question.giveaway == "words" else question

    def word_question(self, question_type: QuestionType, known: Entity, choices: str = "") -> WordedQuestion:
        """Return the wording of a question about an entity: the template with a blank, in a prompt."""
        key = known, self.template
        if self._with_blank is None or self._with_blank[0] != key:
            self._with_blank = key, self.statement(known)
        statement = self._with_blank[1]
        return WordedQuestion(self.generator.prompt(question_type, statement.text, choices), statement)

    def _labelled_answers(self, uris: Sequence[str]) -> tuple[Answer, ...]:
        return tuple([answer(entity) for uri in uris if (entity := self.sampler.sought_entity(uri)).label.strip()])


class TemplateGenerator(FactGenerator):
    """Generator of true/false, multiple-choice and short-answer questions from the template of a relation.

    If an entity has several right answers, one question asks for all of them. The time is linear in the number of
    triplets.

    Raises:
        ConfigError: A prompt is missing or lacks a placeholder.
    """

    settings_type: ClassVar[type[GeneratorSettings]] = TemplateSettings
    questioner_type: ClassVar[type[Questioner]] = TemplateQuestioner

    def __init__(self, settings: TemplateSettings, seed: int = 0, limit: int | None = None) -> None:
        super().__init__(settings, seed, limit)
        negatives.get(settings.negatives)
        prompts = dict(settings.prompts)
        context = prompts.pop(CONTEXT, None)
        if context is not None:
            self.context_prompt = Prompt(CONTEXT, context.messages, ("context", "question"), ())
        elif settings.context != "none":
            raise ConfigError(f"there is no prompt for {CONTEXT}", where="generator.prompts")
        self._prompts = question_prompts(settings.question_types, prompts)
        self._none = self._none_of_these() if settings.none_of_these else ""
        self._whole: WholeGraph | None = None

    def _none_of_these(self) -> str:
        chosen: PromptSettings | None = self.settings.prompts.get("multi_choices")
        text = chosen.none_of_these if chosen else ""
        if chosen and not text.strip():
            hint = "add its text, e.g. none_of_these: None of these"
            raise ConfigError("has no text for none_of_these", where="generator.prompts.multi_choices", hint=hint)
        if self.settings.options == len(ascii_uppercase):
            hint = f"set generator.options={len(ascii_uppercase) - 1} or less"
            raise ConfigError("leaves no letter for none_of_these", where="generator.options", hint=hint)
        return text

    def template(self, relation: Relation, where: str = "") -> Template:
        """Return the template of a relation; one with an end in brackets, `[X] (born [Y])`, becomes a sentence."""
        template = super().template(relation, where)
        sentence = as_sentence(template.text, relation.subject_symbol, relation.object_symbol)
        return Template(relation, where, sentence) if sentence else template

    def make_sampler(self, summary: RelationSummary, end: End) -> DistractorSampler:
        """Return the sampler of answers at one end of a relation, with the strategy in the settings."""
        if self._whole is None and self.graph is not None:
            self._whole = WholeGraph(self.graph)  # all relations share it, so that the graph is read once
        return DistractorSampler(summary, end, self.settings.negatives, self._whole, self.day)

    def option_layout(self, relation: str, form: Form, rng: Random) -> OptionLayout:
        """Return the layout that orders the options of a relation's questions."""
        settings = self.settings
        places = self.rng(relation, f"{form}:places") if settings.balanced else None
        if places is None and settings.negatives == "random" and not self._none:
            return OptionLayout(settings.options, rng)
        return BalancedLayout(settings.options, rng, places, self._none)

    def prompt(self, question_type: QuestionType, statement: str, choices: str = "") -> tuple[Message, ...]:
        """Return the messages of a question with a statement, and options if there are some."""
        text = statement if self.day is None else self.with_day(statement)
        return self._prompts[question_type].fill({"statement": text, "choices": choices})


def question_prompts(
    types: Iterable[QuestionType],
    prompts: Mapping[QuestionType, PromptSettings],
    where: str = "generator.prompts",
    placeholder: str = "statement",
) -> dict[QuestionType, Prompt]:
    """Return the prompt of each question type; `where` is its setting, and `placeholder` that of the question."""
    for unknown in sorted({*types, *prompts} - {*QUESTION_TYPES}):
        raise UnknownNameError("question type of the template generator", unknown, QUESTION_TYPES)
    for missing in sorted({*types} - prompts.keys()):
        raise ConfigError(f"there is no prompt for {missing}", where=where)
    needs = {
        name: [placeholder if one == "statement" else one for one in get_kind(name).placeholders] for name in prompts
    }
    optional = (placeholder, "choices")
    return {name: Prompt(name, prompt.messages, needs[name], optional, where) for name, prompt in prompts.items()}
