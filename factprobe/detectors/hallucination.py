"""Hallucination metric for Python code with the interface of Opik's: a judge's verdict on one text.

from factprobe.detectors import Hallucination

found = Hallucination(model="smollm2").score(input="Who wrote Emma?", output="Jane Austen.", context=["..."])
print(found.score, found.reason)

Hallucination(model=lambda prompt: my_llm(prompt)).assert_factual(input="Who wrote Emma?", output="Jane Austen.")
"""
# ruff: noqa: A002  (`input` is Opik's name, in Opik's order)

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from threading import Lock
from typing import Any

import msgspec
from msgspec import Struct

from factprobe.asking.in_memory import ask_model
from factprobe.components.base import Ask
from factprobe.config import compose, convert, from_omegaconf
from factprobe.detectors.judge import JudgeDetector, JudgeExample, JudgeSettings
from factprobe.errors import ConfigError, ModelError
from factprobe.models import Model, models
from factprobe.records import HALLUCINATION, DetectorItem, PlainRequest, Response, join_messages


class HallucinationScore(Struct, frozen=True):
    """Verdict of a judge on a text."""

    score: int
    """1 if the text is hallucinated, 0 if it is factual."""
    reason: str
    reasons: tuple[str, ...] = ()
    name: str = "hallucination_metric"

    @property
    def value(self) -> float:
        """Score, under the name that Opik has for it."""
        return float(self.score)


class Hallucination:
    """Hallucination metric with a model as judge.

    Args:
        model: Model that judges: a registered name, a model, or a function from a prompt to a reply.
        examples: Texts with their verdicts to show to the judge first, as `JudgeExample` or as mappings with `input`,
            `output`, `context`, `verdict` and `reason`.
        tries: Maximum number of attempts to get a verdict.

    Raises:
        ConfigError: A setting is wrong, or the model does not exist.
    """

    def __init__(
        self,
        model: str | Model | Callable[[str], str] = "smollm2",
        *,
        examples: Sequence[JudgeExample | Mapping[str, Any]] | None = None,
        tries: int = 2,
    ) -> None:
        value: object = model
        if not (isinstance(value, str | Model) or callable(value)):
            what = f"is of the type {type(model).__name__}"
            raise ConfigError(what, where="model", hint="give the name of a model, a model, or a function of a prompt")
        named = [f"detector.model={model}"] if isinstance(model, str) else []
        chosen = from_omegaconf(compose(["detector=judge", *named])).detector or {}
        chosen = {**chosen, "tries": tries, "examples": [*map(msgspec.to_builtins, examples or ())]}
        settings = convert(chosen, JudgeSettings, "detector")
        self._judge = JudgeDetector(settings)
        if isinstance(model, str):
            cls = models.get(settings.model["backend"])
            model = cls(convert(settings.model, cls.settings_type, "model"))
        self._judge.ask = _make_ask(model)

    def score(
        self, input: str = "", output: str = "", context: Sequence[str] | str | None = None, **_ignored: object
    ) -> HallucinationScore:
        """Return the judge's verdict on a text.

        Args:
            input: Question that the text answers.
            output: Text to judge.
            context: Passage or passages that must support the text; without any, the judge uses the input and its own
                knowledge.
            _ignored: Other fields of a record.

        Raises:
            ConfigError: An argument is not a text or a list of texts, or `output` is empty.
            ModelError: The judge gives no verdict, or does not answer.
        """
        passages = () if context is None else (context,) if isinstance(context, str) else context
        _check_texts(output, input, passages)
        [detection] = self._judge.detect([DetectorItem("1", output, input, context=tuple(passages))])
        if detection.label is None:
            raise ModelError(f"gives no verdict: {'; '.join(detection.reasons)}", where="the judge", hint=_HINT)
        return HallucinationScore(int(detection.label == HALLUCINATION), " ".join(detection.reasons), detection.reasons)

    async def ascore(
        self, input: str = "", output: str = "", context: Sequence[str] | str | None = None, **_ignored: object
    ) -> HallucinationScore:
        """Return the judge's verdict on a text without blocking the event loop; `score` has the arguments."""
        return await asyncio.to_thread(self.score, output=output, input=input, context=context)

    def assert_factual(
        self, input: str = "", output: str = "", context: Sequence[str] | str | None = None, **_ignored: object
    ) -> None:
        """Fail a test if the judge considers a text hallucinated.

        Raises:
            AssertionError: The text is hallucinated; the message has the reasons.
            ModelError: The judge gives no verdict, or does not answer.
        """
        result = self.score(output=output, input=input, context=context)
        if result.score:
            raise AssertionError(f"hallucinated: {output!r}: {result.reason}")


_HINT = "ask a larger model, or more often: tries=5"


def _check_texts(output: Any, input_: Any, context: Any) -> None:
    if not isinstance(context, Sequence):
        what = f"is of the type {type(context).__name__}"
        raise ConfigError(what, where="context", hint="give a list of passages: context=[...]")
    passages = {f"context[{number}]": passage for number, passage in enumerate(context)}
    for where, text in {"output": output, "input": input_, **passages}.items():
        if not isinstance(text, str):
            raise ConfigError(f"is of the type {type(text).__name__}", where=where, hint="give a text")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            what = f"holds half a character at {error.start}, a lone surrogate"
            raise ConfigError(what, where=where, hint="read the text as UTF-8") from error
    if not output.strip():
        raise ConfigError("is empty, so that there is nothing to judge", where="output", hint="give a text")


def _make_ask(model: Model | Callable[[str], Any]) -> Ask:
    """Return a function that asks the judge; a model gets one call at a time, since it has one set of connections."""
    lock = Lock() if isinstance(model, Model) else nullcontext()

    def ask(_: str, requests: Iterable[PlainRequest]) -> Sequence[Response]:
        with lock:
            if isinstance(model, Model):
                return ask_model(model, list(requests))
            return [_call_function(model, request) for request in requests]

    return ask


def _call_function(function: Callable[[str], Any], request: PlainRequest) -> Response:
    reply = function(join_messages(request.prompts))
    if not isinstance(reply, str):
        what = f"the function gives a {type(reply).__name__}, no text"
        raise ConfigError(what, where="model", hint="it takes a prompt and returns the reply, both texts")
    return Response(request.question_id, reply, "stop", None, None)
