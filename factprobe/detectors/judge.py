"""A language model as the judge of whether a text is hallucinated, as Opik's Hallucination metric has one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct

from factprobe.detectors.base import Detector
from factprobe.detectors.prompts import Example, FewShotPrompt
from factprobe.detectors.verdicts import GRAMMAR, Verdict, read_verdict
from factprobe.endings import ending_of
from factprobe.generators.prompts import Wording
from factprobe.parts.base import PartSettings
from factprobe.parts.rounds import ask_in_rounds
from factprobe.records import HALLUCINATION, Detection, DetectorItem, PlainRequest, Response


class JudgeExample(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A text with the verdict that it should get."""

    output: str
    """What was written."""
    verdict: Verdict
    """What is to be said of it."""
    reason: tuple[str, ...]
    """Why."""
    input: str = ""
    """What it replies to."""
    context: tuple[str, ...] = ()
    """The passages that it is to keep to."""


class JudgeSettings(PartSettings, frozen=True, kw_only=True):
    """The settings of the detector that has a model judge."""

    model: dict[str, Any]
    """Who is asked: `detector.model=openai` names a model, `detector.model.temperature=0.7` changes its settings."""
    wording: Wording
    """How it is asked; its default is a file of `conf/prompts/`."""
    examples: tuple[JudgeExample, ...] = ()
    """Texts with their verdicts, which are shown first."""
    held: bool = True
    """Whether a model of llama.cpp can write nothing but a verdict with a short reason; others always write freely."""
    tries: Annotated[int, Meta(ge=1)] = 2
    """How often it is asked about one text, as long as there is no verdict."""


class _Judging:
    """The verdict on one text, in the making."""

    def __init__(self, item: DetectorItem, prompt: FewShotPrompt, *, held: bool) -> None:
        self._item, self._prompt, self._grammar = item, prompt, GRAMMAR if held else ""
        self._shown = (item.output, item.input, item.target, *item.context)
        self._is_done, self._fault = not item.output.strip(), ""
        self.found = Detection(None, None, reasons=("the output is empty",) if self._is_done else ())

    def request(self, number: int) -> PlainRequest | None:
        if self._is_done:
            return None
        item = self._item
        passages = (*item.context, *filter(None, [item.target]))
        prompts = self._prompt.ask(_values(item.input, item.output, passages), self._fault, number)
        return PlainRequest(item.id, prompts, grammar=self._grammar)

    def take(self, response: Response) -> None:
        if response.failed or response.response is None:
            self._fault = f"there is no reply: {response.fault}"
            self._is_done = True  # whoever asks has tried again, and does so in the next run
        elif ending_of(response.finish_reason) == "cut":
            self._fault = "the reply is cut off by max_tokens"
        else:
            label, reasons, self._fault = read_verdict(response.response, self._shown)
            if label:
                self._is_done = True
                self.found = Detection(label, float(label == HALLUCINATION), reasons=reasons)
                return
        self.found = Detection(None, None, reasons=(self._fault,))


class JudgeDetector(Detector):
    """Has a model say whether a text keeps to what it was made from, and why.

    A reply counts by the last JSON object that was asked for and is no quotation; a text without one has no label.
    """

    settings_type: ClassVar[type[PartSettings]] = JudgeSettings

    def __init__(self, settings: JudgeSettings) -> None:
        super().__init__(settings)
        examples = [_example(one) for one in settings.examples]
        needs, where = ("input", "output", "context"), "detector.wording"
        self._prompt = FewShotPrompt(settings.wording, needs, (), where, examples)

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """See the base class."""
        assert self.ask is not None, "whoever builds the detector gives it whom to ask"
        tasks = [_Judging(item, self._prompt, held=self.settings.held) for item in items]
        ask_in_rounds(self.ask, "judge", tasks, self.settings.tries)
        return (task.found for task in tasks)


def _values(given: str, output: str, passages: Sequence[str]) -> dict[str, str]:
    return {"input": given, "output": output, "context": "\n\n".join(passages)}


def _example(one: JudgeExample) -> Example:
    reply = msgspec.json.encode({"verdict": one.verdict, "reason": one.reason}).decode()
    return Example(_values(one.input, one.output, one.context), reply)
