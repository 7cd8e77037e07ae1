"""Base class of components: settings, access to a model or a graph, and requests in rounds."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from msgspec import Struct

from factprobe.config import Filled
from factprobe.errors import NoAnswersError
from factprobe.records import PlainRequest, RelationSummary, Response
from factprobe.storage import Problems

if TYPE_CHECKING:
    from factprobe.models import Model


class Ask(Protocol):
    """Function that asks a model: by a step, with files, so that nothing is paid twice, or in memory."""

    def __call__(self, what: str, requests: Iterable[PlainRequest]) -> Sequence[Response]:
        """Return the responses, in the order of the requests; a failed one has its error.

        Args:
            what: names this round of requests, e.g. `claims` or `claims-1`; not used twice in a run.
            requests: each with an id of its own, the same in every run.

        Raises:
            NoAnswersError: no call succeeds, or none any more.
            CostLimitError: the next call could pass `max_cost_usd`.
        """


class PartSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of every claim extractor, checker, aggregator, retriever and detector."""

    name: Filled
    """Name in files and tables."""
    method: Filled | None = None
    """Registered class; by default the one of the same name."""


class Part:
    """Base class of claim extractors, checkers, retrievers and detectors.

    Args:
        settings: of the class's `settings_type`.
    """

    settings_type: ClassVar[type[PartSettings]] = PartSettings
    wants_graph: ClassVar[bool] = False
    """True if it reads a graph."""
    wants_named_graph: ClassVar[bool] = False
    """True if it reads a graph only when the user names one."""
    wants_probabilities: ClassVar[bool] = False
    """True if it asks its model for probabilities of texts, as a `TokenScorer` gives them, and not for replies."""
    may_ask_nobody: ClassVar[bool] = False
    """True if its texts may contain everything that its model would be asked for. A model that cannot be built or
    called is then an error only once it is asked."""
    model: Model | None = None
    """Model to ask, if the settings have a `model`; set with `ask` by whoever builds the component."""
    ask: Ask
    """Function that asks the model; set only with one."""
    graph: Callable[[], Iterable[RelationSummary]] | None = None
    """Function that returns the relations of the graph; set by whoever builds the component."""
    problems: Problems | None = None
    """Collector of broken places in its files; by default they are skipped with a warning."""
    files: Sequence[Path] = ()
    """Files that it has read."""

    def __init__(self, settings: Any) -> None:
        self.settings = settings


log = logging.getLogger(__name__)


class RepeatedTask(Protocol):
    """A task that is asked until a reply is accepted."""

    def request(self, number: int) -> PlainRequest | None:
        """Return the request of a round, from 0; None if nothing is left to ask."""

    def take(self, response: Response) -> None:
        """Read the response to the last request."""


def ask_in_rounds(ask: Ask, what: str, tasks: Sequence[RepeatedTask], tries: int) -> None:
    """Ask until every task has accepted a reply or used up its tries.

    Args:
        ask: asks the model.
        what: the name of the first round; the further ones are `<what>-1` and so on.
        tasks: their requests have different ids.
        tries: the most rounds.

    Raises:
        NoAnswersError: no call of the first round succeeds.
        CostLimitError: the next call could pass `max_cost_usd`.
    """
    for number in range(tries):
        asked = [(task, request) for task in tasks if (request := task.request(number)) is not None]
        if not asked:
            return
        try:
            responses = ask(f"{what}-{number}" if number else what, [request for _, request in asked])
        except NoAnswersError as error:
            if not number:
                raise
            log.warning("of what is asked again: %s", error)  # the replies to the rounds before stand
            return
        for (task, _), response in zip(asked, responses, strict=True):
            task.take(response)
