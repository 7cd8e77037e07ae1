"""Tables for a terminal: as wide as it is at most, with every figure whole."""

from __future__ import annotations

import fcntl
import os
import re
import struct
import sys
import termios
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from factprobe.metrics.agreement.raters import RaterLabel, agreements
from factprobe.metrics.comparison import comparisons
from factprobe.records import Grade, Verdict
from factprobe.reports.agreement import agreement_table
from factprobe.reports.comparison import comparison_table
from factprobe.reports.document import Column, Row, Table
from factprobe.reports.table import score_table
from factprobe.reports.terminal import WIDTH, plain_text
from tests.reports.pages import ranked_rows, rows

LONG = "an-organisation/a-model-of-so-many-billion-parameters"
Printed = Callable[[], str]


def scored() -> str:
    """Scores with long names and large counts, one of them in a script of wide characters."""
    names = {"P36": "headquarters location of the organisation", "P37": "公用语言" * 8}
    many = [replace(row, relation_label=names.get(row.relation, ""), questions=1_234_567) for row in rows()]
    return score_table([*many, *(replace(row, model=LONG) for row in ranked_rows())])


def compared() -> str:
    """A pair of models with long names on many questions."""
    ids = [f"Q{i}:o:P36:single_answer:ask_object" for i in range(1_200)]
    verdicts: dict[str, Verdict] = {f"{LONG}-a": "correct", f"{LONG}-b": "incorrect"}
    grades = {
        name: {one: Grade(one, "single_answer", verdict, (), 0, 0, 0, "rule") for one in ids}
        for name, verdict in verdicts.items()
    }
    return comparison_table(comparisons(grades))


def agreed() -> str:
    """Two raters with long names."""
    rated = {str(i): RaterLabel("ab"[i % 2]) for i in range(40)}
    return agreement_table(agreements({f"{LONG}-a": rated, f"{LONG}-b": rated}))


def test_a_rate_that_its_name_does_not_explain_is_defined_below_it() -> None:
    below = score_table(rows()).rpartition(" hallucination rate ")[2]
    assert "hallucination rate: incorrect / (replies − correct)" in below.splitlines()


@pytest.mark.parametrize("columns", [60, 79, 80, 81, 100, 120, 250])
@pytest.mark.parametrize("printed", [scored, compared, agreed])
def test_no_line_is_longer_than_the_terminal_and_no_figure_is_cut(
    printed: Printed, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "10000")
    whole = [line.split("  ") for line in printed().splitlines()]
    monkeypatch.setenv("COLUMNS", str(columns))
    text = printed()
    assert max(map(cell_len, text.splitlines())) <= columns
    figures = {cell.strip() for line in whole for cell in line}
    for line in text.splitlines():
        found = [cell for cell in re.split(r"\s{2,}", line.strip())[1:] if re.match(r"[-+]?[0-9.]", cell)]
        assert set(found) <= figures


def test_what_has_no_room_is_named_and_the_most_important_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = {}
    for columns in (40, 80, 118):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = score_table(rows()).splitlines()
        heads[columns] = lines[2].split()
        assert (lines[4].split()[0], lines[4].split()[2]) == ("total", "50.0")
        assert any(line.startswith("a wider terminal also shows: ") for line in lines) == (columns < 118)
    assert heads[40] == ["asked", "acc."]
    assert heads[80] == ["asked", "acc.", "95%", "corr.", "inc.", "abst.", "unp.", "fail"]
    assert heads[118][3:] == ["correct", "incorrect", "abstained", "unparsed", "failed", "prec.", "F1"]
    monkeypatch.setenv("COLUMNS", "80")
    assert "\na wider terminal also shows: prec., F1\n" in score_table(rows())


def test_a_long_name_loses_its_middle_and_a_terminal_of_no_width_breaks_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    one = Table("t", [""], [Column("count")], [Row([LONG], [1_234])])
    assert plain_text([one]).endswith("\n an-organisatio…lion-parameters  1,234")
    monkeypatch.setenv("COLUMNS", "1")
    assert "  1,234\n\n" in plain_text(
        [one._replace(columns=[Column("count"), Column("other")], rows=[Row([LONG], [1_234, 5])])]
    )


def test_the_width_is_the_terminals_and_a_fixed_one_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS")
    monkeypatch.setattr(sys, "__stdout__", None)
    assert max(map(cell_len, scored().splitlines())) in range(WIDTH - 3, WIDTH + 1)
    leader, terminal = os.openpty()
    with open(terminal, "w") as stdout, open(leader, "rb"):  # noqa: PTH123  (files that are open)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 71, 0, 0))
        monkeypatch.setattr(sys, "__stdout__", stdout)
        assert max(map(cell_len, scored().splitlines())) in range(60, 72)
