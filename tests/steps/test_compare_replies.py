"""Comparison of systems in replies from files: by step=grade, by step=compare and from Python."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import factprobe as package
from factprobe.errors import ConfigError
from factprobe.metrics.paired_replies import PairedReplies
from factprobe.records import Answer, Message, Question, Verdict
from tests.command_line import CommandLine
from tests.inputs.replies import csv_text

CITIES = ["Paris", "Rome", "Lima", "Oslo", "Cairo", "Tokyo", "Delhi", "Quito", "Bern", "Kyiv", "Sofia", "Doha"]


def rows(system: str, right: int) -> list[dict[str, Any]]:
    """Replies of a system that knows the first cities."""
    return [
        {"question": f"What is city {at}?", "answers": city, "response": city if at < right else "Berlin"}
        | ({"system": system} if system else {})
        for at, city in enumerate(CITIES)
    ]


def test_systems_of_one_file_are_paired_by_question(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text([*rows("good", 11), *reversed(rows("bad", 1))]))
    out = factprobe("step=grade", "input=a.csv").out
    assert "Systems in pairs" in out
    folder = factprobe.folder / "outputs/a"
    [*_, total] = json.loads((folder / "comparison.json").read_text())
    assert (total["first"], total["second"], total["questions"], total["verdict"]) == ("good", "bad", 12, "first")
    assert (total["both"], total["only_first"], total["neither"]) == (1, 10, 1)
    with (folder / "differences.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [(row["expected"], row["system"], row["verdict"]) for row in table[:2]] == [
        ("Rome", "good", "correct"),
        ("Rome", "bad", "incorrect"),
    ]
    assert len(table) == 20
    page = (folder / "report.html").read_text()
    assert "Replies on which the systems differ" in page
    assert "## Comparison" in (folder / "report.md").read_text()


@pytest.mark.parametrize("step", ["grade", "compare"])
def test_other_right_answers_to_the_same_question_are_warned_of(
    factprobe: CommandLine, step: str, caplog: pytest.LogCaptureFixture
) -> None:
    other = [{**row, "answers": "Berlin"} if at in (1, 3) else row for at, row in enumerate(rows("", 9))]
    (factprobe.folder / "a.csv").write_text(csv_text(rows("", 11)))
    (factprobe.folder / "d.csv").write_text(csv_text(other))
    factprobe(f"step={step}", "input=[a.csv,d.csv]")
    told = "d: 2 questions with other right answers than for a, and compared all the same; first: 'What is city 1?'"
    assert caplog.messages == [told]
    (factprobe.folder / "d.csv").write_text(csv_text(rows("", 9)))
    factprobe(f"step={step}", "input=[a.csv,d.csv]")
    assert caplog.messages == [told]


def test_one_system_is_not_compared(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text([*rows("good", 11), *rows("bad", 1)]))
    assert factprobe("step=grade", "input=a.csv").code == 0
    (factprobe.folder / "a.csv").write_text(csv_text(rows("good", 11)))
    assert "in pairs" not in factprobe("step=grade", "input=a.csv").out
    folder = factprobe.folder / "outputs/a"
    assert not any((folder / name).exists() for name in ("comparison.json", "comparison.csv", "differences.csv"))
    assert "all replies are of good; name a file for each system: " in factprobe.fails("step=compare", "input=a.csv")


def test_one_system_is_enough_for_a_least_accuracy(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text(rows("good", 11)))
    done = factprobe("step=compare", "input=a.csv", "fail_below=0.5")
    assert done.code == 0, done.err
    assert "compare: 1 system → outputs/a/checks.xml" in done.out
    line = factprobe.fails("step=compare", "input=a.csv", "fail_below=0.999", code=5)
    assert "1 of 1 check failed: accuracy of good is " in line


def test_step_compare_takes_a_file_of_each_system(factprobe: CommandLine) -> None:
    for name, right in (("good", 12), ("fair", 11), ("bad", 1)):
        (factprobe.folder / f"{name}.csv").write_text(csv_text(rows("", right)))
    files = "input=[good.csv,fair.csv,bad.csv]"
    done = factprobe("step=compare", files, "models=[bad,good]")
    assert done.code == 0, done.err
    assert done.out.count("in pairs") == 1
    assert "compare: 2 systems → outputs/good/comparison.json" in done.out
    failed = factprobe.fails("step=compare", files, "fail_below=0.5", "fail_if_worse=good", code=5)
    assert "accuracy of bad is 8.3%" in failed
    assert "accuracy of bad minus that of good is -91.7 points (95% interval " in failed
    assert "fair" not in failed
    assert (factprobe.folder / "outputs/good/checks.xml").exists()
    assert "unknown system 'god'" in factprobe.fails("step=compare", files, "models=[bad,god]")
    assert "unknown graded model 'god'" in factprobe.fails("step=compare", files, "fail_if_worse=god")
    named = factprobe.fails("step=compare", "output_dir=outputs/good")
    assert "name them: step=compare 'input=[good.csv,fair.csv,bad.csv]'" in named


def _without_replies(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps({**row, "response": None}) + "\n" for row in rows)


def test_gate_fails_for_systems_without_replies(factprobe: CommandLine) -> None:
    (factprobe.folder / "good.csv").write_text(csv_text(rows("", 11)))
    (factprobe.folder / "dead.jsonl").write_text(_without_replies(rows("", 11)))
    gates = ["fail_below=0.5", "fail_if_worse=good"]
    failed = factprobe.fails("step=compare", "input=[good.csv,dead.jsonl]", *gates, code=5)
    assert "accuracy of dead is unknown: no replies; fail_below=0.5" in failed
    assert "accuracy of dead minus that of good is unknown: no question has replies of both" in failed
    assert 'failures="2"' in (factprobe.folder / "outputs/good/checks.xml").read_text()
    failed = factprobe.fails("step=compare", "input=dead.jsonl", "fail_below=0.5", code=3)
    assert "no record of dead has a reply, of 12" in failed
    assert 'failures="1"' in (factprobe.folder / "outputs/dead/checks.xml").read_text()


def test_gate_fails_for_systems_most_of_whose_replies_failed(factprobe: CommandLine) -> None:
    (factprobe.folder / "good.csv").write_text(csv_text(rows("", 11)))
    for name, replies in (("dead", 5), ("half", 6)):
        asked = [{**row, "response": row["response"] if at < replies else None} for at, row in enumerate(rows("", 12))]
        (factprobe.folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in asked))
    gates = ["fail_below=0.1", "fail_if_worse=good"]
    failed = factprobe.fails("step=compare", "input=[good.csv,dead.jsonl,half.jsonl]", *gates, code=5)
    assert "accuracy of dead is unknown: 7 of 12 replies failed; fail_below=0.1" in failed
    assert "accuracy of dead minus that of good is unknown: 7 of 12 questions lack a reply of one of them" in failed
    assert "half" not in failed


def test_gate_fails_for_systems_without_questions_of_the_baseline(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text([*rows("a", 6)[:6], *rows("b", 6)[:6], *rows("c", 0)[6:]]))
    gates = ["fail_below=0.5", "fail_if_worse=a"]
    failed = factprobe.fails("step=compare", "input=a.csv", *gates, code=5)
    assert "accuracy of c is 0.0% (95% interval 0.0 to 39.0); fail_below=0.5" in failed
    assert "accuracy of c minus that of a is unknown: no question has replies of both" in failed
    assert factprobe("step=compare", "input=a.csv", "models=[a,b]", *gates).code == 0


def test_systems_without_a_common_question(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text(rows("a", 3)[:6] + rows("b", 3)[6:]))
    assert "no two of a, b have answered a question in common" in factprobe.fails("step=compare", "input=a.csv")


def test_the_same_from_python(tmp_path: Path) -> None:
    good, bad = (package.grade_answers(rows("", right)) for right in (11, 1))
    table = package.compare({"good": good, "bad": bad})
    assert (table[-1].first, table[-1].verdict) == ("good", "first")
    assert "Systems in pairs" in str(table)
    together = package.grade_answers([*rows("good", 11), *rows("bad", 1)])
    assert together.comparison == table
    assert "Systems in pairs" in str(together)
    assert package.grade_answers(rows("", 3)).comparison == []
    with pytest.raises(ConfigError, match=r"the grades of bad: holds the type AnswerGrade; give what grade_responses"):
        package.compare({"bad": bad[:3], "good": good[:3]})  # type: ignore[dict-item]
    with pytest.raises(ConfigError, match="none in common"):
        package.compare({"bad": bad, "good": []})
    with pytest.raises(ConfigError, match=r"the grades of x: are of several systems \(good, bad\); .*comparison"):
        package.compare({"x": together, "bad": bad})
    for raters in (package.compare, package.agree):
        with pytest.raises(ConfigError, match="is of the type list, no mapping; give each a name"):
            raters([good, bad])  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="the grades of bad: holds the type int"):
        package.compare({"good": [], "bad": 5})  # type: ignore[dict-item]


@pytest.mark.parametrize("differ", ["prompt", "answers", "id"])
def test_one_wording_with_several_contexts_is_paired_by_what_differs(differ: str) -> None:
    pairs = PairedReplies()
    for system, order in (("a", (0, 1, 2)), ("b", (2, 0, 1))):
        for number in order:
            message = Message("user", f"{system if differ == 'id' else ''} text {number if differ == 'prompt' else ''}")
            answers = (Answer("", f"yes {number if differ == 'answers' else ''}"),)
            name = f"q{number}" if differ == "id" else f"{system}{number}"
            question = Question(name, "single_answer", (message,), answers, "P", "q", "", bare="q")
            pairs.add(system, question, "correct" if number == 0 else "incorrect")
    [*_, total] = pairs.comparisons()
    assert (total.both, total.only_first, total.only_second, total.neither) == (1, 0, 0, 2)
    assert [*pairs.differing()] == []


@pytest.mark.parametrize("names", [(0, 1, 2), (0, 2, 1)], ids=["ids of items", "numbers of rows"])
def test_ids_pair_replies_of_one_wording_if_they_stand_for_one_content(names: tuple[int, ...]) -> None:
    pairs = PairedReplies()
    for system, order in (("a", (0, 1, 2)), ("b", (2, 1, 0))):
        for row, number in enumerate(order):
            name = f"q{number}" if names == (0, 1, 2) else f"{row + 1}"
            answers = (Answer("", f"yes {min(number, 1)}"),)
            question = Question(name, "single_answer", (Message("user", "text"),), answers, "P", "q", "", bare="q")
            pairs.add(system, question, "correct" if number < 2 else "incorrect")
    [*_, total] = pairs.comparisons()
    by_id = (2, 0, 0, 1)
    by_content_and_order = (1, 1, 1, 0)
    found = (total.both, total.only_first, total.only_second, total.neither)
    assert found == (by_id if names == (0, 1, 2) else by_content_and_order)


def test_repeated_questions_are_paired_in_their_order() -> None:
    pairs, asked = PairedReplies(), Question("q", "single_answer", (), (), "P", "q", "")
    verdicts: tuple[Verdict, ...] = ("correct", "incorrect", "correct")
    for system in ("a", "b"):
        keys = [pairs.add(system, asked, verdict) for verdict in verdicts]
        assert len({*keys}) == 3
    [*_, total] = pairs.comparisons()
    assert (total.questions, total.clusters, total.both) == (3, 1, 2)
    assert [*pairs.differing()] == []
    pairs.add("c", asked, "incorrect")
    assert [name.partition(":")[0] for name in pairs.differing()] == ["q"]
