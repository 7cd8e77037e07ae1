"""Checker that asks a language model to compare claims with references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct

from factprobe.checkers.base import Checker
from factprobe.checkers.merging import Merge, merge_verdicts
from factprobe.checkers.verdicts import read_label, read_labels
from factprobe.components.base import PartSettings, RepeatedTask, ask_in_rounds
from factprobe.components.prompts import RepeatedPrompt, Wording, fence
from factprobe.endings import ending_of
from factprobe.reading.tokenisation.sentences import pieces
from factprobe.records import Claim, ClaimedText, ClaimLabel, ClaimVerdict, PlainRequest
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


def _check_claims(
    text: ClaimedText, claims: Sequence[int], passage: _Passage, prompt: RepeatedPrompt, settings: LlmCheckerSettings
) -> RepeatedTask[dict[int, ClaimVerdict]]:
    """Check one or all claims of a text against one passage, and return the verdicts by index of the claim."""
    name = passage.name if settings.joint else f"{passage.name}:{claims[0]}"
    verdicts, fault = dict[int, ClaimVerdict](), ""
    for number in range(settings.tries):
        encoded = [_claim_json(text.claims[claim]) for claim in claims]
        numbered = "\n".join(f"{i}. {claim}" for i, claim in enumerate(encoded, 1))
        values = {"reference": passage.text, "question": text.item.question, "claims": numbered}
        values = {**values, "claim": encoded[0], "fence": fence("\n".join(values.values()))}
        response = yield PlainRequest(
            name, prompt.fill_for_retry(values, fault, number) if number else prompt.fill(values)
        )
        if response is None:
            break
        labels: dict[int, ClaimLabel] = {}
        if response.failed or response.response is None:
            fault = f"there is no reply: {response.fault}"
        else:
            reply, untrusted = response.response, [passage.text, text.item.question, *encoded]
            untrusted += text.claims[claims[0]].parts
            labels, fault = read_labels(reply, len(claims)) if settings.joint else read_label(reply, untrusted)
            if ending_of(response.finish_reason) == "cut" and not (settings.joint and labels):
                labels, fault = {}, "the reply is cut off by max_tokens"  # the missing end could change the label
        for i, claim in enumerate(claims):
            label = labels.get(i)
            verdicts[claim] = ClaimVerdict(label, passage=passage.number) if label else ClaimVerdict(None, fault)
        claims = [claim for i, claim in enumerate(claims) if i not in labels]
        if response.failed or not claims:
            break  # after a failed call the caller has retried, and retries in the next run
    return verdicts


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
        results = iter(ask_in_rounds(self.ask, "check", [task for of_text in tasks for task in of_text]))
        verdicts = ([next(results) for _ in of_text] for of_text in tasks)
        return (self._verdicts(text, of_text) for text, of_text in zip(texts, verdicts, strict=True))

    def _tasks(self, text: ClaimedText) -> Iterator[RepeatedTask[dict[int, ClaimVerdict]]]:
        indices, joint = range(len(text.claims)), self.settings.joint
        for number, reference in enumerate(text.item.references if indices else ()):
            for part, read in enumerate(pieces(reference, self.settings.max_reference_chars)):
                if not read.strip():
                    continue
                passage = _Passage(f"{text.item.id}:{number}:{part}", number, read)
                for claims in [indices] if joint else [[claim] for claim in indices]:
                    yield _check_claims(text, claims, passage, self._prompt, self.settings)

    def _verdicts(
        self, text: ClaimedText, passage_verdicts: Sequence[dict[int, ClaimVerdict]]
    ) -> tuple[ClaimVerdict, ...]:
        by_claim = (
            [verdicts[claim] for verdicts in passage_verdicts if claim in verdicts] for claim in range(len(text.claims))
        )
        return tuple(merge_verdicts(verdicts, self.settings.merge) for verdicts in by_claim)


def _claim_json(claim: Claim) -> str:
    """Encode a claim as JSON: a text, or a list of head, relation and tail."""
    parts = [one_line(part) for part in claim.parts]
    return msgspec.json.encode(parts if len(parts) > 1 else parts[0]).decode()
