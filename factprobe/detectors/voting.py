"""Majority vote of many samples on a label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factprobe.detectors.few_shot import FewShotPrompt
from factprobe.endings import ending_of
from factprobe.reading.verdict_replies import read_label
from factprobe.records import (
    HALLUCINATION,
    HALLUCINATION_LABELS,
    NOT_HALLUCINATION,
    Detection,
    HallucinationLabel,
    PlainRequest,
    Response,
)

_GRAMMAR = "root ::= " + " | ".join(f'"{label}"' for label in HALLUCINATION_LABELS)
"""Grammar of a reply that is a label."""


class LabelSample:
    """Sample of a model's label for an item, collected over several attempts; samples are numbered from 0."""

    def __init__(
        self, item: str, number: int, prompt: FewShotPrompt, values: Mapping[str, str], *, held: bool = False
    ) -> None:
        self._name, self._number, self._prompt, self._values = f"{item}:{number}", number, prompt, values
        self._grammar = _GRAMMAR if held else ""
        self.label: HallucinationLabel | None = None
        """Label; None until there is a clean one."""
        self.fault = ""
        """Reason why there is none."""
        self.failed = False
        """True if there is no reply at all."""

    def request(self, number: int) -> PlainRequest | None:
        """Return the next request, see `Task`."""
        if self.label or self.failed:
            return None
        prompts = self._prompt.ask(self._values, self.fault, number)
        return PlainRequest(self._name, prompts, sample=self._number, grammar=self._grammar)

    def take(self, response: Response) -> None:
        """Read a response, see `Task`."""
        if response.failed or response.response is None:
            self.failed, self.fault = True, f"there is no reply: {response.fault}"
            return
        reply = response.response
        if ending_of(response.finish_reason) == "cut":
            reply = reply[: reply.rfind("\n") + 1]  # the last line is incomplete
        self.label, self.fault = read_label(reply, HALLUCINATION_LABELS, self._values.values())


def vote(samples: Sequence[LabelSample]) -> Detection:
    """Return the detection from the samples of one item.

    A sample without a clean label is no vote for Hallucination. If a sample has no reply, which the next run requests
    again, there is neither label nor probability.
    """
    votes, count = sum(sample.label == HALLUCINATION for sample in samples), len(samples)
    if failed := [sample.fault for sample in samples if sample.failed]:
        reason = f"{len(failed):,} of {count:,} samples failed: {failed[0]}"
        return Detection(None, None, votes, count, reasons=(reason,))
    unparsed = [sample.fault for sample in samples if sample.label is None]
    return Detection(
        HALLUCINATION if 2 * votes > count else NOT_HALLUCINATION,
        votes / count,
        votes,
        count,
        len(unparsed),
        2 * votes == count,
        tuple(dict.fromkeys(unparsed)),
    )
