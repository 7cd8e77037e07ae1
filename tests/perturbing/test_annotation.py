"""Rounds of annotation: when people agree, and what they are asked next."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from factprobe.config import AnnotateConfig
from factprobe.errors import DataError
from factprobe.perturbing.annotation import State, agreement_state, next_batch, partition_by_state

USUAL = AnnotateConfig()


@pytest.mark.parametrize(
    ("labels", "state", "label"),
    [
        ([1, 1, 1], "open", -1),
        ([1, 1, 1, 1], "agreed", 1),
        ([1, 1, 1, 0], "open", -1),
        ([0, 0, 1, 0, 0], "agreed", 0),
        ([1, 1, 1, 0, 1, 0], "disputed", -1),
        ([1, 1, 1, 1, 1, 0], "agreed", 1),
        ([1, 0, 1, 0, 1, 0], "disputed", -1),
    ],
)
def test_four_to_six_people_agree_by_four_fifths(labels: list[int], state: State, label: int) -> None:
    assert agreement_state(labels, USUAL) == (state, label)


def test_exact_threshold_is_agreement() -> None:
    many = AnnotateConfig(least=25, most=25, agreement=0.56)  # 0.56 * 25 is more than 14 in floating point
    assert agreement_state([1] * 14 + [0] * 11, many) == ("agreed", 1)
    assert agreement_state([1] * 13 + [0] * 12, many) == ("disputed", -1)


def test_queue_is_partitioned_by_agreement() -> None:
    queue: list[dict[str, Any]]
    queue = [{"id": "a", "annotators": [1] * 4}, {"id": "b"}, {"id": "c", "annotators": [0, 1] * 3}]
    found = partition_by_state(queue, USUAL)
    assert [[record["id"] for record in found[state]] for state in ("agreed", "open", "disputed")] == [
        ["a"],
        ["b"],
        ["c"],
    ]
    assert found["agreed"][0]["hallucination"] == 1


@pytest.mark.parametrize("labels", [[2], ["1"], [True], "1", [1] * 7])
def test_invalid_label_is_an_error(labels: object) -> None:
    with pytest.raises(DataError, match="record 'a' of the queue"):
        partition_by_state([{"id": "a", "annotators": labels}], USUAL)


def test_next_batch_is_uncertain_and_balances_labels() -> None:
    given: dict[str, float | None] = {f"{n:03}": n / 100 for n in range(101)}

    def batch(labelled: Counter[int], size: int = 20) -> list[float]:
        chosen = next_batch(given, labelled, size, 0.1, Random(1))
        assert len({*chosen}) == len(chosen)
        return [int(name) / 100 for name in chosen]

    even = batch(Counter())
    assert all(0.1 <= p <= 0.9 for p in even)
    assert sum(p > 0.5 for p in even) == 10
    assert sum(p > 0.5 for p in batch(Counter({0: 8, 1: 0}))) == 14
    assert sum(p > 0.5 for p in batch(Counter({0: 0, 1: 90}))) == 0
    assert len(batch(Counter({0: 0, 1: 90}), 60)) == 60
    assert len(batch(Counter(), 500)) == 81
    assert batch(Counter()) == even
    assert len(next_batch(dict.fromkeys("abcde"), Counter(), 3, 0.1, Random(1))) == 3
