"""Checker that asks a language model to compare claims with references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct

from factprobe.checkers.base import Checker
from factprobe.checkers.merging import Merge, merge_verdicts
from factprobe.checkers.verdicts import read_label, read_labels
from factprobe.components.base import PartSettings, ask_in_rounds
from factprobe.components.prompts import RepeatedPrompt, Wording, fence
from factprobe.endings import ending_of
from factprobe.reading.tokenisation.sentences import pieces
from factprobe.records import Claim, ClaimedText, ClaimLabel, ClaimVerdict, PlainRequest, Response
from factprobe.text import one_line


class LlmCheckerSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the LLM checker."""

    model: dict[str, Any]
    """Model that checks: `checker.model=openai` names it, `checker.model.temperature=0.7` changes its settings."""
    wording: Wording
    """Prompt for a single claim; the default is a file of `conf/prompts/`."""
    joint_wording: Wording
    """Prompt for all claims of a response in one call, if `joint` is set."""
    joint: bool = False
    """Check all claims of a response in one call."""
    tries: Annotated[int, Meta(ge=1)] = 2
    """Maximum number of calls per claim; a call is repeated while its reply has no valid verdict."""
    merge: Merge = "any"
    """Policy that merges the verdicts of a text's passages: `any` prefers Entailment to Contradiction, `strict`
    Contradiction to Entailment."""
    max_reference_chars: Annotated[int, Meta(ge=100)] = 8_000
    """Maximum length of a passage in characters; longer passages are split into parts of whole sentences."""


class _Passage(Struct, frozen=True):
    """Reference passage, or a part of a long one."""

    name: str
    """Id of the request: text id, passage number and part number, separated by colons."""
    number: int
    """Index of the reference that has the passage."""
    text: str


class _Checking:
    """Check of one or all claims of a text against one passage, with retries."""

    def __init__(
        self, text: ClaimedText, claims: Sequence[int], passage: _Passage, prompt: RepeatedPrompt, *, joint: bool
    ) -> None:
        self._name = passage.name if joint else f"{passage.name}:{claims[0]}"
        self._text, self._passage, self._prompt, self._joint = text, passage, prompt, joint
        self._open, self._fault = list(claims), ""
        self.verdicts: dict[int, ClaimVerdict] = {}
        """Verdicts by index of the claim."""

    def next_request(self, number: int) -> PlainRequest | None:
        if not self._open:
            return None
        claims = [_claim_json(self._text.claims[claim]) for claim in self._open]
        numbered = "\n".join(f"{i}. {claim}" for i, claim in enumerate(claims, 1))
        values = {"reference": self._passage.text, "question": self._text.item.question, "claims": numbered}
        values = {**values, "claim": claims[0], "fence": fence("\n".join(values.values()))}
        prompt, fault = self._prompt, self._fault
        return PlainRequest(self._name, prompt.again(values, fault, number) if number else prompt.fill(values))

    def parse_response(self, response: Response) -> None:
        claims = self._open
        labels: dict[int, ClaimLabel] = {}
        if response.failed or response.response is None:
            self._fault = f"there is no reply: {response.fault}"
            self._open = []  # the caller has retried, and retries in the next run
        else:
            labels, self._fault = self._read(response.response, ending_of(response.finish_reason) == "cut")
            self._open = [claim for i, claim in enumerate(claims) if i not in labels]
        for i, claim in enumerate(claims):
            label = labels.get(i)
            number = self._passage.number
            self.verdicts[claim] = ClaimVerdict(label, passage=number) if label else ClaimVerdict(None, self._fault)

    def _untrusted(self) -> list[str]:
        """Return the untrusted texts of the prompt: passage, question and claims."""
        claims = [
            text
            for claim in self._open
            for text in (_claim_json(self._text.claims[claim]), *self._text.claims[claim].parts)
        ]
        return [self._passage.text, self._text.item.question, *claims]

    def _read(self, reply: str, is_cut: bool) -> tuple[dict[int, ClaimLabel], str]:
        labels, fault = read_labels(reply, len(self._open)) if self._joint else read_label(reply, self._untrusted())
        if is_cut and not (self._joint and labels):
            return {}, "the reply is cut off by max_tokens"  # the missing end could change the label
        return labels, fault


class LlmChecker(Checker):
    """Checker that asks a language model whether the references support a claim.

    To limit prompt injection, references and claims stand between delimiter lines that do not occur in them, claims are
    JSON, and a reply is ignored unless it is a label. A claim without a valid reply has no verdict.
    """

    settings_type: ClassVar[type[PartSettings]] = LlmCheckerSettings

    def __init__(self, settings: LlmCheckerSettings) -> None:
        super().__init__(settings)
        wording, claims, where = (
            (settings.joint_wording, "claims", "checker.joint_wording")
            if settings.joint
            else (settings.wording, "claim", "checker.wording")
        )
        self._prompt = RepeatedPrompt(wording, (claims, "reference", "fence"), ("question",), where)

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        """Yield the model's verdicts on each text's claims."""
        tasks = [[*self._tasks(text)] for text in texts]
        every = [task for text_tasks in tasks for task in text_tasks]
        ask_in_rounds(self.ask, "check", every, self.settings.tries)
        return (self._verdicts(text, of_text) for text, of_text in zip(texts, tasks, strict=True))

    def _tasks(self, text: ClaimedText) -> Iterator[_Checking]:
        every, joint = range(len(text.claims)), self.settings.joint
        for number, reference in enumerate(text.item.references if every else ()):
            for part, read in enumerate(pieces(reference, self.settings.max_reference_chars)):
                if not read.strip():
                    continue
                passage = _Passage(f"{text.item.id}:{number}:{part}", number, read)
                for claims in [every] if joint else [[claim] for claim in every]:
                    yield _Checking(text, claims, passage, self._prompt, joint=joint)

    def _verdicts(self, text: ClaimedText, tasks: Sequence[_Checking]) -> tuple[ClaimVerdict, ...]:
        by_claim = ([task.verdicts[i] for task in tasks if i in task.verdicts] for i in range(len(text.claims)))
        return tuple(merge_verdicts(verdicts, self.settings.merge) for verdicts in by_claim)


def _claim_json(claim: Claim) -> str:
    """Encode a claim as JSON: a text, or a list of head, relation and tail."""
    parts = [one_line(part) for part in claim.parts]
    return msgspec.json.encode(parts if len(parts) > 1 else parts[0]).decode()
