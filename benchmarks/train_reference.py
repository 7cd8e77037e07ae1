"""Trains the model that grades answers without a graph, and writes it to the package.

Trained on the first half of the questions of the human-judged sets; the second half is never read. The same data and
versions give the same bytes. Needs scikit-learn, which the extra `dev` brings.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from agreement import DATA, asked, records
from boosting import held_out, train, weights_of

from factprobe.evaluators.reference.evaluator import ReferenceEvaluator
from factprobe.evaluators.reference.features import FEATURES
from factprobe.evaluators.reference.reference_reading import ReferenceReading
from factprobe.evaluators.rules.base import first_judgment
from factprobe.reading.names.index import EntityIndex
from factprobe.reading.structure.markup import cleaned, with_plain_names

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / "factprobe" / "evaluators" / "reference" / "model.json"
THRESHOLD_SET, STRICT_PRECISION = "evouna_nq", 0.98
"""Set by which the thresholds are chosen, and precision of the preset `strict`, both with the evaluator's rules."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "files", nargs="*", type=Path, help="JSON Lines of replies with question, answers, system, human"
    )
    options = parser.parse_args()
    paths = options.files or sorted(DATA.glob("*.jsonl"))
    if not paths:
        parser.error(f"no files in {DATA}: name some")
    every = [(path.stem, record) for path in paths for record in records(path, "first")]
    readings = [(name, record, _reading(record)) for name, record in every]
    rows = [(name, record, reading) for name, record, reading in readings if reading.reply_words]
    vectors = np.array([reading.evidence.vector for _, _, reading in rows])
    right = np.array([record["human"] == "correct" for _, record, _ in rows])
    questions = np.unique([record["question"] for _, record, _ in rows], return_inverse=True)[1]
    by_rules = np.array([_by_rules(reading) for _, _, reading in rows])
    unseen = np.where(np.isnan(by_rules), held_out(vectors, right, questions), by_rules)
    is_chosen = np.array([name == THRESHOLD_SET for name, _, _ in rows]) | (
        THRESHOLD_SET not in {row[0] for row in rows}
    )
    systems = np.array([record["system"] for _, record, _ in rows])
    balanced = _balanced(unseen[is_chosen], right[is_chosen], systems[is_chosen])
    strict = _strict(unseen[is_chosen], right[is_chosen])
    weights = weights_of(train(vectors, right), FEATURES, {"balanced": balanced, "strict": strict})
    MODEL.write_bytes(msgspec.json.encode(weights) + b"\n")
    print(f"{len(rows):,} replies, {right.mean():.3f} right by people; thresholds {balanced}, {strict} → {MODEL}")


def _reading(record: dict[str, Any]) -> ReferenceReading:
    question, response = asked(record)
    plain = with_plain_names(question)
    return ReferenceReading(EntityIndex(None), plain, cleaned(response.response or "", plain))


def _by_rules(reading: ReferenceReading) -> float:
    """Return 1 or 0 for a reply that rules accept or reject whatever the model predicts; NaN for other replies."""
    if certain := first_judgment(ReferenceEvaluator.certain, reading):
        return float(certain.verdict == "correct")
    return 0.0 if first_judgment(ReferenceEvaluator.against, reading) else np.nan


def _balanced(probabilities: np.ndarray, right: np.ndarray, systems: np.ndarray) -> float:
    """Return the threshold, in hundredths, at which systems' accuracies are on average nearest to the human ones."""

    def bias(threshold: float) -> float:
        called = probabilities >= threshold
        rates = [(called[systems == name].mean(), right[systems == name].mean()) for name in np.unique(systems)]
        return float(np.mean([abs(ours - people) for ours, people in rates]))

    return min((hundredths / 100 for hundredths in range(30, 71)), key=bias)


def _strict(probabilities: np.ndarray, right: np.ndarray) -> float:
    """Return the least threshold, in hundredths, with which the replies called correct have the wanted precision.

    Raises:
        SystemExit: no threshold has it.
    """
    for hundredths in range(50, 100):
        chosen = right[probabilities >= hundredths / 100]
        if len(chosen) and chosen.mean() >= STRICT_PRECISION:
            return hundredths / 100
    raise SystemExit(f"no threshold has a precision of {STRICT_PRECISION}")


if __name__ == "__main__":
    main()
