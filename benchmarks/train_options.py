"""Train the models that decide which option, or which side of a statement, a reply takes, and write their weights.

The data are the respondent's replies in WORK (the folder that `shared/respondent/run.sh` made, with the graphs of
`read.jsonl` as for `ablation.py`), the replies of `read.jsonl`, and the cases of the tests, each with its right
verdict. Which option a reply chooses is only known if it is right; else it is latent: the likelihood of an incorrect
reply is the probability of all alternatives but the right option, and that of one without an answer is the probability
that nothing is chosen.

Without --write, the models are also trained on four fifths of the templates and tested on the others, in turn.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from ablation import ROOT, Reply, cases, load
from scipy.optimize import minimize

from factprobe.evaluators.conditional_logit import NOTHING
from factprobe.evaluators.options import features as options_features
from factprobe.evaluators.options.evaluator import OptionsEvaluator
from factprobe.evaluators.options.options_reading import OptionsReading
from factprobe.evaluators.rules.base import first_judgment
from factprobe.evaluators.true_false import features as true_false_features
from factprobe.evaluators.true_false.evaluator import BinaryEvaluator
from factprobe.evaluators.true_false.statement_reading import StatementReading
from factprobe.inputs.question_kind import side_of
from factprobe.reading.names.index import EntityIndex
from factprobe.reading.structure.markup import cleaned, with_plain_names
from factprobe.records import Message, Question, Response

FEATURES = {"options": options_features.FEATURES, "true_false": true_false_features.FEATURES}
"""Names of the features by package."""
EVALUATORS: dict[str, type[OptionsEvaluator | BinaryEvaluator]] = {
    "multi_choices": OptionsEvaluator,
    "binary_answer": BinaryEvaluator,
}
FOLDS = 5
PENALTY = 1.0
"""Weight of the sum of squares of the weights."""
DIGITS = 4

Array = np.ndarray[Any, Any]
ChoiceReading = OptionsReading | StatementReading


class Case(NamedTuple):
    """A reply that no rule decides."""

    package: str
    group: str
    """Its source."""
    template: str
    vectors: Array
    """Features; shape (alternatives, features)."""
    right: Array
    """True for each alternative that gives the right verdict; shape (alternatives,)."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="the folder of run.sh")
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args()
    every = list(cases_of(options.work))
    for package, features in FEATURES.items():
        found = [case for case in every if case.package == package]
        weights = train(found)
        show(f"{package}, trained on all", [(case, predict(weights, case)) for case in found])
        if options.write:
            rounded = {name: round(float(weight), DIGITS) for name, weight in zip(features, weights, strict=True)}
            path = ROOT / "factprobe" / "evaluators" / package / "model.json"
            path.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
            continue
        tested = []
        for fold in range(FOLDS):
            weights = train([case for case in found if fold_of(case) != fold])
            tested += [(case, predict(weights, case)) for case in found if fold_of(case) == fold]
        show(f"{package}, trained without the templates tested", tested)


def cases_of(work: Path) -> Iterator[Case]:
    """Yield the replies that rules leave to a model."""
    templates = {
        (line["question_id"], line["reply"]): line["template"]
        for line in map(json.loads, (work / "truth.jsonl").read_text(encoding="utf-8").splitlines())
    }
    summaries, replies = load(work, 0, 0)
    indices: dict[Any, EntityIndex] = {None: EntityIndex()}
    for reply in [*replies, *cases(), *statements()]:
        if reply.question.question_type not in EVALUATORS:
            continue
        key: Any = reply.world if isinstance(reply.world, tuple) else id(reply.world)
        key = None if reply.group in ("no_graph", "statements") else key
        if key not in indices:
            indices[key] = EntityIndex(summaries[key] if isinstance(reply.world, tuple) else reply.world)
        reading = reading_of(indices[key], reply)
        if reading is None:
            continue
        template = templates.get((reply.question.question_id, reply.response.response or ""), reply.response.response)
        package, module = (
            ("options", options_features)
            if isinstance(reading, OptionsReading)
            else ("true_false", true_false_features)
        )
        alternatives = module.alternatives(reading.masked)
        right = [right_with(reading, options, reply.verdicts) for options in alternatives]
        if any(right):
            vectors = [[float(found.get(name, 0)) for name in FEATURES[package]] for found in alternatives.values()]
            yield Case(package, reply.group, str(template), np.array(vectors), np.array(right))


def statements() -> Iterator[Reply]:
    """Yield the replies to statements and yes/no questions without a graph among the cases of the tests."""
    sys.path.insert(0, str(ROOT))
    from tests.evaluators.answers import FOLDER
    from tests.evaluators.answers import load as load_answers

    for case in load_answers(FOLDER / "yes_no.jsonl"):
        text, answer = case.record["question"], side_of(case.record["answers"])
        assert answer is not None
        question = Question("q", "binary_answer", (Message("user", text),), answer, "", "", "", bare=text)
        response = Response("q", case.record["response"], None, None, None)
        yield Reply("statements", None, question, response, case.verdicts, None)


def reading_of(index: EntityIndex, reply: Reply) -> ChoiceReading | None:
    """Return the reading of a reply; None if no model decides on it."""
    question, response = with_plain_names(reply.question), reply.response
    evaluator: OptionsEvaluator | BinaryEvaluator = EVALUATORS[question.question_type](index)
    if isinstance(evaluator, OptionsEvaluator):
        response = evaluator.without_next_task(question, response)
    reading = evaluator.reading_type(index, question, cleaned(response.response or "", question), response)
    assert isinstance(reading, ChoiceReading)
    certain = evaluator.certain if isinstance(evaluator, OptionsEvaluator) else ()
    is_decided = not reading.reply or first_judgment(certain, reading) or not reading.masked.places
    return None if is_decided else reading


def right_with(reading: ChoiceReading, options: frozenset[int], verdicts: Collection[str]) -> bool:
    """Return whether a reply has its verdict if it chooses some options."""
    if options == NOTHING:
        is_none = isinstance(reading, OptionsReading) and bool(reading.denied) and "incorrect" in verdicts
        return is_none or not {"abstained", "unparsed"}.isdisjoint(verdicts)
    is_right = len(options) == 1 and options <= reading.right_options
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

    return np.asarray(minimize(loss, np.zeros(vectors.shape[1]), jac=True, method="L-BFGS-B").x)


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
