"""Whom the tests of claims and checkers ask: a model that says what a test has it say, in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from factprobe.asking.in_memory import ask_model
from factprobe.components.prompts import Wording
from factprobe.models import Reply
from factprobe.records import PlainRequest, Response
from tests.conftest import ROOT
from tests.generators.phrasers import Told

Says = Callable[[PlainRequest], str | Reply | None]
"""From a request to a reply, or None for none."""


class InMemory:
    """Asks a model and keeps what it was asked, round by round."""

    def __init__(self, says: Says) -> None:
        self.model = Told(lambda _, __, request: says(request))  # type: ignore[arg-type]
        self.rounds: dict[str, list[PlainRequest]] = {}

    def __call__(self, what: str, requests: Iterable[PlainRequest]) -> Sequence[Response]:
        assert what not in self.rounds
        asked = self.rounds[what] = list(requests)
        assert len({request.question_id for request in asked}) == len(asked)
        return ask_model(self.model, asked)


def in_turn(*said: str | Reply | None) -> Says:
    """Each reply once, in this order, whatever is asked; the last one ever after."""
    replies = list(said)
    return lambda _: replies.pop(0) if len(replies) > 1 else replies[0]


def wording(name: str) -> dict[str, Any]:
    """A file of `conf/prompts/`."""
    found = msgspec.yaml.decode((ROOT / "conf" / "prompts" / f"{name}.yaml").read_bytes(), type=Wording)
    built: dict[str, Any] = msgspec.to_builtins(found)
    return built


def shown(request: PlainRequest) -> str:
    """The last message, which asks."""
    return request.prompts[-1].content
