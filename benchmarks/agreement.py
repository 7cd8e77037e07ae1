"""How well grades agree with people who judged the same replies, beside what simpler rules make of them.

Each reply is graded by `open_answer`, the evaluator of answers without a graph; right is what it calls correct. With it
stand exact match, "contains a right answer" and token F1 of at least one half, normalised as SQuAD does (lower case, no
punctuation, no articles). Intervals (95 %) take the replies to one question as alike.

With --judge a model is asked about what the rules leave open, as `model@judge` asks it: through the response cache,
within --max-cost-usd. Its figures are those of the replies that it was asked about, beside the rules' own there.
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
from factprobe.asking.resuming import Todo
from factprobe.building import build_judges
from factprobe.config import compose, from_omegaconf
from factprobe.evaluators import grade
from factprobe.evaluators.judge import JUDGED, is_open, judge_request, open_requests, settled, votes_of
from factprobe.metrics.agreement import accuracy, cohen_kappa
from factprobe.metrics.intervals import Interval, rate_interval
from factprobe.reading.values import value_of
from factprobe.records import Answer, Grade, Message, PlainRequest, Question, Response
from factprobe.storage import write_lines

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data")) / "humans"
RESAMPLES = 1_000
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Judged(NamedTuple):
    """A reply that people judged, and what each way of grading makes of it."""

    system: str
    question: str
    kind: str
    human: bool
    grades: dict[str, bool]
    graded: tuple[Question, Response, Grade]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "files", nargs="*", type=Path, help="JSON Lines with question, answers, response, human, system"
    )
    parser.add_argument("--half", choices=["all", "first", "second"], default="all", help="of the questions, by a hash")
    parser.add_argument(
        "--judge", nargs="+", metavar=("MODEL", "SETTING=VALUE"), help="e.g. smollm2, or openai model=gpt-4o"
    )
    parser.add_argument("--judge-rules", nargs="+", default=JUDGED, help="the verdicts and rules that go to it")
    parser.add_argument("--judge-limit", type=int, help="ask about so many of them, drawn at random; by default all")
    parser.add_argument("--max-cost-usd", type=float, help="stop before more is spent")
    options = parser.parse_args()
    files = options.files or sorted(DATA.glob("*.jsonl"))
    if not files:
        parser.error(f"there is no file in {DATA}; name some, or their folder's parent with FACTPROBE_DATA")
    for path in files:
        replies = [judged(record) for record in records(path, options.half)]
        print(f"{path.name}: {len(replies):,} replies, {sum(one.human for one in replies):,} right by people")
        print(f"  {'':28}{'replies':>8}  {'accuracy':>20}  {'kappa':>20}  {'precision':>20}  {'recall':>20}")
        for way in replies[0].grades:
            show(way, replies, way)
        for name, of in (("system", lambda one: one.system), ("kind of answer", lambda one: one.kind)):
            print(f"  factprobe by {name}")
            for value, group in grouped(replies, of):
                show(f"  {value}", group, "factprobe")
        if options.judge:
            show_judge(replies, options)
        print()


def records(path: Path, half: str) -> Iterator[dict[str, Any]]:
    """The replies to all questions, or to one half of them."""
    with path.open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            is_second = blake2b(record["question"].encode(), digest_size=2).digest()[0] % 2
            if half == "all" or is_second == (half == "second"):
                yield record


def judged(record: dict[str, Any]) -> Judged:
    """One reply, graded in each way."""
    names, reply = record["answers"], record["response"]
    question, response = asked(record)
    [found] = grade([(question, response)], None, {"single_answer": "open_answer"})
    bare, right = normalised(reply), [normalised(name) for name in names]
    grades = {
        "factprobe": found.verdict == "correct",
        "exact match": bare in right,
        "contains a right answer": any(name and name in bare for name in right),
        "token F1 of 0.5 or more": any(token_f1(bare.split(), name.split()) >= 0.5 for name in right),
    }
    return Judged(
        record["system"],
        question.bare,
        kind_of(question.bare, names),
        record["human"] == "correct",
        grades,
        (question, response, found),
    )


def asked(record: dict[str, Any]) -> tuple[Question, Response]:
    """The question of a record and the response to it."""
    names, text = record["answers"], record["question"]
    answer = Answer("answer", names[0], tuple(names[1:]))
    question = Question("q", "single_answer", (Message("user", text),), (answer,), "", "", "answer", bare=text)
    return question, Response("q", record["response"], None, None, None)


def show_judge(replies: Sequence[Judged], options: argparse.Namespace) -> None:
    """Asks the judge about what the rules leave open, and prints both beside each other."""
    left = [one for one in replies if is_open(one.graded[2], options.judge_rules) and judge_request(*one.graded[:2])]
    asked = Random(0).sample(left, min(options.judge_limit or len(left), len(left)))
    numbered = [
        (replace(question, question_id=str(number)), response, replace(found, question_id=str(number)))
        for number, (question, response, found) in enumerate(one.graded for one in asked)
    ]
    name, *settings = options.judge
    overrides = [f"model@judge={name}", *(f"judge.{setting}" for setting in settings)]
    [judge] = build_judges(from_omegaconf(compose(overrides)))
    with TemporaryDirectory() as folder:
        files = Path(folder) / "questions.jsonl", Path(folder) / "responses.jsonl"
        write_lines(files[0], open_requests(numbered, options.judge_rules))
        todo = Todo({name: files}, PlainRequest, judge.settings_hash)
        ask_all(judge, todo, AskSettings(max_cost_usd=options.max_cost_usd), "judge")
        votes = votes_of((request.question_id, said) for request, said in todo.answers(name))
    said = Counter(vote or "no verdict" for [vote] in votes.values())
    told = ", ".join(f"{count} {verdict}" for verdict, count in said.most_common())
    print(f"  of {len(left):,} that the rules leave open {len(asked):,} judged by {judge.name}: {told}")
    final = [found.verdict == "correct" for found in settled(numbered, votes)]
    both = [
        one._replace(grades={"rules": one.grades["factprobe"], "judge": new})
        for one, new in zip(asked, final, strict=True)
    ]
    for way in ("rules", "judge") if both else ():
        show(f"  {way}", both, way)


def normalised(text: str) -> str:
    """A text as SQuAD's script compares it."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def token_f1(reply: Sequence[str], name: Sequence[str]) -> float:
    """The harmonic mean of the shares of words that the two have in common."""
    common = (Counter(reply) & Counter(name)).total()
    return 2 * common / (len(reply) + len(name)) if common else 0.0


