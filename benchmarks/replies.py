"""Share of replies with known verdicts that factprobe grades as a careful reader does.

Four tables, without human judges:

- found: replies that an earlier version graded wrongly, by kind (`found.jsonl`, graded without a graph);
- read: replies of a small language model to exams of four graphs, which two readers judged (`read.jsonl`);
- robustness: the cases of tests/evaluators/answers (without a graph) and tests/evaluators/replies (with one), by file;
- respondent, with --respondent: three exams answered by `../respondent` next to the data folder, an endpoint that knows
  what each of its replies is worth. It takes about two minutes and works in a temporary folder.

`found` and `read` are skipped if `$FACTPROBE_DATA/replies` does not exist.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

import factprobe
from factprobe.kgs import Graph
from factprobe.records import AnswerGrade, Grade, Question, Response
from tests.evaluators import answers as answer_cases
from tests.evaluators import replies as reply_cases
from tests.evaluators.worlds import graded

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data")).resolve()
RESPONDENT = DATA.parent / "respondent"
GRAPHS = {"trex": "lama/TREx", "google_re": "lama/Google_RE", "bear": "bear", "umls": "umls"}
"""Folder of each graph's data within the data folder."""


class Outcome(NamedTuple):
    """A graded reply next to its known verdict."""

    group: str
    is_same_verdict: bool
    is_same_rightness: bool
    """Both or neither of the two verdicts are `correct`."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--respondent", action="store_true", help="also run the respondent's exams")
    parser.add_argument("--show", action="store_true", help="also print each reply that is graded otherwise")
    options = parser.parse_args()
    folder = DATA / "replies"
    if (folder / "found.jsonl").exists():
        show_found(folder / "found.jsonl", show_wrong=options.show)
    if (folder / "read.jsonl").exists():
        show_read(folder / "read.jsonl", show_wrong=options.show)
    show_cases_without_graph(show_wrong=options.show)
    show_cases_with_graph(show_wrong=options.show)
    if options.respondent:
        if not (RESPONDENT / "run.sh").exists():
            parser.error(f"there is no {RESPONDENT / 'run.sh'}")
        show_respondent()


def show_found(path: Path, *, show_wrong: bool) -> None:
    """Print by kind how many of the replies that were graded wrongly are graded rightly."""
    cases = records(path)
    grades = factprobe.grade_answers(cases, strict=True)
    outcomes = []
    for case, found in zip(cases, grades, strict=True):
        outcomes.append(outcome(case["kind"], found, case["right"]))
        if show_wrong and not outcomes[-1].is_same_verdict:
            print_wrong(case["id"], case["question"], case["answers"], case["response"], case["right"], found)
    print_table("found: replies that 0c9a34b graded wrongly, by kind", outcomes)
    weak = [group for group, some in grouped(outcomes) if 2 * sum(one.is_same_verdict for one in some) < len(some)]
    print(f"  kinds of which less than half get their verdict: {'; '.join(weak) or 'none'}\n")


def show_read(path: Path, *, show_wrong: bool) -> None:
    """Print how far grades by the graph agree with readers, by graph, style of the prompt and question type."""
    cases = records(path)
    by_graph: list[Outcome] = []
    by_style: list[Outcome] = []
    by_type: list[Outcome] = []
    has_same_sets = []
    for case, question, found in graded_by_graph(cases):
        kg, style, kind = case["kg"], case["style"], question.question_type
        for outcomes, group in ((by_graph, kg), (by_style, style), (by_type, kind)):
            outcomes.append(outcome(group, found, case["verdict"]))
        if "given" in case:
            has_same_sets.append(is_same_set(case, question, found))
        if show_wrong and not by_graph[-1].is_same_verdict:
            key = question.answers if isinstance(question.answers, str) else [one.label for one in question.answers]
            print_wrong(case["id"], question.prompts[-1].content, key, case["response"], case["verdict"], found)
    print_table("read: replies of a small language model, by graph", by_graph)
    print_table("read, by style of the prompt", by_style, has_total=False)
    print_table("read, by question type", by_type, has_total=False)
    if has_same_sets:
        share = sum(has_same_sets) / len(has_same_sets)
        print(f"  of {len(has_same_sets)} lists {share:.0%} have the right answers and the number of wrong ones\n")


def graded_by_graph(cases: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Question, Grade]]:
    """Grade replies with the full graph that their questions were made from."""
    for kg, folder in GRAPHS.items():
        chosen = [case for case in cases if case["kg"] == kg]
        if not chosen:
            continue
        graph: Graph = factprobe.load_kg(kg, DATA / folder)
        questions = [msgspec.convert(case["question"], Question) for case in chosen]
        responses = [
            Response(question.question_id, case["response"], case["finish_reason"], None, None)
            for question, case in zip(questions, chosen, strict=True)
        ]
        grades = factprobe.grade_responses(graph, questions, responses)
        yield from zip(chosen, questions, grades, strict=True)


def is_same_set(case: dict[str, Any], question: Question, found: Grade) -> bool:
    """Return whether a graded list has the right answers and the number of wrong ones that readers saw."""
    labels = {answer.uri: answer.label for answer in question.answers if not isinstance(answer, str)}
    matched = sorted(labels[uri] for uri in found.matched)
    return matched == sorted(case["given"]) and found.false_positives == case["wrong"]


def show_cases_without_graph(*, show_wrong: bool) -> None:
    """Print by file how many of the cases in tests/evaluators/answers get their verdict."""
    outcomes = []
    for path in sorted(answer_cases.FOLDER.glob("*.jsonl")):
        cases = answer_cases.load(path)
        for match in sorted({case.match for case in cases}):
            chosen = [case for case in cases if case.match == match]
            grades = factprobe.grade_answers([case.record for case in chosen], match=match, strict=True)
            for case, found in zip(chosen, grades, strict=True):
                outcomes.append(outcome(path.stem, found, *case.verdicts))
                if show_wrong and not outcomes[-1].is_same_verdict:
                    question, reply = case.record.get("question", ""), case.record["response"]
                    place, expected = f"{path.stem}, {case.name.split(':')[0]}", "|".join(sorted(case.verdicts))
                    print_wrong(place, question, case.record["answers"], reply, expected, found)
    print_table("robustness without a graph: tests/evaluators/answers, by file", outcomes)


def show_cases_with_graph(*, show_wrong: bool) -> None:
    """Print by file how many of the cases in tests/evaluators/replies get their verdict, and lists their counts."""
    outcomes = []
    for case in [*reply_cases.load(), *reply_cases.load(limits=True)]:
        found, question = graded(case.asked, case.reply), case.asked.question
        is_limit = case.file == "limits"
        result = outcome(f"{case.file} (known to fail)" if is_limit else case.file, found, *case.verdicts)
        outcomes.append(result._replace(is_same_verdict=result.is_same_verdict and has_counts(case, found)))
        if show_wrong and not is_limit and not outcomes[-1].is_same_verdict:
            expected = "|".join(sorted(case.verdicts))
            print_wrong(case.name, question.prompts[-1].content, question.answers, case.reply, expected, found)
    print_table("robustness with a graph: tests/evaluators/replies, by file", outcomes)


def has_counts(case: reply_cases.Case, found: Grade) -> bool:
    """Return whether the grade of a list has the right answers and the number of wrong ones that the case expects."""
    if case.named is None:
        return True
    matched = {uri.removeprefix("u/") for uri in found.matched}
    return matched == case.named and (found.true_positives, found.false_positives) == (len(case.named), case.wrong)


def show_respondent() -> None:
    """Run the respondent's exams on the code of this folder, and print its tables by question type."""
    python = Path(sys.executable)
    environment = {
        **os.environ,
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",  # the respondent's folder is not to be written to
    }
    with TemporaryDirectory() as work:
        command = ["sh", str(RESPONDENT / "run.sh"), work, f"{python} -m factprobe", str(DATA), str(free_port())]
        done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2_000:]}\n{done.stderr[-2_000:]}")
        comparison = (Path(work) / "comparison.md").read_text(encoding="utf-8")
    print("respondent: an endpoint whose knowledge is known")
    print(comparison[comparison.index("### By type") : comparison.index("### By what the reply does")])


