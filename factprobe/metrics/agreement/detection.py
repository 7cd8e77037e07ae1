"""Agreement of hallucination detectors with human labels, by task and by consensus of the annotators."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.random import default_rng

from factprobe.metrics.agreement.coefficients import accuracy, cohen_kappa, fleiss_kappa, spearman_rho
from factprobe.metrics.agreement.raters import CONSENSUS, Consensus, consensus_of
from factprobe.metrics.calibration import Bin, brier_score, expected_calibration_error, reliability
from factprobe.metrics.statistics.classes import average_precision, brier_skill, class_measures, roc_auc, roc_curve
from factprobe.metrics.statistics.intervals import EstimateRecord, Interval, ends_of, rate_interval
from factprobe.metrics.strata import ALL
from factprobe.records import HALLUCINATION, Detection, DetectorItem, HallucinationLabel, HumanLabel, label_of

MEASURES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced",
    "f1": "F1",
    "spearman_rho": "Spearman ρ",
    "cohen_kappa": "Cohen's κ",
    "fleiss_kappa": "Fleiss' κ",
    "roc_auc": "ROC AUC",
    "pr_auc": "PR AUC",
    "brier": "Brier",
    "brier_skill": "Brier skill",
    "ece": "ECE",
    "precision": "precision",
    "recall": "recall",
    "precision_not": "precision of Not",
    "recall_not": "recall of Not",
    "f1_not": "F1 of Not",
    "g_mean": "G-mean",
}
"""Column headers of the measures; the positive class is Hallucination."""
BASELINE = "majority class"
"""Name of the baseline that gives all items of a group their most frequent label."""
ANNOTATORS = "annotators"


class DetectorScore(EstimateRecord, frozen=True):
    """Value of one measure of a detector on a group of items; None if undefined, e.g. if all items have one label."""

    detector: str
    """Name of the detector, `majority class`, or `annotators` for the agreement among annotators."""
    task: str
    """Task of the items; `all` for items of any task."""
    consensus: Consensus
    measure: str
    items: int
    left_out: int
    """Number of items without the values that the measure needs."""


class _LabelledCase(NamedTuple):
    """Item with its human label and a detector's verdict."""

    item: DetectorItem
    human: HumanLabel
    detection: Detection

    @property
    def cluster(self) -> str:
        """Cluster of the item: its input if it has one, else its output if it has a span, else its id."""
        return self.item.input or (self.item.output if self.item.span else self.item.id)


Labelled = Sequence[tuple[DetectorItem, HumanLabel]]
"""Items with their human labels."""
Detections = Sequence[Detection | None]
"""Verdicts of a detector on the items; None if one is missing."""
_Figures = Iterator[tuple[str, Sequence[_LabelledCase], Interval | None]]
"""Measures: name, cases on which it was computed, and value."""


def detector_scores(labelled: Labelled, detectors: Mapping[str, Detections], seed: int = 0) -> list[DetectorScore]:
    """Measure each detector, the majority class and the annotators, by consensus and task; missing labels are wrong."""
    cases_by_detector = {name: _pair_cases(labelled, detections) for name, detections in detectors.items()}
    tasks = sorted({item.task for item, _ in labelled if item.task})
    groups = [(ALL, level) for level in CONSENSUS] + [(task, CONSENSUS[0]) for task in tasks if len(tasks) > 1]
    plain = _pair_cases(labelled, [None] * len(labelled))
    rows = []
    for task, level in groups:
        for name, cases in {**cases_by_detector, BASELINE: plain, ANNOTATORS: plain}.items():
            of_task = [case for case in cases if task in (ALL, case.item.task)]
            chosen = [case for case in of_task if level in (ALL, consensus_of(case.human.annotators))]
            of_group = chosen
            if name == BASELINE:
                labelled_group = [(case.item, case.human) for case in chosen]
                of_group = _pair_cases(labelled_group, majority_class(labelled_group))
            figures = [] if name == ANNOTATORS else [*_detector_figures(of_group, seed)]
            if level == ALL:  # on items selected by consensus, agreement is biased
                figures += _measure_fleiss_kappa(of_group, seed, alone=name == ANNOTATORS)
            rows += [
                DetectorScore(name, task, level, measure, len(counted), len(chosen) - len(counted), **ends_of(interval))
                for measure, counted, interval in figures
            ]
    return rows


def _pair_cases(labelled: Labelled, detections: Detections) -> list[_LabelledCase]:
    return [_LabelledCase(*pair, one or Detection(None, None)) for pair, one in zip(labelled, detections, strict=True)]


def majority_class(labelled: Labelled) -> list[Detection]:
    """Return, for each item, a detection with the most frequent label; its probability is Hallucination's share."""
    share = Counter(human.label for _, human in labelled)[HALLUCINATION] / max(len(labelled), 1)
    return [Detection(label_of(share), share)] * len(labelled)


def _detector_figures(cases: Sequence[_LabelledCase], seed: int) -> _Figures:
    if cases:
        yield from _label_figures(cases, seed)
    if with_probability := [case for case in cases if case.detection.probability is not None]:
        yield from _probability_figures(with_probability, seed)


def _label_figures(cases: Sequence[_LabelledCase], seed: int) -> _Figures:
    people, predictions = [case.human.label for case in cases], [str(case.detection.label) for case in cases]
    clusters = [case.cluster for case in cases]
    right = np.array([one == other for one, other in zip(people, predictions, strict=True)], float)
    yield "accuracy", cases, accuracy(people, predictions, clusters)
    balanced = rate_interval(right, np.ones(len(right)), clusters, people) if len({*people}) > 1 else None
    if balanced and len({*predictions}) == 1:  # the same value in every resample
        balanced = Interval(balanced.estimate, balanced.estimate, balanced.estimate)
    yield "balanced_accuracy", cases, balanced
    gold = [label == HALLUCINATION for label in people]
    predicted = [None if case.detection.label is None else case.detection.label == HALLUCINATION for case in cases]
    for measure, interval in class_measures(gold, predicted, seed, clusters).items():
        yield measure, cases, interval
    yield "cohen_kappa", cases, cohen_kappa(people, predictions, default_rng(seed), clusters)


