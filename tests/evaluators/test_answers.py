"""Grades of the replies in `answers/`, which are graded without a graph: how many get the verdict of a reader."""

from __future__ import annotations

from pathlib import Path

import pytest

import factprobe
from tests.evaluators.answers import FOLDER, load

FILES = sorted(FOLDER.glob("*.jsonl"))
LEAST = {
    "names": 0.87,
    "retractions": 0.93,
    "distractors": 0.95,
    "final_answers": 0.88,
    "markup": 0.97,
    "sets": 0.78,
    "yes_no": 0.8,
}
"""The share of a file's replies that must get their verdict, where it is not all of them: these are hard on purpose."""


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_replies_get_their_verdict(path: Path) -> None:
    cases = load(path)
    missed = []
    for match in sorted({case.match for case in cases}):
        chosen = [case for case in cases if case.match == match]
        # One call for all of them: composing the configuration takes a hundred times as long as a grade.
        grades = factprobe.grade_answers([case.record for case in chosen], match=match, strict=True)
        missed += [
            f"{case.name}: {found.verdict} by {found.rule}, {case.why}"
            for case, found in zip(chosen, grades, strict=True)
            if found.verdict not in case.verdicts
        ]
    share = 1 - len(missed) / len(cases)
    assert share >= LEAST.get(path.stem, 1), f"{share:.3f} of {len(cases)}; missed:\n" + "\n".join(missed)
