"""Base class and registry of claim extractors."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from factprobe.components.base import Component
from factprobe.errors import ConfigError
from factprobe.reading.tokenisation.sentences import sentences
from factprobe.records import Claim, ClaimedText, ClaimFormat, Item
from factprobe.registry import Registry

log = logging.getLogger(__name__)


class ClaimExtractor(Component, ABC):
    """Base class of claim extractors."""

    formats: ClassVar[tuple[ClaimFormat, ...]] = ("triplet",)
    """Claim formats that the extractor supports; the first one is its default."""

    @abstractmethod
    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "triplet") -> Iterator[ClaimedText]:
        """Yield each text with its claims, in order.

        Raises:
            NoAnswersError: A model is called, and no call succeeds.
            CostLimitError: The next call could exceed `max_cost_usd`.
        """


class SentenceClaims(ClaimExtractor):
    """Extractor that takes each sentence of a text as a claim, without a model."""

    formats: ClassVar[tuple[ClaimFormat, ...]] = ("sentence",)

    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "sentence") -> Iterator[ClaimedText]:  # noqa: ARG002  # the only format
        """Yield each text with its sentences as claims."""
        for item in items:
            spans = sentences(item.response)
            yield ClaimedText(item, tuple([Claim((item.response[slice(*span)],), (span,)) for span in spans]))


def format_of(extractor: ClaimExtractor | None, wanted: ClaimFormat | None) -> ClaimFormat:
    """Return the wanted claim format; by default that of the extractor, or `triplet` without an extractor.

    Raises:
        ConfigError: The extractor does not support the wanted format.
    """
    if extractor is None:
        return wanted or "triplet"
    if wanted not in (None, *extractor.formats):
        message = f"claim_extractor={extractor.settings.name} gives no claims of the format {wanted}"
        raise ConfigError(message, where="claim_format", hint=f"it gives {', '.join(extractor.formats)}")
    return wanted or extractor.formats[0]


def warn_if_no_claims(texts: Sequence[ClaimedText], extractor: ClaimExtractor, graph_name: str) -> None:
    """Log a warning if no text has a claim or an error, perhaps since the graph lacks their topics."""
    if not any(text.claims or text.fault for text in texts):
        about = f" about entities of {graph_name}" if extractor.wants_graph else ""
        message = "claim_extractor=%s finds no claim%s; another one, such as llm, may find some"
        log.warning(message, extractor.settings.name, about)


claim_extractors: Registry[ClaimExtractor] = Registry("claim_extractors", "claim_extractor")
