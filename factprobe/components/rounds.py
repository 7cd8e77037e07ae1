"""Requests in rounds: all tasks first, then those whose reply was not accepted."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Protocol

from factprobe.components.base import Ask
from factprobe.errors import NoAnswersError
from factprobe.records import PlainRequest, Response

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