def kind_of(question: str, names: Sequence[str]) -> str:
    """What is asked for, by the first answer and the first word of the question."""
    value = value_of(names[0])
    if value is not None:
        return "date" if value.year is not None else "number"
    return {"who": "person", "whose": "person", "where": "place"}.get(question.split(" ", 1)[0].lower(), "other")


def grouped(replies: Iterable[Judged], of: Callable[[Judged], str]) -> Iterator[tuple[str, list[Judged]]]:
    """The replies by something of them."""
    groups: dict[str, list[Judged]] = {}
    for one in replies:
        groups.setdefault(of(one), []).append(one)
    yield from sorted(groups.items())


def show(name: str, replies: Sequence[Judged], way: str) -> None:
    """Prints one row."""
    ours = ["right" if one.grades[way] else "wrong" for one in replies]
    people = ["right" if one.human else "wrong" for one in replies]
    questions = [one.question for one in replies]
    hits = np.array([one.grades[way] and one.human for one in replies], float)
    figures = (
        accuracy(ours, people, questions),
        cohen_kappa(ours, people, np.random.default_rng(0), questions, RESAMPLES),
        rate_interval(hits, np.array([one.grades[way] for one in replies], float), questions),
        rate_interval(hits, np.array([one.human for one in replies], float), questions),
    )
    print(f"  {name:28}{len(replies):8,}  " + "  ".join(f"{text(figure):>20}" for figure in figures))


def text(figure: Interval | None) -> str:
    """A figure with its interval."""
    return "" if figure is None else f"{figure.estimate:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


if __name__ == "__main__":
    main()
