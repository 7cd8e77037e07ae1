"""What every registered detector keeps to; one that has no case here fails."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe.build import build_detector, named_settings
from factprobe.claims.base import PartSettings
from factprobe.config import known_names
from factprobe.detectors import Detector, detectors
from factprobe.errors import ConfigError
from factprobe.records import HALLUCINATION, HALLUCINATION_LABELS, Detection, DetectorItem
from tests.contracts.texts import ODD, PLAIN, means

ASKED = {"model": {"backend": "scripted"}}
CASES: dict[str, tuple[dict[str, Any], str]] = {
    "judge": (ASKED, '{"verdict": "hallucinated", "reason": ["so it is"]}'),
    "selfcheck": ({**ASKED, "samples": 2, "checker": {"name": "llm", "model": "scripted"}}, "Contradiction"),
    "shroom": ({**ASKED, "samples": 2}, HALLUCINATION),
}
"""Settings under which each works without a network, and a reply that it understands."""
NAMES = detectors.names()
ITEMS = [
    DetectorItem("1", PLAIN, "What is the capital of France?", "Paris", ("Paris is the capital of France.",), "DM"),
    *(DetectorItem(f"odd-{number}", text, text, text, (text,), "PG") for number, text in enumerate(ODD)),
    DetectorItem("last", PLAIN, task="MT"),
]


def build(name: str, reply: Any = None, **settings: Any) -> Detector:
    changes, usual = CASES[name]
    return build_detector({**named_settings("detector", name), **changes, **settings}, means(reply or usual))


def detected(name: str, reply: Any = None) -> list[Detection]:
    return list(build(name, reply).detect(ITEMS))


def test_every_detector_has_a_case_and_a_config_file() -> None:
    assert [*CASES] == NAMES == known_names("detector")


@pytest.mark.parametrize("name", NAMES)
class TestDetector:
    def test_is_a_detector_with_settings_of_its_own(self, name: str) -> None:
        cls = detectors.get(name)
        assert issubclass(cls, Detector)
        assert issubclass(cls.settings_type, PartSettings)

    def test_each_item_has_a_label_or_a_reason_for_none(self, name: str) -> None:
        every = detected(name)
        assert every[0].label == HALLUCINATION
        assert len(every) == len(ITEMS)
        assert all(found.label == HALLUCINATION or (found.probability is None and found.reasons) for found in every)

    def test_numbers_are_in_their_ranges(self, name: str) -> None:
        for found in detected(name):
            assert found.label in (*HALLUCINATION_LABELS, None)
            assert found.probability is None or 0 <= found.probability <= 1
            assert 0 <= found.votes <= found.samples
            assert 0 <= found.unparsed <= found.samples

    def test_it_says_the_same_again(self, name: str) -> None:
        assert detected(name) == detected(name)

    def test_no_items_have_no_labels(self, name: str) -> None:
        assert list(build(name).detect([])) == []

    def test_an_unknown_setting_is_named(self, name: str) -> None:
        with pytest.raises(ConfigError, match="no_such_setting"):
            build(name, no_such_setting=1)

    @pytest.mark.parametrize(
        "reply", [None, " ", "no idea", "Hallucination or Not Hallucination", '{"verdict": "factual"']
    )
    def test_what_a_model_fails_at_is_never_a_hallucination(self, name: str, reply: str | None) -> None:
        for found in detected(name, lambda _: reply):
            assert found.label != HALLUCINATION
            assert found.label is None or found.unparsed == found.samples > 0
            assert found.reasons
