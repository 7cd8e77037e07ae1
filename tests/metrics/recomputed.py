"""The score table once more, from questions and grades as they lie in files, by plain code that shares none with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

Row = dict[str, Any]
"""A grade with what is needed of its question: `subject`, `relation`, `options` to guess among (0 for none)."""
Figures = dict[str, float | None]
Pairs = Sequence[tuple[float, float]]

Z = 1.959963984540054
PRIOR = 0.1


def wilson(rate: float, size: float) -> tuple[float, float]:
    """The ends of Wilson's interval."""
    centre, half = rate + Z * Z / (2 * size), Z * sqrt(rate * (1 - rate) / size + Z * Z / (4 * size * size))
    whole = 1 + Z * Z / size
    return max((centre - half) / whole, 0.0), min((centre + half) / whole, 1.0)


def correlation(strata: Sequence[Sequence[Sequence[float]]], informative: int) -> float:
    """The intracluster correlation of the residuals of each cluster of each stratum, by the analysis of variance."""
    clusters = [cluster for stratum in strata for cluster in stratum]
    size, free = sum(map(len, clusters)), len(clusters) - len(strata)
    if not free:
        return 1.0
    square = sum(one**2 for cluster in clusters for one in cluster)
    between = sum(sum(cluster) ** 2 / len(cluster) for cluster in clusters)
    within = max(square - between, 0.0) / max(size - len(clusters), 1)
    between /= free
    mean = size - sum(sum(len(c) ** 2 for c in stratum) / sum(map(len, stratum)) for stratum in strata)
    total = between + (mean / free - 1) * within
    found = min(max((between - within) / total, 0.0), 1.0) if total > 1e-12 * square else 1.0
    return (found * informative + PRIOR) / (informative + PRIOR)


def rate(pairs: Pairs, clusters: Sequence[str], strata: Sequence[str]) -> tuple[float, float, float] | None:
    """The mean over strata of part / whole with the ends of its interval, clustered; None where nothing is counted."""
    grouped: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for pair, cluster, stratum in zip(pairs, clusters, strata, strict=True):
        if pair[1] > 0:
            grouped[stratum][cluster].append(pair)
    if not grouped:
        return None
    rates: list[float] = []
    residuals: list[list[list[float]]] = []
    informative = [0, 0]
    for members in grouped.values():
        clustered = [*members.values()]
        wholes = sum(whole for cluster in clustered for _, whole in cluster)
        rates.append(sum(part for cluster in clustered for part, _ in cluster) / wholes)
        residuals.append([[part - rates[-1] * whole for part, whole in cluster] for cluster in clustered])
        informative[0] += sum(any(part > 0 for part, _ in cluster) for cluster in clustered)
        informative[1] += sum(any(whole > part for part, whole in cluster) for cluster in clustered)
    mean, rho = sum(rates) / len(rates), correlation(residuals, min(informative))
    by_correlation = by_clusters = certain = 0.0
    for found, members, rest in zip(rates, grouped.values(), residuals, strict=True):
        count, wholes = sum(map(len, rest)), sum(whole for cluster in members.values() for _, whole in cluster)
        simple, spread = sum(one**2 for cluster in rest for one in cluster) / wholes**2, found * (1 - found)
        size = spread / simple if simple > 0 < spread else count
        size /= 1 + rho * (sum(len(cluster) ** 2 for cluster in rest) / count - 1)
        pulled = (size * found + mean) / (size + 1)
        by_correlation += pulled * (1 - pulled) / size
        between = sum(sum(cluster) ** 2 for cluster in rest) / wholes**2
        by_clusters += len(rest) / (len(rest) - 1) * between if len(rest) > 1 else spread / size
        certain += 1 / size
    variance = max(by_correlation, by_clusters)
    if 0 < mean < 1 and variance > 0:
        return (mean, *wilson(mean, mean * (1 - mean) * len(rates) ** 2 / variance))
    return (mean, *wilson(mean, len(rates) ** 2 / certain))


def is_tried(row: Row) -> bool:
    return row["verdict"] in ("correct", "incorrect", "unparsed")


def is_in(row: Row) -> bool:
    return bool(row["verdict"] != "failed")


def is_right(row: Row) -> bool:
    return bool(row["verdict"] == "correct")


def set_counts(row: Row) -> tuple[int, int, int]:
    """True positives, false positives and false negatives of a set; nothing of another question."""
    is_set = row["question_type"] == "multiple_answer"
    return (row["true_positives"], row["false_positives"], row["false_negatives"]) if is_set else (0, 0, 0)