def _probability_figures(cases: Sequence[_LabelledCase], seed: int) -> _Figures:
    probabilities = [case.detection.probability or 0.0 for case in cases]
    truth = [case.human.label == HALLUCINATION for case in cases]
    clusters = [case.cluster for case in cases]
    has_both = len({*truth}) > 1
    yield "roc_auc", cases, roc_auc(probabilities, truth, default_rng(seed), clusters) if has_both else None
    yield "pr_auc", cases, average_precision(probabilities, truth, default_rng(seed), clusters) if has_both else None
    yield "brier", cases, brier_score(probabilities, truth, clusters)
    yield "brier_skill", cases, brier_skill(probabilities, truth, default_rng(seed), clusters)
    yield "ece", cases, expected_calibration_error(probabilities, truth, default_rng(seed), clusters)
    ranked = [case for case in cases if case.human.probability is not None]
    sides = ([case.detection.probability or 0.0 for case in ranked], [case.human.probability or 0.0 for case in ranked])
    rho = spearman_rho(*sides, default_rng(seed), [case.cluster for case in ranked]) if ranked else None
    yield "spearman_rho", ranked, rho


def _measure_fleiss_kappa(cases: Sequence[_LabelledCase], seed: int, *, alone: bool) -> _Figures:
    """Yield Fleiss' kappa of the annotators, alone or with the detector as a rater, on items with the most labels."""
    labelled = [case for case in cases if alone or case.detection.label]
    ratings = [(case, [*case.human.annotators, *filter(None, [case.detection.label])]) for case in labelled]
    max_labels = max((len(labels) for _, labels in ratings), default=0)
    rated = [(case, labels) for case, labels in ratings if len(labels) == max_labels]
    if any(case.human.annotators for case, _ in ratings) and max_labels > 1:
        clusters = [case.cluster for case, _ in rated]
        kappa = fleiss_kappa([labels for _, labels in rated], default_rng(seed), clusters)
        yield "fleiss_kappa", [case for case, _ in rated], kappa
    elif any(case.human.annotators for case in cases) and not labelled:
        yield "fleiss_kappa", [], None


_ROUNDING = 0.01


def contradicted(labelled: Labelled) -> list[str]:
    """Return the ids of items whose label, annotators' labels and share of Hallucination contradict each other."""
    ids = []
    for item, human in labelled:
        shares = [] if human.probability is None else [human.probability]
        if human.annotators:
            shares.append(human.annotators.count(HALLUCINATION) / len(human.annotators))
        is_other = any(share != 1 / 2 and label_of(share) != human.label for share in shares)
        if is_other or any(abs(share - shares[0]) > _ROUNDING for share in shares):
            ids.append(item.id)
    return ids


def labelled_twice(labelled: Labelled) -> list[str]:
    """Return the ids of items that have a duplicate with another label."""
    labels: defaultdict[DetectorItem, set[HallucinationLabel]] = defaultdict(set)
    for item, human in labelled:
        labels[replace(item, id="")].add(human.label)
    return [item.id for item, _ in labelled if len(labels[replace(item, id="")]) > 1]


class StudyScore(EstimateRecord, frozen=True):
    """Value of one measure for one variant of a detector's settings; value and interval are means over passes."""

    panel: str
    """Name of the group of variants."""
    variant: str
    """Name of the variant."""
    measure: str
    items: int
    unparsed: int
    """Number of samples without a valid label, in all passes."""
    passes: tuple[float, ...]
    """Value of the measure in each pass, without passes in which it is undefined."""


def study_scores(
    panel: str, variant: str, labelled: Labelled, passes: Sequence[Detections], seed: int = 0
) -> Iterator[StudyScore]:
    """Yield the measures of a detector for one variant of its settings, averaged over passes."""
    unparsed = sum(detection.unparsed for detections in passes for detection in detections if detection)
    figures = [figure for detections in passes for figure in _detector_figures(_pair_cases(labelled, detections), seed)]
    for measure in dict.fromkeys(measure for measure, _, _ in figures):
        intervals = [interval for name, _, interval in figures if name == measure and interval is not None]
        ends = zip(*(figure.ends for figure in intervals), strict=True)
        mean = Interval(*map(fmean, ends)) if intervals else None
        values = tuple(interval.estimate for interval in intervals)
        yield StudyScore(panel, variant, measure, len(labelled), unparsed, values, **ends_of(mean))


class DetectorPlots(NamedTuple):
    """Data for the reliability plot and the ROC curve of a detector."""

    detector: str
    bins: Sequence[Bin]
    roc: Sequence[tuple[float, float]]
    """Points of the ROC curve; empty if all items have the same label."""


def detector_plots(labelled: Labelled, detectors: Mapping[str, Detections]) -> list[DetectorPlots]:
    """Return the data for the plots of each detector that gives probabilities."""
    plots = []
    for name, detections in detectors.items():
        cases = [case for case in _pair_cases(labelled, detections) if case.detection.probability is not None]
        probabilities = [case.detection.probability or 0.0 for case in cases]
        truth = [case.human.label == HALLUCINATION for case in cases]
        if cases:
            bins = reliability(probabilities, truth, [case.cluster for case in cases])
            plots.append(DetectorPlots(name, bins, roc_curve(probabilities, truth) if len({*truth}) > 1 else ()))
    return plots
