"""Values of records by name."""

from __future__ import annotations

import pytest

from factprobe.inputs.record_values import MISSING, get_value, split_items


def test_an_index_of_very_many_digits_names_no_item() -> None:
    record = {"outputs": ["Lima", "Paris"]}
    assert get_value(record, "outputs.-1") == "Paris"
    assert get_value(record, f"outputs.{'1' * 5000}") is MISSING


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paris|Lyon", ["Paris", "Lyon"]),
        ("Paris|", ["Paris", ""]),
        ("|Paris|Lyon|", ["", "Paris", "Lyon", ""]),
        ("a) Paris|b) Lyon", ["a) Paris", "b) Lyon"]),
        ("(0, 1]|[0, 1)", ["(0, 1]", "[0, 1)"]),
        ("|k| < 1", ["|k| < 1"]),
        ("P(A|B)", ["P(A|B)"]),
        ("{x | x > 0}", ["{x | x > 0}"]),
    ],
)
def test_a_sign_of_mathematics_separates_no_items(text: str, expected: list[str]) -> None:
    assert split_items(text, "|") == expected
