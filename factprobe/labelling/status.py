"""Progress of labelling: number of labels, corrected accuracy so far, and agreement of two people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct

from factprobe.inputs.labels import ReplyLabels
from factprobe.labelling.label_file import LabelStore
from factprobe.labelling.queue import LabelQueue
from factprobe.labelling.replies import Key, LabelCandidate
from factprobe.metrics.agreement.coefficients import cohen_kappa
from factprobe.metrics.corrected import corrected_rate
from factprobe.metrics.statistics.intervals import Floats, Interval
from factprobe.storage import SilentProblems


class SystemAccuracy(Struct, frozen=True):
    """Accuracy of a system as people would judge it."""

    system: str
    labels: int
    """Number of replies that people have called right or wrong."""
    interval: Interval | None
    """Corrected accuracy with its confidence interval; None if there are too few labels."""


class PairAgreement(Struct, frozen=True):
    """Agreement of two people on the replies that both have judged."""

    annotators: tuple[str, str]
    replies: int
    alike: int
    """Number of replies on which both give the same verdict."""
    kappa: Interval | None
    """Cohen's kappa; None if all verdicts of both people are equal, so that it is undefined."""


class Progress(Struct, frozen=True):
    """Progress of the labelling."""

    drawn_count: int
    judged_count: int
    """Number of drawn replies that somebody has judged."""
    by_annotator: dict[str, int]
    """Number of verdicts of each person."""
    disputed: int
    """Number of replies on which two people disagree."""
    accuracies: tuple[SystemAccuracy, ...]
    agreements: tuple[PairAgreement, ...]


class ProgressReport:
    """Reporter of the progress after each label, for all replies, drawn or not."""

    def __init__(self, candidates: Sequence[LabelCandidate], store: LabelStore, queue: LabelQueue, seed: int) -> None:
        self._store, self._queue, self._seed = store, queue, seed
        self._systems: dict[str, list[LabelCandidate]] = {}
        for candidate in candidates:
            self._systems.setdefault(candidate.system, []).append(candidate)
        self._indices = {
            system: {one.id: index for index, one in enumerate(tallies)} for system, tallies in self._systems.items()
        }
        self._predictions = {
            system: np.array([one.prediction for one in found]) for system, found in self._systems.items()
        }
        self._clusters = {
            system: np.unique([one.question for one in found], return_inverse=True)[1]
            for system, found in self._systems.items()
        }

    def compute(self) -> Progress:
        """Return the progress according to the labels so far."""
        verdicts = self._queue.verdicts
        counts = Counter(person for by_person in verdicts.values() for person in by_person)
        return Progress(
            drawn_count=len(verdicts),
            judged_count=sum(map(bool, verdicts.values())),
            by_annotator=dict(counts),
            disputed=len(self._queue.disputed()),
            accuracies=tuple(self._system_accuracies()),
            agreements=tuple(pair_agreements(verdicts, self._seed)),
        )

    def _system_accuracies(self) -> list[SystemAccuracy]:
        matched = ReplyLabels(self._store.labels, SilentProblems(), str(self._store.path))
        accuracies = []
        for system, candidates in self._systems.items():
            labels, chances = self._labels_with_probabilities(system, candidates, matched)
            interval = corrected_rate(self._predictions[system], labels, self._clusters[system], chances)
            accuracies.append(SystemAccuracy(system, int((~np.isnan(labels)).sum()), interval))
        return accuracies

    def _labels_with_probabilities(
        self, system: str, candidates: Sequence[LabelCandidate], matched: ReplyLabels
    ) -> tuple[Floats, Floats]:
        """Return the label (1 right, 0 wrong) and sampling probability of each reply; NaN and 1 without a label."""
        labels, chances = np.full(len(candidates), np.nan), np.ones(len(candidates))
        indices = self._indices[system]
        for label in self._store.labels:
            index = indices.get(label.id)
            if index is None or label.system not in ("", system):
                continue
            judgment = matched.match(system, label.id, candidates[index].digest)
            if judgment is not None:
                labels[index], chances[index] = judgment.is_correct, judgment.probability
        return labels, chances


def pair_agreements(verdicts: Mapping[Key, Mapping[str, str]], seed: int) -> list[PairAgreement]:
    """Return the agreement of each pair of people who have judged the same replies; `seed` is for the bootstrap."""
    people = dict.fromkeys(person for by_person in verdicts.values() for person in by_person)
    agreements = []
    for pair in combinations(people, 2):
        shared = [(votes[pair[0]], votes[pair[1]]) for votes in verdicts.values() if {*pair} <= votes.keys()]
        if shared:
            first, second = zip(*shared, strict=True)
            kappa = cohen_kappa(first, second, np.random.default_rng(seed))
            agreeing = sum(label == other for label, other in shared)
            agreements.append(PairAgreement(pair, len(shared), agreeing, kappa))
    return agreements
