"""Penalised scores over the penalty."""

from __future__ import annotations

import pytest

from factprobe.metrics.penalty import PenaltyLine, crossings, penalty_lines
from factprobe.metrics.score_table import scores
from factprobe.metrics.tallies import Cell
from factprobe.records import Relation
from tests.metrics.test_scores import tally


def test_lines_are_those_of_the_score_table() -> None:
    cells = {Cell("t", "bold", "P1", "single_answer"): tally(correct=6, incorrect=4, failed=3)}
    cells[Cell("t", "shy", "P1", "single_answer")] = tally(correct=5, incorrect=1, abstained=4, failed=3)
    rows = scores(cells, {"P1": Relation("P1", "")}, "g")
    bold, shy = penalty_lines(rows)
    assert bold == PenaltyLine("t", "bold", 0.6, 0.4, 1.0)
    assert shy == PenaltyLine("t", "shy", 0.5, 0.1, 1 / 5)
    by_model = {row.model: row for row in rows if (row.level, row.average) == ("total", "micro")}
    for line in (bold, shy):
        assert line.score(1) == pytest.approx(by_model[line.model].penalised_score)
        assert line.hallucination_rate == pytest.approx(by_model[line.model].hallucination_rate)
    [crossing] = crossings([bold, shy])
    assert (crossing.first, crossing.second) == ("bold", "shy")
    assert crossing.penalty == pytest.approx(1 / 3)
    assert crossing.score == pytest.approx(bold.score(1 / 3)) == pytest.approx(shy.score(1 / 3))
    assert crossings([shy, bold]) == [crossing]


def test_a_model_that_is_better_at_every_penalty_is_never_passed() -> None:
    better, worse = PenaltyLine("t", "a", 0.6, 0.1, 0.2), PenaltyLine("t", "b", 0.5, 0.3, 0.6)
    assert crossings([better, worse]) == []
    assert crossings([better, better]) == []