def of_sets(row: Row, wrong: int, missed: int) -> tuple[float, float]:
    true, false, lacking = set_counts(row)
    return (wrong + missed) * true, (wrong + missed) * true + wrong * false + missed * lacking


SHARES: dict[str, Callable[[Row], tuple[float, float]]] = {
    "accuracy": lambda row: (is_right(row), is_in(row)),
    "recall": lambda row: (is_right(row), is_in(row)),
    "precision": lambda row: (is_right(row), is_tried(row)),
    "f1": lambda row: (2 * is_right(row), is_tried(row) + is_in(row)),
    "coverage": lambda row: (is_tried(row), is_in(row)),
    "abstention_rate": lambda row: (row["verdict"] == "abstained", is_in(row)),
    "invalid_rate": lambda row: (row["verdict"] == "unparsed", is_in(row)),
    "hallucination_rate": lambda row: (row["verdict"] == "incorrect", is_in(row) and not is_right(row)),
    "exact_set_accuracy": lambda row: (
        (is_right(row), is_in(row)) if row["question_type"] == "multiple_answer" else (0, 0)
    ),
    "set_precision": lambda row: of_sets(row, 1, 0),
    "set_recall": lambda row: of_sets(row, 0, 1),
    "set_f1": lambda row: of_sets(row, 1, 1),
    "mrr": lambda row: (1 / row["rank"], 1) if row.get("rank") else (0, 0),
    "precision_at_5": lambda row: (0 < row.get("rank", 0) <= 5, row.get("rank", 0) > 0),
    "precision_at_10": lambda row: (0 < row.get("rank", 0) <= 10, row.get("rank", 0) > 0),
}


def figures(rows: Sequence[Row], average: str) -> Figures:
    """Every figure of a row of the score table, by the names of its columns."""
    clusters = [row["subject"] for row in rows]
    strata = [row["relation"] if average == "macro" else "" for row in rows]
    found: Figures = {"questions": len(rows), "labels": 0, **expected(rows, average)}
    found |= _named("corrected_accuracy", None) | _named("aurc", None)  # without labels and confidences
    for verdict in ("correct", "incorrect", "abstained", "unparsed", "failed"):
        found[verdict] = sum(row["verdict"] == verdict for row in rows)
    for name, share in SHARES.items():
        found |= _named(name, rate([share(row) for row in rows], clusters, strata))
    points = [({"correct": 2, "incorrect": 0}.get(row["verdict"], 1) * is_in(row), 2 * is_in(row)) for row in rows]
    score = rate(points, clusters, strata)
    found |= _named("penalised_score", tuple(2 * end - 1 for end in score) if score else None)
    for name, counts in (("guess_corrected_accuracy", is_in), ("guess_corrected_precision", is_tried)):
        offered = [row for row in rows if row["options"] > 1 and counts(row)]
        lucky = [row["options"] if row["verdict"] == "abstained" else 1 if is_right(row) else 0 for row in offered]
        pairs = [(1 / one if one else 0, 1) for one in lucky]
        by_guess = [(1 / row["options"], 1) for row in offered]
        members = [(row["subject"], row["relation"] if average == "macro" else "") for row in offered]
        subjects, groups = [subject for subject, _ in members], [group for _, group in members]
        plain, chance = rate(pairs, subjects, groups), rate(by_guess, subjects, groups)
        if plain and chance:
            found |= _named(name, tuple((one - chance[0]) / (1 - chance[0]) for one in plain))
        else:
            found |= _named(name, None)
    return found


def expected(rows: Sequence[Row], average: str) -> Figures:
    """The mean probability of a right reply; nothing where no model gave one."""
    counted = [row for row in rows if is_in(row)]
    if all(row.get("probability") is None for row in counted):
        return {"expected_accuracy": None}
    grouped: dict[str, list[float]] = defaultdict(list)
    for row in counted:
        sure = row.get("probability")
        grouped[row["relation"] if average == "macro" else ""].append(is_right(row) if sure is None else sure)
    means = [sum(found) / len(found) for found in grouped.values()]
    return {"expected_accuracy": sum(means) / len(means)}


def _named(name: str, ends: tuple[float, ...] | None) -> Figures:
    return dict(zip((name, f"{name}_low", f"{name}_high"), ends or (None, None, None), strict=True))
