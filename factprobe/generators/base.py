"""Base class and registry of generators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import Struct, field

from factprobe.config import Filled
from factprobe.records import Entity, Evidence, Question, RelationSummary, Triplet
from factprobe.registry import Registry
from factprobe.storage import Layout, Lines, Problems, write_json, write_lines

if TYPE_CHECKING:
    from factprobe.models import Model


class GenerationReport(Struct):
    """Numbers of questions made for one relation, and the refused ones with the reasons."""

    made: Counter[str] = field(default_factory=Counter)
    """Number of questions by type."""
    refused: dict[str, list[str]] = field(default_factory=dict)
    """Ids of refused questions, by reason."""
    negatives: Counter[str] = field(default_factory=Counter)
    """Number of wrong answers by the strategy that chose them, if several were used."""
    passages: Counter[str] = field(default_factory=Counter)
    """Number of questions with a passage by its origin, `evidence` or `template`."""

    ended: bool = False
    """True if some facts of the relation have ended and the questions name no day, so that they ask for any time."""

    def refuse(self, reason: str, question_id: str) -> None:
        """Record a refused question."""
        self.refused.setdefault(reason, []).append(question_id)


class Fact(Struct, frozen=True, gc=False):
    """URIs of subject and object of a fact; generators find all else in the relation summary."""

    subject_uri: str
    object_uri: str


class StatedFact(Fact, frozen=True, gc=False):
    """Fact with the evidence for it, from which passages before questions are made."""

    evidences: tuple[Evidence, ...] = ()


Ends = Fact | Triplet
"""Record with the URIs of a fact's subject and object."""


def fact_of(triplet: Ends) -> Fact:
    """Return the fields of a triplet that generators use."""
    if isinstance(triplet, Fact):
        return triplet
    return StatedFact(triplet.subject_uri, triplet.object_uri, triplet.evidences)


class Survey(NamedTuple):
    """Overview of the graph, for choices that depend on all relations; each field can be iterated several times."""

    relation_facts: Iterable[tuple[str, str, Iterable[Ends]]]
    """Name, type and facts to ask about, for each relation."""
    facts: Iterable[tuple[str, str]]
    """Subject and object URI of every fact of the graph."""
    entities: Iterable[Entity]
    """Entities of the graph, repeated for each of their relations."""

    @classmethod
    def of(cls, relations: Iterable[tuple[RelationSummary, Iterable[Triplet]]]) -> Survey:
        """Build the overview from relation summaries, each with the facts to ask about."""
        relation_facts: list[tuple[str, str, list[Fact]]] = []
        pairs: list[tuple[str, str]] = []
        entities: list[Entity] = []
        for summary, triplets in relations:
            info = summary.relation_info
            relation_facts.append(
                (info.relation, info.type, [Fact(triplet.subject_uri, triplet.object_uri) for triplet in triplets])
            )
            pairs += summary.facts()
            entities += [*summary.entities("subject"), *summary.entities("object")]
        return cls(relation_facts, pairs, entities)


class GeneratorSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of every generator."""

    name: Filled
    """Name of the generator, as files and tables show it."""
    method: Filled | None = None
    """Registered class of the generator; by default the class with its name."""


class Generator(ABC):
    """Base class of generators, which make questions relation by relation; no relation depends on another.

    Args:
        settings: Settings, of type `settings_type`.
        seed: Seed of all random choices.
        limit: Maximum number of triplets of a relation to ask about; None for all.
    """

    settings_type: ClassVar[type[GeneratorSettings]] = GeneratorSettings
    model: Model | None = None
    """Model that words questions, if the settings have a `model`; set by the factory."""

    def __init__(self, settings: Any, seed: int = 0, limit: int | None = None) -> None:
        self.settings = settings
        self.seed = seed
        self.limit = limit
        self.graph: Callable[[], Iterable[RelationSummary]] | None = None
        """Function that returns the relation summaries of the whole graph; None if it is not set."""
        self.watch: Callable[[Iterable[Question], RelationSummary], Iterable[Question]] | None = None
        """Function through which the questions of a relation pass before they are written; None if not set."""

    @property
    def wants_survey(self) -> bool:
        """True if `survey` has to be called before questions are made."""
        return False

    def survey(self, graph: Survey) -> None:  # noqa: B027  (most need none)
        """Read what is needed from an overview of the graph; called only if `wants_survey` is true.

        Raises:
            DataError: A file that the settings name cannot be used.
        """

    def manifest_entry(self) -> dict[str, Any]:
        """Return entries for the run's manifest, to be called after the questions were made."""
        return {}

    @property
    def files(self) -> list[Path]:
        """Files that the generator reads besides triplets and relation summaries."""
        return []

    @abstractmethod
    def generate_questions(
        self, triplet_input_file: Path, relation_summary_file: Path, output_file: Path
    ) -> GenerationReport:
        """Write the questions of one relation to `output_file`, and return their numbers.

        Raises:
            DataError: An input cannot be read, or the relation has no template.
        """

    def questions(self, summary: RelationSummary, triplets: Iterable[Triplet]) -> Iterator[Question]:
        """Yield the questions of one relation from records instead of files.

        The summary has all facts of the relation, `triplets` those to ask about, in order. By default, temporary files
        are used.

        Raises:
            DataError: The relation has no template.
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


generators: Registry[Generator] = Registry("generators", "generator")
