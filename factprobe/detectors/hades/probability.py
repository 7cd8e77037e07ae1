"""The simplest detector of HaDes: how probable a causal model finds the words, given those before them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import exp
from statistics import fmean
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from factprobe.calls.loops import run_apart
from factprobe.detectors.base import Detector
from factprobe.detectors.hades.windows import SpanSettings, Window, window_of
from factprobe.errors import CallError
from factprobe.models.base import ScoredToken
from factprobe.models.scoring import scored_tokens, scoring_request
from factprobe.parts.base import PartSettings
from factprobe.records import Detection, DetectorItem, Message, PlainRequest, Response, label_of

Reduction = Literal["mean", "min"]
_PLACES = 6
"""Of a probability: what is behind depends on what a server has read before."""


class TokenProbabilitySettings(SpanSettings, frozen=True, kw_only=True):
    """The settings of the detector by token probabilities; it is `online`: nothing behind the span is seen."""

    model: dict[str, Any]
    """A causal model: `detector.model.path=other.gguf` for another file, `detector.model=transformers`, or
    `detector.model=openai` with an endpoint that tells the probabilities of a prompt (`echo`), such as vLLM's."""
    reduction: Reduction = "mean"
    """How the probabilities of a span's tokens become one: their geometric mean, or the smallest."""
    mark_below: Annotated[float, Meta(ge=0, le=1)] = 0.05
    """A token that is less probable is marked."""


class TokenProbabilityDetector(Detector):
    """Takes for the probability of Hallucination what is missing from 1 in that of the span's tokens.

    It orders spans and is not calibrated: few words of any text have a probability of more than a half.
    """

    settings_type: ClassVar[type[PartSettings]] = TokenProbabilitySettings
    wants_probabilities: ClassVar[bool] = True

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """See the base class.

        Raises:
            NoAnswersError: no call to the model succeeds.
            ModelError: the model gives no log-probabilities of a text, or cannot be loaded.
        """
        assert self.ask is not None, "whoever builds the detector gives it whom to ask"
        windows = {item.id: window_of(item, self.settings.context_words, "online") for item in items}
        asked = [
            scoring_request(name, window.text, window.start) for name, window in windows.items() if window.span.strip()
        ]
        responses = {response.question_id: response for response in self.ask("probabilities", asked)}
        return (self._read(window, responses.get(name)) for name, window in windows.items())

    def watch(self, prompt: str, show: Callable[[str, bool], None]) -> tuple[str, Detection]:
        """A reply to a prompt, with what is said of it.

        Args:
            prompt: the user's message.
            show: is given each token as soon as it is written, and whether it is marked.

        Raises:
            CallError: there is no reply.
            ModelError: the model hands on whole replies only, or cannot be loaded.
        """

        assert self.model is not None, "whoever builds the detector gives it the model"
        chosen = self.model

        async def reply() -> tuple[str, list[ScoredToken]]:
            text, found = "", []
            async with chosen as model:
                async for token in model.write(PlainRequest("1", (Message("user", prompt),))):
                    blank = len(token.text) - len(token.text.lstrip())
                    found.append(ScoredToken(len(text) + blank, len(text) + len(token.text), token.logprob))
                    text += token.text
                    show(token.text, self._is_marked(found[-1]))
            return text, found

        text, tokens = run_apart(reply())
        return text, self._detection(tokens)

    def _read(self, window: Window, response: Response | None) -> Detection:
        if not window.span.strip():
            return Detection(None, None, reasons=("the output is empty",))
        try:
            return self._detection(scored_tokens(response) if response else (), window.offset)
        except CallError as error:
            return Detection(None, None, reasons=(str(error),))

    def _is_marked(self, token: ScoredToken) -> bool:
        return exp(token.logprob) < float(self.settings.mark_below)

    def _detection(self, tokens: Sequence[ScoredToken], offset: int = 0) -> Detection:
        if not tokens:
            return Detection(None, None, reasons=("nothing can be told of the span: no token stands before it",))
        logprobs = [token.logprob for token in tokens]
        least = min(logprobs) if self.settings.reduction == "min" else fmean(logprobs)
        probability = round(1 - exp(least), _PLACES)
        marked = tuple((token.start + offset, token.end + offset) for token in tokens if self._is_marked(token))
        soft = [(token.start + offset, token.end + offset, round(1 - exp(token.logprob), _PLACES)) for token in tokens]
        return Detection(label_of(probability), probability, spans=marked, soft_spans=tuple(soft))
