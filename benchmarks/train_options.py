"""Train the model that decides which option a reply chooses, and write its weights.

The data are the respondent's replies in WORK (the folder that `shared/respondent/run.sh` made), the replies of
`read.jsonl`, and the cases of `tests/evaluators/replies`, each with its right verdict. Which option a reply chooses is
only known if it is right; else it is latent: the likelihood of an incorrect reply is the probability of all
alternatives but the right option, and that of one without an answer is the probability that nothing is chosen.

Without --write, the model is also trained on four fifths of the templates and tested on the others, in turn.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from ablation import cases, load
from scipy.optimize import minimize

from factprobe.evaluators.options.evaluator import OptionsEvaluator
from factprobe.evaluators.options.features import FEATURES, NOTHING
from factprobe.evaluators.options.reading import OptionsReading
from factprobe.evaluators.rules.base import first
from factprobe.reading.markup import cleaned, with_plain_names
from factprobe.reading.names.index import EntityIndex

MODEL = Path(__file__).resolve().parents[1] / "factprobe" / "evaluators" / "options" / "model.json"
FOLDS = 5
PENALTY = 1.0
"""Weight of the sum of squares of the weights."""
DIGITS = 4

Array = np.ndarray[Any, Any]


class Case(NamedTuple):
    """A reply that no rule decides."""

    group: str
    """Where it comes from."""
    template: str
    vectors: Array
    """Features; shape (alternatives, features)."""
    right: Array
    """Whether each alternative gives the right verdict; shape (alternatives,)."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="the folder of run.sh")
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args()
    found = list(cases_of(options.work))
    weights = train(found)
    show("trained on all", [(case, predict(weights, case)) for case in found])
    if options.write:
        rounded = {name: round(float(weight), DIGITS) for name, weight in zip(FEATURES, weights, strict=True)}
        MODEL.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
        return
    tested = []
    for fold in range(FOLDS):
        weights = train([case for case in found if fold_of(case) != fold])
        tested += [(case, predict(weights, case)) for case in found if fold_of(case) == fold]
    show("trained without the templates tested", tested)


def cases_of(work: Path) -> Iterator[Case]:
    """Yield the replies that rules leave to the model."""
    templates = {
        (line["question_id"], line["reply"]): line["template"]
        for line in map(json.loads, (work / "truth.jsonl").read_text(encoding="utf-8").splitlines())
    }
    summaries, replies = load(work, 0, 0)
    indices: dict[Any, EntityIndex] = {}
    for reply in [*replies, *cases()]:
        if reply.question.question_type != "multi_choices" or reply.group == "no_graph":
            continue
        key = reply.world if isinstance(reply.world, tuple) else id(reply.world)
        if key not in indices:
            indices[key] = EntityIndex(summaries[key] if isinstance(reply.world, tuple) else reply.world)
        question = with_plain_names(reply.question)
        response = OptionsEvaluator(indices[key]).without_next_task(question, reply.response)
        reading = OptionsReading(indices[key], question, cleaned(response.response or "", question), response)
        if not reading.reply or first(OptionsEvaluator.certain, reading) or not reading.masked.places:
            continue
        template = templates.get((reply.question.question_id, reply.response.response or ""), reply.response.response)
        right = [right_with(reading, options, reply.verdicts) for options in reading.alternatives]
        if any(right):
            yield Case(reply.group, str(template), np.array([*reading.alternatives.values()]), np.array(right))


def right_with(reading: OptionsReading, options: frozenset[int], verdicts: Collection[str]) -> bool:
    """Return whether a reply has its verdict if it chooses some options."""
    if options == NOTHING:
        is_none = bool(reading.denied) and "incorrect" in verdicts
        return is_none or not {"abstained", "unparsed"}.isdisjoint(verdicts)
    labels = {answer.label for answer in reading.question.answers if not isinstance(answer, str)}
    is_right = len(options) == 1 and all(i >= 0 and reading.question.choices[i] in labels for i in options)
    return ("correct" if is_right else "incorrect") in verdicts


def train(found: Sequence[Case]) -> Array:
    """Return the weights with the largest penalised likelihood; shape (features,)."""
    vectors = np.concatenate([case.vectors for case in found])
    right = np.concatenate([case.right for case in found])
    sizes = [len(case.right) for case in found]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    of = np.repeat(np.arange(len(found)), sizes)

    def loss(weights: Array) -> tuple[float, Array]:
        scores = vectors @ weights
        scores = np.exp(scores - np.maximum.reduceat(scores, starts)[of])
        every, good = np.add.reduceat(scores, starts), np.add.reduceat(scores * right, starts)
        slope = vectors.T @ (scores / every[of] - scores * right / good[of]) + PENALTY * weights
        return float(np.log(every / good).sum() + PENALTY / 2 * weights @ weights), slope

    return np.asarray(minimize(loss, np.zeros(len(FEATURES)), jac=True, method="L-BFGS-B").x)


def predict(weights: Array, case: Case) -> bool:
    """Return whether the most probable alternative gives the right verdict."""
    return bool(case.right[int(np.argmax(case.vectors @ weights))])


def fold_of(case: Case) -> int:
    return int(hashlib.sha256(case.template.encode()).hexdigest(), 16) % FOLDS


def show(title: str, tested: Sequence[tuple[Case, bool]]) -> None:
    """Print the share of right verdicts by group."""
    number, good = Counter(case.group for case, _ in tested), Counter(case.group for case, is_good in tested if is_good)
    shares = ", ".join(f"{group} {good[group] / number[group]:.2%} of {number[group]:,}" for group in sorted(number))
    print(f"{title}: {shares}")


if __name__ == "__main__":
    main()
