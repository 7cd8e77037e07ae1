"""Claim extraction by a language model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from factprobe.claims.base import ClaimExtractor
from factprobe.claims.by_model.reply_parsing import NO_TRIPLET, ParsedReply, read_statements, read_triplets
from factprobe.components.base import PartSettings, ask_in_rounds
from factprobe.components.prompts import RepeatedPrompt, Wording, fence
from factprobe.endings import ending_of
from factprobe.records import Claim, ClaimedText, ClaimFormat, Item, PlainRequest, Response, Spans

_READ: Mapping[ClaimFormat, Callable[..., ParsedReply]] = {"triplet": read_triplets, "subsentence": read_statements}


class LlmClaimSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the LLM claim extractor."""

    model: dict[str, Any]
    """Model that extracts the claims: `claim_extractor.model=openai` chooses it,
    `claim_extractor.model.temperature=0.7` changes its settings."""
    triplet_wording: Wording
    """Prompt for triplets; the default is in `conf/prompts/`."""
    subsentence_wording: Wording
    """Prompt for self-contained statements; the default is in `conf/prompts/`."""
    tries: Annotated[int, Meta(ge=1)] = 2
    """Maximum number of calls per text; a call is repeated while its reply cannot be parsed."""


class _ClaimTask:
    """Requests for the claims of one text, with retries, and their result."""

    def __init__(self, item: Item, prompt: RepeatedPrompt, read: Callable[..., ParsedReply]) -> None:
        self._item, self._prompt, self._read = item, prompt, read
        between = fence(f"{item.question}\n{item.response}")
        self._values = {"response": item.response, "question": item.question, "fence": between}
        self._found = ParsedReply(())
        self._is_done = not item.response.strip()

    def next_request(self, number: int) -> PlainRequest | None:
        if self._is_done:
            return None
        values, fault = self._values, self._found.fault
        prompts = self._prompt.again(values, fault, number) if number else self._prompt.fill(values)
        return PlainRequest(self._item.id, prompts)

    def parse_response(self, response: Response) -> None:
        if response.failed or response.response is None:
            self._is_done = True  # the caller has retried, and retries in the next run
            self._found = ParsedReply(self._found.claims, f"there is no reply: {response.fault}")
            return
        before = self._found
        is_cut = ending_of(response.finish_reason) == "cut"
        claims, fault = self._read(response.response, is_cut=is_cut)
        if is_cut:
            fault = "the reply is cut off by max_tokens" + ("; what is whole is kept" if claims else "")
        elif not (claims or fault) and (before.claims or before.fault == NO_TRIPLET):
            fault = "one reply has claims that cannot be read, another says that there are none"
        self._is_done = not fault or (is_cut and bool(claims))  # a retry would be cut off again
        if not self._is_done and len(before.claims) > len(claims):
            claims = before.claims  # if all replies are malformed, keep the one with most claims
        self._found = ParsedReply(claims, fault)

    def claimed(self) -> ClaimedText:
        claims, fault = self._found
        text = self._item.response
        return ClaimedText(self._item, tuple(Claim(parts, _spans(parts, text)) for parts in claims), fault)


class LlmClaims(ClaimExtractor):
    """Extractor that asks a language model for triplets or short statements.

    The text stands between two lines that do not occur in it, which limits prompt injection. A call whose reply cannot
    be parsed is repeated; after the last one, the text gets an error in place of claims. For a text without claims, the
    reply has to be an empty list or say so.
    """

    settings_type: ClassVar[type[PartSettings]] = LlmClaimSettings
    formats: ClassVar[tuple[ClaimFormat, ...]] = ("triplet", "subsentence")

    def __init__(self, settings: LlmClaimSettings) -> None:
        super().__init__(settings)
        wordings = {"triplet": settings.triplet_wording, "subsentence": settings.subsentence_wording}
        self._prompts = {
            name: RepeatedPrompt(wording, ("response", "fence"), ("question",), f"claim_extractor.{name}_wording")
            for name, wording in wordings.items()
        }

    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "triplet") -> Iterator[ClaimedText]:
        """Yield each text with the claims in the replies of the model, in order."""
        assert self.ask is not None, "whoever builds the extractor gives it whom to ask"
        prompt, read = self._prompts[claim_format], _READ[claim_format]
        tasks = [_ClaimTask(item, prompt, read) for item in items]
        ask_in_rounds(self.ask, "claims", tasks, self.settings.tries)
        return (task.claimed() for task in tasks)


def _spans(parts: Sequence[str], text: str) -> Spans:
    """Return where a statement, or head and tail of a triplet, first occur in a text as whole words."""
    ends = dict.fromkeys((parts[0], parts[-1]))
    matches = (re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text, re.IGNORECASE) for part in ends)
    return tuple(sorted(match.span() for match in matches if match))
