"""Values of records by name."""

from __future__ import annotations

from factprobe.inputs.record_values import MISSING, get_value


def test_an_index_of_very_many_digits_names_no_item() -> None:
    record = {"outputs": ["Lima", "Paris"]}
    assert get_value(record, "outputs.-1") == "Paris"
    assert get_value(record, f"outputs.{'1' * 5000}") is MISSING
