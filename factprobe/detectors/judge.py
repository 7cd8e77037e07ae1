"""Hallucination detection by a language model as judge, as in Opik's Hallucination metric."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta, Struct

from factprobe.components.base import PartSettings, RepeatedTask, ask_in_rounds
from factprobe.components.prompts import Wording
from factprobe.detectors.base import Detector
from factprobe.detectors.few_shot import FewShotExample, FewShotPrompt
from factprobe.endings import ending_of
from factprobe.reading.verdict_replies import KEYS, JudgeReply, read_judge
from factprobe.records import (
    HALLUCINATION,
    NOT_HALLUCINATION,
    Detection,
    DetectorItem,
    HallucinationLabel,
    PlainRequest,
)
from factprobe.text import LONE_SURROGATE, one_line

ReadReply = Callable[[str, Sequence[str]], tuple[Detection | None, str]]

Verdict = Literal["factual", "hallucinated"]
_LABELS: dict[str, HallucinationLabel] = {"factual": NOT_HALLUCINATION, "hallucinated": HALLUCINATION}
GRAMMAR = (
    r'root ::= "{\"verdict\": \"" ("factual" | "hallucinated") "\", \"reason\": [\"" '
    r'[^"\\\x00-\x1f]{1,200} "\"]}"'
)
"""Grammar (GBNF) of a JSON verdict with one reason; its length is limited so that the reply is not cut off."""
_BLANK_CHARACTERS = " \t\r\n`\ufeff"
_NO_VERDICT = "the reply is not one JSON object with a valid verdict"


def read_verdict(reply: str, prompt_texts: Collection[str] = ()) -> tuple[Detection | None, str]:
    """Return the verdict in a reply, with its reasons, or None and why there is none.

    The last JSON object with a verdict that no prompt text has is read; its reason may be a text or a list of texts.
    """
    judge_reply = read_judge(reply, prompt_texts)
    verdict = judge_reply.verdict(_LABELS) or _label_from_score(judge_reply)
    if verdict is None:
        return None, _NO_VERDICT if judge_reply.text.strip(_BLANK_CHARACTERS) else "the reply is empty"
    label, fields = verdict
    reason = fields.get("reason")
    reasons = [reason] if isinstance(reason, str) else reason
    if not isinstance(reasons, list) or not all(isinstance(one, str) for one in reasons):
        return None, "the verdict has no reason that is a text or a list of texts"
    texts = (one_line(LONE_SURROGATE.sub("\ufffd", reason)) for reason in reasons)
    return Detection(label, float(label == HALLUCINATION), reasons=tuple(filter(None, texts))), ""


def _label_from_score(reply: JudgeReply) -> tuple[HallucinationLabel, Mapping[str, Any]] | None:
    """Return the label for the last `score` in a reply, from 0 (factual) to 1, with its object; None without one."""
    for fields in reversed(reply.values):
        score = fields.get("score") if isinstance(fields, dict) and KEYS[0] not in fields else None
        if isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1 and score != 0.5:
            return HALLUCINATION if score > 0.5 else NOT_HALLUCINATION, fields
    return None


class JudgeExample(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Text with its expected verdict, to show to the judge as an example."""

    output: str
    verdict: Verdict
    reason: tuple[str, ...]
    input: str = ""
    context: tuple[str, ...] = ()
    """Passages that must support the text."""


class JudgeSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the detector with a model as judge."""

    model: dict[str, Any]
    """Model to ask: `detector.model=openai` names a model, `detector.model.temperature=0.7` changes its
    settings."""
    wording: Wording
    """Prompt; its default is a file of `conf/prompts/`."""
    examples: tuple[JudgeExample, ...] = ()
    """Example texts with their verdicts, shown to the model first."""
    held: bool = True
    """Restrict llama.cpp models by a grammar to a verdict with a short reason; other models write freely."""
    tries: Annotated[int, Meta(ge=1)] = 2
    """Maximum number of attempts to get a verdict on a text."""


def judge_item(
    item: DetectorItem, prompt: FewShotPrompt, read: ReadReply, tries: int, grammar: str = ""
) -> RepeatedTask[Detection]:
    """Ask for a model's judgment on one text up to `tries` times, and return it, or the reason why there is none.

    `read` takes a reply and the texts in the prompt, and returns a detection, or None and why the reply is unusable.
    `grammar` restricts the replies of models that support it.
    """
    fault = "" if item.output.strip() else "the output is empty"
    passages = (*item.context, *filter(None, [item.target]))
    values = _prompt_values(item.input, item.output, passages)
    for number in range(0 if fault else tries):
        response = yield PlainRequest(item.id, prompt.ask(values, fault, number), grammar=grammar)
        if response is None:
            break
        if response.failed or response.response is None:
            fault = f"there is no reply: {response.fault}"
            break  # the runner has retried, and the next run asks again
        if ending_of(response.finish_reason) == "cut":
            fault = "the reply is cut off by max_tokens"
            continue
        detection, fault = read(response.response, (item.output, item.input, *passages))
        if detection is not None:
            return detection
    return Detection(None, None, reasons=(fault,))


class JudgeDetector(Detector):
    """Detector that asks a model whether a text is supported by its context or input, and why."""

    settings_type: ClassVar[type[PartSettings]] = JudgeSettings

    def __init__(self, settings: JudgeSettings) -> None:
        super().__init__(settings)
        examples = []
        for example in settings.examples:
            reply = msgspec.json.encode({"verdict": example.verdict, "reason": example.reason}).decode()
            examples.append(FewShotExample(_prompt_values(example.input, example.output, example.context), reply))
        self._prompt = FewShotPrompt(settings.wording, ("input", "output", "context"), (), examples)

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the model's judgment on each item."""
        grammar = GRAMMAR if self.settings.held else ""
        tasks = [judge_item(item, self._prompt, read_verdict, self.settings.tries, grammar) for item in items]
        return iter(ask_in_rounds(self.ask, "judge", tasks))


def _prompt_values(input_: str, output: str, passages: Sequence[str]) -> dict[str, str]:
    return {"input": input_, "output": output, "context": "\n\n".join(passages)}
