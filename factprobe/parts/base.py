"""What a part of the free-text steps is: its settings, and how it asks a model or reads a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from msgspec import Struct

from factprobe.config import Filled
from factprobe.records import PlainRequest, RelationSummary, Response
from factprobe.storage import Problems

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
    """The settings of every claim extractor, checker, aggregator, retriever and detector."""

    name: Filled
    """What it is called in files and tables."""
    method: Filled | None = None
    """The registered class; by default the one of the same name."""


class Part:
    """What claim extractors, checkers, retrievers and detectors have in common.

    Args:
        settings: of the class's `settings_type`.
    """

    settings_type: ClassVar[type[PartSettings]] = PartSettings
    wants_graph: ClassVar[bool] = False
    """Whether it reads a graph."""
    wants_named_graph: ClassVar[bool] = False
    """Whether it reads a graph where the user names one."""
    wants_probabilities: ClassVar[bool] = False
    """Whether it asks its model for the probabilities of texts, as a `TokenScorer` gives them, and not for replies."""
    may_ask_nobody: ClassVar[bool] = False
    """Whether its texts may bring all that its model would be asked for, so that a model that cannot be built or called
    is an error only once it is asked."""
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
