"""What every registered aggregator keeps to."""

from __future__ import annotations

from itertools import combinations_with_replacement

import msgspec
import pytest

from factprobe.checkers import Aggregator, aggregators
from factprobe.components.base import PartSettings
from factprobe.config import known_names
from factprobe.errors import ConfigError
from factprobe.factories import build_component, named_settings
from factprobe.records import CLAIM_LABELS, RESPONSE_LABELS

NAMES = aggregators.names()


def build(name: str) -> Aggregator:
    built: Aggregator = build_component("aggregator", named_settings("aggregator", name))
    return built


def test_every_aggregator_has_a_config_file() -> None:
    assert known_names("aggregator") == NAMES


@pytest.mark.parametrize("name", NAMES)
class TestAggregator:
    def test_is_an_aggregator_with_settings_of_its_own(self, name: str) -> None:
        cls = aggregators.get(name)
        assert issubclass(cls, Aggregator)
        assert issubclass(cls.settings_type, PartSettings)

    def test_says_a_label_or_shares_that_add_up(self, name: str) -> None:
        for count in range(4):
            for labels in combinations_with_replacement(CLAIM_LABELS, count):
                found = build(name).aggregate(labels)
                if isinstance(found, str):
                    assert found in RESPONSE_LABELS
                else:
                    assert tuple(found) == RESPONSE_LABELS
                    assert sum(found.values()) == pytest.approx(1)
                assert msgspec.json.decode(msgspec.json.encode(found)) == found

    def test_claims_of_one_mind_say_the_same_of_the_response(self, name: str) -> None:
        for label in CLAIM_LABELS:
            found = build(name).aggregate([label] * 3)
            assert found == label or (isinstance(found, dict) and found[label] == 1)

    def test_no_claims_are_an_abstention(self, name: str) -> None:
        found = build(name).aggregate([])
        assert found == "Abstain" or (isinstance(found, dict) and found["Abstain"] == 1)

    def test_an_unknown_setting_is_named(self, name: str) -> None:
        with pytest.raises(ConfigError, match="no_such_setting"):
            build_component("aggregator", {"name": name, "no_such_setting": 1})
