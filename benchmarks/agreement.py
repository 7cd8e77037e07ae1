"""Agreement of grades with people who judged the same replies, next to that of simpler graders.

Each reply is graded by `open_answer`, the evaluator of answers without a graph; a reply counts as right if its verdict
is `correct`. The model of that evaluator was trained on the first half of the questions, so only the second half is
measured unless --half says otherwise. The other graders are "contains a right answer", exact match and token F1 of at
least one half, normalised as in SQuAD (lower case, no punctuation, no articles).

Intervals (95 %) are clustered by question. Bias is the mean over systems of |accuracy by the grader - accuracy by
people|, in points. ECE is the expected calibration error of `probability` over ten bins; a grade without a probability
counts as 1 if it is `correct` and as 0 otherwise.

With --judge a model is asked about the grades that `model@judge` would ask about, through the response cache and within
--max-cost-usd. Its figures are printed next to factprobe's own on the same replies.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from factprobe.asking.job import AskSettings, ask_all
from factprobe.asking.pending import PendingRequests
from factprobe.config import compose, from_omegaconf
from factprobe.evaluators import grade
from factprobe.evaluators.judge import JUDGED, JudgePrompt, final_grades, is_open, open_requests, votes_of
from factprobe.factories import build_judges
from factprobe.metrics.agreement.coefficients import accuracy, cohen_kappa
from factprobe.metrics.calibration import expected_calibration_error
from factprobe.metrics.statistics.intervals import Interval, rate_interval
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Answer, Grade, Message, PlainRequest, Question, Response
from factprobe.storage import write_lines

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data")) / "humans"
HALVES = {
    "second": "second half of the questions, which the model was not trained on",
    "first": "first half of the questions, which the model was TRAINED ON",
    "all": "all questions, of which the model was TRAINED ON the first half",
}
RESAMPLES = 1_000
OURS = "factprobe"
STRICT = "factprobe, strict"
COLUMNS = ("accuracy", "kappa", "precision", "recall")
_EVALUATOR = {"single_answer": "open_answer"}
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Judged(NamedTuple):
    """A reply that people judged."""

    system: str
    question: str
    kind: str
    human: bool
    grades: dict[str, bool]
    """For each grader whether it calls the reply right."""
    probabilities: dict[str, float]
    """For each grader that gives probabilities how probable it is that the reply is right."""
    graded: tuple[Question, Response, Grade]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "files", nargs="*", type=Path, help="JSON Lines with question, answers, response, human, system"
    )
    parser.add_argument(
        "--half",
        choices=[*HALVES],
        default="second",
        help="of the questions, split by a hash; the model was trained on the first half (default: second)",
    )
    parser.add_argument(
        "--judge", nargs="+", metavar=("MODEL", "SETTING=VALUE"), help="e.g. smollm2, or openai model=gpt-4o"
    )
    parser.add_argument("--judge-rules", nargs="+", default=JUDGED, help="as `judge_rules`: which grades go to it")
    parser.add_argument("--judge-limit", type=int, help="ask about a random sample of this size; by default all")
    parser.add_argument("--max-cost-usd", type=float, help="stop before more is spent")
    options = parser.parse_args()
    files = options.files or sorted(DATA.glob("*.jsonl"))
    if not files:
        parser.error(f"there is no file in {DATA}; name some, or their folder's parent with FACTPROBE_DATA")
    print(f"measured: {HALVES[options.half]}\n")
    for path in files:
        replies = [judged(record) for record in records(path, options.half)]
        print(f"{path.name}: {len(replies):,} replies, {sum(one.human for one in replies):,} right by people")
        columns = "  ".join(f"{name:>20}" for name in COLUMNS)
        print(f"  {'':28}{'replies':>8}  {columns}  {'bias':>5}  {'ECE':>20}")
        for grader in replies[0].grades if replies else ():
            show(grader, replies, grader)
        for name, of in (("system", lambda one: one.system), ("kind of answer", lambda one: one.kind)):
            print(f"  {OURS} by {name}")
            for value, group in grouped(replies, of):
                show(f"  {value}", group, OURS)
        show_open(replies, options.judge_rules)
        if options.judge:
            show_judge(replies, options)
        print()


def records(path: Path, half: str) -> Iterator[dict[str, Any]]:
    """Read the replies to all questions, or to one half of them."""
    with path.open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            is_second = blake2b(record["question"].encode(), digest_size=2).digest()[0] % 2
            if half == "all" or is_second == (half == "second"):
                yield record


def judged(record: dict[str, Any]) -> Judged:
    """Grade one reply with each grader."""
    names, reply = record["answers"], record["response"]
    question, response = asked(record)
    [found] = grade([(question, response)], None, _EVALUATOR)
    [strict] = grade([(question, response)], None, _EVALUATOR, {"threshold": "strict"})
    bare, right = normalised(reply), [normalised(name) for name in names]
    grades = {
        OURS: found.verdict == "correct",
        STRICT: strict.verdict == "correct",
        "contains a right answer": any(name and name in bare for name in right),
        "exact match": bare in right,
        "token F1 of 0.5 or more": any(token_f1(bare.split(), name.split()) >= 0.5 for name in right),
    }
    return Judged(
        record["system"],
        question.bare,
        kind_of(question.bare, names),
        record["human"] == "correct",
        grades,
        {OURS: probability_of(found)},
        (question, response, found),
    )


def asked(record: dict[str, Any]) -> tuple[Question, Response]:
    """Make the question of a record and the response to it."""
    names, text = record["answers"], record["question"]
    answer = Answer("answer", names[0], tuple(names[1:]))
    question = Question("q", "single_answer", (Message("user", text),), (answer,), "", "", "answer", bare=text)
    return question, Response("q", record["response"], None, None, None)


def probability_of(found: Grade) -> float:
    """Return the probability that a reply is right; 1 or 0 by the verdict where a rule decided."""
    return float(found.verdict == "correct") if found.probability is None else found.probability


def show_open(replies: Sequence[Judged], rules: Sequence[str]) -> None:
    """Print how many grades would go to a judge, and how many of those that people disagree with are among them."""
    is_wrong: dict[bool, list[bool]] = {True: [], False: []}
    for one in replies:
        is_wrong[is_open(one.graded[2], rules)].append(one.grades[OURS] != one.human)
    left, others = is_wrong[True], is_wrong[False]
    print(f"  a judge would be asked about {len(left):,}, with {sum(left):,} of {sum(left + others):,} disagreements;")
    print(f"  the accuracy on the other replies is {1 - sum(others) / max(len(others), 1):.3f}")


def show_judge(replies: Sequence[Judged], options: argparse.Namespace) -> None:
    """Ask the judge about the grades that go to it, and print its agreement next to factprobe's on these replies."""
    prompt = JudgePrompt()
    left = [one for one in replies if is_open(one.graded[2], options.judge_rules) and prompt.request(*one.graded[:2])]
    sample = Random(0).sample(left, min(options.judge_limit or len(left), len(left)))
    numbered = [
        (replace(question, question_id=str(number)), response, replace(found, question_id=str(number)))
        for number, (question, response, found) in enumerate(one.graded for one in sample)
    ]
    name, *settings = options.judge
    overrides = [f"model@judge={name}", *(f"judge.{setting}" for setting in settings)]
    [judge] = build_judges(from_omegaconf(compose(overrides)))
    with TemporaryDirectory() as folder:
        files = Path(folder) / "questions.jsonl", Path(folder) / "responses.jsonl"
        write_lines(files[0], open_requests(numbered, prompt, options.judge_rules))
        todo = PendingRequests({name: files}, PlainRequest, judge.settings_hash)
        ask_all(judge, todo, AskSettings(max_cost_usd=options.max_cost_usd), "judge")
        votes = votes_of(todo.answers(name))
    counts = Counter(vote or "no verdict" for [vote] in votes.values())
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    print(f"  {len(left):,} grades go to the judge; {judge.name} was asked about {len(sample):,}: {verdicts}")
    final = [found.verdict == "correct" for found in final_grades(numbered, votes)]
    both = [
        one._replace(grades={OURS: one.grades[OURS], "judge": by_judge}, probabilities={})
        for one, by_judge in zip(sample, final, strict=True)
    ]
    for grader in (OURS, "judge") if both else ():
        show(f"  {grader}", both, grader)


