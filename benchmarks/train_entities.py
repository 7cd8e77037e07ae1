"""Trains the models that grade answers in words with a graph, and writes them to their packages.

`evaluators/single/model.json` decides whether a reply that names a right answer commits to it alone,
`evaluators/entities/model.json` whether any other reply attempts an answer. Both are trained on the replies of the
respondent and of `read.jsonl` and on the cases of the tests. Accuracy is printed for replies in templates that were
held out (five-fold cross-validation by template, or by file of cases). The same data and versions give the same bytes.
Needs scikit-learn, which the extra `dev` brings.

WORK is the folder that `shared/respondent/run.sh` made, with the graphs of `read.jsonl` as for `ablation.py`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from ablation import ROOT, Reply, cases, lines, load
from boosting import held_out, train, weights_of

from factprobe.evaluators.answer_set.set_reading import SetReading
from factprobe.evaluators.entities.attempt import AttemptReading
from factprobe.evaluators.entities.features import FEATURES
from factprobe.evaluators.single.single_reading import SingleReading
from factprobe.reading.names.index import EntityIndex, answers_index
from factprobe.reading.structure.markup import cleaned, with_plain_names
from factprobe.records import Answer, Message, Question, Response

TYPES = ("single_answer", "multiple_answer")
SETTINGS = {"trees": 80, "least": 10}
PACKAGES = ("single", "entities")


class Row(NamedTuple):
    """One reply to train on."""

    vector: list[float]
    is_positive: bool
    source: str
    """`respondent`, `read` or `cases`."""
    group: str
    """Template or file; replies of one are held out together."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="the folder of run.sh")
    parser.add_argument("--check", action="store_true", help="only measure")
    options = parser.parse_args()
    found: dict[str, list[Row]] = {name: [] for name in PACKAGES}
    for reading, reply, group in readings(options.work):
        source, verdicts = reply.group, reply.verdicts
        if isinstance(reading, SetReading) and not reading.index.sought(reading.question).entities:
            continue
        if isinstance(reading, SingleReading) and reading.right_mentions and not reading.is_bare:
            found["single"].append(Row(reading.vector, "correct" in verdicts, source, group))
        if "correct" not in verdicts and not {"incorrect"} < verdicts and not reading.restates_question:
            found["entities"].append(Row(reading.vector, "incorrect" in verdicts, source, group))
    for name, rows in found.items():
        fit(name, rows, write=not options.check)


def readings(work: Path) -> Iterator[tuple[AttemptReading, Reply, str]]:
    """Yield the readings that the models see, with the reply and its group; of a set also one without a graph."""
    summaries, replies = load(work, 0, 0)
    templates = {(line["prompt"], line["reply"]): line["template"] for line in lines(work / "truth.jsonl")}
    sys.path.insert(0, str(ROOT))
    from tests.evaluators.answers import load as load_sets
    from tests.evaluators.replies import load as load_cases

    tested = [(reply, case.file) for reply, case in zip(cases(), load_cases(), strict=True)]
    known = [(reply, template_of(reply, templates, i)) for i, reply in enumerate(replies) if reply.group != "no_graph"]
    for number, case in enumerate(load_sets(ROOT / "tests" / "evaluators" / "answers" / "sets.jsonl")):
        question = set_question(case.record)
        text = cleaned(case.record["response"], question)
        listed = SetReading(answers_index(question), question, text)
        reply = Reply("sets", None, question, Response("q", text, None, None, None), case.verdicts, None)
        yield listed, reply, f"sets/{number}"
    indices: dict[Any, EntityIndex] = {}
    for reply, group in (*known, *tested):
        if reply.question.question_type not in TYPES:
            continue
        is_key = isinstance(reply.world, tuple)
        key = reply.world if is_key else id(reply.world)
        index = indices.setdefault(key, EntityIndex(summaries[key] if is_key else reply.world))
        question = with_plain_names(reply.question)
        text = cleaned(reply.response.response or "", question)
        is_set = question.question_type == TYPES[1]
        for one in (index, answers_index(question)) if is_set else (index,):
            reading = (SetReading if is_set else SingleReading)(one, question, text, reply.response)
            if len(reading.text) and not reading.only_declines:
                yield reading, reply, f"{reply.group}/{group}"


def set_question(record: dict[str, Any]) -> Question:
    """Return the question of a record without a graph, all of whose answers are asked for."""
    names = [[one] if isinstance(one, str) else one for one in record["answers"]]
    answers = tuple(Answer(one[0], one[0], tuple(one[1:])) for one in names)
    text = record["question"]
    return Question("q", TYPES[1], (Message("user", text),), answers, "", "", "answer", bare=text)


def template_of(reply: Reply, templates: dict[tuple[str, str], str], number: int) -> str:
    """Return the template of a reply, or its number where it has none."""
    prompt = reply.question.prompts[-1].content if reply.question.prompts else ""
    return templates.get((prompt, reply.response.response or ""), str(number))


def fit(name: str, rows: list[Row], *, write: bool) -> None:
    """Train a model, write it, and print its accuracy on held-out groups."""
    vectors = np.array([row.vector for row in rows])
    positive = np.array([row.is_positive for row in rows])
    groups = np.unique([row.group for row in rows], return_inverse=True)[1]
    sources = np.array([row.source for row in rows])
    is_right = (held_out(vectors, positive, groups, **SETTINGS) >= 0.5) == positive
    shares = ", ".join(f"{one} {is_right[sources == one].mean():.4f}" for one in np.unique(sources))
    print(f"{name}: {len(rows):,} replies, held out {shares}")
    if write:
        weights = weights_of(train(vectors, positive, **SETTINGS), tuple(FEATURES), {"balanced": 0.5})
        path = ROOT / "factprobe" / "evaluators" / name / "model.json"
        path.write_bytes(msgspec.json.encode(weights) + b"\n")


if __name__ == "__main__":
    main()
