"""The claims of a text are its sentences, as they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from factprobe.claims.base import ClaimExtractor
from factprobe.reading.sentences import sentences
from factprobe.records import Claim, ClaimedText, ClaimFormat, Item


class SentenceClaims(ClaimExtractor):
    """Takes each sentence for a claim; asks nobody."""

    formats: ClassVar[tuple[ClaimFormat, ...]] = ("sentence",)

    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "sentence") -> Iterator[ClaimedText]:  # noqa: ARG002  # its only one
        """See the base class."""
        for item in items:
            text = item.response
            claims = [Claim((text[start:end],), ((start, end),)) for start, end in sentences(text)]
            yield ClaimedText(item, tuple(claims))
