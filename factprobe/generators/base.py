"""What a generator is, and the registry of those there are."""

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
    """What was made of one relation, and what was not."""

    made: dict[str, int] = field(default_factory=dict)
    """Questions by type."""
    not_made: dict[str, list[str]] = field(default_factory=dict)
    """Ids of the questions that could not be made, by the reason."""
    drawn: dict[str, int] = field(default_factory=dict)
    """Wrong answers by the strategy that they came of, where one was asked for."""
    passages: dict[str, int] = field(default_factory=dict)
    """Questions with a passage by where its words come from: `evidence` or `template`."""

    def count(self, questions: Iterable[Question]) -> None:
        """Notes some more questions."""
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
        """Notes a question that cannot be made."""
        self.not_made.setdefault(reason, []).append(question_id)

    def draw(self, counts: Mapping[str, int]) -> None:
        """Notes where wrong answers came from."""
        for strategy, count in counts.items():
            self.drawn[strategy] = self.drawn.get(strategy, 0) + count


class Ends(Protocol):
    """A fact, as far as it matters who is at its ends."""

    @property
    def subject_uri(self) -> str:
        """The subject."""

    @property
    def object_uri(self) -> str:
        """The object."""


class Fact(Struct, frozen=True, gc=False):
    """The ends of a fact, all that is read of most triplets here; the rest is in the summary."""

    subject_uri: str
    object_uri: str


class StatedFact(Fact, frozen=True, gc=False):
    """A fact with the texts that state it, for the passages before questions."""

    evidences: tuple[Evidence, ...] = ()


def fact_of(triplet: Triplet | Fact) -> Fact:
    """What is read of a triplet here."""
    if isinstance(triplet, Fact):
        return triplet
    return StatedFact(triplet.subject_uri, triplet.object_uri, triplet.evidences)


class Survey(NamedTuple):
    """What there is to ask about, for what is decided before the first question; it can be gone through again."""

    asked: Iterable[tuple[str, str, Iterable[Ends]]]
    """The name, the type and the facts of each relation that is asked about."""
    facts: Iterable[tuple[str, str]]
    """Subject and object URI of every fact of the graph."""
    entities: Iterable[Entity]
    """Those of the graph, one that stands in several relations several times."""

    @classmethod
    def of(cls, relations: Iterable[tuple[RelationSummary, Iterable[Triplet]]]) -> Survey:
        """That of some relations and the facts to ask about, whose ends are held."""
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
    """The settings of every generator."""

    name: Filled
    """What the generator is called in files and tables."""
    method: Filled | None = None
    """The registered class; by default the one of the same name."""


class Generator(ABC):
    """Makes the questions of one relation, and keeps nothing of it for the next, which another process may ask about.

    Args:
        settings: of the class's `settings_type`.
        seed: for every random choice.
        limit: ask about the first so many triplets only.
    """

    settings_type: ClassVar[type[GeneratorSettings]] = GeneratorSettings
    model: Model | None = None
    """Who is asked on the way, where the settings have a `model`; whoever builds the generator gives it."""

    def __init__(self, settings: Any, seed: int = 0, limit: int | None = None) -> None:
        self.settings = settings
        self.seed = seed
        self.limit = limit
        self.graph: Callable[[], Iterable[RelationSummary]] | None = None
        """Gives the relation summaries of the whole graph, whatever is asked about; None where nobody has set it."""
        self.watch: Callable[[Iterable[Question], RelationSummary], Iterable[Question]] | None = None
        """Sees a relation's questions on their way to their file; None where nobody has set it."""

    @property
    def wants_survey(self) -> bool:
        """Whether it must see all that there is before it makes questions of the first relation."""
        return False

    def survey(self, graph: Survey) -> None:  # noqa: B027  (most need none)
        """Shows it all that there is, where it wants to see that.

        Raises:
            DataError: a file that its settings name cannot be used.
        """

    def manifest_entry(self) -> dict[str, Any]:
        """What of its choices is to be kept in the manifest, once the questions are made."""
        return {}

    @property
    def files(self) -> list[Path]:
        """What it reads beside triplets and relation summaries."""
        return []

    @abstractmethod
    def generate_questions(self, triplet_input_file: Path, relation_summary_file: Path, output_file: Path) -> Generated:
        """Writes the questions of one relation to `output_file`.

        Raises:
            DataError: an input cannot be read, or the relation has no template to put it in words.
        """

    def questions(self, summary: RelationSummary, triplets: Iterable[Triplet]) -> Iterator[Question]:
        """The same without files of the caller's: by default it takes files of its own on the way.

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
