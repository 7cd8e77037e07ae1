"""Shared base of generators that phrase a relation's facts with its template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta

from factprobe.components.prompts import Prompt
from factprobe.config import Filled
from factprobe.errors import ConfigError, DataError
from factprobe.generators.base import Fact, Generated, Generator, GeneratorSettings, StatedFact, Survey, fact_of
from factprobe.generators.direction import Direction
from factprobe.generators.passages.contexts import ContextKind
from factprobe.generators.questioner import Questioner, UnknownFactError
from factprobe.generators.sampling.choice import ChoiceSettings, F, FactChoice
from factprobe.periods import Day, parse_day
from factprobe.question_types import End
from factprobe.records import (
    Popularity,
    Question,
    Relation,
    RelationSummary,
    Triplet,
)
from factprobe.storage import Lines, Problems, read_json, write_lines
from factprobe.templating import Template, read_templates

if TYPE_CHECKING:
    from random import Random

CONTEXT = "context"
"""Prompt that puts a passage before a question."""


class FactSettings(ChoiceSettings, frozen=True, kw_only=True):
    """Settings of these generators."""

    ask: Literal["object", "subject", "both"] = "object"
    """Ends of a fact that questions ask for."""
    blank: str = "____"
    """Placeholder for the missing name in a question."""
    context: ContextKind = "none"
    """Passage before the question: evidence of its fact, evidence of another fact, or one that states a wrong answer.
    """
    context_chars: Annotated[int, Meta(ge=1)] = 500
    """Most characters of a passage from evidence; else it is the fact in the words of the template."""
    as_of: str | int | None = None
    """Ask for the right answer on this day, e.g. `2024-01-01`, where facts have a start or an end."""
    as_of_words: str = "As of {date}: {statement}"
    """Wording of the day in a question."""
    template: Annotated[int, Meta(ge=0)] | Literal["all"] = 0
    """Index of the template, from 0; a relation with fewer uses its first. `all` asks every question in each template,
    with the names `<generator.name>-1`, `-2` ... for later ones."""
    templates_file: Filled | None = None
    """YAML or JSON file with further templates, e.g. `P19: ["[X] comes from [Y]."]`, added after the graph's own."""


def facts_in(path: Path, record: type[Fact] = Fact) -> Lines[Fact]:
    """Yield the facts of a file of triplets; a broken one ends the run."""
    return Lines(path, record, Problems(strict=True, hint="run step=extract again"))


