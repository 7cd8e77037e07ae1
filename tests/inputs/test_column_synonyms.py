"""Columns of replies under other usual names."""

from __future__ import annotations

import pytest

import factprobe
from factprobe.config import Columns
from factprobe.errors import DataError
from factprobe.inputs.column_synonyms import find_columns


@pytest.mark.parametrize(
    ("there", "found"),
    [
        (["Question", "Answer", "Prediction"], ("Question", "Answer", "Prediction", "system")),
        (["query", "gold", "answer", "model"], ("query", "gold", "answer", "model")),
        (["prompt", "Ground Truth", "output"], ("prompt", "Ground Truth", "output", "system")),
        (["question", "references", "completion"], ("question", "references", "completion", "system")),
        (["problem", "target", "model_answer", "Model Name"], ("problem", "target", "model_answer", "Model Name")),
        (["question", "answer", "label"], ("question", "label", "answer", "system")),
        (["question", "answers", "answer"], ("question", "answers", "answer", "system")),
        (["question", "answer"], ("question", "answer", "response", "system")),
        (["question", "answer", "gold", "response"], ("question", "gold", "response", "system")),
        (["question", "answer", "correct_answer", "output"], ("question", "correct_answer", "output", "system")),
        (["question", "Answers", "label", "response"], ("question", "Answers", "response", "system")),
        (["question", "answers", "response", "system", "model"], ("question", "answers", "response", "system")),
    ],
)
def test_synonyms(there: list[str], found: tuple[str, ...]) -> None:
    columns = find_columns(Columns(), there)
    assert (columns.question, columns.answers, columns.response, columns.system) == found


PUBLISHED: dict[str, dict[str, object]] = {
    "SimpleQA": {"metadata": "{}", "problem": "What is the capital of France?", "answer": "Paris"},
    "PopQA": {
        "question": "What is the capital of France?",
        "possible_answers": '["Paris", "City of Light"]',
        "obj": "x",
    },
    "TriviaQA": {
        "question": "What is the capital of France?",
        "question_id": "tc_1",
        "answer": {"aliases": ["City of Light", "Paris"], "normalized_aliases": ["paris"], "value": "Paris"},
    },
    "TruthfulQA": {
        "Question": "What is the capital of France?",
        "Best Answer": "Paris",
        "Correct Answers": "City of Light; Paris",
        "Incorrect Answers": "Lyon; Nice",
    },
}


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("column", ["response", "output"])
def test_columns_of_published_sets(name: str, column: str, caplog: pytest.LogCaptureFixture) -> None:
    rows = [{**PUBLISHED[name], column: reply} for reply in ("Paris", "Lyon")]
    grades = factprobe.grade_answers(rows)
    assert [grade.verdict for grade in grades] == ["correct", "incorrect"]
    assert grades[0].matched == ("Paris",)
    assert "if it stands between several answers" not in caplog.text


def test_what_is_set_stays() -> None:
    assert find_columns(Columns(response="said"), ["question", "answers", "output"]).response == "said"


def test_what_is_read_is_said(caplog: pytest.LogCaptureFixture) -> None:
    rows = [{"Question": "What is the capital of France?", "gold": "Paris", "output": "Paris", "model": "m"}]
    [grade] = factprobe.grade_answers(rows)
    assert (grade.verdict, grade.system) == ("correct", "m")
    assert "reads 'Question' as question, 'gold' as answers, 'output' as response, 'model' as system" in caplog.text


def test_gold_answers_precede_a_column_answer_and_both_are_said(caplog: pytest.LogCaptureFixture) -> None:
    rows = [{"question": "What is the capital of France?", "gold": "Paris", "answer": "Rome", "response": "Paris"}]
    assert [grade.verdict for grade in factprobe.grade_answers(rows)] == ["correct"]
    assert "reads 'gold' as answers, not 'answer'; columns.<name>= says otherwise" in caplog.text


def test_an_unknown_column_names_the_nearest() -> None:
    rows = [{"question": "What?", "answers": "Paris", "responce": "Paris", "other": 1}]
    with pytest.raises(DataError, match=r"has no 'response'; .* name the columns: columns\.response=responce$"):
        factprobe.grade_answers(rows)


