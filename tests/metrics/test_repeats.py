"""Several replies of one model to the same question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from factprobe.metrics.breakdowns.repeats import own_variance
from tests.command_line import CommandLine
from tests.inputs.replies import csv_text

BASE = ["kg=trex", "relations=[P36]", "limit=6", "model=scripted"]


def accuracy_in_scores(folder: Path) -> Any:
    """The overall accuracy in the score table, as an interval."""
    rows = json.loads((folder / "scores.json").read_text())
    [total] = [row for row in rows if (row["level"], row["average"]) == ("total", "micro")]
    names = {"estimate": "accuracy", "low": "accuracy_low", "high": "accuracy_high"}
    return pytest.approx({end: total[name] for end, name in names.items()})


def test_the_models_own_share_of_the_variance() -> None:
    assert own_variance([3, 0, 3], [3, 3, 3]) == 0
    assert own_variance([1, 1, 1], [2, 2, 2]) == 1
    assert own_variance([2, 2], [2, 2]) is None
    rng = np.random.default_rng(0)
    rates = rng.beta(1, 1, 4_000)  # variance 1/12 between, mean of p (1 - p) = 1/6 within
    assert own_variance(rng.binomial(5, rates), np.full(4_000, 5)) == pytest.approx(2 / 3, abs=0.03)


def test_repeated_replies_of_files_are_told(factprobe: CommandLine) -> None:
    rows = [
        {
            "question": f"What is the capital of country {number}?",
            "answers": f"City {number}",
            "response": f"City {number}" if number < 10 and (number % 2 or repeat) else f"Town {number + 1}",
        }
        for repeat in range(2)
        for number in range(20)
    ]
    (factprobe.folder / "a.csv").write_text(csv_text(rows))
    assert factprobe("step=grade", "input=a.csv").code == 0
    folder = factprobe.folder / "outputs/a"
    [row] = json.loads((folder / "repeats.json").read_text())
    assert (row["questions"], row["replies"], row["mixed"]["estimate"]) == (20, 40, 0.25)
    assert 0 < row["own"] < 1
    assert row["accuracy"] == accuracy_in_scores(folder)
    assert "Several replies to one question" in (folder / "report.html").read_text()


def test_runs_with_other_repeats_are_one_model(factprobe: CommandLine) -> None:
    assert factprobe("step=all", *BASE).code == 0
    folder = factprobe.folder / "outputs/trex"
    once = json.loads((folder / "scores.json").read_text())
    assert not (folder / "repeats.json").exists()
    assert factprobe("step=all", *BASE, "model.repeat=1").code == 0
    assert sorted(path.name for path in (folder / "grades/template").iterdir()) == ["scripted", "scripted~1"]
    twice = json.loads((folder / "scores.json").read_text())
    assert [row["model"] for row in twice] == [row["model"] for row in once]
    assert [row["questions"] for row in twice] == [2 * row["questions"] for row in once]
    assert [row["accuracy"] for row in twice] == [row["accuracy"] for row in once]
    [total] = [row for row in once if (row["level"], row["average"]) == ("total", "micro")]
    [again] = [row for row in twice if (row["level"], row["average"]) == ("total", "micro")]
    width = total["accuracy_high"] - total["accuracy_low"]
    assert again["accuracy_high"] - again["accuracy_low"] == pytest.approx(width, rel=0.25)
    [row] = json.loads((folder / "repeats.json").read_text())
    assert row["mixed"]["estimate"] == 0
    assert row["accuracy"] == accuracy_in_scores(folder)
