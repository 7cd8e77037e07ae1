"""What HELM's logs say, as HELM 0.5.16 writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import factprobe
from factprobe.errors import DataError
from factprobe.inputs import AnsweredQuestion, ReplyFiles
from factprobe.inputs.helm import Helm
from factprobe.records import Answer
from factprobe.storage import Problems
from tests.inputs.replies import ROWS, helm_state, helm_text

LOGS = Path(__file__).parent / "logs"
"""Among them two runs that HELM 0.5.16 made of its tutorial, by `benchmarks/helm_logs.py`."""


def read(folder: Path, *states: dict[str, Any], problems: Problems | None = None) -> list[AnsweredQuestion]:
    path = folder / "mmlu:subject=anatomy,method=multiple_choice_joint,model=simple_model1" / "scenario_state.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(helm_text([*states]), encoding="utf-8")
    return list(ReplyFiles([str(path)]).read(problems or Problems(strict=True)))


def completed(*texts: str, **more: Any) -> dict[str, Any]:
    return {
        "success": True,
        "embedding": [],
        "completions": [{"text": t, "logprob": 0, "tokens": [], **more} for t in texts],
    }


@pytest.mark.parametrize(
    ("name", "rule", "kind"),
    [
        ("helm_mcqa", "options.letter", "multi_choices"),
        ("helm_short_answer_qa", "reference.exact", "single_answer"),
    ],
)
def test_log_written_by_helm(name: str, rule: str, kind: str) -> None:
    graded = factprobe.grade_answers(LOGS / name / "scenario_state.json")
    assert [(grade.id, grade.verdict, grade.rule) for grade in graded] == [
        ("id60", "correct", rule),
        ("id38", "correct", rule),
    ]
    cells = [(row.model, row.relation, row.question_type) for row in graded.scores if row.level == "cell"]
    assert cells == [("simple/model1", name, kind)]


def test_model_the_task_and_the_prompt(tmp_path: Path) -> None:
    [found] = read(tmp_path, helm_state(ROWS[0]))
    assert (found.system, found.question.relation) == (
        "simple/model1",
        "mmlu:subject=anatomy,method=multiple_choice_joint",
    )
    assert found.question.prompts[0].content == "Question: What is the capital of France?\nAnswer:"


@pytest.mark.parametrize(
    ("run", "relation"),
    [
        ("mmlu:subject=anatomy,model=x", "mmlu:subject=anatomy"),
        ("mmlu:subject=anatomy,model=x,method=y", "mmlu:subject=anatomy,method=y"),
        ("boolq:model=x,data_augmentation=canonical", "boolq:data_augmentation=canonical"),
        ("boolq:model=x", "boolq"),
        ("boolq", "boolq"),
    ],
)
def test_relation_is_the_run_without_its_model(run: str, relation: str) -> None:
    assert Helm.title(Path(run) / "scenario_state.json") == relation


def test_wrong_references_are_options(tmp_path: Path) -> None:
    references = [
        {"output": {"text": "Lyon"}, "tags": []},
        {"output": {"text": "Paris"}, "tags": ["correct"]},
    ]
    asked = {**helm_state(ROWS[0])["instance"], "references": references}
    state = helm_state(ROWS[0], instance=asked, output_mapping={"A": "Lyon", "B": "Paris"}, result=completed(" B"))
    [found] = read(tmp_path, state)
    assert (found.question.question_type, found.question.choices) == ("multi_choices", ("Lyon", "Paris"))
    graded = factprobe.grade_answers(str(tmp_path / "*/scenario_state.json"))
    assert [(grade.verdict, grade.rule) for grade in graded] == [("correct", "options.letter")]


def test_right_reference_is_a_text_and_no_letter(tmp_path: Path) -> None:
    asked = {**helm_state(ROWS[0])["instance"], "references": [{"output": {"text": "A"}, "tags": ["correct"]}]}
    [found] = read(tmp_path, helm_state(ROWS[0], instance=asked, output_mapping={"A": "O", "B": "A"}))
    assert found.question.answers == (Answer("A", "A"),)


def test_passage_is_no_part_of_the_question(tmp_path: Path) -> None:
    asked = {**helm_state(ROWS[0])["instance"], "input": {"text": "Passage: Paris lies there.\nQuestion: Where?"}}
    [found] = read(tmp_path, helm_state(ROWS[0], instance=asked))
    assert found.question.bare == "Where?"


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (completed("Paris", "Lyon"), ["Paris", "Lyon"]),
        (completed(), [None]),
        ({"success": False, "embedding": [], "completions": [], "cached": False, "error": "429"}, [None]),
        (None, [None]),
    ],
)
def test_replies_that_are_several_or_missing(tmp_path: Path, result: Any, expected: list[str | None]) -> None:
    found = read(tmp_path, helm_state(ROWS[0], result=result))
    assert [reply.response.response for reply in found] == expected


def test_invalid_number(tmp_path: Path) -> None:
    [found] = read(tmp_path, helm_state(ROWS[0], result=completed("Paris", logprob=float("-inf"), top=float("nan"))))
    assert found.response.response == "Paris"


def test_how_a_reply_ended(tmp_path: Path) -> None:
    [cut, ended] = read(
        tmp_path,
        helm_state(ROWS[0], result=completed("Par", finish_reason={"reason": "length"})),
        helm_state(ROWS[0], result=completed("Paris", finish_reason={"reason": "endoftext"})),
    )
    assert (cut.response.finish_reason, ended.response.finish_reason) == ("length", "endoftext")


def test_separately_scored_options_are_skipped_and_counted(tmp_path: Path) -> None:
    problems = Problems()
    states = [helm_state(ROWS[0], reference_index=number) for number in range(2)]
    assert len(read(tmp_path, helm_state(ROWS[0]), *states, problems=problems)) == 1
    assert [message.rpartition("scenario_state.json, ")[2] for message in problems.messages] == [
        f"request {number}: scores one option by its likelihood, which is not a reply; run it with "
        "method=multiple_choice_joint"
        for number in (2, 3)
    ]


def test_perturbed_instances_are_left_out(tmp_path: Path) -> None:
    state = helm_state(ROWS[0])
    perturbed = {**state, "instance": {**state["instance"], "perturbation": {"name": "misspellings", "prob": 0.1}}}
    problems = Problems(strict=False)
    assert len(read(tmp_path, state, perturbed, problems=problems)) == 1
    assert "perturbed instance" in problems.messages[0]
    with pytest.raises(DataError, match=r"no records that can be read.*run it without data_augmentation"):
        read(tmp_path, perturbed, problems=problems)
