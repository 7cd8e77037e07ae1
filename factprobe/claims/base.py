"""What a claim extractor is, what those share that ask a model or a graph, and the registry of those there are."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from msgspec import Struct

from factprobe.config import Filled
from factprobe.errors import ConfigError
from factprobe.records import Claimed, ClaimFormat, Item, PlainRequest, RelationSummary, Response
from factprobe.registry import Registry
from factprobe.storage import Problems

if TYPE_CHECKING:
    from factprobe.models import Model


log = logging.getLogger(__name__)


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
    wants_probabilities: ClassVar[bool] = False
    """Whether it asks its model for the probabilities of texts, as a `TokenScorer` gives them, and not for replies."""
    model: Model | None = None
    """Who is asked, where the settings have a `model`; whoever builds the part gives it, with `ask`."""
    ask: Ask | None = None
    graph: Callable[[], Iterable[RelationSummary]] | None = None
    """Gives the relations of the graph, where it wants one; whoever builds the part gives it."""
    problems: Problems | None = None
    """Collects the broken places of the files that it reads; by default they are skipped with a warning."""
    files: Sequence[Path] = ()
    """The files that it has read."""

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


def format_of(extractor: ClaimExtractor | None, wanted: ClaimFormat | None) -> ClaimFormat:
    """The format of the claims: the one that is wanted, or the first that the extractor gives, if there is one.

    Raises:
        ConfigError: it does not give that.
    """
    if extractor is None:
        return wanted or "triplet"
    if wanted not in (None, *extractor.formats):
        what = f"claim_extractor={extractor.settings.name} gives no claims of the format {wanted}"
        raise ConfigError(what, where="claim_format", mend=f"it gives {', '.join(extractor.formats)}")
    return wanted or extractor.formats[0]


def warn_of_none(found: Sequence[Claimed], extractor: ClaimExtractor, graph: str) -> None:
    """Warns where an extractor finds no claim in any text: it may know nothing of what they are about."""
    if not any(text.claims or text.fault for text in found):
        of = f" about entities of {graph}" if extractor.wants_graph else ""
        what = "claim_extractor=%s finds no claim%s; another one, such as llm, may find some"
        log.warning(what, extractor.settings.name, of)


claim_extractors: Registry[ClaimExtractor] = Registry(
    "claim_extractors",
    "claim_extractor",
    {
        "graph": "factprobe.claims.graph:GraphClaims",
        "llm": "factprobe.claims.llm:LlmClaims",
        "sentences": "factprobe.claims.sentences:SentenceClaims",
    },
)
