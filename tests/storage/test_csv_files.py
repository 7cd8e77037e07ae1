"""Tables that are text: what is broken is one row, and everything else is read."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.errors import DataError
from factprobe.storage import Problems, csv_files, csv_rows


def read(path: Path, text: str, **settings: object) -> tuple[list[tuple[int, list[str]]], list[str]]:
    """The rows with the numbers of their last lines, and the lines that are broken."""
    path.write_text(text, encoding="utf-8", newline="")
    problems = Problems()
    rows = list(csv_rows(path, problems, **settings))  # type: ignore[arg-type]
    return rows, [message.removeprefix(f"{path}:") for message in problems.messages]


@pytest.mark.parametrize(
    ("text", "rows", "broken"),
    [
        ('a,b\n"x,1\nc,d\ne,f\n', [(1, ["a", "b"]), (3, ["c", "d"]), (4, ["e", "f"])], "2"),
        ('a,b\n"x"y,1\nc,d\n', [(1, ["a", "b"]), (3, ["c", "d"])], "2"),
        ('a,b\n"x,1\nc,"d"\ne,f\n', [(1, ["a", "b"]), (3, ["c", "d"]), (4, ["e", "f"])], "2"),
        ('a,b\nc,"d', [(1, ["a", "b"])], "2"),
        ('"a\nb",c\n"x\nc,d\n', [(2, ["a\nb", "c"]), (4, ["c", "d"])], "3"),
    ],
)
def test_broken_quote_loses_one_line(tmp_path: Path, text: str, rows: list[object], broken: str) -> None:
    found, problems = read(tmp_path / "a.csv", text)
    assert found == rows
    [problem] = problems
    assert problem.startswith(f"{broken}: broken row: ")


@pytest.mark.parametrize("later", ["e,f", "Zürich,x"])
def test_byte_that_is_not_utf8_loses_one_row(tmp_path: Path, later: str) -> None:
    path, problems = tmp_path / "a.csv", Problems()
    path.write_bytes(b"a,b\nc\xff,d\n" + later.encode())
    assert [row for _, row in csv_rows(path, problems)] == [["a", "b"], later.split(",")]
    assert problems.messages == [f"{path}:2: broken row: it is not UTF-8"]


@pytest.mark.parametrize(
    "content",
    [
        b"a\xff,b\nc,d\ne,f\n",
        b"a,b\nc\xff,d\n",
        b"a,b\nc\xff,d\ne\xff,f\ng,h\n",
        b"a,b\n" + b"x,y\n" * 100 + b"c\xff,d\ne\xff,f\n",
        b"a,b\nZ\xc3\xbcrich,d\n" + b"c\xff,d\n" * 2,
    ],
    ids=["in the head", "in one of two", "in two of four", "in two of many", "mostly"],
)
def test_file_in_another_encoding_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(DataError, match=r"is not UTF-8; .*iconv"):
        list(csv_rows(tmp_path / "a.csv", Problems()))


def test_strict_stops_at_a_broken_row(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('a,b\n"x,1\nc,d\n')
    with pytest.raises(DataError, match=r"a\.csv:2: broken row: .*strict=true"):
        list(csv_rows(tmp_path / "a.csv", Problems(strict=True)))


def test_open_quote_is_searched_within_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_files, "_MAX_ROW_LINES", 5)
    rows, problems = read(tmp_path / "a.csv", '"a,1\n' + "b,2\n" * 20)
    assert [row for _, row in rows] == [["b", "2"]] * 20
    assert len(problems) == 1


@pytest.mark.parametrize("long", ["x" * 60, f'"{"x" * 20}\n{"x" * 40}"', "x" * 41])
def test_a_row_that_is_too_long_costs_itself_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long: str) -> None:
    monkeypatch.setattr(csv_files, "_MAX_ROW_LENGTH", 40)
    rows, problems = read(tmp_path / "a.csv", f"a,b\n{long}\nc,d\ne,{'f' * 36}\n")
    assert [row for _, row in rows if len(row) > 1] == [["a", "b"], ["c", "d"], ["e", "f" * 36]]
    assert "longer than" in problems[0]


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=3).filter(any), max_size=8))
def test_valid_csv_is_read_as_by_the_standard_library(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]
) -> None:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    found, problems = read(path, f"x,y\r\n{text.getvalue()}")
    assert [row for _, row in found] == [["x", "y"], *rows]
    assert not problems


@pytest.mark.parametrize("sign", [";", ",", "|", "\t"])
def test_separator_line_of_spreadsheets(tmp_path: Path, sign: str) -> None:
    rows, problems = read(tmp_path / "a.csv", f"\ufeffsep={sign}\r\na{sign}b,c;d\r\n")
    assert [number for number, _ in rows] == [2]
    assert rows[0][1] == f"a{sign}b,c;d".split(sign)
    assert not problems


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ('"a"\t"b"\n"c"\t"d ""e"""\n', ["c", 'd "e"']),
        ('a\tb\nc\t"d ""e"""\n', ["c", 'd "e"']),
        ('a\tb\n"c" f\td\n', ['"c" f', "d"]),
        ('a\tb\n"c"\td\n', ['"c"', "d"]),
        ('a\tb\nc"\t"d\n', ['c"', '"d']),
    ],
    ids=["every cell of the first row", "doubled quotes", "a word", "a name in quotes", "single ones"],
)
def test_quoting_is_detected_in_tab_separated_files(tmp_path: Path, text: str, row: list[str]) -> None:
    rows, problems = read(tmp_path / "a.tsv", text, delimiter="\t", quoted=None)
    assert rows[1][1] == row
    assert not problems
