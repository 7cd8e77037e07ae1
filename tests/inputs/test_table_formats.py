"""CSV, JSON and Parquet as people have them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.errors import DataError
from factprobe.inputs import AnsweredQuestion, ReplyFiles
from factprobe.inputs.table_formats import Json
from factprobe.storage import Problems
from factprobe.storage.opening import BOM
from tests.inputs.replies import ROWS, csv_text, json_lines

Write = Callable[[str, str | bytes], Path]


def read(
    *paths: Path | str, problems: Problems | None = None, input_format: str | None = None
) -> list[AnsweredQuestion]:
    replies = ReplyFiles([*map(str, paths)], input_format=input_format)
    return list(replies.read(problems or Problems(strict=True)))


def ids(found: list[AnsweredQuestion]) -> list[str]:
    return [reply.id for reply in found]


@pytest.mark.parametrize("name", ["a.csv", "a.CSV", "a.tsv"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_of_any_delimiter(write: Write, name: str, delimiter: str) -> None:
    rows = [{**row, "answers": row["answers"][0]} for row in ROWS]
    found = read(write(name, csv_text(rows, delimiter)))
    assert [reply.response.response for reply in found] == [row["response"] for row in ROWS]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", [b"", BOM, BOM * 2])
def test_csv_of_any_editor(write: Write, end: str, start: bytes) -> None:
    text = end.join(["question,answers,response", "Who?,Emma,She", "", "What?,It,No", ""])
    found = read(write("a.csv", start + text.encode()))
    assert [(reply.question.bare, reply.response.response) for reply in found] == [("Who?", "She"), ("What?", "No")]


def test_row_of_another_length_is_left_out(write: Write) -> None:
    path = write("a.csv", "question,answers,response\nWho?,Emma\nWhat?,It,No\nWhere?,Here,\nWhy?,a,b,c\n")
    problems = Problems()
    assert [reply.question.bare for reply in read(path, problems=problems)] == ["What?", "Where?"]
    assert problems.messages == [
        f"{path}:2: 2 columns, where the first line names 3",
        f"{path}:5: 4 columns, where the first line names 3",
    ]


@pytest.mark.parametrize(
    ("name", "content", "parts"),
    [
        (
            "a.csv",
            "question,answers,response\nWho?,Zürich,x\n".encode("latin-1"),
            ["a.csv:2: is not UTF-8", "iconv -f CP1252"],
        ),
        ("a.csv", "question,answers,response\n".encode("utf-16"), ["is UTF-16", "iconv"]),
        ("a.csv", 'question,answers,response\nWho?,"Emma,x\n', ["has no records"]),
        ("a.csv", "question,answers,answers,response\n", ["a.csv:1: names two columns 'answers'", "rename"]),
        ("a.csv", "question,answers,response\n", ["has no records"]),
        ("a.csv", "", ["has no records"]),
        ("a.jsonl", "", ["has no records"]),
        ("a.json", "[]", ["has no records"]),
        ("a.json", "[1]", ["has no records"]),  # as of JSON Lines, what is none is named and skipped
        ("a.jsonl", '{"q": 1}\n', ["its columns are q", "columns.question=NAME"]),
        ("a.jsonl", "no JSON\n", ["a.jsonl: holds no JSON objects", "input_format=csv"]),
        ("a.json", csv_text(ROWS), ["a.json: holds no JSON objects", "input_format=csv"]),
        ("a.csv", json_lines(ROWS), ["a.csv: is JSON, not CSV", "input_format=json"]),
        ("a.jsonl", json.dumps(ROWS[0], indent=1), ["a.jsonl: is one object over several lines", "jq -c"]),
        ("a.json", json.dumps({"data": ROWS}, indent=1), ["a.json: is one object over several lines", "jq -c"]),
        ("a.json", json.dumps({"data": ROWS}), ["a.json: is one object, whose records seem to be the list 'data'"]),
        ("a.jsonl", '{"question": "cut', ["has no records"]),
        (
            "a.csv",
            "Who?,Paris,Paris\nWhat?,It,No\n",
            ["names two columns 'Paris'", "put the names of the columns above"],
        ),
        ("a.csv", b"PK\x03\x04 and more", ["a.csv: is a zip archive, as workbooks of Excel are", "CSV in UTF-8"]),
        ("a.xlsx", b"PK\x03\x04 and more", ["a.xlsx: is a zip archive, as workbooks of Excel are", "CSV in UTF-8"]),
        ("a.xls", b"\xd0\xcf\x11\xe0 and more", ["an old document of Office"]),
        ("a.csv", b"\x1f\x8b\x08 and more", ["a.csv: is compressed by gzip"]),
        ("display_predictions.json", "[]", ["name the scenario_state.json of the run"]),
        ("a.parquet", "PAR1", ["a.parquet: cannot be read"]),
        (
            "a.txt",
            "question",
            ["of no format that its name or content tells", "input_format=", "csv, helm, inspect, json"],
        ),
    ],
)
def test_unreadable_file_is_a_one_line_error(write: Write, name: str, content: str | bytes, parts: list[str]) -> None:
    with pytest.raises(DataError) as error:
        read(write(name, content), problems=Problems())
    assert all(part in str(error.value) for part in parts), error.value


def test_broken_lines_are_reported_and_skipped(write: Write) -> None:
    good, last = json_lines(ROWS[:1]), json_lines(ROWS[1:2]).rstrip()
    path = write("a.jsonl", f'{good}\n["a"]\n{{"question": \n{last}')
    problems = Problems()
    assert ids(read(path, problems=problems)) == ["q1", "q2"]
    assert [message.partition(": ")[0] for message in problems.messages] == [f"{path}:3", f"{path}:4"]
    with pytest.raises(DataError, match=r"a\.jsonl:3: broken line"):
        read(path)


def test_json_list_is_a_table(write: Write) -> None:
    path = write("a.json", BOM + b"\n [" + b",\n".join(json_lines(ROWS).encode().splitlines()) + b"]")
    assert ids(read(path)) == ["q1", "q2", "q3"]


@pytest.mark.parametrize("blanks", ["\n" * 70, "\n" * 70_000, " " * 70_000], ids=["few", "lines", "one line"])
def test_records_may_follow_any_number_of_blanks(write: Write, blanks: str) -> None:
    expected = ids(read(write("a.jsonl", json_lines(ROWS))))
    assert ids(read(write("b.jsonl", blanks + json_lines(ROWS)))) == expected
    assert ids(read(write("c.json", blanks + json.dumps(ROWS)))) == expected
    with pytest.raises(DataError, match="has lists, not objects"):
        read(write("d.json", f'{blanks}[["a", "b"]]'))
    with pytest.raises(DataError, match="is JSON, not CSV"):
        read(write("e.csv", blanks + json_lines(ROWS)))
    with pytest.raises(DataError, match="has no records"):
        read(write("f.jsonl", blanks))


@pytest.mark.parametrize("content", ["", "\n", "sep=;\n", "question,answers,response\n"])
def test_empty_table_has_no_rows(write: Write, content: str) -> None:
    assert ReplyFiles([str(write("a.csv", content))]).count() == 0


def test_reply_may_be_longer_than_the_usual_field(write: Write) -> None:
    [found] = read(write("a.csv", csv_text([{**ROWS[0], "response": "x" * 200_000}])))
    assert len(found.response.response or "") == 200_000


def test_several_files_and_a_pattern(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("gpt.csv", "llama.csv"):
        write(f"logs/{name}", csv_text(ROWS))
    write("logs/other.jsonl", json_lines([{**ROWS[0], "system": "own"}]))
    assert [reply.system for reply in read(tmp_path / "logs/*.csv")] == ["gpt"] * 3 + ["llama"] * 3
    assert [reply.system for reply in read(tmp_path / "logs/gpt.csv", tmp_path / "logs/other.jsonl")][2:] == [
        "gpt",
        "own",
    ]
    monkeypatch.chdir(tmp_path)
    write("more/gpt.csv", csv_text(ROWS))
    assert {reply.system for reply in read("*/gpt.csv")} == {"logs/gpt.csv", "more/gpt.csv"}
    assert len(read("*/*.csv")) == 9
    assert len(read("*/*.csv", "logs/gpt.csv", tmp_path / "logs/../logs/gpt.csv")) == 9, "each file once"


def test_unreadable_files_among_several_are_reported(write: Write, tmp_path: Path) -> None:
    write("logs/a.csv", csv_text(ROWS[:1]))
    write("logs/b.csv", "q,a\n1,2\n")
    late = b"question,answers,response\nWho?,Emma,She\n" + "Wie?,Zürich,x\nWo?,Köln,y\n".encode("latin-1")
    bad, other = write("logs/c.csv", late), write("logs/d.xyz", "?")
    (tmp_path / "logs/e").mkdir()
    problems = Problems()
    assert [reply.system for reply in read(tmp_path / "logs/*", problems=problems)] == ["a", "c"]
    told = [
        f"{other}: nothing of the file is read: is of no format that its name or content tells",
        f"{tmp_path}/logs/e: nothing of the file is read: is a folder",
        f"{tmp_path}/logs/b.csv: nothing of the file is read: has no 'question' and no 'answers' and no 'response'; its"
        " columns are q, a",
        f"{bad}:3: nothing more of the file is read: is not UTF-8",
    ]
    assert problems.messages == told
    for strict, pattern in [(True, "*"), (False, "[bde]*"), (False, "b.*"), (False, "d*")]:
        with pytest.raises(DataError):
            read(tmp_path / "logs" / pattern, problems=Problems(strict))
    with pytest.raises(DataError, match=r"d\.xyz: is of no format"):  # which is named by itself
        read(tmp_path / "logs/a.csv", other, problems=Problems())


def test_pipe_is_refused_before_it_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    for input_format in (None, "csv"):
        with pytest.raises(DataError, match=r"pipe\.csv: is a pipe or device, .* write it to a file first"):
            read(tmp_path / "pipe.csv", input_format=input_format)


def test_blank_rows_are_skipped(write: Write) -> None:
    problems = Problems()
    path = write("a.csv", "question,answers,response\nWho?,Emma,She\n,,\n , ,\n,,,,\n,Emma,\n")
    assert len(read(path, problems=problems)) == 1
    assert problems.messages == [f"{path}:6: has no question under 'question'"]


def test_missing_files(write: Write, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    for name, told in (
        ("none.csv", "none.csv: cannot be read: No such file"),
        ("*.csv", "no file has a name like that"),
        ("logs", r"logs: is a folder; name its files: '.*logs/\*\.jsonl'"),
        ("a\0.csv", "cannot be read: embedded null byte"),
    ):
        with pytest.raises(DataError, match=told):
            read(tmp_path / name)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)


@given(st.lists(st.tuples(TEXTS.map(str.strip).filter(bool), TEXTS), min_size=1, max_size=5))
def test_csv_round_trip(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    text = csv_text([{"question": question, "answers": "x", "response": reply} for question, reply in rows])
    path.write_text(text, encoding="utf-8", newline="")
    assert [(reply.question.bare, reply.response.response) for reply in read(path)] == rows


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@pytest.mark.parametrize("where", ['"x": "%s"', '"x": "%s and all that is behind"', '"%s": 1', '"x": [{"y": "%s"}]'])
@pytest.mark.parametrize("half", ["\\ud800", "\\udc00", "\\ud800\\u0041"])
def test_lone_surrogate_is_reported(tmp_path: Path, name: str, where: str, half: str) -> None:
    records = ['{"question": "one"}', "{%s}" % (where % half), '{"question": "two"}']
    path = tmp_path / name
    path.write_text(f"[{', '.join(records)}]" if name == "a.json" else "\n".join(records), encoding="utf-8")
    problems = Problems()
    assert [record for _, record in Json(path, problems).records()] == [{"question": "one"}, {"question": "two"}]
    [message] = problems.messages
    assert message.endswith(": holds half a character (a lone surrogate)")


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_nan_is_read_as_null(tmp_path: Path, name: str) -> None:
    records = [{"a": float("nan"), "b": [float("-inf"), {"c": float("inf")}], "NaN": "NaN, 😀"}, {"a": 1.5}]
    path = tmp_path / name
    written = [json.dumps(record) for record in records]
    path.write_text(f"[{', '.join(written)}]" if name == "a.json" else "\n".join(written), encoding="utf-8")
    found = [record for _, record in Json(path, Problems(strict=True)).records()]
    assert found == [{"a": None, "b": [None, {"c": None}], "NaN": "NaN, 😀"}, {"a": 1.5}]


@pytest.mark.parametrize(
    "broken", ['{"a": NaN', '{"a": NaNs}', '{"a": -NaN}', '{"NaN": x}', '{"a": NaN, "b": "\\ud800"}']
)
def test_nan_does_not_hide_other_errors(write: Write, broken: str) -> None:
    problems = Problems()
    path = write("a.jsonl", f'{{"a": 1}}\n{broken}\n')
    assert [record for _, record in Json(path, problems).records()] == [{"a": 1}]
    assert len(problems.messages) == 1


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_invalid_utf8_is_not_a_lone_surrogate(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    records = [b'{"question": "one"}', b'{"question": "\xff"}']
    path.write_bytes(b"[" + b",".join(records) + b"]" if name == "a.json" else b"\n".join(records))
    problems = Problems()
    assert len(list(Json(path, problems).records())) == 1
    [message] = problems.messages
    assert "utf-8" in message.lower()  # the rest is the decoder's


def test_an_error_of_a_format_in_counting_is_not_hidden(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, lines = write("a.parquet", "PAR1"), write("a.jsonl", json_lines(ROWS))
    assert ReplyFiles([str(broken), str(lines)]).count() is None

    def count(_: Json) -> int:
        raise KeyError("rows")

    monkeypatch.setattr(Json, "count", count)
    with pytest.raises(KeyError):
        ReplyFiles([str(lines)]).count()
