"""Grades of the replies in `answers/`, which are graded without a graph."""

from __future__ import annotations

from pathlib import Path

import pytest

import factprobe
from factprobe.records import AnswerGrade
from tests.evaluators.answers import FOLDER, Case, load
from tests.tables import check_rows

FILES = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_replies_get_their_verdict(path: Path) -> None:
    cases = load(path)
    for match in sorted({case.match for case in cases}):
        chosen = [case for case in cases if case.match == match]
        # One call for all of them: composing the configuration takes a hundred times as long as a grade.
        grades = factprobe.grade_answers([case.record for case in chosen], match=match, strict=True)
        found = {case.name: (case, grade) for case, grade in zip(chosen, grades, strict=True)}
        check_rows(([case.name] for case in chosen), lambda name, found=found: check(*found[name]))


def check(case: Case, found: AnswerGrade) -> None:
    assert found.verdict in case.verdicts, case.why
    assert found.rule == (case.rule or found.rule)
