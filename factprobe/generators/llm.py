"""Generators that have a model phrase the facts, as sentences or questions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from factprobe.components.prompts import PromptSettings, Wording
from factprobe.errors import NoAnswersError, UnknownNameError
from factprobe.generators.base import Fact, Generated, GeneratorSettings, fact_of
from factprobe.generators.facts import ends_asked
from factprobe.generators.phrasing.phrasing import (
    Phrase,
    Phraser,
    QuestionPhraser,
    SentencePhraser,
    phrase_id,
)
from factprobe.generators.phrasing.rounds import PhrasingResult, Replies, phrased
from factprobe.generators.questioner import Questioner
from factprobe.generators.template import (
    TemplateGenerator,
    TemplateQuestioner,
    TemplateSettings,
    WordedQuestion,
    wordings,
)
from factprobe.question_types import QUESTION_TYPES, QuestionType
from factprobe.records import Entity, Message, PlainRequest, Question, RelationSummary, Triplet
from factprobe.templating import Template

log = logging.getLogger(__name__)


class LlmSettings(TemplateSettings, frozen=True, kw_only=True):
    """Settings of generators that have a model phrase the facts."""

    model: dict[str, Any]
    """Phrasing model: `generator.model=openai` names it, `generator.model.temperature=0.7` changes its settings."""
    phrasing: Wording
    """Prompt for the phrasing model; the default is a file of `conf/prompts/`."""
    tries: Annotated[int, Meta(ge=1)] = 3
    """Most requests for one fact; if no phrasing is accepted, the template is used."""


class LlmGenerator(TemplateGenerator):
    """Makes the template generator's questions in a model's words; linear in the triplets.

    Before the questions are made the model is asked: by the step, which has the replies on disk (`read_from`), or by
    the generator itself, relation by relation. `factprobe.generators.phrasing.checks` rejects some of the model's
    phrasings; the template replaces those.
    """

    settings_type: ClassVar[type[GeneratorSettings]] = LlmSettings
    phraser_type: ClassVar[type[Phraser]]

    def __init__(self, settings: LlmSettings, seed: int = 0, limit: int | None = None) -> None:
        super().__init__(settings, seed, limit)
        self._read: Callable[[str], Iterable[Phrase]] | None = None
        self._phrases: dict[str, Mapping[str, Phrase]] = {}

    def phraser(self, summary: RelationSummary, where: str = "") -> Phraser:
        """Return what phrases a relation's facts."""
        settings = self.settings
        template = self.template(summary.relation_info, where)
        ends, types = ends_asked(settings.ask), settings.question_types
        return self.phraser_type(settings.phrasing, summary, template, ends, settings.blank, types, self.day)

    def read_from(self, phrases: Callable[[str], Iterable[Phrase]]) -> None:
        """Read the phrasings of each relation from this folder, without asking a model."""
        self._read = phrases

    def questions(
        self,
        summary: RelationSummary,
        triplets: Iterable[Triplet | Fact],
        report: Generated | None = None,
        where: str = "",
    ) -> Iterator[Question]:
        """See the base class.

        Raises:
            ModelError: the model cannot be loaded.
            NoAnswersError: no call succeeds, or none any more.
        """
        relation = summary.relation_info.relation
        facts = [fact_of(triplet) for triplet in self.picked(summary.relation_info, triplets)]
        found = self._read(relation) if self._read else self._ask(summary, facts, where)
        self._phrases[relation] = {phrase.phrase_id: phrase for phrase in found}
        try:
            yield from super().questions(summary, facts, report, where)
        finally:
            self._phrases.pop(relation, None)

    def phrase(self, fact: Fact, relation: str, form: str) -> Phrase | None:
        """Return a fact's phrasing, if there is one."""
        found = self._phrases[relation].get(phrase_id(fact, relation, form))
        return found if found and found.is_there else None

    def _ask(self, summary: RelationSummary, facts: list[Fact], where: str) -> Iterator[Phrase]:
        from factprobe.asking.in_memory import ask_model  # what asks takes a while to load

        relation, phraser = summary.relation_info.relation, self.phraser(summary, where)
        model = self.model
        assert model is not None, "whoever builds the generator gives it its model"

        def ask(number: int, wanted: Mapping[str, Iterable[PlainRequest]]) -> Replies | None:
            requests = list(wanted[relation])
            if not requests:
                return None
            try:
                responses = ask_model(model, requests)
            except NoAnswersError:
                if number:  # the few that are asked again have a template
                    return None
                raise
            return lambda _: zip(requests, responses, strict=True)

        phrases = phrased(lambda _: phraser, {relation: facts}, ask, self.settings.tries)
        yield from phrases.of(relation)
        if phrases.fallbacks:
            log.warning("%s: %s", relation, fallen_back(phrases, model.name))


