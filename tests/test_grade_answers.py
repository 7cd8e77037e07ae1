"""`factprobe.grade_answers`: what it takes, what it says of all else, and what comes of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from pandas import DataFrame, Series
from pyarrow.parquet import write_table

import factprobe
from factprobe.errors import ConfigError, DataError, FactprobeError, MissingExtraError
from tests.inputs.replies import csv_text, json_lines

ROW: dict[str, Any] = {"question": "What is the capital of France?", "answers": "Paris", "response": "Paris"}
WRONG: dict[str, Any] = {**ROW, "response": "Lyon"}


@pytest.mark.parametrize(
    "source",
    [
        lambda _: [ROW, WRONG],
        lambda _: (row for row in (ROW, WRONG)),
        lambda _: {"a": ROW, "b": WRONG}.values(),
        lambda _: DataFrame([ROW, WRONG], index=["x", "y"]),
        lambda _: Series([ROW, WRONG]),
        lambda _: pyarrow.table(DataFrame([ROW, WRONG])),
        lambda folder: folder / "1.csv",
        lambda folder: str(folder / "*.csv"),
        lambda folder: [folder / "1.csv", str(folder / "2.csv")],
        lambda folder: folder.glob("*.csv"),
        lambda folder: {folder / "1.csv"},
    ],
)
def test_what_it_takes(source: Callable[[Path], Any], tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text(csv_text([ROW, WRONG]))
    (tmp_path / "2.csv").write_text(csv_text([ROW, WRONG]))
    assert {grade.verdict for grade in factprobe.grade_answers(source(tmp_path))} == {"correct", "incorrect"}


@pytest.mark.parametrize("missing", [None, float("nan"), ""])
def test_missing_cell_is_an_empty_reply_in_every_kind_of_table(missing: Any, tmp_path: Path) -> None:
    frame = DataFrame([ROW, {**ROW, "response": missing}])
    frame.to_csv(tmp_path / "a.csv", index=False)
    table = pyarrow.Table.from_pandas(frame)
    write_table(table, tmp_path / "a.parquet")
    for source in (tmp_path / "a.csv", tmp_path / "a.parquet", frame, table):
        graded = factprobe.grade_answers(source, name="a")
        assert [grade.verdict for grade in graded] == ["correct", "unparsed"], type(source)
        assert "a: of 2 replies 1 is empty or reasoning alone, and unparsed" in str(graded)


def test_nan_in_a_column_of_numbers_is_an_empty_reply(tmp_path: Path) -> None:
    columns = {"question": ["When did it end?"] * 2, "answers": [1945.0] * 2, "response": [1945.0, float("nan")]}
    table = pyarrow.table(columns)
    write_table(table, tmp_path / "a.parquet")
    for source in (tmp_path / "a.parquet", table):
        assert [grade.verdict for grade in factprobe.grade_answers(source)] == ["correct", "unparsed"]


def test_null_in_json_and_in_mappings_is_no_reply(tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "response": None}]
    (tmp_path / "a.jsonl").write_text(json_lines(rows))
    for source in (tmp_path / "a.jsonl", rows):
        graded = factprobe.grade_answers(source, name="a")
        assert [grade.verdict for grade in graded] == ["correct", "failed"]
        assert "a: of 2 replies 1 failed and is in no rate" in str(graded)


HINT = "give the path of a file, a data frame or a list of mappings"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (None, f"the records: are no list or table, but of the type NoneType; {HINT}"),
        (5, f"the records: are no list or table, but of the type int; {HINT}"),
        (object(), f"the records: are no list or table, but of the type object; {HINT}"),
        (b"answers.csv", f"record 1: is of the type int; {HINT}"),
        ("", "input: no file is named"),
        (ROW, "the records: are no list or table, but of the type dict; put a record into a list, and columns into a "),
        ({key: [text] for key, text in ROW.items()}, "put a record into a list, and columns into a data frame"),
        (Series(ROW), f"record 1: is of the type str; {HINT}"),
        (Series(["Paris", "Lyon"]), f"record 1: is of the type str; {HINT}"),
        (np.array([1.0]), "record 1: is of the type float64; "),
        ([("q", "a", "r")], "record 1: is of the type tuple; "),
        ([ROW, None], "record 2: is of the type NoneType; "),
        ([ROW, "answers.csv"], "record 2: is of the type str; "),
        (["answers.csv", ROW], "file 2: is of the type dict, no path; give paths alone"),
        ([], "the records: there are none; give the path"),
        (iter([]), "the records: there are none; give the path"),
        (DataFrame(), "the records: there are none; give the path"),
        (DataFrame({"question": [], "answers": [], "response": []}), "the records: there are none; give the path"),
        (
            DataFrame([[1, 2]]),
            "the records: has no 'question' and no 'answers' and no 'response'; its columns are 0, 1",
        ),
    ],
)
def test_what_it_does_not_take_is_one_line(source: Any, told: str) -> None:
    with pytest.raises(FactprobeError) as caught:
        factprobe.grade_answers(source)
    assert str(caught.value).startswith(told) or told in str(caught.value)


def test_an_open_file_is_not_its_path(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(csv_text([ROW]))
    with (
        (tmp_path / "a.csv").open() as file,
        pytest.raises(DataError, match="of the type TextIOWrapper; give the path"),
    ):
        factprobe.grade_answers(file)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"colums": {"answers": "gold"}}, "grade_answers: unknown argument 'colums'; did you mean 'columns'? known: "),
        ({"aliases": True}, "grade_answers: unknown argument 'aliases'; "),
        ({"evaluator": "llm_facteval", "alias": True}, "did you mean 'aliases'? known: aliases, columns, delimiter, "),
        ({"columns": "gold"}, "columns: 'gold' is not a mapping such as {a: 1}"),
        ({"columns": ["gold"]}, "columns: a list is not a mapping such as {a: 1}"),
        ({"columns": {"answers": 5}}, "columns.answers: 5 is not a text"),
        ({"match": 1}, "match: 1 is not one of all, any"),
        ({"name": 5}, "name: 5 is not a text"),
        ({"strict": "no"}, "strict: 'no' is not true or false"),
        ({"seed": "x"}, "seed: 'x' is not a whole number"),
        ({"input_format": 1}, "input_format: 1 is not a text"),
        ({"evaluator": None}, "evaluator: null is not a text"),
        ({"evaluator": "rule"}, "unknown evaluator 'rule'; did you mean 'rules'?"),
        ({"kg": "trex"}, "kg: str is no graph; load it first: kg=factprobe.load_kg('trex')"),
        ({"kg": 5}, "kg: int is no graph; load it first: kg=factprobe.load_kg(...)"),
    ],
)
def test_an_argument_that_is_wrong_is_one_line(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        factprobe.grade_answers([ROW], **arguments)
    assert told in str(caught.value)


def test_a_seed_below_0_is_refused() -> None:
    grades = factprobe.grade_answers([ROW])
    for call in (
        lambda: factprobe.grade_answers([ROW], seed=-1),
        lambda: factprobe.compare({"a": grades, "b": grades}, seed=-1),
        lambda: factprobe.agree({"a": [], "b": []}, seed=-1),
    ):
        with pytest.raises(ConfigError, match="seed: -1"):
            call()


def test_arguments_of_numpy_and_an_evaluators_own() -> None:
    assert factprobe.grade_answers([ROW], seed=np.int64(3), strict=np.True_)[0].verdict == "correct"  # type: ignore[arg-type]
    row = {**ROW, "answers": "Paris|City of Light", "response": "City of Light"}
    verdicts = [
        factprobe.grade_answers([row], evaluator="llm_facteval", aliases=aliases)[0].verdict
        for aliases in (False, True)
    ]
    assert verdicts == ["incorrect", "correct"]


def test_what_is_skipped_is_named_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    graded = factprobe.grade_answers([ROW, {**ROW, "answers": ""}, {**ROW, "human": "improper"}])
    assert graded.skipped == ["record 2: has no right answer under 'answers'"]
    assert str(graded).endswith("skipped: 1; the attribute `skipped` says what and why")
    assert "judgment 'improper', which is neither right nor wrong" in caplog.text
    assert factprobe.grade_answers([ROW]).skipped == []
    with pytest.raises(DataError, match=r"record 2.*fix it, or grade without strict=True to skip it"):
        factprobe.grade_answers([ROW, {**ROW, "answers": ""}], strict=True)
    factprobe.grade_answers([ROW, *[{**ROW, "answers": ""}] * 11])
    assert "more lines are skipped; `skipped` of the grades names them" in caplog.text


def test_grades_are_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    graded = factprobe.grade_answers([{**ROW, "id": "a", "system": "good"}, {**WRONG, "id": "b"}])
    frame = graded.to_frame()
    assert list(frame.columns) == [
        "id",
        "question",
        "answers",
        "response",
        "verdict",
        "rule",
        "matched",
        "answer",
        "why",
        "system",
        "human",
        "probability",
    ]
    assert frame[["id", "verdict", "matched", "system"]].to_numpy().tolist() == [
        ["a", "correct", ("Paris",), "good"],
        ["b", "incorrect", (), ""],
    ]
    assert graded.to_pandas().equals(frame)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"to_frame: pandas is not installed; pip install 'factprobe\[frame\]'"):
        graded.to_frame()


def test_scores_are_in_words_of_replies() -> None:
    rows = [{**row, "relation": name} for row, name in ((ROW, "city"), (WRONG, "river"))]
    told = str(factprobe.grade_answers(rows, name="mine").scores)
    assert told.startswith("mine: mine (rates in %)")
    assert " replies " in told
    assert "questions" not in told.partition("correct")[0]


def test_an_unknown_argument_of_grade_responses() -> None:
    kg = factprobe.load_kg("trex")
    with pytest.raises(ConfigError, match="grade_responses: unknown argument 'evalator'; did you mean 'evaluator'"):
        factprobe.grade_responses(kg, [], [], evalator="rules")


def test_an_item_number_or_a_denied_name_is_no_other_answer() -> None:
    replies = ["1. Canberra", "1) Canberra", "It wasn't Sydney; it was Canberra.", "Not Sydney but Canberra"]
    rows = [
        {"question": "What is Australia's capital?", "answers": "Canberra", "response": reply}
        for reply in [*replies, "2. Sydney"]
    ]
    assert [grade.verdict for grade in factprobe.grade_answers(rows)] == ["correct"] * 4 + ["incorrect"]
    dated = {"question": "Wann endete der Krieg?", "answers": "8. Mai 1945", "response": "8. Mai 1945"}
    assert factprobe.grade_answers([dated])[0].verdict == "correct"
