"""What every registered detector keeps to; one that has no case here fails."""

from __future__ import annotations

from atexit import register
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import pytest

from factprobe.components.base import PartSettings
from factprobe.config import known_names
from factprobe.detectors import Detector, detectors
from factprobe.detectors.hades.trained import TrainedDetector
from factprobe.errors import ConfigError
from factprobe.factories import build_component, named_settings
from factprobe.records import HALLUCINATION, HALLUCINATION_LABELS, Detection, DetectorItem
from tests.contracts.texts import ODD, PLAIN, means
from tests.models.hf import tiny

ASKED = {"model": {"backend": "scripted"}}
CASES: dict[str, tuple[dict[str, Any], str] | None] = {
    "hades_lr": None,
    "hades_svm": None,
    "hades_token_probability": (ASKED, '[{"start": 0, "end": 1, "logprob": -1.5}]'),
    "hades_transformer": None,
    "judge": (ASKED, '{"verdict": "hallucinated", "reason": ["so it is"]}'),
    "selfcheck": ({**ASKED, "samples": 2, "checker": {"name": "llm", "model": "scripted"}}, "Contradiction"),
    "shroom": ({**ASKED, "samples": 2}, HALLUCINATION),
    "span_features": None,
    "span_judge": (ASKED, '["Paris"]'),
}
"""Settings under which each works without a network, and a reply that it understands; None for one that asks nobody."""
ASKING = [name for name, case in CASES.items() if case]
NAMES = detectors.names()
ITEMS = [
    DetectorItem("1", PLAIN, "What is the capital of France?", "Paris", ("Paris is the capital of France.",), "DM"),
    *(DetectorItem(f"odd-{number}", text, text, text, (text,), "PG") for number, text in enumerate(ODD)),
    DetectorItem("last", PLAIN, task="MT"),
]


@cache
def learnt(name: str) -> dict[str, Any]:
    """Return the settings of a detector that asks nobody, trained on two items (with a tiny encoder)."""
    path = Path(mkdtemp())
    register(rmtree, path)
    encoder = {"encoder": tiny.save(path, "bert"), "epochs": 1} if name == "hades_transformer" else {}
    made = build_component("detector", {**named_settings("detector", name), **encoder}, means("no"))
    if not isinstance(made, TrainedDetector):
        return {}
    made.train(list(zip((ITEMS[0], ITEMS[-1]), HALLUCINATION_LABELS, strict=True)), path / name, 0)
    return {**encoder, "path": str(path / name)}


def build(name: str, reply: Any = None, **settings: Any) -> Detector:
    changes, usual = CASES[name] or (learnt(name), "no")
    built: Detector = build_component(
        "detector", {**named_settings("detector", name), **changes, **settings}, means(reply or usual)
    )
    return built


def detected(name: str, reply: Any = None) -> list[Detection]:
    return list(build(name, reply).detect(ITEMS))


def test_every_detector_has_a_case_and_a_config_file() -> None:
    assert [*CASES] == NAMES == known_names("detector")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "hades_transformer")) for name in NAMES]
)
class TestDetector:
    def test_is_a_detector_with_settings_of_its_own(self, name: str) -> None:
        cls = detectors.get(name)
        assert issubclass(cls, Detector)
        assert issubclass(cls.settings_type, PartSettings)

    def test_each_item_has_a_label_or_a_reason_for_none(self, name: str) -> None:
        every = detected(name)
        assert len(every) == len(ITEMS)
        assert all(found.label or (found.probability is None and found.reasons) for found in every)
        if CASES[name]:
            assert every[0].label == HALLUCINATION
            assert {found.label for found in every} <= {HALLUCINATION, None}

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


class TestAsking:
    @pytest.mark.parametrize("name", ASKING)
    @pytest.mark.parametrize(
        "reply", [None, " ", "no idea", "Hallucination or Not Hallucination", '{"verdict": "factual"']
    )
    def test_what_a_model_fails_at_is_never_a_hallucination(self, name: str, reply: str | None) -> None:
        for found in detected(name, lambda _: reply):
            assert found.label != HALLUCINATION
            assert found.label is None or found.unparsed == found.samples > 0
            assert found.reasons
