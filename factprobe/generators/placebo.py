"""Generators of questions that reveal guessing: about made-up subjects, and without a subject."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, ClassVar

from msgspec.structs import replace

from factprobe.config import Filled
from factprobe.errors import ConfigError
from factprobe.generators.base import Fact, Survey
from factprobe.generators.ids import question_id
from factprobe.generators.questioner import Questioner
from factprobe.generators.template import TemplateGenerator, TemplateQuestioner, TemplateSettings
from factprobe.generators.wording.made_up import MadeUpNames
from factprobe.question_types import End, other_end
from factprobe.records import Entity, Question, RelationSummary, Statement
from factprobe.templating import Template
from factprobe.text import normalise

NO_NAME = "there are too few labels to make up a name"
_MADE_UP = "made-up/"


class _PlaceboQuestioner(TemplateQuestioner):
    """Questioner that replaces the entity in questions by a made-up name."""

    generator: PlaceboGenerator

    def __init__(
        self, generator: PlaceboGenerator, end: End, template: Template, summary: RelationSummary, *args: Any
    ) -> None:
        super().__init__(generator, end, template, summary, *args)
        given = other_end(end)
        labels = [entity.label for entity in summary.entities(given) if entity.label.strip()]
        own = {normalise(name) for side in (given, end) for entity in summary.entities(side) for name in entity.names()}
        rng = generator.rng(self.relation, f"made_up_{given}")
        self._names = MadeUpNames(labels, generator.existing_names or own, rng)
        self._name = ""

    def ask(self, fact: Fact, known: Entity, right: Entity, *, with_true_statement: bool) -> Iterator[Question | None]:  # noqa: ARG002  # it makes no statement
        """Yield the questions about a made-up name; there is no true statement about it."""
        self._name = self._names.make(self.generator.rng(self.relation, f"made_up:{known.uri}")) or ""
        if not self._name:
            self.refuse(NO_NAME, "single_answer", self.ask_form)
            return
        uri = f"{_MADE_UP}{known.uri}"
        ends = (uri, fact.object_uri) if self.end == "object" else (fact.subject_uri, uri)
        for question in super().ask(fact, known, right, with_true_statement=False):
            yield question and replace(
                question,
                question_id=question_id(*ends, self.relation, question.question_type, question.form),
                answers=question.answers if isinstance(question.answers, str) else (),
                subject_uri=ends[0],
                object_uri=ends[1],
                given="made_up",
                giveaway="",
            )

    def statement(self, known: Entity, other: Entity | None = None, template: Template | None = None) -> Statement:
        return super().statement(Entity(known.uri, self._name), other, template)


class _WithoutPassages(TemplateGenerator):
    """Base class of generators that refuse passages, since these would name the real subject or state an answer."""

    def __init__(self, settings: TemplateSettings, seed: int = 0, limit: int | None = None) -> None:
        if settings.context != "none":
            what = "there is no passage about a subject that is made up or left out"
            raise ConfigError(what, where="generator.context", hint="set it to none")
        super().__init__(settings, seed, limit)


class PlaceboGenerator(_WithoutPassages):
    """Generator of questions from templates about made-up subjects, to which abstention is the right reply.

    Options and false statements are those of the real subject, so that they fit the relation. Such questions about
    entities that do not exist are used in Yin et al. 2023, Findings of ACL (Do Large Language Models Know What They
    Don't Know?).
    """

    questioner_type: ClassVar[type[Questioner]] = _PlaceboQuestioner
    existing_names: Collection[str] = ()
    """Normalised names of the whole graph, to avoid in made-up names; if empty, the relation's names are avoided."""

    @property
    def wants_survey(self) -> bool:
        """True, since a made-up name must not be a name of an entity in another relation."""
        return True

    def survey(self, graph: Survey) -> None:
        """Read the names of all entities of the graph."""
        super().survey(graph)
        self.existing_names = {normalise(name) for entity in graph.entities for name in entity.names()}


class PriorSettings(TemplateSettings, frozen=True, kw_only=True):
    """Settings of questions without a subject."""

    stand_in: Filled = "X"
    """Placeholder in place of the subject."""


class _PriorQuestioner(TemplateQuestioner):
    """Questioner that replaces the entity in questions by a placeholder."""

    generator: PriorGenerator

    def ask(self, fact: Fact, known: Entity, right: Entity, *, with_true_statement: bool) -> Iterable[Question | None]:
        questions = super().ask(fact, known, right, with_true_statement=with_true_statement)
        return [question and replace(question, given="none") for question in questions]

    def statement(self, known: Entity, other: Entity | None = None, template: Template | None = None) -> Statement:
        return super().statement(Entity(known.uri, self.generator.settings.stand_in), other, template)


class PriorGenerator(_WithoutPassages):
    """Generator of the questions of the template generator without their subject; ids, options and answers stay.

    Right answers to these questions show no knowledge of the fact: they follow from the frequency of answers, or from
    the options and their order. The questions measure the object prior of Cao et al. 2021, ACL (Knowledgeable or
    Educated Guess?).
    """

    settings_type: ClassVar[type[TemplateSettings]] = PriorSettings
    questioner_type: ClassVar[type[Questioner]] = _PriorQuestioner
