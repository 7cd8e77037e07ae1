"""Generators whose model says what a test has it say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from factprobe.errors import CallError
from factprobe.factories import build_generator
from factprobe.generators import GenerationReport
from factprobe.generators.llm import LlmGenerator
from factprobe.models import Model, Reply
from factprobe.models.base import ModelSettings
from factprobe.question_types import QUESTION_TYPES
from factprobe.records import Request
from tests.generators.graphs import PROMPTS, Graph, Made

Says = Callable[[str, str, Request], str | Reply | None]
"""From the names of a request, in the order of the wording, and the request to a reply, or None for none."""

ASKED = [kind for kind in QUESTION_TYPES if kind != "binary_answer"]
SETTINGS: dict[str, dict[str, Any]] = {
    "llm_mask": {
        "phrasing": {"messages": [{"role": "user", "content": "{subject}\n{object}"}], "again": "No: {fault}."},
    },
    "llm_question": {
        "phrasing": {"messages": [{"role": "user", "content": "{given}\n{answer}"}], "again": "No: {fault}."},
        "questions": {kind: {"messages": [{"role": "user", "content": "{question}\n{choices}"}]} for kind in ASKED},
    },
}


class Told(Model):
    """Says what it is told to, and keeps what it was asked."""

    def __init__(self, says: Says) -> None:
        super().__init__(ModelSettings(backend="told"))
        self._says = says
        self.asked: list[Request] = []

    async def reply(self, request: Request) -> Reply:
        """See the base class."""
        self.asked.append(request)
        first, second = [*request.prompts[0].content.split("\n"), ""][:2]
        said = self._says(first, second, request)
        if said is None:
            raise CallError("nothing is said")
        return said if isinstance(said, Reply) else Reply(said, "stop")


def phrasing(name: str, says: Says, seed: int = 0, **settings: Any) -> tuple[LlmGenerator, Told]:
    """A generator, and the model that it asks."""
    model = Told(says)
    chosen = {"name": name, "prompts": PROMPTS, "model": {"backend": "scripted"}, **SETTINGS[name], **settings}
    made = build_generator(chosen, seed, model=model)
    assert isinstance(made, LlmGenerator)
    return made, model


def make(name: str, of: Graph, says: Says, seed: int = 0, **settings: Any) -> tuple[Made, Told]:
    """What it makes of a graph."""
    generator, model = phrasing(name, says, seed, **settings)
    report = GenerationReport()
    return Made(list(generator.questions(of.summary(), of.pairs(), report)), report), model
