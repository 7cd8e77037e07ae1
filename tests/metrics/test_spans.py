"""Measures of marked spans, by hand."""

from __future__ import annotations

import pytest
from scipy.stats import spearmanr

from factprobe.metrics.agreement.spans import iou, soft_rho, span_scores
from factprobe.records import HALLUCINATION, Detection, DetectorItem, HumanLabel


def test_iou_is_of_characters() -> None:
    assert iou(((0, 4),), ((2, 6),)) == pytest.approx(2 / 6)
    assert iou(((0, 4), (2, 6)), ((0, 6),)) == 1
    assert iou((), ()) == 1
    assert iou((), ((0, 1),)) == 0


def test_rho_is_spearmans_and_defined_where_a_side_is_constant() -> None:
    one, other = ((0, 2, 0.5), (2, 3, 1.0)), ((1, 2, 0.2), (2, 4, 0.4))
    wanted = spearmanr([0.5, 0.5, 1, 0, 0], [0, 0.2, 0.4, 0.4, 0]).statistic
    assert soft_rho(one, other, 5) == pytest.approx(wanted)
    assert soft_rho(one, ((0, 5, 0.3),), 5) == 0
    assert soft_rho((), ((0, 5, 0.3),), 5) == 1
    assert soft_rho((), (), 0) == 1


def test_means_are_by_language_and_no_verdict_counts_as_nothing_found() -> None:
    human = HumanLabel(HALLUCINATION, spans=((0, 2),), soft_spans=((0, 2, 1.0),))
    labelled = [(DetectorItem(str(at), "abcd", language=name), human) for at, name in enumerate(("EN", "EN", "FI"))]
    right = Detection(HALLUCINATION, 1.0, spans=((0, 2),), soft_spans=((0, 2, 1.0),))
    rows = span_scores(labelled, {"one": [right, None, Detection(HALLUCINATION, 1.0, spans=((0, 4),))]})
    found = {(row.language, row.measure): (row.items, row.missing, row.estimate) for row in rows}
    assert found["EN", "iou"] == (2, 1, 0.5)
    assert found["FI", "iou"] == (1, 0, 0.5)
    *counts, mean = found["all", "soft_rho"]
    assert counts == [3, 1]
    assert mean == pytest.approx(1 / 3)
