"""How well detectors agree with people: each measure against a library, the baseline, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn import metrics as sk
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from factprobe.metrics.agreement.detection import MEASURES, DetectorScore, detector_scores
from factprobe.metrics.agreement.spans import iou, soft_rho, span_scores
from factprobe.metrics.statistics.classes import brier_skill
from factprobe.records import (
    HALLUCINATION,
    HALLUCINATION_LABELS,
    NOT_HALLUCINATION,
    Detection,
    DetectorItem,
    HallucinationLabel,
    HumanLabel,
    label_of,
)
from tests.optional import not_none

Labelled = tuple[DetectorItem, HumanLabel]
_RNG = np.random.default_rng(1)


def labelled(number: int, votes: int, task: str = "DM") -> Labelled:
    annotators = (HALLUCINATION,) * votes + (NOT_HALLUCINATION,) * (5 - votes)
    return DetectorItem(str(number), "out", f"in {number}", task=task), HumanLabel(
        label_of(votes / 5), votes / 5, annotators
    )


def chance(human: HumanLabel) -> float:
    return not_none(human.probability)


PEOPLE = [labelled(n, int(votes), "DM" if n % 3 else "MT") for n, votes in enumerate(_RNG.integers(0, 6, 60))]
GIVEN = [
    float(np.clip(chance(human) + noise, 0, 1))
    for (_, human), noise in zip(PEOPLE, _RNG.choice([-0.4, 0, 0.3, 0.6], 60), strict=True)
]
FOUND = [Detection(label_of(p), p) for p in GIVEN]


def rows(
    found: Sequence[Detection | None], people: Sequence[Labelled] = PEOPLE
) -> dict[tuple[str, ...], DetectorScore]:
    made = detector_scores(people, {"d": found})
    return {(row.detector, row.task, row.consensus, row.measure): row for row in made}


def test_every_measure_is_that_of_a_library() -> None:
    found = rows(FOUND)
    gold = [human.label for _, human in PEOPLE]
    truth = [label == HALLUCINATION for label in gold]
    said = [one.label for one in FOUND]
    base = np.mean(truth)
    brier = sk.brier_score_loss(truth, GIVEN)
    raters = [[*human.annotators, label] for (_, human), label in zip(PEOPLE, said, strict=True)]
    expected = {
        "accuracy": sk.accuracy_score(gold, said),
        "balanced_accuracy": sk.balanced_accuracy_score(gold, said),
        "f1": sk.f1_score(gold, said, pos_label=HALLUCINATION),
        "spearman_rho": spearmanr([human.probability for _, human in PEOPLE], GIVEN).statistic,
        "cohen_kappa": sk.cohen_kappa_score(gold, said),
        "fleiss_kappa": fleiss_kappa(aggregate_raters(np.array(raters))[0]),
        "precision": sk.precision_score(gold, said, pos_label=HALLUCINATION),
        "recall": sk.recall_score(gold, said, pos_label=HALLUCINATION),
        "precision_not": sk.precision_score(gold, said, pos_label=NOT_HALLUCINATION),
        "recall_not": sk.recall_score(gold, said, pos_label=NOT_HALLUCINATION),
        "f1_not": sk.f1_score(gold, said, pos_label=NOT_HALLUCINATION),
        "g_mean": np.sqrt(np.prod(sk.recall_score(gold, said, average=None))),
        "roc_auc": sk.roc_auc_score(truth, GIVEN),
        "pr_auc": sk.average_precision_score(truth, GIVEN),
        "brier": brier,
        "brier_skill": 1 - brier / (base * (1 - base)),
    }
    for measure, value in expected.items():
        row = found["d", "all", "all", measure]
        assert row.estimate == pytest.approx(value), measure
        low, middle, high = (not_none(end) for end in (row.low, row.estimate, row.high))
        assert low <= middle <= high > low, measure
        assert (row.items, row.left_out) == (60, 0)
    assert expected.keys() | {"ece"} == MEASURES.keys()
    of_people = fleiss_kappa(aggregate_raters(np.array([human.annotators for _, human in PEOPLE]))[0])
    assert found["annotators", "all", "all", "fleiss_kappa"].estimate == pytest.approx(of_people)


def test_groups_are_tasks_and_levels_of_consensus() -> None:
    found = rows(FOUND)
    counts = {
        (task, level): row.items
        for (name, task, level, measure), row in found.items()
        if measure == "accuracy" and name == "d"
    }
    assert counts[("all", "low")] == sum(len({*h.annotators}) == 2 and abs(chance(h) - 0.5) < 0.2 for _, h in PEOPLE)
    assert counts[("all", "unanimous")] == sum(len({*h.annotators}) == 1 for _, h in PEOPLE)
    assert sum(counts["all", level] for level in ("low", "high", "unanimous")) == 60
    assert counts["DM", "all"] + counts["MT", "all"] == 60


def test_the_majority_class_is_the_groups_own() -> None:
    people = [labelled(0, 5), labelled(1, 5), labelled(2, 0), *(labelled(n, 0, "MT") for n in range(3, 6))]
    found = rows([Detection(HALLUCINATION, 1.0)] * 6, people)
    for measure, value in (("balanced_accuracy", 0.5), ("brier_skill", 0)):
        row = found["majority class", "all", "all", measure]
        assert (row.estimate, row.low, row.high) == (value, value, value)
    base = {key[1:]: row.estimate for key, row in found.items() if key[0] == "majority class"}
    assert base["all", "all", "accuracy"] == pytest.approx(4 / 6)
    assert base["DM", "all", "accuracy"] == pytest.approx(2 / 3)
    assert base["MT", "all", "accuracy"] == 1
    assert base["all", "all", "brier_skill"] == pytest.approx(0)
    assert base["all", "all", "roc_auc"] == 0.5
    assert base["all", "all", "spearman_rho"] is None
    assert base["MT", "all", "balanced_accuracy"] is None


def test_an_item_without_a_label_is_wrong_and_one_without_a_probability_left_out() -> None:
    people = [labelled(0, 5), labelled(1, 0), labelled(2, 0)]
    found = rows([Detection(HALLUCINATION, None), None, Detection(NOT_HALLUCINATION, 0.25)], people)
    assert found["d", "all", "all", "accuracy"].estimate == pytest.approx(2 / 3)
    assert found["d", "all", "all", "f1"].estimate == 1
    kappa, brier = found["d", "all", "all", "cohen_kappa"], found["d", "all", "all", "brier"]
    assert (kappa.items, kappa.left_out) == (3, 0)
    assert (brier.items, brier.left_out, brier.estimate) == (1, 2, 0.0625)
    assert found["d", "all", "all", "fleiss_kappa"].items == 2


def test_a_detector_that_says_nothing_has_no_part_in_agreement() -> None:
    found = rows([None] * 60)
    assert found["d", "all", "all", "accuracy"].estimate == 0
    assert ("d", "all", "all", "brier") not in found
    fleiss = found["d", "all", "all", "fleiss_kappa"]
    assert (fleiss.items, fleiss.left_out, fleiss.estimate) == (0, 60, None)
    assert found["annotators", "all", "all", "fleiss_kappa"].items == 60


def test_no_label_is_no_class_of_its_own_to_find_and_hits_none() -> None:
    people = [labelled(0, 0), labelled(1, 0), labelled(2, 5), labelled(3, 5)]
    silent = rows([Detection(None, None)] * 4, people)
    by_hand = {"accuracy": 0, "balanced_accuracy": 0, "recall": 0, "recall_not": 0, "f1_not": 0, "g_mean": 0}
    assert {name: silent["d", "all", "all", name].estimate for name in by_hand} == by_hand
    assert silent["d", "all", "all", "precision_not"].estimate is None

    said = [None if n % 4 == 1 else one.label for n, one in enumerate(FOUND)]
    found = rows([Detection(label, None) for label in said])
    gold, third = [human.label for _, human in PEOPLE], [label or "none" for label in said]
    for end, label in (("", HALLUCINATION), ("_not", NOT_HALLUCINATION)):
        of = sk.precision_recall_fscore_support(gold, third, labels=[label], zero_division=0)
        given = [found["d", "all", "all", f"{name}{end}"].estimate for name in ("precision", "recall", "f1")]
        assert given == pytest.approx([float(one[0]) for one in of[:3]])
    recalls = sk.recall_score(gold, third, labels=[*HALLUCINATION_LABELS], average=None)
    assert found["d", "all", "all", "g_mean"].estimate == pytest.approx(np.sqrt(np.prod(recalls)))
    assert found["d", "all", "all", "balanced_accuracy"].estimate == pytest.approx(np.mean(recalls))
    assert found["d", "all", "all", "cohen_kappa"].estimate == pytest.approx(sk.cohen_kappa_score(gold, third))


def test_people_without_annotators_have_labels_all_the_same() -> None:
    labels: list[HallucinationLabel] = [*HALLUCINATION_LABELS, *HALLUCINATION_LABELS]
    people = [(DetectorItem(str(n), "out"), HumanLabel(label)) for n, label in enumerate(labels)]
    found = rows([Detection(label, None) for label in labels], people)
    assert found["d", "all", "all", "accuracy"].estimate == 1
    assert ("d", "all", "all", "fleiss_kappa") not in found


def test_brier_skill_by_hand() -> None:
    rng = np.random.default_rng(0)
    found = not_none(brier_skill([0.9, 0.2, 0.6], [True, False, False], rng))
    assert found.estimate == pytest.approx(1 - ((0.01 + 0.04 + 0.36) / 3) / (2 / 9))
    assert brier_skill([0.9, 0.8], [True, True], rng) is None


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
