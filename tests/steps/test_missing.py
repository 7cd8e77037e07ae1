"""How runs end in which questions have no answer: all of them, or some, on the command line, in sweeps, from Python."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import factprobe as package
from factprobe import errors
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.errors import EXIT_CODES, FactprobeError, IncompleteError, NoAnswersError
from tests.answering import manifest, records, settings
from tests.command_line import ROOT, CommandLine
from tests.exams import run_once
from tests.models.server import Answer, completion, endpoint, fault

EXAM = ["kg=trex", "relations=[P36]", "limit=2"]
"""8 questions."""
TWO_RELATIONS = ["kg=trex", "relations=[P36,P30]", "limit=2", "model=scripted"]
"""16 questions."""
FEW = ["limit=2", "model.max_retries=0"]


def paris(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return 200, completion("Paris")


def refusing(*calls: int, reason: str = "not that") -> Answer:
    """Refuses these calls, counted from 1, and answers the others."""
    numbers = count(1)
    return lambda body: (400, fault(reason)) if next(numbers) in calls else paris(body)


def test_some_failed_calls_are_told_last(factprobe: CommandLine) -> None:
    with endpoint(refusing(2, 5, 7)) as server:
        run = settings(server.base_url, *FEW)
        code, out, err = factprobe("step=all", *run)
        assert code == 0
        told = "3 of 8 questions have no answer of stub, most often: 400: not that; check the settings"
        assert err.startswith(f"factprobe: {told}")
        assert err.endswith("; the same command asks them again\n")
        assert err.count("\n") == 1
        assert "8 grades, 3 of them failed → " in out.splitlines()[-1]
        assert factprobe("step=all", *run).err == ""


def test_the_most_frequent_reason_is_told(factprobe: CommandLine) -> None:
    numbers = count(1)
    reasons = {1: "first", 3: "second", 4: "second", 5: "third"}

    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        reason = reasons.get(next(numbers))
        return paris(body) if reason is None else (400, fault(reason))

    with endpoint(answer) as server:
        told = factprobe("step=all", *settings(server.base_url, *FEW)).err
    assert told.startswith("factprobe: 4 of 8 questions have no answer of stub, most often: 400: second (2 times); ")


def test_a_script_is_told_when_it_asks(factprobe: CommandLine, tmp_path: Path) -> None:
    with endpoint(refusing(3)) as server:
        run = settings(server.base_url, *FEW, "fail_on_missing=true")
        line = factprobe.fails("step=all", *run, code=4)
        assert "1 of 8 questions has no answer of stub, most often: 400: not that; check the settings" in line
        assert (tmp_path / "outputs/trex/report.html").exists()
        assert manifest(tmp_path / "outputs/trex")["counts"]["failed"] == 1
        for step in ("evaluate", "report"):
            line = factprobe.fails(f"step={step}", *run, code=4)
            assert "1 of 8 questions has no answer of stub" in line
            assert line.endswith("; step=answer asks them again")
        assert factprobe("step=all", *run).code == 0


def test_a_run_without_most_answers_fails_in_the_end(factprobe: CommandLine, tmp_path: Path) -> None:
    with endpoint(refusing(*range(2, 7))) as server:
        run = settings(server.base_url, *FEW)
        assert "5 of 8 questions have no answer of stub" in factprobe.fails("step=all", *run, code=4)
        assert (tmp_path / "outputs/trex/report.html").exists()
        assert factprobe("step=evaluate", *run).code == 0


def test_a_run_without_an_answer_has_a_code_of_its_own_and_so_have_the_steps_behind(
    factprobe: CommandLine, tmp_path: Path
) -> None:
    root = tmp_path / "outputs/trex"
    with endpoint(lambda body: (400, fault("not that"))) as server:
        run = settings(server.base_url, *FEW)
        assert "none of the 8 calls to stub succeeded, most often: 400: not that" in factprobe.fails(
            "step=all", *run, code=3
        )
        assert not (root / "grades").exists()
        for step in ("evaluate", "report"):
            line = factprobe.fails(f"step={step}", *run, code=3)
            assert "none of the 8 questions has an answer of stub" in line
            assert line.endswith("; step=answer asks them again")
        assert {grade["verdict"] for grade in records(root / "grades")} == {"failed"}
    with endpoint(paris) as server:
        result = factprobe("step=all", *settings(server.base_url, *FEW))
        assert (result.code, result.err) == (0, "")


def test_one_model_of_a_report_that_never_answered_is_told(factprobe: CommandLine, write: Any) -> None:
    assert factprobe("step=all", *EXAM, "model=scripted").code == 0
    write("none.jsonl", "")
    silent = [*EXAM, "model=replay", "model.path=none.jsonl"]
    factprobe.fails("step=answer", *silent, code=3)
    factprobe.fails("step=evaluate", *silent, code=3)
    result = factprobe("step=report", *EXAM)
    told = "none of the 8 questions has an answer of replay; step=answer asks them again"
    assert (result.code, result.err) == (0, f"factprobe: {told}\n")


@pytest.mark.parametrize("setting", ["model.name=ours", "generator.name=ours"])
def test_only_a_report_by_itself_counts_what_others_lack(factprobe: CommandLine, setting: str) -> None:
    run = [*EXAM, "model=scripted", "fail_on_missing=true"]
    run_once(factprobe, "step=all", *run)
    changed(factprobe.folder / "outputs/trex", {"response": None})
    factprobe.fails("step=evaluate", *run, code=4)
    ours = [*run, setting]
    for step in ("all", "answer", "evaluate"):
        result = factprobe(f"step={step}", *ours)
        assert (result.code, result.err) == (0, "")
    assert "questions has no answer of scripted" in factprobe.fails("step=report", *ours, code=4)


@pytest.fixture
def two_relations(factprobe: CommandLine) -> CommandLine:
    """Grades of the model `full` for both relations of an exam, and of `part` for the one that it was asked about."""
    run_once(factprobe, "step=all", *TWO_RELATIONS, "model.name=full")
    for step in ("answer", "evaluate"):
        run_once(factprobe, f"step={step}", *TWO_RELATIONS, "relations=[P30]", "model.name=part")
    return factprobe


def test_a_report_counts_relations_that_a_model_was_not_asked_about(two_relations: CommandLine) -> None:
    report = ["step=report", *TWO_RELATIONS]
    result = two_relations(*report)
    assert result.code == 0
    assert "8 of 16 questions have no answer of part" in result.err
    assert "of full" not in result.err
    assert "8 of 16 questions have no answer of part" in two_relations.fails(*report, "fail_on_missing=true", code=4)
    assert two_relations(*report, "relations=[P30]", "fail_on_missing=true").code == 0
    for step in ("answer", "evaluate"):
        assert two_relations(f"step={step}", *TWO_RELATIONS, "model.name=part").code == 0
    assert two_relations(*report, "fail_on_missing=true").code == 0


def test_a_report_tells_that_answers_have_no_grades(
    two_relations: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    report = ["step=report", *TWO_RELATIONS, "fail_on_missing=true"]
    grades = two_relations.folder / "outputs/trex/grades/template"
    (grades / "full/P36.jsonl").unlink()
    assert "8 of 16 questions have no answer of full" in two_relations(*report).err
    assert [message for message in caplog.messages if "P36.jsonl" in message and "step=evaluate" in message]
    assert two_relations("step=evaluate", *TWO_RELATIONS, "model.name=full").code == 0
    (grades / "part/P30.jsonl").unlink()
    caplog.clear()
    assert two_relations(*report).code == 0
    assert [message for message in caplog.messages if "part" in message and "step=evaluate" in message]


def test_a_run_of_all_steps_counts_its_own_model(factprobe: CommandLine) -> None:
    run_once(factprobe, "step=all", *EXAM, "model=scripted")
    with endpoint(refusing(2)) as server:
        line = factprobe.fails("step=all", *settings(server.base_url, *FEW, "fail_on_missing=true"), code=4)
    assert "1 of 8 questions has no answer of stub" in line


def test_a_judge_with_nothing_to_judge_changes_no_code(factprobe: CommandLine) -> None:
    run = [*EXAM, "model=scripted"]
    run_once(factprobe, "step=all", *run)
    changed(factprobe.folder / "outputs/trex", *[{"response": None}] * 8)
    for judge in ([], ["model@judge=scripted"]):
        line = factprobe.fails("step=evaluate", *run, *judge, code=3)
        assert "none of the 8 questions has an answer of scripted" in line


def test_questions_that_were_not_asked_are_missing_too(factprobe: CommandLine) -> None:
    for step in ("extract", "generate"):
        assert factprobe(f"step={step}", *EXAM).code == 0
    run = [*EXAM, "model=scripted", "fail_on_missing=true"]
    assert factprobe("step=answer", *run, "shard=0/2").code == 0
    line = factprobe.fails("step=evaluate", *run, code=4)
    assert "of 8 questions have no answer of scripted, most often: not asked yet; step=answer asks them again" in line
    assert factprobe("step=answer", *run).code == 0
    assert factprobe("step=evaluate", *run).code == 0
    prompts = "generator.prompts.{}.messages=[{{role: user, content: 'Now {{statement}}'}}]"
    others = [prompts.format(kind) for kind in ("single_answer", "multiple_answer")]
    kinds = "generator.question_types=[single_answer,multiple_answer]"
    assert factprobe("step=generate", *EXAM, kinds, *others).code == 0
    line = factprobe.fails("step=evaluate", *run, code=3)
    assert "none of the 2 questions has an answer of scripted, most often: not asked yet" in line


NO_ANSWERS: list[dict[str, Any]] = [
    {"finish_reason": "error"},
    {"finish_reason": "abort: by the server"},
    {"response": None},
    {"error": "", "response": "Paris"},
]


def changed(root: Path, *changes: dict[str, Any]) -> None:
    """Changes the first responses."""
    [path] = (root / "responses").rglob("P36.jsonl")
    lines = records(path.parent)
    lines = [{**line, **change} for line, change in zip(lines, changes, strict=False)] + lines[len(changes) :]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_every_step_counts_the_same_as_no_answer(factprobe: CommandLine) -> None:
    run = [*EXAM, "model=scripted", "fail_on_missing=true"]
    run_once(factprobe, "step=all", *run)
    root = factprobe.folder / "outputs/trex"
    changed(root, *NO_ANSWERS)
    for step in ("evaluate", "report"):
        assert "4 of 8 questions have no answer of scripted" in factprobe.fails(f"step={step}", *run, code=4)
    assert sum(grade["verdict"] == "failed" for grade in records(root / "grades")) == 4
    assert "(no reply: None)" not in (root / "report.html").read_text()
    assert factprobe("step=answer", *run).out.startswith("answer: 4 responses, 4 kept from before")


def test_what_is_no_answer_has_no_settings_either(factprobe: CommandLine) -> None:
    run = [*EXAM, "model=scripted"]
    assert factprobe("step=all", *run).code == 0
    changed(factprobe.folder / "outputs/trex", *({**change, "settings_hash": "others"} for change in NO_ANSWERS))
    assert factprobe("step=evaluate", *run).code == 0
    assert factprobe("step=answer", *run, "shard=0/1").code == 0


def test_an_exam_without_a_question_lacks_no_answer(factprobe: CommandLine) -> None:
    """No question of the graph has several right answers."""
    kinds = "generator.question_types=[multiple_answer]"
    result = factprobe("step=all", *EXAM, "model=scripted", kinds, "fail_on_missing=true")
    assert (result.code, result.err) == (0, "")


def test_what_a_judge_left_open_is_told(factprobe: CommandLine) -> None:
    with endpoint(refusing(2)) as server:
        judge = ["model@judge=openai", "judge.model=j", f"judge.base_url={server.base_url}", "judge.max_retries=0"]
        all_open = "judge_rules=[correct,incorrect,abstained,unparsed]"
        run = ["step=all", *EXAM, "model=scripted", *judge, all_open]
        line = factprobe.fails(*run, "fail_on_missing=true", code=4)
        assert "1 of 8 questions has no answer of the judge j, most often: 400: not that; check the settings" in line


@pytest.mark.parametrize(
    ("changes", "code", "last"),
    [
        ([], 0, "factprobe: 1 of 2 jobs have questions without an answer; the same command asks them again"),
        (["fail_on_missing=true"], 4, "factprobe: 1 of 2 jobs failed"),
    ],
)
def test_a_sweep_tells_which_job_lacks_answers(
    factprobe: CommandLine, changes: list[str], code: int, last: str
) -> None:
    with endpoint(
        lambda body: (400, fault("not that")) if body["model"] == "b" and "France" in str(body) else paris(body)
    ) as server:
        run = settings(server.base_url, *FEW, "model.model=a,b")
        result = factprobe("-m", "step=all", *run, *changes)
    assert result.code == code
    told, end = [line for line in result.err.splitlines() if line.startswith("factprobe: ")]
    assert "model.model=b" in told
    assert "of 8 questions have no answer of b, most often: 400: not that; check the settings" in told
    assert end == last


def test_a_sweep_ends_with_the_gravest_code(factprobe: CommandLine, write: Any) -> None:
    write("none.jsonl", "")
    silent = ["-m", "step=all", *EXAM[1:], "model=replay", "model.path=none.jsonl"]
    result = factprobe(*silent, "kg=trex", "model.name=a,b")
    assert (result.code, result.err.splitlines()[-1]) == (3, "factprobe: 2 of 2 jobs failed")
    assert factprobe(*silent, "kg=trex,ctd").code == 2


def test_from_python_it_is_an_exception(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, write: Any) -> None:
    monkeypatch.chdir(tmp_path)
    path = write("some.jsonl", "")
    run = ["step=all", *EXAM, "model=replay", f"model.path={path}"]
    with pytest.raises(NoAnswersError, match="none of the 8 calls to replay succeeded"):
        package.run(*run)
    first = records(tmp_path / "outputs/trex/questions")[0]["question_id"]
    write("some.jsonl", json.dumps({"question_id": first, "response": "Paris"}) + "\n")
    with pytest.raises(IncompleteError, match="7 of 8 questions have no answer of replay"):
        package.run(*run)
    questions = package.make_questions(package.load_kg("trex"), ["P36"], limit=2)
    model = package.load_model("replay", path=str(path))
    assert [one.error is None for one in package.ask_model(model, questions)] == [True, *[False] * 7]
    with pytest.raises(
        NoAnswersError, match=r"^none of the 7 questions has an answer of replay, most often: .*; ask them again$"
    ):
        package.ask_model(package.load_model("replay", path=str(path)), questions[1:])
    assert package.ask_model(model, []) == []


def test_the_exit_codes_are_told_where_people_look(factprobe: CommandLine) -> None:
    classes = [
        found for found in vars(errors).values() if isinstance(found, type) and issubclass(found, FactprobeError)
    ]
    assert {cls.exit_code for cls in classes} <= EXIT_CODES.keys()
    told = factprobe("--help").out
    page = (ROOT / "docs/running.md").read_text()
    for code, meaning in EXIT_CODES.items():
        assert f"  {code:<3}  {meaning}\n" in told + "\n"
        assert f"| {code} | {meaning} |" in page
    assert "fail_on_missing=false" in told


def test_reasons_that_are_reworded_alike_are_added_up() -> None:
    found = UnansweredQuestions("m", total=9)
    found.add("model.path: none", 2)
    found.add("judge.path: none", 3)
    found.reword(lambda text: text.replace("model", "judge"))
    found.add("500: out of order")
    assert found.why() == ", most often: judge.path: none (5 times)"


def test_reasons_are_counted_within_bounds() -> None:
    found = UnansweredQuestions("m", total=10)
    for number in range(10_000):
        found.add(f"400: request {number}")
        found.add("500: out of order")
    found.total += 20_000
    assert len(found._reasons) <= 101
    assert str(found) == "20,000 of 20,010 questions have no answer of m, most often: 500: out of order (10,000 times)"
    whole = UnansweredQuestions("m")
    whole.join(found)
    whole.join(found)
    assert (whole.count, whole.total) == (40_000, 40_020)
    assert whole.why() == ", most often: 500: out of order (20,000 times)"
