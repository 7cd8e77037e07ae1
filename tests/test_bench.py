"""The collection of benchmark ratios, and their comparison with the last release."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import ROOT


@pytest.fixture(autouse=True)
def benchmarks_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")


def test_ratios_are_recorded_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from figures import FILE, record_ratio

    record_ratio("before", 1.0)
    monkeypatch.setenv(FILE, str(tmp_path / "figures.jsonl"))
    record_ratio("extract to a bare loop", 2.99999)
    record_ratio("calls a second", 0.98, is_cost=False)
    assert [json.loads(line) for line in (tmp_path / "figures.jsonl").read_text().splitlines()] == [
        {"name": "extract to a bare loop", "ratio": 3.0, "is_cost": True},
        {"name": "calls a second", "ratio": 0.98, "is_cost": False},
    ]


@pytest.mark.parametrize(
    ("ratio", "is_cost", "is_named"),
    [(3.6, True, True), (3.5, True, False), (1.0, True, False), (2.5, False, True), (3.0, False, False)],
)
def test_a_ratio_worse_by_a_fifth_is_named(ratio: float, is_cost: bool, is_named: bool) -> None:
    from bench import slower

    found = [{"name": "a", "ratio": ratio, "is_cost": is_cost}, {"name": "new", "ratio": 9.0, "is_cost": True}]
    assert bool(slower(found, {"a": 3.0})) is is_named


def test_the_table_says_where_and_when() -> None:
    from bench import table

    ratios = [{"name": "extract to a bare loop", "ratio": 3.0, "is_cost": True}]
    said = table({"version": "0.1.0", "date": "2026-11-27", "machine": "a processor, 2 cores", "ratios": ratios})
    assert said.startswith("Version 0.1.0, 2026-11-27, a processor, 2 cores:\n")
    assert "| extract to a bare loop | 3.00 |" in said
