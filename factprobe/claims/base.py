"""What a claim extractor is, and the registry of those there are."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from factprobe.errors import ConfigError
from factprobe.parts.base import Part
from factprobe.reading.sentences import sentences
from factprobe.records import Claim, ClaimedText, ClaimFormat, Item
from factprobe.registry import Registry

log = logging.getLogger(__name__)


class ClaimExtractor(Part, ABC):
    """Takes claims from texts."""

    formats: ClassVar[tuple[ClaimFormat, ...]] = ("triplet",)
    """Those that it can give."""

    @abstractmethod
    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "triplet") -> Iterator[ClaimedText]:
        """The claims of each text, in order.

        Raises:
            NoAnswersError: a model is asked, and no call succeeds.
            CostLimitError: its next call could pass `max_cost_usd`.
        """


class SentenceClaims(ClaimExtractor):
    """Takes each sentence for a claim; asks nobody."""

    formats: ClassVar[tuple[ClaimFormat, ...]] = ("sentence",)

    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "sentence") -> Iterator[ClaimedText]:  # noqa: ARG002  # its only one
        """See the base class."""
        for item in items:
            text = item.response
            claims = [Claim((text[start:end],), ((start, end),)) for start, end in sentences(text)]
            yield ClaimedText(item, tuple(claims))


def format_of(extractor: ClaimExtractor | None, wanted: ClaimFormat | None) -> ClaimFormat:
    """The format of the claims: the one that is wanted, or the first that the extractor gives, if there is one.

    Raises:
        ConfigError: it does not give that.
    """
    if extractor is None:
        return wanted or "triplet"
    if wanted not in (None, *extractor.formats):
        what = f"claim_extractor={extractor.settings.name} gives no claims of the format {wanted}"
        raise ConfigError(what, where="claim_format", hint=f"it gives {', '.join(extractor.formats)}")
    return wanted or extractor.formats[0]


def warn_of_none(found: Sequence[ClaimedText], extractor: ClaimExtractor, graph: str) -> None:
    """Warns where an extractor finds no claim in any text: it may know nothing of what they are about."""
    if not any(text.claims or text.fault for text in found):
        of = f" about entities of {graph}" if extractor.wants_graph else ""
        what = "claim_extractor=%s finds no claim%s; another one, such as llm, may find some"
        log.warning(what, extractor.settings.name, of)


claim_extractors: Registry[ClaimExtractor] = Registry(
    "claim_extractors",
    "claim_extractor",
    {
        "graph": "factprobe.claims.graph:GraphClaims",
        "llm": "factprobe.claims.llm:LlmClaims",
        "sentences": "factprobe.claims.base:SentenceClaims",
    },
)