def normalised(text: str) -> str:
    """Return a text as SQuAD's script compares it."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def token_f1(reply: Sequence[str], name: Sequence[str]) -> float:
    """Return the harmonic mean of the shares of words that the two have in common."""
    common = (Counter(reply) & Counter(name)).total()
    return 2 * common / (len(reply) + len(name)) if common else 0.0


def kind_of(question: str, names: Sequence[str]) -> str:
    """Return what is asked for, by the first answer and the first word of the question."""
    value = value_of(names[0])
    if value is not None:
        return "date" if value.year is not None else "number"
    return {"who": "person", "whose": "person", "where": "place"}.get(question.split(" ", 1)[0].lower(), "other")


def grouped(replies: Iterable[Judged], of: Callable[[Judged], str]) -> Iterator[tuple[str, list[Judged]]]:
    """Group the replies by a key, in the order of the keys."""
    groups: dict[str, list[Judged]] = {}
    for one in replies:
        groups.setdefault(of(one), []).append(one)
    yield from sorted(groups.items())


def show(name: str, replies: Sequence[Judged], grader: str) -> None:
    """Print one row."""
    ours = ["right" if one.grades[grader] else "wrong" for one in replies]
    people = ["right" if one.human else "wrong" for one in replies]
    questions = [one.question for one in replies]
    hits = np.array([one.grades[grader] and one.human for one in replies], float)
    figures = (
        accuracy(ours, people, questions),
        cohen_kappa(ours, people, np.random.default_rng(0), questions, RESAMPLES),
        rate_interval(hits, np.array([one.grades[grader] for one in replies], float), questions),
        rate_interval(hits, np.array([one.human for one in replies], float), questions),
    )
    row = "  ".join(f"{text(figure):>20}" for figure in figures)
    ece = text(calibration_error(replies, grader, questions))
    print(f"  {name:28}{len(replies):8,}  {row}  {bias(replies, grader):5.1f}  {ece:>20}".rstrip())


def bias(replies: Sequence[Judged], grader: str) -> float:
    """Return the mean over systems of |accuracy by the grader - accuracy by people|, in points."""
    systems = [group for _, group in grouped(replies, lambda one: one.system)]
    gaps = [abs(sum(one.grades[grader] - one.human for one in group)) / len(group) for group in systems]
    return 100 * sum(gaps) / len(gaps)


def calibration_error(replies: Sequence[Judged], grader: str, questions: Sequence[str]) -> Interval | None:
    """Return the expected calibration error over ten bins; None for a grader without probabilities."""
    if not all(grader in one.probabilities for one in replies):
        return None
    probabilities = [one.probabilities[grader] for one in replies]
    human = [one.human for one in replies]
    return expected_calibration_error(probabilities, human, np.random.default_rng(0), questions, resamples=RESAMPLES)


def text(figure: Interval | None) -> str:
    """Format a figure with its interval."""
    return "" if figure is None else f"{figure.estimate:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


if __name__ == "__main__":
    main()
