"""lm-evaluation-harness' samples, of its versions since 0.4.0."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from factprobe import grade_answers
from factprobe.errors import DataError
from factprobe.inputs import AnsweredQuestion, ReplyFiles
from factprobe.inputs.lm_eval import LmEval
from factprobe.inputs.skipped import SkippedRecords
from factprobe.storage import Problems
from tests.inputs.replies import ROWS, json_lines, lm_eval_sample

NAME = "org__model/samples_capitals_2026-11-22T09-10-36.710645.jsonl"


def read(folder: Path, *samples: dict[str, Any], name: str = NAME) -> list[AnsweredQuestion]:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json_lines([*samples]), encoding="utf-8")
    replies = ReplyFiles([str(path)])
    assert [*replies.formats.values()] == [LmEval]
    return list(replies.read(Problems(strict=True)))


def right(found: AnsweredQuestion) -> list[str]:
    assert not isinstance(found.question.answers, str)
    return [name for answer in found.question.answers for name in answer.names()]


def test_generated_sample(tmp_path: Path) -> None:
    [found] = read(tmp_path, lm_eval_sample(ROWS[0]))
    assert (found.system, found.question.relation, found.id) == ("org/model", "capitals", "q1")
    assert found.question.bare == ROWS[0]["question"]
    assert found.question.prompts[0].content == f"Q: {ROWS[0]['question']}\nA:"
    assert right(found) == ["Paris", "City of Light"]


@pytest.mark.parametrize(
    ("changes", "question"),
    [
        ({"doc": {"query": "Where?"}}, "Where?"),
        ({"doc": {"question": {"stem": "no text"}, "problem": "2+2?"}}, "2+2?"),
        ({"doc": {"passage": "A text."}}, f"Q: {ROWS[0]['question']}\nA:"),
        ({"doc": "a text"}, f"Q: {ROWS[0]['question']}\nA:"),
        ({"doc": {}, "arguments": [["Asked before 0.4.3", {"until": []}]]}, "Asked before 0.4.3"),
    ],
)
def test_question_is_found(tmp_path: Path, changes: dict[str, Any], question: str) -> None:
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], **changes))
    assert found.question.bare == question


def test_replies_count_once_with_several_filters(tmp_path: Path) -> None:
    samples = [lm_eval_sample(row, filter=name) for name in ("strict-match", "flexible-extract") for row in ROWS]
    assert [found.id for found in read(tmp_path, *samples)] == ["q1", "q2", "q3"]
    assert ReplyFiles([str(tmp_path / NAME)]).count() == 3


def test_each_of_several_replies_is_graded(tmp_path: Path) -> None:
    found = read(tmp_path, lm_eval_sample(ROWS[0], resps=[["Paris", "Lyon"]]))
    assert [(reply.id, reply.response.response) for reply in found] == [("q1", "Paris"), ("q1", "Lyon")]


ASKED = {
    "arguments": {f"gen_args_{n}": {"arg_0": "Q", "arg_1": f" {city}"} for n, city in enumerate(["Lyon", "Paris"])},
    "resps": [[["-0.8", "False"]], [["-0.9", "False"]]],
}


@pytest.mark.parametrize("target", ["1", "Paris", 1])
@pytest.mark.parametrize(
    "changes",
    [
        ASKED,
        {"arguments": [["Q", " Lyon"], ["Q", " Paris"]], "resps": [[[-0.8, False]], [[-0.9, False]]]},  # up to 0.4.2
    ],
)
def test_choices_are_ranked(tmp_path: Path, target: str | int, changes: dict[str, Any]) -> None:
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], target=target, **changes))
    assert found.question.question_type == "multi_choices"
    assert found.question.choices == ("Lyon", "Paris")
    assert (right(found), found.response.scores) == (["Paris"], (-0.8, -0.9))


@pytest.mark.parametrize("target", ["1", "A"])
def test_target_is_a_number_or_text_and_no_letter(tmp_path: Path, target: str) -> None:
    arguments = [["Q", " O"], ["Q", " A"]]
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], **{**ASKED, "target": target, "arguments": arguments}))
    assert right(found) == ["A"]


def test_option_that_is_impossible_is_the_least_likely(tmp_path: Path) -> None:
    for impossible in ("-inf", float("-inf")):
        [found] = read(
            tmp_path, lm_eval_sample(ROWS[0], target="1", **{**ASKED, "resps": [[[impossible, False]], [[-2.5, True]]]})
        )
        assert (found.response.response, found.response.scores) == ("Paris", (float("-inf"), -2.5))


@pytest.mark.parametrize("broken", ["nan", "inf", "1e400", None, float("nan"), float("inf")])
def test_option_without_a_loglikelihood_breaks_the_sample(tmp_path: Path, broken: Any) -> None:
    path, problems = tmp_path / "samples_t_2024.jsonl", Problems()
    resps = [[["-2.5", "True"]], [[broken, "False"]]]
    every = [lm_eval_sample(ROWS[0], target=0, **{**ASKED, "resps": resps}), lm_eval_sample(ROWS[1])]
    path.write_text(json_lines(every), encoding="utf-8")
    assert [reply.id for reply in ReplyFiles([str(path)]).read(problems)] == ["q2"]
    [message] = problems.messages
    assert "option 2, so that none is the likeliest" in message


def test_options_that_are_all_impossible_break_the_sample(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="-inf for all options"):
        read(tmp_path, lm_eval_sample(ROWS[0], target=0, **{**ASKED, "resps": [[["-inf", "False"]]] * 2}))


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("3+5 = <<3+5=8>>8\n#### 8", ["8"]),
        ("So much.\n#### 1,080 \n", ["1,080"]),
        ("#### 8", ["8"]),
        ("See #### 8", ["See #### 8"]),
        ("#### Steps\nIt is 8", ["#### Steps\nIt is 8"]),
        ("8\n####", ["8\n####"]),
        ("8", ["8"]),
    ],
)
def test_answer_is_taken_from_the_end_of_a_solution(tmp_path: Path, target: str, expected: list[str]) -> None:
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], target=target))
    assert right(found) == expected


def test_renamed_file_is_detected_by_content(tmp_path: Path) -> None:
    long = lm_eval_sample(ROWS[0], doc={"question": "Who?", "text": "x" * 100_000})
    [found] = read(tmp_path, long, name="samples.jsonl")
    assert (found.question.bare, found.question.relation) == ("Who?", "")


@pytest.mark.parametrize("replies", [None, [], [[]], [[None]]])
def test_sample_without_a_reply_has_failed(tmp_path: Path, replies: Any) -> None:
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], resps=replies))
    assert found.response.failed


@pytest.mark.parametrize("changes", [{"arguments": None, "doc": None}, {"target": None}, {"resps": [[["a"]]]}])
def test_broken_sample_is_reported(tmp_path: Path, changes: dict[str, Any]) -> None:
    problems = Problems()
    path = tmp_path / "samples.jsonl"
    path.write_text(json_lines([lm_eval_sample(ROWS[0], **changes), lm_eval_sample(ROWS[1])]), encoding="utf-8")
    found = list(ReplyFiles([str(path)]).read(problems))
    assert [reply.id for reply in found] == ["q2"]
    assert len(problems.messages) == 1


@pytest.mark.parametrize("target", ["B", "Paris", 1])
def test_options_that_the_prompt_shows_are_those_of_a_generated_reply(tmp_path: Path, target: str | int) -> None:
    doc = {"question": "Which is it?", "options": ["Lyon", "Paris"]}
    shown, bare = [["A. Lyon\nB. Paris", {}]], [["Which is it?", {}]]
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], doc=doc, target=target, arguments=shown))
    assert (found.question.choices, right(found)) == (("Lyon", "Paris"), ["Paris"])
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], doc=doc, target=target, arguments=bare))
    assert found.question.choices == ()


def test_a_number_as_a_text_may_count_from_1(tmp_path: Path) -> None:
    doc, arguments = {"question": "Which is it?", "options": ["Lyon", "Paris"]}, [["1. Lyon\n2. Paris", {}]]
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], doc=doc, target="1", arguments=arguments))
    assert (found.question.choices, right(found)) == ((), ["1"])


ASK, SHOWN = "Which is it?", "A. Lyon\nB. Paris"


@pytest.mark.parametrize(
    ("doc", "target", "prompt", "choices"),
    [
        ({"options": ["Lyon", "Paris", "N/A"]}, "B", f"{ASK}\n{SHOWN}\nAnswer:", ("Lyon", "Paris")),
        ({"opa": "Lyon", "opb": "Paris"}, "Paris", f"{ASK}\n{SHOWN}\nAnswer:", ("Lyon", "Paris")),
        ({"opa": "Lyon", "opb": "Paris"}, "B", f"When?\nA. Now\nB. Later\n\n{ASK}\n{SHOWN}", ("Lyon", "Paris")),
        ({}, "B", f"When?\nA. Now\nB. Later\n\n{ASK}\nAnswer:", ()),
        ({}, "B", f"{SHOWN}\nWhich letter?", ()),
        ({}, "Rome", f"{ASK}\n{SHOWN}", ()),
        ({}, "2", f"{ASK}\n1. Think.\n2. Answer.", ()),
        ({}, 1, f"{ASK}\n{SHOWN}", ()),
    ],
)
def test_options_under_unknown_keys_are_read_from_the_prompt(
    tmp_path: Path, doc: dict[str, Any], target: str | int, prompt: str, choices: tuple[str, ...]
) -> None:
    changes = {"doc": {"question": ASK, **doc}, "target": target, "arguments": [[prompt, {}]]}
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], **changes))
    assert found.question.choices == choices
    assert right(found) == (["Paris"] if choices else [str(target)])


def test_options_of_one_text_break_the_sample(tmp_path: Path) -> None:
    arguments = [["Ann, since she", " left."], ["Eve, since she", " left."]]
    with pytest.raises(DataError, match="several options have the text of the right answer"):
        read(tmp_path, lm_eval_sample(ROWS[0], **{**ASKED, "target": "left.", "arguments": arguments}))


def test_each_option_that_the_document_labels_is_right(tmp_path: Path) -> None:
    doc = {"question": "Who knows?", "mc2_targets": {"choices": ["Lyon", "Paris"], "labels": [1, 1]}}
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], **{**ASKED, "doc": doc, "target": 0}))
    assert right(found) == ["Lyon", "Paris"]
    assert [grade.verdict for grade in grade_answers(tmp_path / NAME)] == ["correct"]


def test_a_word_is_no_question_and_a_vector_one_answer(tmp_path: Path) -> None:
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], doc={"question": "cause"}, target="[-2, 2]"))
    assert found.question.bare == f"Q: {ROWS[0]['question']}\nA:"
    assert right(found) == ["[-2, 2]"]


def test_options_in_an_unknown_form_are_none_and_a_list_of_one_number_is_its_number(tmp_path: Path) -> None:
    doc = {"question": "Which is it?", "choices": {"label": ["X", "Y"], "text": ["Lyon", "Paris"]}}
    [found] = read(tmp_path, lm_eval_sample(ROWS[0], doc=doc, target="[4]"))
    assert (found.question.choices, right(found)) == ((), ["4"])


def test_only_the_last_run_of_a_task_counts(tmp_path: Path) -> None:
    runs = {("m", "a", "2024-01-02T03-04-05.6"): 1, ("m", "a", "2024-02-01T00-00-00.1"): 2, ("m", "b", ""): 1}
    for folder, task, time in (*runs, ("n", "a", "2024-01-02T03-04-05.6"), ("m", "b_2", "2024-01-02T03-04-05.6")):
        (tmp_path / folder).mkdir(exist_ok=True)
        name = f"samples_{task}_{time}.jsonl" if time else f"samples_{task}.jsonl"
        (tmp_path / folder / name).write_text(json_lines([lm_eval_sample(ROWS[0])]))
    problems = SkippedRecords()
    replies = [*ReplyFiles([str(tmp_path / "*/samples_*.jsonl")]).read(problems)]
    assert sorted((one.system, one.question.relation) for one in replies) == [
        *(("m", "a"), ("m", "b"), ("m", "b_2")),
        ("n", "a"),
    ]
    [line] = problems.messages
    assert "2024-01-02T03-04-05.6.jsonl: nothing of the file is read: is an older run of the task" in line
    assert problems.files == 1


def test_error_is_that_of_the_latest_run(tmp_path: Path) -> None:
    for time, samples in (
        ("2024-01-01", [lm_eval_sample(ROWS[0])]),
        ("2024-01-02", [lm_eval_sample(ROWS[0], target=0, **{**ASKED, "resps": [[["-inf", "False"]]] * 2})]),
    ):
        (tmp_path / f"samples_a_{time}T03-04-05.6.jsonl").write_text(json_lines(samples))
    with pytest.raises(DataError) as found:
        list(ReplyFiles([str(tmp_path / "*.jsonl")]).read(Problems()))
    assert "older run" not in str(found.value)
    assert "2024-01-02" in str(found.value.where)
