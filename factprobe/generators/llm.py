"""Generators of questions that a model phrases, as a sentence or a question about each fact."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta, field

from factprobe.components.prompts import PromptSettings, Wording
from factprobe.errors import NoAnswersError, UnknownNameError
from factprobe.generators.base import Ends, Fact, GenerationReport, GeneratorSettings, fact_of
from factprobe.generators.fact_generator import sought_ends
from factprobe.generators.phrasing.checks import default_faults
from factprobe.generators.phrasing.phraser import (
    Phrase,
    Phraser,
    PhrasingResult,
    QuestionPhraser,
    Replies,
    SentencePhraser,
    phrase_facts,
    phrase_id,
)
from factprobe.generators.questioner import Questioner
from factprobe.generators.template import (
    TemplateGenerator,
    TemplateQuestioner,
    TemplateSettings,
    WordedQuestion,
    question_prompts,
)
from factprobe.question_types import QUESTION_TYPES, QuestionType
from factprobe.records import Entity, Message, PlainRequest, Question, RelationSummary
from factprobe.templating import Template

log = logging.getLogger(__name__)


class LlmSettings(TemplateSettings, frozen=True, kw_only=True):
    """Settings of generators of questions that a model phrases."""

    model: dict[str, Any]
    """Phrasing model: `generator.model=openai` chooses it, `generator.model.temperature=0.7` changes a setting."""
    phrasing: Wording
    """Prompt for this model; the default is in `conf/prompts/`."""
    faults: dict[str, str] = field(default_factory=dict)
    """Messages to the model about rejected phrasings, by rule; the defaults are in `conf/prompts/`."""
    tries: Annotated[int, Meta(ge=1)] = 3
    """Maximum number of requests for one fact; without an accepted phrasing, the template is used."""


class LlmGenerator(TemplateGenerator):
    """Base class of generators that make the same questions as the template generator, in the words of a model.

    The model is asked before the questions are made: by a step, which keeps the replies on disk (see `read_from`), or
    by the generator itself, relation by relation, which may raise a `ModelError` or `NoAnswersError`. The template
    replaces phrasings that `factprobe.generators.phrasing.checks` rejects.
    """

    settings_type: ClassVar[type[GeneratorSettings]] = LlmSettings
    phraser_type: ClassVar[type[Phraser]]

    def __init__(self, settings: LlmSettings, seed: int = 0, limit: int | None = None) -> None:
        super().__init__(settings, seed, limit)
        faults = default_faults()
        for rule in settings.faults.keys() - faults.keys():
            raise UnknownNameError("rule", rule, faults, where="generator.faults")
        self._faults = faults | settings.faults
        self._read: Callable[[str], Iterable[Phrase]] | None = None
        self._phrases: dict[str, Mapping[str, Phrase]] = {}

    def phraser(self, summary: RelationSummary, where: str = "") -> Phraser:
        """Return the phraser for the facts of a relation, which writes requests and reads replies."""
        settings = self.settings
        template = self.template(summary.relation_info, where)
        ends, types = sought_ends(settings.ask), settings.question_types
        wording = settings.phrasing, self._faults
        return self.phraser_type(*wording, summary, template, ends, settings.blank, types, self.day)

    def read_from(self, phrases: Callable[[str], Iterable[Phrase]]) -> None:
        """Use the phrasings that a function returns for the name of a relation, instead of asking the model."""
        self._read = phrases

    def _by_fact(
        self, summary: RelationSummary, triplets: Iterable[Ends], report: GenerationReport, where: str
    ) -> Iterator[Sequence[Question]]:
        relation = summary.relation_info.relation
        facts = [fact_of(triplet) for triplet in self.select_facts(summary.relation_info, triplets)]
        phrases = self._read(relation) if self._read else self._ask(summary, facts, where)
        self._phrases[relation] = {phrase.phrase_id: phrase for phrase in phrases}
        try:
            yield from super()._by_fact(summary, facts, report, where)
        finally:
            self._phrases.pop(relation, None)

    def phrase(self, fact: Fact, relation: str, form: str) -> Phrase | None:
        """Return the accepted phrasing of a fact; None if there is none."""
        phrase = self._phrases[relation].get(phrase_id(fact, relation, form))
        return phrase if phrase and phrase.is_accepted else None

    def _ask(self, summary: RelationSummary, facts: list[Fact], where: str) -> Iterator[Phrase]:
        from factprobe.asking.in_memory import ask_model  # loads slowly

        relation, phraser = summary.relation_info.relation, self.phraser(summary, where)
        model = self.model
        assert model is not None, "the factory sets the model"

        def ask(number: int, wanted: Mapping[str, Iterable[PlainRequest]]) -> Replies | None:
            requests = list(wanted[relation])
            if not requests:
                return None
            try:
                responses = ask_model(model, requests)
            except NoAnswersError:
                if number:  # facts of later rounds can use the template
                    return None
                raise
            return lambda _: zip(requests, responses, strict=True)

        phrases = phrase_facts(lambda _: phraser, {relation: facts}, ask, self.settings.tries)
        yield from phrases.phrases_of(relation)
        if phrases.fallbacks:
            log.warning("%s: %s", relation, fallback_warning(phrases, model.name))


def fallback_warning(phrases: PhrasingResult, model: str) -> str:
    """Return a warning with the number of facts that use the template, and the reasons."""
    why = ", ".join(f"{rule} ({count:,})" for rule, count in phrases.fallbacks.most_common())
    by_template = f"{phrases.fallbacks.total():,} of {phrases.count:,} facts are phrased by the template"
    return f"{by_template}, since the phrasings of {model} are rejected: {why}"


class _SentenceQuestioner(TemplateQuestioner):
    """Questioner that makes questions of all types from the sentence that a model has written about a fact."""

    generator: LlmMaskGenerator

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._graph_template = self.template

    def ask(self, fact: Fact, known: Entity, right: Entity, *, with_true_statement: bool) -> Iterable[Question | None]:
        words = self.generator.phrase(fact, self.relation, "sentence")
        self.template = Template.from_statement(words.statement) if words and words.statement else self._graph_template
        return super().ask(fact, known, right, with_true_statement=with_true_statement)


class LlmMaskGenerator(LlmGenerator):
    """Generator of questions of all types from sentences that a model writes about facts, with one name masked."""

    questioner_type: ClassVar[type[Questioner]] = _SentenceQuestioner
    phraser_type: ClassVar[type[Phraser]] = SentencePhraser


class LlmQuestionSettings(LlmSettings, frozen=True, kw_only=True):
    """Settings of the generator `llm_question`."""

    questions: dict[QuestionType, PromptSettings]
    """Prompt around the phrasing model's question, by question type; questions from the template use `prompts`."""
    question_types: Annotated[tuple[QuestionType, ...], Meta(min_length=1)] = (
        "multi_choices",
        "single_answer",
        "multiple_answer",
    )
    """Question types to make; not `binary_answer`, which needs a statement."""


