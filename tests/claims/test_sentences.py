"""Sentences as claims."""

from __future__ import annotations

from factprobe.claims import claim_extractors
from factprobe.components.base import PartSettings
from factprobe.records import Claim, ClaimedText, Item


def test_each_sentence_is_a_claim_with_its_span() -> None:
    extractor = claim_extractors.get("sentences")(PartSettings(name="sentences"))
    items = [Item("1", "Ulm is old.  It lies on the Danube."), Item("2", "...")]
    assert list(extractor.extract(items, "sentence")) == [
        ClaimedText(items[0], (Claim(("Ulm is old.",), ((0, 11),)), Claim(("It lies on the Danube.",), ((13, 35),)))),
        ClaimedText(items[1]),
    ]
