"""Base class and registry of generators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from msgspec import Struct, field

from factprobe.config import Filled
from factprobe.records import Entity, Evidence, Question, RelationSummary, Triplet
from factprobe.registry import Registry
from factprobe.storage import Layout, Lines, Problems, write_json, write_lines

if TYPE_CHECKING:
    from factprobe.models import Model


class Generated(Struct):
    """Counts of the questions of one relation, made and refused."""

    made: dict[str, int] = field(default_factory=dict)
    """Questions by type."""
    not_made: dict[str, list[str]] = field(default_factory=dict)
    """Ids of refused questions, by reason."""
    drawn: dict[str, int] = field(default_factory=dict)
    """Number of wrong answers by the strategy that gave them, if one was asked for."""
    passages: dict[str, int] = field(default_factory=dict)
    """Questions with a passage by where its words come from: `evidence` or `template`."""

    def count(self, questions: Iterable[Question]) -> None:
        """Count further questions."""
        made = self.made
        for question in questions:
            question_type = question.question_type
            made[question_type] = made.get(question_type, 0) + 1

    def count_passages(self, questions: Iterable[Question]) -> None:
        """Note where the passages of some questions come from."""
        for question in questions:
            if question.context is not None and question.context.source:
                source = question.context.source
                self.passages[source] = self.passages.get(source, 0) + 1

    def refuse(self, reason: str, question_id: str) -> None:
        """Record a refused question."""
        self.not_made.setdefault(reason, []).append(question_id)

    def draw(self, counts: Mapping[str, int]) -> None:
        """Count wrong answers by strategy."""
        for strategy, count in counts.items():
            self.drawn[strategy] = self.drawn.get(strategy, 0) + count


class Ends(Protocol):
    """A fact's two ends."""

    @property
    def subject_uri(self) -> str:
        """URI of the subject."""

    @property
    def object_uri(self) -> str:
        """URI of the object."""


class Fact(Struct, frozen=True, gc=False):
    """The ends of a fact, which is all that most generators read of a triplet; the summary has the rest."""

    subject_uri: str
    object_uri: str


class StatedFact(Fact, frozen=True, gc=False):
    """A fact with the texts that state it, for passages before questions."""

    evidences: tuple[Evidence, ...] = ()


def fact_of(triplet: Triplet | Fact) -> Fact:
    """Return the fields of a triplet that generators read."""
    if isinstance(triplet, Fact):
        return triplet
    return StatedFact(triplet.subject_uri, triplet.object_uri, triplet.evidences)


class Survey(NamedTuple):
    """Overview of the graph, for decisions before the first question; it can be read several times."""

    asked: Iterable[tuple[str, str, Iterable[Ends]]]
    """Name, type and facts of each relation that is asked about."""
    facts: Iterable[tuple[str, str]]
    """Subject and object URI of every fact of the graph."""
    entities: Iterable[Entity]
    """Entities of the graph, repeated for each relation that has them."""

    @classmethod
    def of(cls, relations: Iterable[tuple[RelationSummary, Iterable[Triplet]]]) -> Survey:
        """Make the overview of some relations and the facts to ask about."""
        asked: list[tuple[str, str, list[Fact]]] = []
        pairs: list[tuple[str, str]] = []
        entities: list[Entity] = []
        for summary, triplets in relations:
            info = summary.relation_info
            asked.append((info.relation, info.type, [Fact(found.subject_uri, found.object_uri) for found in triplets]))
            pairs += summary.facts()
            entities += [*summary.entities("subject"), *summary.entities("object")]
        return cls(asked, pairs, entities)


class GeneratorSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of every generator."""

    name: Filled
    """Name of the generator in files and tables."""
    method: Filled | None = None
    """Registered class; by default the one of the same name."""


class Generator(ABC):
    """Base class: makes the questions of one relation and keeps nothing for the next, in whatever process.

    Args:
        settings: of the class's `settings_type`.
        seed: for every random choice.
        limit: ask about the first so many triplets only.
    """

    settings_type: ClassVar[type[GeneratorSettings]] = GeneratorSettings
    model: Model | None = None
    """Model that phrases questions, if the settings have a `model`; set by whoever builds the generator."""

    def __init__(self, settings: Any, seed: int = 0, limit: int | None = None) -> None:
        self.settings = settings
        self.seed = seed
        self.limit = limit
        self.graph: Callable[[], Iterable[RelationSummary]] | None = None
        """Function that returns the relation summaries of the whole graph; None if it is not set."""
        self.watch: Callable[[Iterable[Question], RelationSummary], Iterable[Question]] | None = None
        """Function that sees a relation's questions on their way to the file; None if it is not set."""

    @property
    def wants_survey(self) -> bool:
        """Return whether it needs an overview of the graph before the first relation."""
        return False

    def survey(self, graph: Survey) -> None:  # noqa: B027  (most need none)
        """Receive the overview of the graph, if it wants one.

        Raises:
            DataError: a file that its settings name cannot be used.
        """

    def manifest_entry(self) -> dict[str, Any]:
        """Return the choices that the manifest records, once the questions are made."""
        return {}

    @property
    def files(self) -> list[Path]:
        """Return the files that it reads besides triplets and relation summaries."""
        return []

    @abstractmethod
    def generate_questions(self, triplet_input_file: Path, relation_summary_file: Path, output_file: Path) -> Generated:
        """Write the questions of one relation to `output_file`.

        Raises:
            DataError: an input cannot be read, or the relation has no template to put it in words.
        """

    def questions(self, summary: RelationSummary, triplets: Iterable[Triplet]) -> Iterator[Question]:
        """Yield the questions of one relation without files of the caller's; by default through temporary files.

        Args:
            summary: the relation's answer sets.
            triplets: the facts to ask about, in order; all of them are in the summary.

        Raises:
            DataError: the relation has no template.
        """
        from tempfile import TemporaryDirectory

        relation = summary.relation_info.relation
        with TemporaryDirectory(prefix="factprobe-") as folder:
            layout = Layout(Path(folder))
            files = layout.triplets(relation), layout.summary(relation)
            write_lines(files[0], triplets)
            write_json(files[1], summary)
            output = layout.questions(self.settings.name, relation)
            self.generate_questions(*files, output)
            yield from Lines(output, Question, Problems(strict=True))


generators: Registry[Generator] = Registry(
    "generators",
    "generator",
    {
        "template": "factprobe.generators.template:TemplateGenerator",
        "likelihood": "factprobe.generators.likelihood:LikelihoodGenerator",
        "placebo": "factprobe.generators.placebo:PlaceboGenerator",
        "prior": "factprobe.generators.placebo:PriorGenerator",
        "llm_mask": "factprobe.generators.llm:LlmMaskGenerator",
        "llm_question": "factprobe.generators.llm:LlmQuestionGenerator",
    },
)
