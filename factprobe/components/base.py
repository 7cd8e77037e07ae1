"""Base class of components: settings, access to a model or a graph, and requests in rounds."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from factprobe.config import Filled
from factprobe.errors import NoAnswersError
from factprobe.records import PlainRequest, RelationSummary, Response
from factprobe.storage import Problems

if TYPE_CHECKING:
    from factprobe.models import Model

T = TypeVar("T")
RepeatedTask: TypeAlias = Generator[PlainRequest, Response | None, T]
"""Task for a model, which is asked again until its reply can be used.

It yields a request, and gets the response, or None if the model answers no more; it returns its result.
"""


class Ask(Protocol):
    """Function that asks a model; steps store the requests and responses in files, Python functions in memory."""

    def __call__(self, what: str, requests: Iterable[PlainRequest], /) -> Sequence[Response]:
        """Return the responses in the order of the requests; the response to a failed call has the error.

        Args:
            what: Name of this round of requests, used once in a run, e.g. `claims` or `claims-1`.
            requests: Requests with distinct ids, equal in repeated runs so that stored responses are found.

        Raises:
            NoAnswersError: No call succeeds, or the model stops answering.
            CostLimitError: The next call could exceed `max_cost_usd`.
        """


class PartSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of every claim extractor, checker, aggregator, retriever and detector."""

    name: Filled
    """Name of the component in files and tables."""
    method: Filled | None = None
    """Registered class of the component; by default the one called `name`."""


class Component:
    """Base class of claim extractors, checkers, retrievers and detectors, with settings of its `settings_type`."""

    settings_type: ClassVar[type[PartSettings]] = PartSettings
    wants_graph: ClassVar[bool] = False
    """True if the component reads a graph."""
    wants_named_graph: ClassVar[bool] = False
    """True if the component reads a graph only when the user names one."""
    wants_probabilities: ClassVar[bool] = False
    """True if the component asks its model for the log-probabilities of a text's tokens instead of a reply."""
    model_is_optional: ClassVar[bool] = False
    """True if the input may contain the model's output already, so that a model is checked only when it is asked."""
    model: Model | None = None
    """Model to ask; None if the settings have no `model`. The factory of the component sets it."""
    ask: Ask
    """Function that asks the model; unset without a model."""
    graph: Callable[[], Iterable[RelationSummary]] | None = None
    """Function that returns the relations of the graph; None without a graph. The factory of the component sets it."""
    problems: Problems | None = None
    """Collector of broken records in the files of the component; by default they are skipped with a warning."""
    files: Sequence[Path] = ()
    """Paths of the files that the component has read."""

    def __init__(self, settings: Any) -> None:
        self.settings = settings


log = logging.getLogger(__name__)


def ask_in_rounds(ask: Ask, what: str, tasks: Sequence[RepeatedTask[T]]) -> list[T]:
    """Ask a model in rounds until every task has its result, and return the results in the order of the tasks.

    The first round is called `what`, further ones `<what>-1` and so on. The ids of the tasks' requests are distinct.

    Raises:
        NoAnswersError: In the first round, no call succeeds, or the model stops answering.
        CostLimitError: The next call could exceed `max_cost_usd`.
    """
    results: dict[int, T] = {}
    responses: dict[int, Response | None] = dict.fromkeys(range(len(tasks)))  # None starts a task
    for number in count():
        requests: dict[int, PlainRequest] = {}
        for index, response in responses.items():
            try:
                requests[index] = tasks[index].send(response)
            except StopIteration as end:
                results[index] = end.value
        if not requests:
            break
        try:
            answers: Sequence[Response | None] = ask(f"{what}-{number}" if number else what, [*requests.values()])
        except NoAnswersError as error:
            if not number:
                raise
            log.warning("of what is asked again: %s", error)  # replies to earlier rounds are kept
            answers = [None] * len(requests)
        responses = dict(zip(requests, answers, strict=True))
    return [results[index] for index in range(len(tasks))]
