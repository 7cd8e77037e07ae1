"""One `model=` for all parts of a step on texts."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe.config import compose, from_omegaconf

BOTH = ["step=extract_check", "claim_extractor=llm", "checker=llm"]


def models(*overrides: str) -> list[dict[str, Any]]:
    """The settings of the models that the claim extractor and the checker ask."""
    config = from_omegaconf(compose(overrides))
    return [part["model"] for part in (config.claim_extractor, config.checker) if part and "model" in part]


def test_each_part_asks_the_named_model_with_its_settings() -> None:
    extractor, checker = models(*BOTH, "model=openai", "model.model=gpt", "model.timeout=5")
    for found in (extractor, checker):
        assert (found["backend"], found["model"], found["timeout"]) == ("openai", "gpt", 5)
    assert extractor["max_tokens"] is None
    assert models(*BOTH)[0]["max_tokens"] == 512


def test_a_part_may_have_settings_or_a_model_of_its_own() -> None:
    extractor, checker = models(*BOTH, "checker.model.model=other", "model=openai", "model.model=gpt")
    assert (extractor["model"], checker["model"]) == ("gpt", "other")
    extractor, checker = models(*BOTH, "checker.model=scripted", "model=openai", "model.model=gpt")
    assert (extractor["backend"], checker["backend"]) == ("openai", "scripted")


@pytest.mark.parametrize("overrides", [["step=extract_check"], ["step=extract_check", "checker=nli"], ["step=answer"]])
def test_a_part_without_a_model_takes_none(overrides: list[str]) -> None:
    assert models(*overrides, "model=openai", "model.model=gpt") == []


def test_a_detector_asks_it_too() -> None:
    detector = from_omegaconf(compose(["step=detect", "model=scripted"])).detector
    assert detector is not None
    assert (detector["model"]["backend"], detector["model"]["max_tokens"]) == ("scripted", 16)
