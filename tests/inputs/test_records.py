"""From records of any shape to questions with responses."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas import DataFrame

import factprobe
from factprobe.config import Columns
from factprobe.errors import DataError
from factprobe.inputs import ReplyFiles, as_records, read_answered
from factprobe.storage import Problems, SilentProblems
from tests.inputs.one_record import ASKED, names, one, read


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["Paris", "City of Light"], ["Paris", "City of Light"]),
        ("Paris|City of Light", ["Paris", "City of Light"]),
        (" Paris | ", ["Paris"]),
        ("Paris, Texas", ["Paris, Texas"]),
        ('["Paris, Texas", "Paris"]', ["Paris, Texas", "Paris"]),
        ("['Paris', \"King's Cross\"]", ["Paris", "King's Cross"]),
        ("['Paris' 'Lyon']", ["Paris", "Lyon"]),  # as NumPy prints them
        ("['20 July 1969'\n \"King's Cross\"]", ["20 July 1969", "King's Cross"]),
        ("['a' 'b', 'c']", ["['a' 'b', 'c']"]),
        ("['a' ... 'b']", ["['a' ... 'b']"]),
        ("[1969 1970]", ["[1969 1970]"]),
        ("[unknown]", ["[unknown]"]),
        ("[\\d+", ["[\\d+"]),
        (("Paris", "Paris", ""), ["Paris"]),
        ([["Paris", "Lutetia"], "Lyon"], ["Paris", "Lutetia", "Lyon"]),
        (np.array(["Paris", "Lyon"]), ["Paris", "Lyon"]),
        (1969, ["1969"]),
        (1969.0, ["1969"]),
        (0.5, ["0.5"]),
        (np.int64(7), ["7"]),
        (date(1969, 7, 20), ["1969-07-20"]),
        ([None, "Paris", float("nan")], ["Paris"]),
    ],
)
def test_answers_come_in_many_shapes(answers: Any, expected: list[str]) -> None:
    assert names(one({"answers": answers})) == [expected]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ("Rome|Milan", [["Rome"], ["Milan"]]),
        (["Rome", "Milan"], [["Rome"], ["Milan"]]),
        ([["Rome", "Roma"], ["Milan"]], [["Rome", "Roma"], ["Milan"]]),
        ("Rome", [["Rome"]]),
    ],
)
def test_match_all_requires_every_answer(answers: Any, expected: list[list[str]]) -> None:
    found = one({"answers": answers}, "all")
    assert names(found) == expected
    assert found.question.question_type == "multiple_answer"


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ({"question": None}, "no question under 'question'"),
        ({"question": "  "}, "no question"),
        ({"answers": None}, "no right answer under 'answers'"),
        ({"answers": []}, "no right answer"),
        ({"answers": " | "}, "no right answer"),
        (
            {"answers": {"text": ["a"], "start": [0]}},
            "'answers' holds text, start; name what is inside it: columns.answers=answers.text",
        ),
        ({"answers": [{"a": 1}]}, "an item of 'answers' holds a; name what is inside it: columns.answers=answers.0.a"),
        (
            {"response": ["a"]},
            "the column 'response' is a list, not text; name what is inside it: columns.response=response.0",
        ),
        ({"response": []}, "the column 'response' is an empty list"),
        ({"response": {}}, "the column 'response' is an empty object"),
        ({"response": {"role": "assistant", "content": "Paris"}}, "columns.response=response.content"),
        (
            {"response": {"choices": [{"message": {"content": "x"}}]}},
            "columns.response=response.choices.0.message.content",
        ),
        (
            {"response": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]},
            "=response.-1.content",
        ),
        ({"question_type": "essay"}, "unknown question type 'essay'; known: binary_answer"),
        ({"question_type": "multi_choices"}, "has not two options under 'choices'"),
        ({"choices": ["a", "b"], "answers": "d"}, "'d' is none of the options, nor the letter of one"),
        ({"choices": ["a", "b"], "answers": "1"}, "'1' is none of the options"),
        ({"question_type": "binary_answer", "answers": "maybe"}, "'maybe' is none of correct, true"),
        ({"question_type": "binary_answer", "answers": ["yes", "no"]}, "'yes, no' is none of"),
    ],
)
def test_unusable_records_are_reported_and_skipped(record: dict[str, Any], what: str) -> None:
    problems = Problems()
    found = read({**ASKED, **record}, ASKED, problems=problems)
    assert [reply.id for reply in found] == ["2"]
    [told] = problems.messages
    assert told.startswith("record 1: ")
    assert what in told
    with pytest.raises(DataError, match="record 1: "):
        read({**ASKED, **record}, ASKED)


def test_columns_have_other_names() -> None:
    record = {"doc": {"q": "Who?", "gold": {"text": "Emma"}}, "a.b": "literal", "out": "x", "by": "gpt", "nr": 7}
    [found] = read(record, question="doc.q", answers="doc.gold.text", response="a.b", system="by", id="nr")
    assert (found.question.bare, names(found), found.response.response) == ("Who?", [["Emma"]], "literal")
    assert (found.system, found.id) == ("gpt", "7")


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (["Paris;Lutetia", "Rome"], ";"),
        (["Paris\nLutetia"], "\n"),
        (["Paris, Lutetia", "Rome, Roma", "Bern"], ","),
        (["Paris, Texas", "Rome", "Bern"], None),
        (["1,000", "2,500"], None),
        (["Paris;Lutetia", "Rome|Roma"], None),
        (['["Paris; Texas"]', ["a;b"]], None),
    ],
)
def test_another_separator_is_hinted_at(answers: list[Any], told: str | None, caplog: pytest.LogCaptureFixture) -> None:
    read(*({**ASKED, "answers": answer} for answer in answers), problems=Problems())
    if told is None:
        assert caplog.messages == []
    else:
        [message] = caplog.messages
        assert f"hold {told!r} and none holds '|'" in message


def test_invalid_optional_column_does_not_lose_a_reply(caplog: pytest.LogCaptureFixture) -> None:
    beside = {"prompt": [{"role": "user", "content": "Q"}], "system": ["a"], "id": {"n": 1}, "human": {"a": 1}}
    first, second = read({**ASKED, **beside, "finish_reason": ["x"]}, {**ASKED, **beside}, problems=Problems())
    assert (first.id, first.system, first.question.prompts[0].content) == ("1", "", ASKED["question"])
    assert second.id == "2"
    assert [message.partition("; ")[2] for message in caplog.messages] == [
        "name what is inside it: columns.id=id.n",
        "name what is inside it: columns.prompt=prompt.-1.content",
        "name what is inside it: columns.system=system.0",
    ]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("choices.0.message.content", "a"),
        ("choices.-1.message.content", "b"),
        ("choices.2.message.content", None),
        ("choices.x.message", None),
        ("printed.value", "c"),
        ("printed.also.0", "d"),
        ("array.1", "f"),
    ],
)
def test_paths_lead_into_lists_and_printed_values(column: str, expected: str | None) -> None:
    record = {
        **ASKED,
        "choices": [{"message": {"content": "a"}}, {"message": {"content": "b"}}],
        "printed": "{'value': 'c', 'also': ['d']}",
        "array": np.array(["e", "f"]),
    }
    first, _ = read(record, {**ASKED, column: "x", "options": None}, response=column, choices="options")
    assert first.response.response == expected


def test_missing_columns_are_a_one_line_error() -> None:
    with pytest.raises(DataError) as error:
        read({"q": "Who?", "answers": "Emma", "doc": {"reply": "x"}}, human="judgement")
    assert str(error.value) == (
        "the records: has no 'question' and no 'response' and no 'judgement'; its columns are q, answers, doc.reply; "
        "name the columns: columns.question=NAME columns.response=doc.reply columns.human=NAME"
    )


def test_there_must_be_something_to_grade() -> None:
    with pytest.raises(DataError, match="the records: there are none; give the path"):
        read()
    with pytest.raises(DataError, match="holds no reply that can be graded; the first record: has no right answer"):
        read({**ASKED, "answers": ""}, problems=Problems())


def test_missing_reply_is_not_an_empty_reply() -> None:
    assert [one({"response": reply}).response.failed for reply in (None, float("nan"), "", " ")] == [
        True,
        True,
        False,
        False,
    ]


def test_replies_to_one_question_form_a_cluster() -> None:
    first, second, other = read(ASKED, {**ASKED, "id": "x"}, {**ASKED, "question": "Who?"})
    assert first.question.subject_uri == second.question.subject_uri != other.question.subject_uri


def test_an_instruction_as_the_text_of_all_questions_forms_no_cluster() -> None:
    options = {"question": "Which is right?", "response": "A"}
    first, shuffled, other = read(
        {**options, "choices": ["Ulm", "Rome"], "answers": "A"},
        {**options, "choices": ["Rome", "Ulm"], "answers": "B"},
        {**options, "choices": ["Oslo", "Bern"], "answers": "A"},
    )
    assert first.question.subject_uri == shuffled.question.subject_uri != other.question.subject_uri


FRAME = {"question": ["Who?", "What?"], "answers": [["Emma"], ["It"]], "response": ["Emma", None], "human": [1, None]}


@pytest.mark.parametrize("kind", ["pandas", "arrow", "parquet"])
def test_table_with_two_columns_of_one_name_is_refused(tmp_path: Path, kind: str) -> None:
    names = ["question", "answers", "response", "response"]
    table = pyarrow.table([["Who?"], ["Bob"], ["Bob"], ["Al"]], names=names)
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    frame = DataFrame([["Who?", "Bob", "Bob", "Al"]], columns=names)
    source: Any = {"pandas": frame, "arrow": table, "parquet": tmp_path / "a.parquet"}[kind]
    with pytest.raises(DataError, match="two columns 'response'"):
        factprobe.grade_answers(source)
    if kind != "parquet":
        with pytest.raises(DataError, match="two columns 'response'"):
            list(factprobe.load_kg(source, columns={"subject": "question", "object": "answers"}).load_relations())


@pytest.mark.parametrize("frame", [DataFrame(FRAME), pyarrow.table(FRAME), DataFrame(FRAME).convert_dtypes()])
def test_frame_is_records(frame: Any) -> None:
    found = list(read_answered(as_records(frame), Columns(), "any", Problems(strict=True), "the frame"))
    assert [reply.response.response for reply in found] == ["Emma", None]
    assert [reply.human for reply in found] == ["1", ""]
    assert [names(reply) for reply in found] == [[["Emma"]], [["It"]]]


def test_non_record_is_an_error() -> None:
    with pytest.raises(
        DataError, match="record 1: is of the type str; give the path of a file, a data frame or a list of mappings"
    ):
        list(as_records(["question"]))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["A", "yes", "[1]"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)


@given(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(Columns.__struct_fields__[:-1], VALUES)), max_size=4))
def test_any_record_is_read_or_reported(records: list[dict[str, Any]]) -> None:
    problems, found = Problems(), []
    with suppress(DataError):  # where a column is in none of them, or nothing can be used
        found = read(*records, problems=problems)
        assert found
    if not found:
        return
    assert len(found) + len(problems.messages) == len(records)
    for reply in found:
        assert reply.question.bare.strip()
        assert reply.question.answers
        assert reply.response.question_id == reply.question.question_id == reply.id


@given(st.lists(st.text(min_size=1).map(str.strip).filter(bool), min_size=1, max_size=4, unique=True))
def test_list_is_read_back_however_it_was_printed(answers: list[str]) -> None:
    for text in (json.dumps(answers), repr(answers)):
        if not any(sign in "".join(answers) for sign in "'\""):
            assert names(one({"answers": text})) == [answers]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("a.jsonl", ['{"question": "%s", "answers": "a", "response": "b"}', '{"question"', '{"question": ""}']),
        ("a.csv", ["%s,a,b", "x", ",a,b"]),
    ],
)
def test_number_of_a_reply_counts_broken_and_skipped_records_alike(tmp_path: Path, name: str, lines: list[str]) -> None:
    head = ["question,answers,response"] * name.endswith("csv")
    rows = [lines[0] % "p", lines[1], lines[2], lines[0] % "q", lines[1], lines[0] % "r"]
    (tmp_path / name).write_text("\n".join([*head, *rows]))
    for problems in (Problems(), SilentProblems()):
        found = ReplyFiles([str(tmp_path / name)]).read(problems)
        assert [(reply.id, reply.question.bare) for reply in found] == [("1", "p"), ("4", "q"), ("6", "r")]


def test_a_list_of_numbers_is_told_to_be_several_answers(caplog: pytest.LogCaptureFixture) -> None:
    [vector, quoted] = read({**ASKED, "answers": "[1, 2]"}, {**ASKED, "answers": '["[1, 2]"]'}, problems=Problems())
    assert (names(vector), names(quoted)) == ([["1", "2"]], [["[1, 2]"]])
    assert caplog.text.count("[1, 2] is read as 2 answers, each of them right") == 1
