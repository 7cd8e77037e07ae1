"""What every registered claim extractor keeps to; one that has no case here fails."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe.claims import ClaimExtractor, claim_extractors
from factprobe.components.base import PartSettings
from factprobe.config import known_names
from factprobe.errors import ConfigError
from factprobe.factories import build_component, named_settings
from factprobe.records import ClaimedText, ClaimFormat
from tests.contracts.texts import ITEMS, means

ASKED = {"model": {"backend": "scripted"}}
CASES: dict[str, dict[str, Any]] = {"graph": {}, "llm": ASKED, "sentences": {}}
"""Settings under which each works without a network."""
REPLIES = {"triplet": '[["Paris", "is the capital of", "France"]]'}
NAMES = claim_extractors.names()
PAIRS = [(name, of) for name in NAMES for of in claim_extractors.get(name).formats]


def build(name: str, claim_format: ClaimFormat | None = None, **settings: Any) -> ClaimExtractor:
    reply = REPLIES.get(claim_format or "triplet", "- Paris is the capital of France.")
    model = CASES[name].get("model")
    named = named_settings("claim_extractor", name)
    built: ClaimExtractor = build_component(
        "claim_extractor", {**named, **({"model": model} if model else {}), **settings}, means(reply)
    )
    return built


def extracted(name: str, claim_format: ClaimFormat) -> list[ClaimedText]:
    return list(build(name, claim_format).extract(ITEMS, claim_format))


def test_every_claim_extractor_has_a_case_and_a_config_file() -> None:
    assert [*CASES] == NAMES == known_names("claim_extractor")


@pytest.mark.parametrize("name", NAMES)
class TestClaimExtractor:
    def test_is_a_claim_extractor_with_settings_and_formats_of_its_own(self, name: str) -> None:
        cls = claim_extractors.get(name)
        assert issubclass(cls, ClaimExtractor)
        assert issubclass(cls.settings_type, PartSettings)
        assert cls.formats

    def test_no_texts_have_no_claims(self, name: str) -> None:
        assert list(build(name).extract([], claim_extractors.get(name).formats[0])) == []

    def test_an_unknown_setting_is_named(self, name: str) -> None:
        with pytest.raises(ConfigError, match="no_such_setting"):
            build(name, no_such_setting=1)


@pytest.mark.parametrize(("name", "claim_format"), PAIRS)
class TestFormat:
    def test_each_text_has_its_claims_in_order(self, name: str, claim_format: ClaimFormat) -> None:
        found = extracted(name, claim_format)
        assert [one.item for one in found] == list(ITEMS)
        assert found[0].claims
        assert found[0].claims == found[-1].claims

    def test_a_claim_has_the_parts_of_its_format(self, name: str, claim_format: ClaimFormat) -> None:
        for text in extracted(name, claim_format):
            for claim in text.claims:
                assert len(claim.parts) == (3 if claim_format == "triplet" else 1)
                assert all(part.strip() for part in claim.parts)
                assert len(claim.uris) in (0, 3)

    def test_its_spans_are_places_of_the_text(self, name: str, claim_format: ClaimFormat) -> None:
        for text in extracted(name, claim_format):
            for claim in text.claims:
                assert all(0 <= start < end <= len(text.item.response) for start, end in claim.spans)

    def test_a_text_without_a_word_claims_nothing_and_is_no_fault(self, name: str, claim_format: ClaimFormat) -> None:
        for text in extracted(name, claim_format):
            if not text.item.response.strip():
                assert (text.claims, text.fault) == ((), "")

    def test_it_says_the_same_again(self, name: str, claim_format: ClaimFormat) -> None:
        assert extracted(name, claim_format) == extracted(name, claim_format)


@pytest.mark.parametrize("name", [name for name in NAMES if CASES[name]])
@pytest.mark.parametrize("reply", [None, "", "[[", "I am sorry", '[["a"]]', "[1]", "{}"])
def test_what_a_model_fails_at_is_a_fault_and_no_claim(name: str, reply: str | None) -> None:
    part = build_component(
        "claim_extractor", {**named_settings("claim_extractor", name), **CASES[name]}, means(lambda _: reply)
    )
    first = next(iter(part.extract(ITEMS)))
    assert first.claims == ()
    assert first.fault
