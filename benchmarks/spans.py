"""How well spans are marked without a language model, by Mu-SHROOM's measures, beside the baselines.

On the validation sets a model is trained for each language on the others, and marks the outputs with the tokens'
logits and without; this needs scikit-learn, which the extra `dev` brings. Files that are named, such as the test sets,
are marked by the packaged model, which is trained on all validation sets.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
from train_spans import DATA, Example, ensemble, read_examples, train

from factprobe.detectors.spans.span_model import baselines, mark_words, model
from factprobe.metrics.agreement.spans import MEASURES, SpanScore, span_scores
from factprobe.metrics.strata import ALL
from factprobe.records import Detection
from factprobe.trees import TreeEnsemble

WITH, WITHOUT = "span_features", "without logits"
RIVALS = ("mark all", "names and numbers")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "files", nargs="*", type=Path, help="files of Mu-SHROOM with labels; by default the validation sets"
    )
    named = parser.parse_args().files
    examples = [one for path in named or sorted(DATA.glob("*.jsonl")) for one in read_examples(path)]
    if not examples:
        parser.error(f"no files in {DATA}: name some")
    by_language: dict[str, list[Example]] = {}
    for one in examples:
        by_language.setdefault(one.item.language, []).append(one)
    rows = []
    for language, chosen in by_language.items():
        others = [one for one in examples if one.item.language != language]
        trees = model() if named else ensemble(train(others))
        rows += scores(chosen, trees)
        show(language, rows[-len(MEASURES) * 5 :])
    print("trained on all validation sets" if named else "trained on the other languages")
    summarise(rows)


def scores(examples: Sequence[Example], trees: TreeEnsemble) -> list[SpanScore]:
    """Measure what a model marks in the outputs of a language, and the baselines."""
    found: dict[str, Iterable[Detection]] = {
        WITH: (_marked(one, trees.totals(one.features)) for one in examples),
        WITHOUT: (_marked(one, trees.totals(one.bare)) for one in examples),
        **baselines([one.item for one in examples]),
    }
    pairs = [(one.item, one.human) for one in examples]
    return span_scores(pairs, {name: list(detections) for name, detections in found.items()})


def show(language: str, rows: Iterable[SpanScore]) -> None:
    """Print a line for each detector."""
    for row in rows:
        if row.estimate is not None:
            ends = f"({row.low:.3f} to {row.high:.3f})"
            print(f"{language}  {row.detector:18}{MEASURES[row.measure]:>4} {row.estimate:6.3f} {ends}", flush=True)


def summarise(rows: Sequence[SpanScore]) -> None:
    """Print the means over the languages, and in how many each is better than the baselines."""
    of: Mapping[tuple[str, str, str], float] = {
        (row.detector, row.language, row.measure): row.estimate or 0.0 for row in rows
    }
    languages = list(dict.fromkeys(row.language for row in rows if row.language != ALL))
    for name in dict.fromkeys(row.detector for row in rows):
        means = [
            f"{head} {fmean(of[name, one, measure] for one in languages):.3f}" for measure, head in MEASURES.items()
        ]
        better = sum(of[name, one, "iou"] > max(of[rival, one, "iou"] for rival in RIVALS) for one in languages)
        print(
            f"{name:18} {', '.join(means)}; IoU above {' and '.join(RIVALS)} in {better} of {len(languages)} languages"
        )


def _marked(example: Example, shares: np.ndarray) -> Detection:
    return mark_words(example.item.output, example.words, shares)


if __name__ == "__main__":
    main()
