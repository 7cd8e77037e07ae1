"""Base class of generators that word the facts of a relation with its template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import chain
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Annotated, ClassVar, Literal, Self

from msgspec import Meta

from factprobe.components.prompts import Prompt
from factprobe.config import Filled
from factprobe.errors import ConfigError, DataError
from factprobe.generators.base import Ends, Fact, GenerationReport, GeneratorSettings, StatedFact, fact_of
from factprobe.generators.distractor_sampler import DistractorSampler
from factprobe.generators.passages.context_passages import ContextKind
from factprobe.generators.questioner import Questioner, UnknownFactError
from factprobe.generators.sampling.fact_choice import ChoiceSettings, FactChoice
from factprobe.periods import Day, parse_day
from factprobe.question_types import End
from factprobe.records import Question, Relation, RelationSummary
from factprobe.storage import Lines, Problems, UniqueLines, read_summary, write_lines
from factprobe.templating import Template, read_templates

CONTEXT = "context"
"""Name of the prompt that puts a passage before a question."""


class FactSettings(ChoiceSettings, frozen=True, kw_only=True):
    """Settings of generators that word facts with a template."""

    ask: Literal["object", "subject", "both"] = "object"
    """Ends of a fact that questions ask for."""
    blank: str = "____"
    """Placeholder for the missing name in a question."""
    context: ContextKind = "none"
    """Passage before the question: none, evidence of its fact (`relevance`), of another fact (`irrelevance`), or for a
    wrong answer (`antifactual`)."""
    context_chars: Annotated[int, Meta(ge=1)] = 500
    """Maximum length of a passage in characters; if all evidence is longer, the filled template is used."""
    as_of: str | int | None = None
    """Day for which to ask, e.g. `2024-01-01`, in relations whose facts have a start or an end."""
    as_of_words: str = "As of {date}: {statement}"
    """Wording of the day in a question."""
    template: Annotated[int, Meta(ge=0)] | Literal["all"] = 0
    """Index of the template, from 0; a relation with fewer templates uses its first. `all` asks every question in each
    template; later templates have the generator names `<generator.name>-1`, `-2` ..."""
    templates_file: Filled | None = None
    """YAML or JSON file with further templates, e.g. `P19: ["[X] comes from [Y]."]`, added after the graph's own."""


def read_facts(path: Path, record: type[Fact] = Fact) -> Lines[Fact]:
    """Read the facts of a file of triplets; raise a `DataError` if a line is broken, or there twice."""
    problems = Problems(strict=True, hint="run step=extract again")
    return UniqueLines(path, record, problems, attrgetter("subject_uri", "object_uri"))


