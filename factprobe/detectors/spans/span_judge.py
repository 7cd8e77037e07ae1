"""Span marking by a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from factprobe.components.base import PartSettings
from factprobe.components.prompts import Wording
from factprobe.components.rounds import ask_in_rounds
from factprobe.detectors.base import Detector
from factprobe.detectors.few_shot import FewShotPrompt
from factprobe.detectors.spans.span_model import detection_of
from factprobe.endings import ending_of
from factprobe.reading.verdict_replies import read_judge
from factprobe.records import Detection, DetectorItem, PlainRequest, Response, Spans
from factprobe.text import fold_with_offsets, quote

KEY = "spans"
"""Key of the list, if a model puts it into an object."""


class SpanJudgeSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the detector with a model that marks spans."""

    model: dict[str, Any]
    """The model to ask: `detector.model=openai` names a model, `detector.model.temperature=0.7` changes its
    settings."""
    wording: Wording
    """The prompt; its default is a file of `conf/prompts/`."""
    tries: Annotated[int, Meta(ge=1)] = 2
    """The maximum number of attempts to get a usable reply on an output."""


class SpanJudgeDetector(Detector):
    """Detector that asks a model to list the unsupported parts of an output.

    The last list of texts counts whose items all occur in the output, unless it is a quotation.
    """

    settings_type: ClassVar[type[PartSettings]] = SpanJudgeSettings

    def __init__(self, settings: SpanJudgeSettings) -> None:
        super().__init__(settings)
        self._prompt = FewShotPrompt(settings.wording, ("input", "output", "context"), (), "detector.wording")

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """See the base class."""
        assert self.ask is not None, "whoever builds the detector gives it whom to ask"
        tasks = [_MarkingTask(item, self._prompt) for item in items]
        ask_in_rounds(self.ask, "spans", tasks, self.settings.tries)
        return (task.found for task in tasks)


class _MarkingTask:
    """Marks of one output, collected over several attempts."""

    def __init__(self, item: DetectorItem, prompt: FewShotPrompt) -> None:
        self._item, self._prompt, self._fault = item, prompt, ""
        self._passages = (*item.context, *filter(None, [item.target]))
        self._is_done = not item.output.strip()
        self.found = Detection(None, None, reasons=("the output is empty",) if self._is_done else ())

    def request(self, number: int) -> PlainRequest | None:
        if self._is_done:
            return None
        item = self._item
        values = {"input": item.input, "output": item.output, "context": "\n\n".join(self._passages)}
        return PlainRequest(item.id, self._prompt.ask(values, self._fault, number))

    def take(self, response: Response) -> None:
        spans: Spans | None = None
        if response.failed or response.response is None:
            self._fault = f"there is no reply: {response.fault}"
            self._is_done = True  # the runner has retried, and the next run asks again
        elif ending_of(response.finish_reason) == "cut":
            self._fault = "the reply is cut off by max_tokens"
        else:
            shown = (self._item.output, self._item.input, *self._passages)
            spans, self._fault = read_spans(response.response, self._item.output, shown)
        if spans is None:
            self.found = Detection(None, None, reasons=(self._fault,))
            return
        self._is_done = True
        self.found = detection_of(spans, tuple((start, end, 1.0) for start, end in spans))


def read_spans(reply: str, output: str, shown: Sequence[str] = ()) -> tuple[Spans | None, str]:
    """Return the spans that a reply lists, or the error.

    Args:
        reply: the reply of a model.
        output: the text with the spans; white space and case are ignored.
        shown: texts shown to the model; lists quoted from them do not count.
    """
    lists = [value.get(KEY) if isinstance(value, dict) else value for value in read_judge(reply, shown).values]
    valid = [
        one for one in lists if isinstance(one, list) and all(isinstance(text, str) and text.strip() for text in one)
    ]
    if not valid:
        return None, "the reply is no JSON list of texts"
    letters, starts = fold_with_offsets(output)
    found: list[tuple[int, int]] = []
    last: dict[str, int] = {}
    for text in valid[-1]:
        wanted, _ = fold_with_offsets(text.strip())
        at = letters.find(wanted, last.get(wanted, 0))
        if at < 0 or not wanted:
            return None, f"the output does not have the words {quote(text)}"
        last[wanted] = at + len(wanted)
        found.append((starts[at], starts[at + len(wanted)]))
    return _merged(found), ""


def _merged(spans: Sequence[tuple[int, int]]) -> Spans:
    """Return the spans in order, merging those that overlap."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return tuple(found)
