"""How well accuracy corrected by a few human labels covers the truth, by resampling replies that people judged all.

Of each system of EVOUNA's Natural Questions (second half of the questions) factprobe grades all replies; then a draw
takes some replies, of which it sees people's verdicts, and corrects the accuracy by them. Two kinds of draw: of labels
alone, where the truth is the accuracy on these replies, and of questions as well (with replacement), where the
intervals should cover it as often as they say. Printed by system: how often a 95 % interval holds people's accuracy,
its mean width, the same over the width of Wilson's interval of as many labels alone, and the mean error in points.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import combinations
from math import sqrt
from typing import NamedTuple

import numpy as np
from agreement import DATA, asked, records
from boosting import Array

from factprobe.evaluators import grade
from factprobe.labelling.drawing import label_chances, low_discrepancy_numbers
from factprobe.metrics.corrected import correct, corrected_difference, corrected_rate
from factprobe.metrics.statistics.intervals import Interval, wilson


class System(NamedTuple):
    """Replies of one system."""

    name: str
    predictions: Array
    truth: Array
    questions: Array


class Draw(NamedTuple):
    """What one draw gave."""

    interval: Interval
    truth: float
    alone: Interval
    """By as many labels alone."""


def systems(limit: int | None) -> list[System]:
    """Grade the replies, and return those of each system."""
    rows = [*records(DATA / "evouna_nq.jsonl", "second")][:limit]
    grades = [*grade([asked(row) for row in rows], None, {"single_answer": "open_answer"})]
    numbers = np.unique([row["question"] for row in rows], return_inverse=True)[1]
    found: dict[str, list[tuple[float, bool, int]]] = {}
    for row, one, number in zip(rows, grades, numbers, strict=True):
        probability = float(one.verdict == "correct") if one.probability is None else one.probability
        found.setdefault(row["system"], []).append((probability, row["human"] == "correct", int(number)))
    return [System(name, *map(np.array, zip(*replies, strict=True))) for name, replies in sorted(found.items())]


def chosen(predictions: Array, labels: int, way: str, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return which replies are labelled, and the chance that each had."""
    chances = np.full(len(predictions), labels / len(predictions)) if way == "uniform" else None
    chances = label_chances(predictions, labels) if chances is None else chances
    numbers = low_discrepancy_numbers(chances, rng.random(len(chances)), rng.random())
    return np.flatnonzero(numbers < chances), chances


def draws(system: System, labels: int, way: str, times: int, *, fixed: bool) -> Iterator[Draw]:
    """Yield what each draw of labels, and unless `fixed` of questions, gives."""
    rng = np.random.default_rng(0)
    size = len(system.truth)
    for _ in range(times):
        rows = np.arange(size) if fixed else rng.integers(size, size=size)
        predictions, truth = system.predictions[rows], system.truth[rows].astype(float)
        where, chances = chosen(predictions, labels, way, rng)
        seen = np.full(size, np.nan)
        seen[where] = truth[where]
        interval = corrected_rate(predictions, seen, chances=chances)
        assert interval is not None
        few = float(rng.choice(truth, labels, replace=False).mean())
        yield Draw(interval, float(system.truth.mean()), wilson(few, labels))


def differences(one: System, other: System, labels: int, way: str, times: int) -> Iterator[Draw]:
    """Yield the corrected difference of two systems, each with labels of its own, questions drawn anew."""
    rng, aside = np.random.default_rng(0), np.random.default_rng(1)
    both, ours, theirs = np.intersect1d(one.questions, other.questions, return_indices=True)
    truth = float(one.truth[ours].mean() - other.truth[theirs].mean())
    for _ in range(times):
        rows = rng.integers(len(both), size=len(both))
        found = []
        for system, places in ((one, ours[rows]), (other, theirs[rows])):
            predictions = system.predictions[places]
            where, chances = chosen(predictions, labels, way, rng)
            seen = np.full(len(rows), np.nan)
            seen[where] = system.truth[places][where]
            found.append(correct(predictions, seen, chances))
        first, second = found
        assert first is not None
        assert second is not None
        questions = np.arange(len(rows))
        rates = [aside.choice(s.truth[at], labels, replace=False).mean() for s, at in ((one, ours), (other, theirs))]
        half, gain = 1.96 * sqrt(sum(rate * (1 - rate) for rate in rates) / labels), float(rates[0] - rates[1])
        alone = Interval(gain, gain - half, gain + half)
        yield Draw(corrected_difference(first, second, questions), truth, alone)


def show(name: str, found: Iterable[Draw]) -> None:
    """Print a line."""
    every = [*found]
    covers = np.mean([one.interval.low <= one.truth <= one.interval.high for one in every])
    width = np.mean([one.interval.high - one.interval.low for one in every])
    error = 100 * np.mean([one.interval.estimate - one.truth for one in every])
    alone = np.mean([one.alone.high - one.alone.low for one in every])
    print(f"  {name:28}{covers:9.3f}{width:9.3f}{width / alone:8.2f}{error:+9.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=int, default=100)
    parser.add_argument("--draws", type=int, default=1_000)
    parser.add_argument("--limit", type=int, help="replies; by default all")
    given = parser.parse_args()
    found = systems(given.limit)
    for title, fixed in (("the same questions", True), ("questions drawn anew", False)):
        for way in ("uniform", "active"):
            print(f"{given.labels} labels, {way}; {title}: covered, width, over labels alone, error")
            for system in found:
                show(system.name, draws(system, given.labels, way, given.draws, fixed=fixed))
    for way in ("uniform", "active"):
        print(f"difference of two systems, {given.labels} labels each, {way}; questions drawn anew")
        for one, other in combinations(found, 2):
            show(f"{one.name} - {other.name}", differences(one, other, given.labels, way, given.draws))


if __name__ == "__main__":
    main()