def free_port() -> int:
    """Return a port of the loopback interface that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def records(path: Path) -> list[dict[str, Any]]:
    """Read JSON Lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def outcome(group: str, found: Grade | AnswerGrade, *accepted: str) -> Outcome:
    """Compare a grade with the accepted verdicts."""
    is_right = any((verdict == "correct") == (found.verdict == "correct") for verdict in accepted)
    return Outcome(group, found.verdict in accepted, is_right)


def grouped(outcomes: Iterable[Outcome]) -> Iterator[tuple[str, list[Outcome]]]:
    """Group outcomes, in the order in which the groups first occur."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one.group].append(one)
    yield from groups.items()


def print_table(title: str, outcomes: Sequence[Outcome], *, has_total: bool = True) -> None:
    """Print a row for each group, and one for all."""
    rows = [*grouped(outcomes), *([("all", list(outcomes))] if has_total else [])]
    width = max(len(name) for name, _ in rows)
    print(title)
    print(f"  {'':{width}}{'replies':>9}{'same verdict':>22}{'right or not':>22}")
    for name, some in rows:
        counts = sum(one.is_same_verdict for one in some), sum(one.is_same_rightness for one in some)
        cells = "".join(f"{f'{count:,} ({100 * count / len(some):.1f} %)':>22}" for count in counts)
        print(f"  {name:{width}}{len(some):9,}{cells}")
    print()


def print_wrong(
    place: str, question: str, answers: object, reply: str, expected: str, found: Grade | AnswerGrade
) -> None:
    """Print a reply that is graded otherwise than expected."""
    print(f"{place}: {question!r} {answers!r}: {reply!r}\n  {expected} expected, {found.verdict} by {found.rule}")


if __name__ == "__main__":
    main()
