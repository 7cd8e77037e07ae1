"""Claims checked by a language model, which reads the references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct

from factprobe.checkers.base import Checker
from factprobe.checkers.merging import Merge, merged
from factprobe.checkers.verdicts import read_label, read_labels
from factprobe.endings import ending_of
from factprobe.parts.base import PartSettings
from factprobe.parts.prompts import RepeatedPrompt, Wording, fence
from factprobe.parts.rounds import ask_in_rounds
from factprobe.reading.sentences import pieces
from factprobe.records import Claim, ClaimedText, ClaimLabel, ClaimVerdict, PlainRequest, Response
from factprobe.text import one_line


class LlmCheckerSettings(PartSettings, frozen=True, kw_only=True):
    """The settings of the checker that asks a model."""

    model: dict[str, Any]
    """Who is asked: `checker.model=openai` names a model, `checker.model.temperature=0.7` changes its settings."""
    wording: Wording
    """How it is asked about one claim; its default is a file of `conf/prompts/`."""
    joint_wording: Wording
    """How it is asked about all claims of a response."""
    joint: bool = False
    """Whether it is asked about all claims of a response in one call."""
    tries: Annotated[int, Meta(ge=1)] = 2
    """How often it is asked about one claim, as long as there is no clean verdict."""
    merge: Merge = "any"
    """How the verdicts by several passages, or by the parts of a long one, become one: `any` takes Entailment where one
    entails the claim, else Contradiction where one contradicts it; `strict` Contradiction before Entailment."""
    max_reference_chars: Annotated[int, Meta(ge=100)] = 8_000
    """The longest passage that is read at once; a longer one is read in parts, each of whole sentences."""


class _Passage(Struct, frozen=True):
    """What is read at once: a passage, or a part of it."""

    name: str
    """Of its text, its own number and that of the part, between colons."""
    number: int
    """Of the passage, from 0."""
    text: str


class _Checking:
    """What a passage says of some claims of a text, in the making.

    Args:
        text: with its claims.
        claims: the numbers of those that are asked about: all together, or a single one.
        passage: what is read.
        prompt: how the model is asked.
        joint: whether it gives a number with each label.
    """

    def __init__(
        self, text: ClaimedText, claims: Sequence[int], passage: _Passage, prompt: RepeatedPrompt, *, joint: bool
    ) -> None:
        self._name = passage.name if joint else f"{passage.name}:{claims[0]}"
        self._text, self._passage, self._prompt, self._joint = text, passage, prompt, joint
        self._open, self._fault = list(claims), ""
        self.found: dict[int, ClaimVerdict] = {}
        """By the number of the claim."""

    def request(self, number: int) -> PlainRequest | None:
        if not self._open:
            return None
        claims = [_shown(self._text.claims[claim]) for claim in self._open]
        numbered = "\n".join(f"{i}. {claim}" for i, claim in enumerate(claims, 1))
        values = {"reference": self._passage.text, "question": self._text.item.question, "claims": numbered}
        values = {**values, "claim": claims[0], "fence": fence("\n".join(values.values()))}
        prompt, fault = self._prompt, self._fault
        return PlainRequest(self._name, prompt.again(values, fault, number) if number else prompt.fill(values))

    def take(self, response: Response) -> None:
        asked = self._open
        labels: dict[int, ClaimLabel] = {}
        if response.failed or response.response is None:
            self._fault = f"there is no reply: {response.fault}"
            self._open = []  # whoever asks has tried again, and does so in the next run
        else:
            labels, self._fault = self._read(response.response, ending_of(response.finish_reason) == "cut")
            self._open = [claim for i, claim in enumerate(asked) if i not in labels]
        for i, claim in enumerate(asked):
            label = labels.get(i)
            number = self._passage.number
            self.found[claim] = ClaimVerdict(label, passage=number) if label else ClaimVerdict(None, self._fault)

    def _shown(self) -> list[str]:
        """Return the texts that others wrote."""
        claims = [
            text for claim in self._open for text in (_shown(self._text.claims[claim]), *self._text.claims[claim].parts)
        ]
        return [self._passage.text, self._text.item.question, *claims]

    def _read(self, reply: str, is_cut: bool) -> tuple[dict[int, ClaimLabel], str]:
        labels, fault = read_labels(reply, len(self._open)) if self._joint else read_label(reply, self._shown())
        if is_cut and not (self._joint and labels):
            return {}, "the reply is cut off by max_tokens"  # who knows what it would have come to
        return labels, fault


class LlmChecker(Checker):
    """Has a model say whether the references bear out a claim.

    References and claims cannot talk to the model: they stand between lines that do not occur in them, claims as JSON,
    and a reply counts only if it is a label. A claim without such a reply has no verdict.
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
        """See the base class."""
        assert self.ask is not None, "whoever builds the checker gives it whom to ask"
        tasks = [[*self._tasks(text)] for text in texts]
        every = [task for found in tasks for task in found]
        ask_in_rounds(self.ask, "check", every, self.settings.tries)
        return (self._verdicts(text, found) for text, found in zip(texts, tasks, strict=True))

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
        return tuple(
            merged([task.found[claim] for task in tasks if claim in task.found], self.settings.merge)
            for claim in range(len(text.claims))
        )


def _shown(claim: Claim) -> str:
    """A claim as JSON: a text, or a list of head, relation and tail."""
    parts = [one_line(part) for part in claim.parts]
    return msgspec.json.encode(parts if len(parts) > 1 else parts[0]).decode()