class FactGenerator(Generator):
    """Base class of generators that ask about each triplet of a relation in turn."""

    settings_type: ClassVar[type[GeneratorSettings]] = FactSettings
    questioner_type: ClassVar[type[Questioner]]
    """Class that asks for one end of the facts."""
    context_prompt: Prompt | None = None
    """Prompt of a question with a passage; ranked questions need none."""

    def __init__(self, settings: FactSettings, seed: int = 0, limit: int | None = None) -> None:
        super().__init__(settings, seed, limit)
        self._choice = FactChoice(settings, seed, limit)
        self.day: Day | None = None
        if settings.as_of is not None:
            self.day = parse_day(str(settings.as_of))
            if self.day is None or not (self.day.month and self.day.day):
                hint = "write a day as in 2024-01-31"
                raise ConfigError(f"{str(settings.as_of)!r} is no day", where="generator.as_of", hint=hint)
            if any(settings.as_of_words.count(place) != 1 for place in ("{date}", "{statement}")):
                what = f"{settings.as_of_words!r} does not hold {{date}} and {{statement}} once each"
                raise ConfigError(what, where="generator.as_of_words")

    def rng(self, relation: str, what: str) -> Random:
        """Return a random generator for a relation and purpose, so that no choice depends on other questions."""
        from random import Random

        return Random(f"{self.seed}:{relation}:{what}")

    @property
    def files(self) -> list[Path]:
        """See the base class."""
        return self._choice.files

    @property
    def wants_survey(self) -> bool:
        """See the base class."""
        return self._choice.wants_survey

    def survey(self, graph: Survey) -> None:
        """See the base class."""
        self._choice.survey(graph)

    def manifest_entry(self) -> dict[str, Any]:
        """See the base class."""
        return self._choice.manifest_entry()

    def picked(self, relation: Relation, triplets: Iterable[F]) -> Iterable[F]:
        """Return the facts to ask about."""
        return self._choice.picked(relation, triplets)

    def popularity_of(self, fact: Fact) -> Popularity | Literal[""]:
        """Return the popularity of the subject, if a file has it."""
        return self._choice.popularity_of(fact)

    def direction(self, summary: RelationSummary, end: End) -> Direction:
        """Return a relation seen from one end."""
        return Direction(summary, end, day=self.day)

    def dated(self, statement: str) -> str:
        """Return a statement with the day, if the question asks for one."""
        lead, rest = self.around
        return f"{lead}{statement}{rest}"

    @cached_property
    def around(self) -> tuple[str, str]:
        """Return the text before and after a statement."""
        if self.day is None:
            return "", ""
        lead, rest = (part.replace("{date}", str(self.day)) for part in self.settings.as_of_words.split("{statement}"))
        return lead, rest

    def _without_day(self) -> Self:
        """Return the same generator for a relation whose facts hold at any time: nobody is born as of a day."""
        found = copy(self)
        found.day = None
        found.__dict__.pop("around", None)
        return found

    def template(self, relation: Relation, where: str = "") -> Template:
        """Return the template of a relation.

        Raises:
            ConfigError: all templates are asked for at once.
            DataError: it does not hold the symbols of both ends once each, or the file of templates cannot be read.
        """
        number, templates = self.settings.template, self.templates(relation)
        if number == "all":
            hint = "give a number, one after the other; steps that are run by their names take all"
            raise ConfigError("several wordings at once", where="generator.template", hint=hint)
        chosen, source = templates[number if number < len(templates) else 0]
        return Template(relation, source or where or relation.relation, chosen)

    def templates(self, relation: Relation) -> list[tuple[str, str]]:
        """Return every template of a relation with its file; empty for the graph's own.

        Raises:
            DataError: the file of templates cannot be read.
        """
        own = [(text, "") for text in relation.templates or (relation.template,)]
        path = self.settings.templates_file or ""
        return own + [(text, path) for text in self._further.get(relation.relation, ())]

    @cached_property
    def _further(self) -> Mapping[str, Sequence[str]]:
        path = self.settings.templates_file
        return read_templates(path) if path else {}

    def generate_questions(self, triplet_input_file: Path, relation_summary_file: Path, output_file: Path) -> Generated:
        """See the base class."""
        summary = read_json(relation_summary_file, RelationSummary)
        pairs = facts_in(triplet_input_file, Fact if self.settings.context == "none" else StatedFact)
        report = Generated()
        questions: Iterable[Question] = self.questions(summary, pairs, report, str(relation_summary_file))
        write_lines(output_file, questions if self.watch is None else self.watch(questions, summary))
        return report

    def questions(
        self,
        summary: RelationSummary,
        triplets: Iterable[Triplet | Fact],
        report: Generated | None = None,
        where: str = "",
    ) -> Iterator[Question]:
        """See the base class; those about one fact are made at once.

        Args:
            summary: the relation's answer sets.
            triplets: those to ask about, in order, or only their ends; all of them are in the summary.
            report: counts what is made and names what is not.
            where: the relation's source, for messages.
        """
        return chain.from_iterable(self._by_fact(summary, triplets, report or Generated(), where))

    def _by_fact(
        self, summary: RelationSummary, triplets: Iterable[Triplet | Fact], report: Generated, where: str
    ) -> Iterator[Sequence[Question]]:
        template = self.template(summary.relation_info, where)
        asker = self if self.day is None or summary.has_periods() else self._without_day()
        questioners = [
            self.questioner_type(asker, end, template, summary, report) for end in ends_asked(self.settings.ask)
        ]
        for triplet in self.picked(summary.relation_info, triplets):
            fact = fact_of(triplet)
            for number, questioner in enumerate(questioners):
                try:
                    yield questioner.questions(fact, with_true_statement=number == 0)
                except UnknownFactError as error:
                    what = f"the triplet {fact.subject_uri} {fact.object_uri} is not in the relation's summary"
                    raise DataError(what, where=where, hint="run step=extract again") from error
        for questioner in questioners:
            report.draw(questioner.direction.drawn)


def ends_asked(ask: Literal["object", "subject", "both"]) -> list[End]:
    """Return the ends of a fact to ask for."""
    ends: tuple[End, ...] = ("object", "subject")
    return [end for end in ends if ask in (end, "both")]