class _PhrasedQuestioner(TemplateQuestioner):
    """Questioner of multiple-choice and short-answer questions that a model has worded."""

    generator: LlmQuestionGenerator

    def ask(self, fact: Fact, known: Entity, right: Entity, *, with_true_statement: bool) -> Iterable[Question | None]:
        phrase = self.generator.phrase(fact, self.relation, f"ask_{self.end}")
        self._question = phrase.question if phrase else ""
        return super().ask(fact, known, right, with_true_statement=with_true_statement)

    def word_question(self, question_type: QuestionType, known: Entity, choices: str = "") -> WordedQuestion:
        """Return the model's question, or the template's if no question of the model was accepted."""
        if not self._question:
            return super().word_question(question_type, known, choices)
        bare = self.generator.with_day(self._question)
        return WordedQuestion(self.generator.question(question_type, bare, choices), None, bare)


class LlmQuestionGenerator(LlmGenerator):
    """Generator of multiple-choice and short-answer questions that a model phrases."""

    settings_type: ClassVar[type[GeneratorSettings]] = LlmQuestionSettings
    questioner_type: ClassVar[type[Questioner]] = _PhrasedQuestioner
    phraser_type: ClassVar[type[Phraser]] = QuestionPhraser

    def __init__(self, settings: LlmQuestionSettings, seed: int = 0, limit: int | None = None) -> None:
        super().__init__(settings, seed, limit)
        if "binary_answer" in settings.question_types:
            known = [name for name in QUESTION_TYPES if name != "binary_answer"]
            raise UnknownNameError("question type of the question generator", "binary_answer", known)
        self._questions = question_prompts(
            settings.question_types, settings.questions, "generator.questions", "question"
        )

    def question(self, question_type: QuestionType, bare: str, choices: str) -> tuple[Message, ...]:
        """Return the prompt around a question of the model."""
        return self._questions[question_type].fill({"question": bare, "choices": choices})
