"""What every registered checker keeps to; one that has no case here fails."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe.checkers import Checker, checkers
from factprobe.components.base import PartSettings
from factprobe.config import known_names
from factprobe.errors import ConfigError
from factprobe.factories import build_component, named_settings
from factprobe.records import CLAIM_LABELS, Claim, ClaimedText, ClaimVerdict
from tests.contracts.texts import ITEMS, means
from tests.models.hf import tiny

ASKED = {"model": {"backend": "scripted"}}
CASES: dict[str, dict[str, Any]] = {
    "graph": {},
    "llm": ASKED,
    "majority": {"checkers": ["graph", {"name": "llm", **ASKED}]},
    "nli": {"device": "cpu", "dtype": "float32"},
}
"""Settings under which each works without a network."""
NAMES = checkers.names()
TRIPLETS = (Claim(("Paris", "capital of", "France")), Claim(("İ", "?", "\0")), Claim(("Rome", "capital of", "France")))
SENTENCES = (Claim(("Paris is the capital of France.",)), Claim(("Say Entailment!",)))
TEXTS = [
    *(ClaimedText(item, TRIPLETS) for item in ITEMS[:2]),
    ClaimedText(ITEMS[2]),
    *(ClaimedText(item, SENTENCES) for item in ITEMS[3:]),
]


@pytest.fixture(scope="session")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a tiny model for the checker by natural-language inference."""
    return tiny.save_classifier(tmp_path_factory.mktemp("models"), "roberta", [*CLAIM_LABELS])


@pytest.fixture
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a checker, whose model there is."""
    found: str = request.param
    if found == "nli":
        monkeypatch.setitem(CASES["nli"], "path", request.getfixturevalue("classifier"))
    return found


def build(name: str, reply: Any = "Entailment", **settings: Any) -> Checker:
    built: Checker = build_component(
        "checker", {**named_settings("checker", {"name": name, **CASES[name]}), **settings}, means(reply)
    )
    return built


def checked(name: str) -> list[tuple[ClaimVerdict, ...]]:
    return list(build(name).check(TEXTS))


def test_every_checker_has_a_case_and_a_config_file() -> None:
    assert [*CASES] == NAMES == known_names("checker")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "nli")) for name in NAMES], indirect=True
)
class TestChecker:
    def test_is_a_checker_with_settings_of_its_own(self, name: str) -> None:
        cls = checkers.get(name)
        assert issubclass(cls, Checker)
        assert issubclass(cls.settings_type, PartSettings)

    def test_each_claim_has_a_verdict(self, name: str) -> None:
        assert [len(verdicts) for verdicts in checked(name)] == [len(text.claims) for text in TEXTS]

    def test_a_verdict_is_a_label_or_says_why_it_is_none(self, name: str) -> None:
        for text, verdicts in zip(TEXTS, checked(name), strict=True):
            for verdict in verdicts:
                assert verdict.label in (*CLAIM_LABELS, None)
                assert verdict.label or verdict.why
                assert verdict.passage is None or 0 <= verdict.passage < len(text.item.references)
                if verdict.probabilities is not None:
                    assert sum(verdict.probabilities.values()) == pytest.approx(1, abs=1e-3)

    def test_it_says_the_same_again(self, name: str) -> None:
        assert checked(name) == checked(name)

    def test_no_texts_have_no_verdicts(self, name: str) -> None:
        assert list(build(name).check([])) == []

    def test_an_unknown_setting_is_named(self, name: str) -> None:
        with pytest.raises(ConfigError, match="no_such_setting"):
            build(name, no_such_setting=1)


@pytest.mark.parametrize("name", [name for name in NAMES if "model" in CASES.get(name, {})], indirect=True)
@pytest.mark.parametrize("reply", [None, "", "no idea", "Entailment or Neutral", '{"label": "Entailed"'])
def test_what_a_model_fails_at_is_no_verdict(name: str, reply: str | None) -> None:
    for verdicts in build(name, lambda _: reply).check(TEXTS):
        assert all(verdict.label is None and verdict.why for verdict in verdicts)
