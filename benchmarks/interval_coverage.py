"""How often the intervals cover the truth, in simulations with clustered questions, and how long they take.

Clusters are beta-binomial: each entity has its own chance to be known, alike for its questions. Accuracies from 0.05 to
0.95, 20 to 500 clusters of uneven size; 95 % intervals are to cover 93 % to 97 %.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from factprobe.metrics.comparison import compare
from factprobe.metrics.statistics.bootstrap import bootstrap
from factprobe.metrics.statistics.intervals import Interval, rate_interval, wilson

CLUSTERS = (20, 30, 50, 150, 500)
RATES = (0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95)
ICCS = (0.05, 0.2, 0.4)
SIZES = ("geometric", "heavy-tailed", "equal", "informative", "large")
QUESTIONS = 4
"""The mean number of questions of an entity, about; three times as many where clusters are large."""

Sample = tuple[np.ndarray, np.ndarray]
"""The cluster of each question, and whether it is known."""
Method = Callable[[np.ndarray, list[str], np.random.Generator], Interval | None]


def draw_sizes(kind: str, clusters: int, rng: np.random.Generator) -> np.ndarray:
    if kind == "equal":
        return np.full(clusters, QUESTIONS)
    if kind == "heavy-tailed":
        found: np.ndarray
        found = np.maximum(np.exp(rng.normal(np.log(QUESTIONS) - 0.5, 1.0, clusters)).round().astype(int), 1)
        return found
    return rng.geometric(1 / (3 * QUESTIONS if kind == "large" else QUESTIONS), clusters)


def chances(kind: str, rate: float, sizes: np.ndarray) -> np.ndarray:
    """The mean chance of clusters of each size: where it is informative, large ones are known better."""
    if kind != "informative":
        return np.full(len(sizes), rate)
    return 1 / (1 + (1 / rate - 1) * (QUESTIONS / sizes) ** 0.6)


def beta(mean: np.ndarray, icc: float, rng: np.random.Generator) -> np.ndarray:
    return rng.beta(mean * (1 / icc - 1), (1 - mean) * (1 / icc - 1))


def sample(kind: str, clusters: int, rate: float, icc: float, rng: np.random.Generator) -> Sample:
    sizes = draw_sizes(kind, clusters, rng)
    known = beta(chances(kind, rate, sizes), icc, rng)
    codes = np.repeat(np.arange(clusters), sizes)
    return codes, rng.random(len(codes)) < known[codes]


def truth(kind: str, rate: float) -> float:
    """The rate over all questions of a large population."""
    sizes = draw_sizes(kind, 400_000, np.random.default_rng(0))
    return float((sizes * chances(kind, rate, sizes)).sum() / sizes.sum())


def by_rate_interval(known: np.ndarray, clusters: list[str], _: np.random.Generator) -> Interval | None:
    return rate_interval(known, np.ones(len(known)), clusters)


def by_bootstrap(known: np.ndarray, clusters: list[str], rng: np.random.Generator) -> Interval | None:
    sums = np.column_stack([known, np.ones(len(known))])
    return bootstrap(sums, lambda totals: totals[..., 0] / totals[..., 1], rng, clusters, resamples=1000)


def by_stratified_bootstrap(
    sums: np.ndarray, groups: list[str], strata: list[str], rng: np.random.Generator
) -> Interval:
    """The mean ratio over strata, each of which draws its own clusters."""
    names, of = np.unique(strata, return_inverse=True)
    codes = np.unique(groups, return_inverse=True)[1]
    mean, replicates = 0.0, np.zeros(200)
    for number in range(len(names)):
        inner = np.unique(codes[of == number], return_inverse=True)[1]
        totals = np.array([np.bincount(inner, column) for column in sums[of == number].T])
        drawn = totals @ rng.multinomial(totals.shape[1], np.full(totals.shape[1], 1 / totals.shape[1]), 200).T
        mean += totals[0].sum() / totals[1].sum() / len(names)
        replicates += drawn[0] / drawn[1] / len(names)
    low, high = np.quantile(replicates, [0.025, 0.975])
    return Interval(mean, min(float(low), mean), max(float(high), mean))


def by_plain_wilson(known: np.ndarray, _: list[str], __: np.random.Generator) -> Interval | None:
    return wilson(float(known.mean()), len(known))


METHODS: dict[str, Method] = {
    "rate_interval": by_rate_interval,
    "bootstrap": by_bootstrap,
    "Wilson, unclustered": by_plain_wilson,
}


def coverage(method: Method, cells: Iterator[Sample], target: float, rng: np.random.Generator) -> float:
    """The percentage of samples whose interval holds the target."""
    held = []
    for codes, known in cells:
        interval = method(known, [str(code) for code in codes], rng)
        held.append(interval is not None and interval.low <= target <= interval.high)
    return 100 * float(np.mean(held))


def summary(name: str, found: list[float]) -> None:
    values = np.array(found)
    inside, below = np.mean((values >= 93) & (values <= 97)), np.mean(values < 93)
    print(
        f"{name:34} {100 * inside:5.1f} % of {len(values)} cells within 93-97 %, {100 * below:4.1f} % below; "
        f"least {values.min():.1f}, median {np.median(values):.1f}, most {values.max():.1f}"
    )


def rates(name: str, runs: int) -> None:
    """The table of one method, a row for each kind of sizes, correlation and number of clusters.

    The summaries by number of clusters leave out sizes that are informative, which have a summary of their own.
    """
    print(
        f"\n{name}: coverage in % by accuracy\n{'sizes':13} {'icc':>5} {'clusters':>8}", *(f"{r:6.2f}" for r in RATES)
    )
    found: dict[tuple[str, int], list[float]] = {}
    for kind, icc, clusters in product(SIZES, ICCS, CLUSTERS):
        row = []
        for rate in RATES:
            rng = np.random.default_rng([int(1000 * rate), int(100 * icc), clusters, SIZES.index(kind)])
            cells = (sample(kind, clusters, rate, icc, rng) for _ in range(runs))
            row.append(coverage(METHODS[name], cells, truth(kind, rate), rng))
            found.setdefault((kind, clusters), []).append(row[-1])
        print(f"{kind:13} {icc:5.2f} {clusters:8}", *(f"{value:6.1f}" for value in row))
    for clusters in CLUSTERS:
        simple = [(kind, many) for kind, many in found if many == clusters and kind != "informative"]
        summary(f"{name}, {clusters} clusters", [value for cell in simple for value in found[cell]])
    for kind in SIZES:
        summary(f"{name}, {kind}", [value for (other, _), row in found.items() if other == kind for value in row])


def macro(runs: int) -> None:
    """The mean over relations of their own rates, small relations among them."""
    print("\nmacro average over relations: coverage in % of rate_interval and of the bootstrap")
    found: dict[str, list[float]] = {"rate_interval": [], "bootstrap": []}
    for relations, clusters, icc, rate in product((3, 15, 50), (3, 10, 40), (0.05, 0.3), (0.05, 0.3, 0.6)):
        rng = np.random.default_rng([relations, clusters, int(100 * icc), int(100 * rate)])
        own = rng.beta(4 * rate, 4 * (1 - rate), relations)
        held: dict[str, list[bool]] = {"rate_interval": [], "bootstrap": []}
        for _ in range(runs):
            many = 1 + rng.poisson(clusters - 1, relations)
            parts = [sample("geometric", size, p, icc, rng) for size, p in zip(many, own, strict=True)]
            strata = [f"P{at}" for at, (codes, _) in enumerate(parts) for _ in codes]
            groups = [f"{at}:{code}" for at, (codes, _) in enumerate(parts) for code in codes]
            sums = np.column_stack([np.concatenate([known for _, known in parts]), np.ones(len(groups))])
            pair = {"rate_interval": rate_interval(sums[:, 0], sums[:, 1], groups, strata)}
            pair["bootstrap"] = by_stratified_bootstrap(sums, groups, strata, rng)
            for name, interval in pair.items():
                held[name].append(interval is not None and interval.low <= own.mean() <= interval.high)
        row = {name: 100 * float(np.mean(values)) for name, values in held.items()}
        print(f"{relations:3} relations of {clusters:2} entities, icc {icc:.2f}, accuracy {rate:.2f}:", *row.values())
        for name, value in row.items():
            found[name].append(value)
    for name, values in found.items():
        summary(f"macro, {name}", values)


def differences(runs: int) -> None:
    """Two models on the same questions: coverage of the difference, and how often equal ones are told apart."""
    print("\ndifference of two models: coverage in % of the score interval and of the bootstrap; share told apart")
    found: dict[str, list[float]] = {"score": [], "bootstrap": []}
    gains = ((0.02, 0.02), (0.05, 0.05), (0.2, 0.2), (0.06, 0.02), (0.25, 0.05))
    for icc, clusters, (first, second) in product(ICCS, CLUSTERS, gains):
        rng = np.random.default_rng([int(100 * icc), clusters, int(100 * first), int(100 * second)])
        held: dict[str, list[bool]] = {"score": [], "bootstrap": []}
        apart = 0
        for _ in range(runs):
            codes = np.repeat(np.arange(clusters), draw_sizes("geometric", clusters, rng))
            shares = rng.gamma(np.array([first, second, 1 - first - second]) * (1 / icc - 1), size=(clusters, 3))
            limits = np.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)[codes]
            drawn = rng.random(len(codes))
            wins, losses = drawn < limits[:, 0], (drawn >= limits[:, 0]) & (drawn < limits[:, 1])
            models = {"a": wins.tolist(), "b": losses.tolist()}
            (pair,) = compare(models, rng, [str(code) for code in codes], resamples=500)
            for name, interval in (("score", pair.difference), ("bootstrap", pair.bootstrap)):
                held[name].append(interval.low <= first - second <= interval.high)
            apart += pair.verdict != "tied"
        row = {name: 100 * float(np.mean(values)) for name, values in held.items()}
        print(
            f"icc {icc:.2f}, {clusters:3} clusters, {first:.2f} to {second:.2f} known to one alone:",
            *(f"{value:.1f}" for value in row.values()),
            f"{100 * apart / runs:.1f}",
        )
        for name, value in row.items():
            found[name].append(value)
    for name, values in found.items():
        summary(f"difference, {name}", values)


def speed() -> None:
    rng = np.random.default_rng(0)
    known, clusters = rng.random(100_000) < 0.4, [f"Q{at}" for at in rng.integers(0, 30_000, 100_000)]
    for name, method in (("rate_interval", by_rate_interval), ("bootstrap of 10,000 resamples", _full_bootstrap)):
        start = time.perf_counter()
        method(known, clusters, rng)
        print(f"{name}, 100,000 questions of 30,000 entities: {time.perf_counter() - start:.2f} s")


def _full_bootstrap(known: np.ndarray, clusters: list[str], rng: np.random.Generator) -> Interval | None:
    sums = np.column_stack([known, np.ones(len(known))])
    return bootstrap(sums, lambda totals: totals[..., 0] / totals[..., 1], rng, clusters)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000, help="samples of a cell for rate_interval; default: 2000")
    runs: int = parser.parse_args().runs
    speed()
    rates("rate_interval", runs)
    for name in ("bootstrap", "Wilson, unclustered"):
        rates(name, max(runs // 5, 1))
    macro(max(runs // 5, 1))
    differences(max(runs // 5, 1))


if __name__ == "__main__":
    main()