def fallen_back(phrases: PhrasingResult, model: str) -> str:
    """Return how many facts use the template, and why, in one line."""
    why = ", ".join(f"{rule} ({count:,})" for rule, count in phrases.fallbacks.most_common())
    by_template = f"{phrases.fallbacks.total():,} of {phrases.count:,} facts are put by the template"
    return f"{by_template}, since the words of {model} are not taken: {why}"


class _SentenceQuestioner(TemplateQuestioner):
    """The questions of every type, in the sentence of each fact."""

    generator: LlmMaskGenerator

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._usual = self.template

    def ask(self, fact: Fact, known: Entity, right: Entity, *, with_true_statement: bool) -> Iterable[Question | None]:
        """See the base class."""
        found = self.generator.phrase(fact, self.relation, "sentence")
        self.template = Template.of(found.statement) if found and found.statement else self._usual
        return super().ask(fact, known, right, with_true_statement=with_true_statement)


class LlmMaskGenerator(LlmGenerator):
    """Has a model phrase each fact as a sentence, whose spans give the questions of every type."""

    questioner_type: ClassVar[type[Questioner]] = _SentenceQuestioner
    phraser_type: ClassVar[type[Phraser]] = SentencePhraser


class LlmQuestionSettings(LlmSettings, frozen=True, kw_only=True):
    """Settings of the generator of questions."""

    questions: dict[QuestionType, PromptSettings]
    """Prompt around a question of each type; where the template is used, `prompts` are."""
    question_types: Annotated[tuple[QuestionType, ...], Meta(min_length=1)] = (
        "multi_choices",
        "single_answer",
        "multiple_answer",
    )
    """Question types to make; a question cannot be true or false."""


class _AskingQuestioner(TemplateQuestioner):
    """Multiple-choice and short-answer questions in the model's words."""

    generator: LlmQuestionGenerator

    def ask(self, fact: Fact, known: Entity, right: Entity, *, with_true_statement: bool) -> Iterable[Question | None]:
        """See the base class."""
        found = self.generator.phrase(fact, self.relation, f"ask_{self.end}")
        self._bare = found.question if found else ""
        return super().ask(fact, known, right, with_true_statement=with_true_statement)

    def pose(self, question_type: QuestionType, known: Entity, choices: str = "") -> WordedQuestion:
        """Return the wording of the question."""
        if not self._bare:
            return super().pose(question_type, known, choices)
        bare = self.generator.dated(self._bare)
        return WordedQuestion(self.generator.question(question_type, bare, choices), None, bare)


class LlmQuestionGenerator(LlmGenerator):
    """Has a model phrase each fact as a question whose answer is the end that is asked for.

    Raises:
        ConfigError: a wording is missing or lacks a placeholder.
        UnknownNameError: a question of true or false is asked for.
    """

    settings_type: ClassVar[type[GeneratorSettings]] = LlmQuestionSettings
    questioner_type: ClassVar[type[Questioner]] = _AskingQuestioner
    phraser_type: ClassVar[type[Phraser]] = QuestionPhraser

    def __init__(self, settings: LlmQuestionSettings, seed: int = 0, limit: int | None = None) -> None:
        super().__init__(settings, seed, limit)
        if "binary_answer" in settings.question_types:
            known = [name for name in QUESTION_TYPES if name != "binary_answer"]
            raise UnknownNameError("question type of the question generator", "binary_answer", known)
        self._questions = wordings(settings.question_types, settings.questions, "generator.questions", "question")

    def question(self, question_type: QuestionType, bare: str, choices: str) -> tuple[Message, ...]:
        """Return the chat messages of a question."""
        return self._questions[question_type].fill({"question": bare, "choices": choices})
