"""Span marking by a language model as judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from factprobe.components.base import PartSettings, ask_in_rounds
from factprobe.components.prompts import Wording
from factprobe.detectors.base import Detector
from factprobe.detectors.few_shot import FewShotPrompt
from factprobe.detectors.judge import judge_item
from factprobe.detectors.spans.span_model import detection_of, merge_spans
from factprobe.reading.verdict_replies import read_judge
from factprobe.records import Detection, DetectorItem, Spans
from factprobe.text import fold_with_offsets, quote

KEY = "spans"
"""Key under which a reply may have the list of spans, if it is a JSON object."""


class SpanJudgeSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the detector that asks a model for hallucinated spans."""

    model: dict[str, Any]
    """Model to ask: `detector.model=openai` names a model, `detector.model.temperature=0.7` changes its
    settings."""
    wording: Wording
    """Prompt; its default is a file of `conf/prompts/`."""
    tries: Annotated[int, Meta(ge=1)] = 2
    """Maximum number of attempts to get a usable reply on an output."""


class SpanJudgeDetector(Detector):
    """Detector that asks a model to list the unsupported parts of an output; see `read_spans`."""

    settings_type: ClassVar[type[PartSettings]] = SpanJudgeSettings

    def __init__(self, settings: SpanJudgeSettings) -> None:
        super().__init__(settings)
        self._prompt = FewShotPrompt(settings.wording, ("input", "output", "context"), ())

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the spans that the model lists for each item."""
        tries = self.settings.tries
        tasks = [judge_item(item, self._prompt, partial(_read_detection, item.output), tries) for item in items]
        return iter(ask_in_rounds(self.ask, "spans", tasks))


def _read_detection(output: str, reply: str, prompt_texts: Sequence[str]) -> tuple[Detection | None, str]:
    spans, fault = read_spans(reply, output, prompt_texts)
    return None if spans is None else detection_of(spans, tuple((start, end, 1.0) for start, end in spans)), fault


def read_spans(reply: str, output: str, prompt_texts: Sequence[str] = ()) -> tuple[Spans | None, str]:
    """Return the spans in `output` of the texts that a reply lists, or None and an error.

    Read is the last JSON list of texts that is not quoted from `prompt_texts`; white space and case are ignored.
    """
    lists = [value.get(KEY) if isinstance(value, dict) else value for value in read_judge(reply, prompt_texts).values]
    valid = [
        one for one in lists if isinstance(one, list) and all(isinstance(text, str) and text.strip() for text in one)
    ]
    if not valid:
        return None, "the reply is no JSON list of texts"
    letters, starts = fold_with_offsets(output)
    spans: list[tuple[int, int]] = []
    last: dict[str, int] = {}
    for text in valid[-1]:
        folded, _ = fold_with_offsets(text.strip())
        at = letters.find(folded, last.get(folded, 0))
        if at < 0 or not folded:
            return None, f"the output does not have the words {quote(text)}"
        last[folded] = at + len(folded)
        spans.append((starts[at], starts[at + len(folded)]))
    return merge_spans(output, spans), ""
