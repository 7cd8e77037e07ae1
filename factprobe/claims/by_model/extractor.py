"""Claim extraction by a language model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from factprobe.claims.base import ClaimExtractor
from factprobe.claims.by_model.reply_parsing import NO_TRIPLET, ParsedReply, read_statements, read_triplets
from factprobe.components.base import PartSettings, RepeatedTask, ask_in_rounds
from factprobe.components.prompts import RepeatedPrompt, Wording, fence
from factprobe.endings import ending_of
from factprobe.records import Claim, ClaimedText, ClaimFormat, Item, PlainRequest, Spans

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


def _find_claims(
    item: Item, prompt: RepeatedPrompt, read: Callable[..., ParsedReply], tries: int
) -> RepeatedTask[ParsedReply]:
    """Ask for the claims of one text up to `tries` times, and return the result."""
    between = fence(f"{item.question}\n{item.response}")
    values = {"response": item.response, "question": item.question, "fence": between}
    result = ParsedReply(())
    for number in range(tries if item.response.strip() else 0):
        prompts = prompt.fill_for_retry(values, result.fault, number) if number else prompt.fill(values)
        response = yield PlainRequest(item.id, prompts)
        if response is None:
            break
        if response.failed or response.response is None:  # the caller has retried, and retries in the next run
            return ParsedReply(result.claims, f"there is no reply: {response.fault}")
        is_cut = ending_of(response.finish_reason) == "cut"
        claims, fault = read(response.response, is_cut=is_cut)
        if is_cut:
            fault = "the reply is cut off by max_tokens" + ("; what is whole is kept" if claims else "")
        elif not (claims or fault) and (result.claims or result.fault == NO_TRIPLET):
            fault = "one reply has claims that cannot be read, another says that there are none"
        if not fault or (is_cut and claims):  # a retry would be cut off again
            return ParsedReply(claims, fault)
        # if all replies are malformed, keep the one with most claims
        result = ParsedReply(max(claims, result.claims, key=len), fault)
    return result


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
        tasks = [_find_claims(item, prompt, read, self.settings.tries) for item in items]
        pairs = zip(items, ask_in_rounds(self.ask, "claims", tasks), strict=True)
        return (_claimed_text(item, found) for item, found in pairs)


def _claimed_text(item: Item, found: ParsedReply) -> ClaimedText:
    claims = tuple(Claim(parts, _spans(parts, item.response)) for parts in found.claims)
    return ClaimedText(item, claims, found.fault)


def _spans(parts: Sequence[str], text: str) -> Spans:
    """Return where a statement, or head and tail of a triplet, first occur in a text as whole words."""
    ends = dict.fromkeys((parts[0], parts[-1]))
    matches = (re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text, re.IGNORECASE) for part in ends)
    return tuple(sorted(match.span() for match in matches if match))