class FactGenerator(FactChoice):
    """Base class of generators that ask about each triplet of a relation in turn.

    Raises:
        ConfigError: `as_of` is not a day, or `as_of_words` lacks a placeholder.
    """

    settings_type: ClassVar[type[GeneratorSettings]] = FactSettings
    questioner_type: ClassVar[type[Questioner]]
    """Class that makes the questions that ask for one end of the facts."""
    context_prompt: Prompt | None = None
    """Prompt of a question with a passage; None for ranked questions."""

    def __init__(self, settings: FactSettings, seed: int = 0, limit: int | None = None) -> None:
        super().__init__(settings, seed, limit)
        self.day: Day | None = None
        if settings.as_of is not None:
            self.day = parse_day(str(settings.as_of))
            if self.day is None or not (self.day.month and self.day.day):
                hint = "write a day as in 2024-01-31"
                raise ConfigError(f"{str(settings.as_of)!r} is not a day", where="generator.as_of", hint=hint)
            if any(settings.as_of_words.count(place) != 1 for place in ("{date}", "{statement}")):
                what = f"{settings.as_of_words!r} does not contain {{date}} and {{statement}} once each"
                raise ConfigError(what, where="generator.as_of_words")

    def rng(self, relation: str, what: str) -> Random:
        """Return a random number generator for one relation and purpose; no choice depends on other questions."""
        return Random(f"{self.seed}:{relation}:{what}")

    def make_sampler(self, summary: RelationSummary, end: End) -> DistractorSampler:
        """Return the sampler of answers at one end of a relation."""
        return DistractorSampler(summary, end, day=self.day)

    def with_day(self, statement: str) -> str:
        """Return a statement with the day for which questions ask, if they do."""
        lead, rest = self.affixes
        return f"{lead}{statement}{rest}"

    @cached_property
    def affixes(self) -> tuple[str, str]:
        """Texts to put before and after a statement to add the day; empty without a day."""
        if self.day is None:
            return "", ""
        lead, rest = (part.replace("{date}", str(self.day)) for part in self.settings.as_of_words.split("{statement}"))
        return lead, rest

    def _without_day(self) -> Self:
        """Return a copy without the day, for relations whose facts hold at any time."""
        copied = copy(self)
        copied.day = None
        copied.__dict__.pop("affixes", None)
        return copied

    def template(self, relation: Relation, where: str = "") -> Template:
        """Return the template of a relation.

        Raises:
            ConfigError: `generator.template` is `all`, which only steps replace by each number in turn.
            DataError: The template does not contain each placeholder once, or the file of templates cannot be read.
        """
        number, templates = self.settings.template, self.templates(relation)
        if number == "all":
            hint = "give one number at a time; only steps of the command line accept all"
            raise ConfigError("all templates at once", where="generator.template", hint=hint)
        chosen, source = templates[number if number < len(templates) else 0]
        return Template(relation, source or where or relation.relation, chosen)

    def templates(self, relation: Relation) -> list[tuple[str, str]]:
        """Return the templates of a relation, each with the path of its file; empty for templates of the graph."""
        own = [(text, "") for text in relation.templates or (relation.template,)]
        path = self.settings.templates_file or ""
        return own + [(text, path) for text in self._extra_templates.get(relation.relation, ())]

    @cached_property
    def _extra_templates(self) -> Mapping[str, Sequence[str]]:
        return read_templates(path) if (path := self.settings.templates_file) else {}

    def generate_questions(
        self, triplet_input_file: Path, relation_summary_file: Path, output_file: Path
    ) -> GenerationReport:
        """Write the questions of one relation to `output_file`, and return their numbers."""
        summary = read_summary(relation_summary_file, RelationSummary)
        pairs = read_facts(triplet_input_file, Fact if self.settings.context == "none" else StatedFact)
        report = GenerationReport()
        questions: Iterable[Question] = self.questions(summary, pairs, report, str(relation_summary_file))
        write_lines(output_file, questions if self.watch is None else self.watch(questions, summary))
        return report

    def questions(
        self,
        summary: RelationSummary,
        triplets: Iterable[Ends],
        report: GenerationReport | None = None,
        where: str = "",
    ) -> Iterator[Question]:
        """Yield the questions on facts of a relation, and count them in `report`; `where` is for error messages."""
        return chain.from_iterable(self._by_fact(summary, triplets, report or GenerationReport(), where))

    def _by_fact(
        self, summary: RelationSummary, triplets: Iterable[Ends], report: GenerationReport, where: str
    ) -> Iterator[Sequence[Question]]:
        template = self.template(summary.relation_info, where)
        asker = self if self.day is None or summary.has_periods() else self._without_day()
        report.ended = self.day is None and summary.has_ended_facts()
        questioners = [
            self.questioner_type(asker, end, template, summary, report) for end in sought_ends(self.settings.ask)
        ]
        for triplet in self.select_facts(summary.relation_info, triplets):
            fact = fact_of(triplet)
            for number, questioner in enumerate(questioners):
                try:
                    yield questioner.questions(fact, with_true_statement=number == 0)
                except UnknownFactError as error:
                    what = f"the triplet {fact.subject_uri} {fact.object_uri} is not in the relation's summary"
                    raise DataError(what, where=where, hint="run step=extract again") from error
        for questioner in questioners:
            report.negatives.update(questioner.sampler.draw_counts)


def sought_ends(ask: Literal["object", "subject", "both"]) -> list[End]:
    """Return the ends of a fact to ask for."""
    ends: tuple[End, ...] = ("object", "subject")
    return [end for end in ends if ask in (end, "both")]
