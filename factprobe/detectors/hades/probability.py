"""Baseline of HaDes: the probability of a span under a causal model, given the text before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import exp
from statistics import fmean
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from factprobe.calls.loops import run_coroutine
from factprobe.components.base import PartSettings
from factprobe.detectors.base import Detector
from factprobe.detectors.hades.windows import SpanSettings, SpanWindow, window_of
from factprobe.errors import CallError
from factprobe.models.base import ScoredToken, token_start
from factprobe.models.token_scorer import read_scored_tokens, scoring_request
from factprobe.records import Detection, DetectorItem, Message, PlainRequest, Response, label_of

Reduction = Literal["mean", "min"]
_DECIMAL_PLACES = 6
"""Decimal places of probabilities; further places vary with a server's cache."""


class TokenProbabilitySettings(SpanSettings, frozen=True, kw_only=True):
    """Settings of the detector by token probabilities; the text after the span is never visible to the model."""

    model: dict[str, Any]
    """A causal model: `detector.model.path=other.gguf` for another file, `detector.model=transformers`, or
    `detector.model=openai` with an endpoint that returns the probabilities of a prompt (`echo`), such as vLLM's."""
    reduction: Reduction = "mean"
    """Probability of a span: the geometric mean (`mean`) or the minimum (`min`) over its tokens."""
    mark_below: Annotated[float, Meta(ge=0, le=1)] = 0.05
    """Probability below which a token is marked."""


class TokenProbabilityDetector(Detector):
    """Detector by low token probability; 1 minus it is the probability of Hallucination, which is not calibrated."""

    settings_type: ClassVar[type[PartSettings]] = TokenProbabilitySettings
    wants_probabilities: ClassVar[bool] = True

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item's span."""
        windows = {item.id: window_of(item, self.settings.context_words, "online") for item in items}
        requests = [
            scoring_request(name, window.text, window.start) for name, window in windows.items() if window.span.strip()
        ]
        responses = {response.question_id: response for response in self.ask("probabilities", requests)}
        return (self._read_response(window, responses.get(name)) for name, window in windows.items())

    def watch(self, prompt: str, show: Callable[[str, bool], None]) -> tuple[str, Detection]:
        """Ask the model, and return its reply with the detection for it.

        `show` is called for each generated token, with the token and whether it is marked as improbable. Raise a
        `CallError` without a reply, and a `ModelError` if the model can only return whole replies, or cannot be loaded.
        """
        assert self.model is not None, "whoever builds the detector gives it the model"
        chosen = self.model

        async def write_reply() -> tuple[str, list[ScoredToken]]:
            text, found = "", []
            async with chosen as model:
                async for token in model.write(PlainRequest("1", (Message("user", prompt),))):
                    start = len(text) + token_start(token.text)
                    found.append(ScoredToken(start, len(text) + len(token.text), token.logprob))
                    text += token.text
                    show(token.text, self._is_marked(found[-1]))
            return text, found

        text, tokens = run_coroutine(write_reply())
        return text, self._detection_of_tokens(tokens)

    def _read_response(self, window: SpanWindow, response: Response | None) -> Detection:
        if not window.span.strip():
            return Detection(None, None, reasons=("the output is empty",))
        try:
            return self._detection_of_tokens(read_scored_tokens(response) if response else (), window.offset)
        except CallError as error:
            return Detection(None, None, reasons=(str(error),))

    def _is_marked(self, token: ScoredToken) -> bool:
        return exp(token.logprob) < float(self.settings.mark_below)

    def _detection_of_tokens(self, tokens: Sequence[ScoredToken], offset: int = 0) -> Detection:
        if not tokens:
            return Detection(None, None, reasons=("nothing can be told of the span: no token stands before it",))
        logprobs = [token.logprob for token in tokens]
        reduced = min(logprobs) if self.settings.reduction == "min" else fmean(logprobs)
        probability = round(1 - exp(reduced), _DECIMAL_PLACES)
        spans = tuple((token.start + offset, token.end + offset) for token in tokens if self._is_marked(token))
        soft = [
            (token.start + offset, token.end + offset, round(1 - exp(token.logprob), _DECIMAL_PLACES))
            for token in tokens
        ]
        return Detection(label_of(probability), probability, spans=spans, soft_spans=tuple(soft))
