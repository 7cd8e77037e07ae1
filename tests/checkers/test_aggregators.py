"""From the labels of claims to one for the response, by RefChecker's definitions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.checkers.aggregators import shares
from factprobe.checkers.text_checking import aggregate_verdicts
from factprobe.errors import ConfigError
from factprobe.factories import build_component
from factprobe.records import CLAIM_LABELS, RESPONSE_LABELS, Claim, ClaimedText, ClaimLabel, ClaimVerdict, Item
from tests.tables import for_each_row

E, N, C = CLAIM_LABELS
A = RESPONSE_LABELS[-1]
LABELS = st.lists(st.sampled_from(CLAIM_LABELS), max_size=8)


def aggregate(name: str, labels: list[ClaimLabel], **settings: Any) -> Any:
    return build_component("aggregator", {"name": name, **settings}).aggregate(labels)


@for_each_row(
    ("labels", "strict", "major"),
    [
        ([], A, A),
        ([E], E, E),
        ([E, E], E, E),
        ([E, N], N, E),
        ([N, E], N, N),
        ([E, E, N], N, E),
        ([E, N, C], C, E),
        ([C, E, E], C, E),
        ([N, C, C, N], C, N),
        ([N, E, C, C], C, C),
    ],
)
def test_strict_and_major(labels: list[ClaimLabel], strict: str, major: str) -> None:
    assert aggregate("strict", labels) == strict
    assert aggregate("major", labels) == major


def test_soft_gives_the_ratios_under_four_keys() -> None:
    assert aggregate("soft", [E, N, E, C]) == {E: 0.5, N: 0.25, C: 0.25, A: 0.0}
    assert list(aggregate("soft", [])) == [E, N, C, A]
    assert aggregate("soft", []) == {E: 0.0, N: 0.0, C: 0.0, A: 1.0}


@for_each_row(
    ("labels", "settings", "found"),
    [
        ([], {}, A),
        ([E, N], {}, E),
        ([E, N, N], {}, N),
        ([E, E, E, C], {}, C),
        ([E, E, E, C], {"contradiction": 0.25}, E),
        ([E, E, N, C], {"contradiction": 0.25, "unsupported": 0.4}, N),
        ([E, N], {"unsupported": 0.0}, N),
        ([C, C], {"contradiction": 1.0, "unsupported": 1.0}, E),
        ([C, N, N, *[E] * 7], {"contradiction": 0.1, "unsupported": 0.3}, E),
    ],
)
def test_threshold(labels: list[ClaimLabel], settings: dict[str, float], found: str) -> None:
    assert aggregate("threshold", labels, **settings) == found


def test_a_threshold_is_a_share() -> None:
    with pytest.raises(ConfigError, match=r"aggregator\.unsupported"):
        aggregate("threshold", [], unsupported=2)


@given(LABELS)
def test_the_shares_add_up(labels: list[ClaimLabel]) -> None:
    found = shares(labels)
    assert sum(found.values()) == pytest.approx(1)
    assert {label: found[label] * len(labels) for label in CLAIM_LABELS} == pytest.approx(
        {label: Counter(labels)[label] for label in CLAIM_LABELS}
    )


@given(LABELS)
def test_strict_is_the_threshold_of_nothing(labels: list[ClaimLabel]) -> None:
    assert aggregate("strict", labels) == aggregate("threshold", labels, contradiction=0.0, unsupported=0.0)


@given(st.lists(st.sampled_from([*CLAIM_LABELS, None]), min_size=1, max_size=6))
def test_what_is_not_clean_has_no_part_in_it(labels: list[ClaimLabel | None]) -> None:
    text = ClaimedText(Item("1", "r"), tuple(Claim((str(at),)) for at in range(len(labels))))
    found = aggregate_verdicts(text, tuple(map(ClaimVerdict, labels)), build_component("aggregator", {"name": "soft"}))
    clean = [label for label in labels if label is not None]
    assert found.aggregate == (shares(clean) if clean else None)


def test_no_claims_are_an_abstention_only_where_none_are_made() -> None:
    soft = build_component("aggregator", {"name": "strict"})
    assert aggregate_verdicts(ClaimedText(Item("1", "r")), (), soft).aggregate == A
    assert aggregate_verdicts(ClaimedText(Item("1", "r"), fault="no reply"), (), soft).aggregate is None
    kept = ClaimedText(Item("1", "r"), (Claim(("a",)),), fault="cut off")
    assert aggregate_verdicts(kept, (ClaimVerdict(E),), soft).aggregate == E