def test_the_only_column_that_no_field_uses_is_suggested() -> None:
    rows = [{"question": "What?", "answers": "Paris", "antwort": "Paris", "system": "a"}]
    with pytest.raises(DataError, match=r"name the columns: columns\.response=antwort$"):
        factprobe.grade_answers(rows)


def test_a_column_of_another_field_is_not_suggested() -> None:
    rows = [{"question": "What?", "answers": "Paris", "said": "Paris", "note": "x"}]
    with pytest.raises(DataError, match=r"name the columns: columns\.response=NAME$"):
        factprobe.grade_answers(rows)


def test_the_error_for_missing_columns_names_those_read_under_other_names() -> None:
    rows = [{"prompt_text": "What?", "gold": "Paris", "output": "Paris", "model_name": "a"}]
    with pytest.raises(DataError) as error:
        factprobe.grade_answers(rows)
    assert str(error.value).endswith(
        "name the columns: columns.question=prompt_text; "
        "it reads 'gold' as answers, 'output' as response, 'model_name' as system"
    )


def test_every_column_may_be_in_capitals() -> None:
    named = {field: field.title() for field in Columns.__struct_fields__ if field != "separator"}
    assert find_columns(Columns(), [*named.values()]) == Columns(**named)


def test_a_column_that_later_records_have_is_read() -> None:
    asked = {"question": "What is the capital of Peru?", "answers": "Lima"}
    later = {"response": "B", "options": ["Cusco", "Lima"], "model": "m"}
    grades = factprobe.grade_answers([{**asked, "response": "Lima"}, {**asked, **later}])
    assert [(reply.system, grade.verdict) for reply, grade in zip(grades.replies, grades, strict=True)] == [
        ("", "correct"),
        ("m", "correct"),
    ]


@pytest.mark.parametrize("name", ["label", "gold", "target"])
@pytest.mark.parametrize("judgments", [(1, 0, 1), ("1", "0", "1"), (True, False, True), ("correct", "Incorrect", "")])
def test_judgments_are_no_right_answers_beside_a_column_answer(
    name: str, judgments: tuple[object, ...], caplog: pytest.LogCaptureFixture
) -> None:
    replies = ("Paris", "No, Lyon", "It is Paris.")
    asked = {"question": "What is the capital of France?", "answer": "Paris"}
    rows = [{**asked, "response": reply, name: one} for reply, one in zip(replies, judgments, strict=True)]
    assert [grade.verdict for grade in factprobe.grade_answers(rows)] == ["correct", "incorrect", "correct"]
    assert f"reads 'answer' as answers, not {name!r}" in caplog.text


def test_truth_values_are_right_answers_to_replies_that_give_one() -> None:
    asked = {"question": "Is Paris the capital of France?", "answer": "the model's reasoning"}
    rows = [{**asked, "response": reply, "label": True} for reply in ("Yes, it is.", "No.")]
    assert [grade.verdict for grade in factprobe.grade_answers(rows)] == ["correct", "incorrect"]


def test_numbers_of_options_are_right_answers() -> None:
    asked = {"question": "What is the capital of France?", "choices": ["Lyon", "Paris"], "answer": "as parsed"}
    rows = [{**asked, "response": reply, "label": 1} for reply in ("Paris", "Lyon")]
    assert [grade.verdict for grade in factprobe.grade_answers(rows)] == ["correct", "incorrect"]


@pytest.mark.parametrize("address", ["https://example.org/paris", ["https://example.org/a", "http://example.org/b"]])
def test_addresses_are_no_right_answers_beside_a_column_answer(address: object) -> None:
    asked = {"question": "What is the capital of France?", "answer": "Paris", "reference": address}
    rows = [{**asked, "response": reply} for reply in ("Paris", "Lyon")]
    assert [grade.verdict for grade in factprobe.grade_answers(rows)] == ["correct", "incorrect"]


def test_the_only_column_for_right_answers_is_read_whatever_it_holds() -> None:
    names = ["question", "label", "response"]
    row: dict[str, object] = {"question": "Which site?", "label": "https://a.example", "response": "https://a.example"}
    assert find_columns(Columns(), names, [row]).answers == "label"
