"""What a claim extractor is, what those share that ask a model or a graph, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from msgspec import Struct

from factprobe.config import Filled
from factprobe.records import Claimed, ClaimFormat, Item, PlainRequest, RelationSummary, Response
from factprobe.registry import Registry

if TYPE_CHECKING:
    from factprobe.models import Model


class Ask(Protocol):
    """How a model is asked: by a step, with files, so that nothing is paid twice, or in memory."""

    def __call__(self, what: str, requests: Iterable[PlainRequest]) -> Sequence[Response]:
        """The responses, in the order of the requests; one that failed says so itself.

        Args:
            what: names this round of requests, e.g. `claims` or `claims-1`; not used twice in a run.
            requests: each with an id of its own, the same in every run.

        Raises:
            NoAnswersError: no call succeeds, or none any more.
            CostLimitError: the next call could pass `max_cost_usd`.
        """


class PartSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of every claim extractor, checker, aggregator and retriever."""

    name: Filled
    """What it is called in files and tables."""
    method: Filled | None = None
    """The registered class; by default the one of the same name."""


class Part:
    """What claim extractors, checkers and retrievers have in common.

    Args:
        settings: of the class's `settings_type`.
    """

    settings_type: ClassVar[type[PartSettings]] = PartSettings
    wants_graph: ClassVar[bool] = False
    """Whether it reads a graph."""
    model: Model | None = None
    """Who is asked, where the settings have a `model`; whoever builds the part gives it, with `ask`."""
    ask: Ask | None = None
    graph: Callable[[], Iterable[RelationSummary]] | None = None
    """Gives the relations of the graph, where it wants one; whoever builds the part gives it."""

    def __init__(self, settings: Any) -> None:
        self.settings = settings


class ClaimExtractor(Part, ABC):
    """Takes claims from texts."""

    formats: ClassVar[tuple[ClaimFormat, ...]] = ("triplet",)
    """Those that it can give."""

    @abstractmethod
    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "triplet") -> Iterator[Claimed]:
        """The claims of each text, in order.

        Raises:
            NoAnswersError: a model is asked, and no call succeeds.
            CostLimitError: its next call could pass `max_cost_usd`.
        """


claim_extractors: Registry[ClaimExtractor] = Registry(
    "claim_extractors",
    "claim_extractor",
    {
        "graph": "factprobe.claims.graph:GraphClaims",
        "llm": "factprobe.claims.llm:LlmClaims",
        "sentences": "factprobe.claims.sentences:SentenceClaims",
    },
)
