"""A metric of one's own is registered in one place, and every output has it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from factprobe.api import ScoreTable
from factprobe.errors import ConfigError
from factprobe.metrics import Metric, metrics
from factprobe.records import Grade
from factprobe.reports.report_files import write_scores
from factprobe.reports.table import score_table
from factprobe.storage import Layout
from tests.reports.pages import markdown, page, render, rows


@pytest.fixture
def misses() -> None:
    """Registers the share of wrong answers among those that are parsed: 1 of 3 of the capitals."""

    @metrics.register("miss_rate")
    class Misses(Metric):
        """Incorrect / (correct + incorrect).

        A second paragraph is for those who read the code.
        """

        title = "Misses <b>"
        short = "miss"
        higher_is_better = False
        has_interval = True

        def share(self, grade: Grade) -> tuple[float, float]:
            return grade.verdict == "incorrect", grade.verdict in ("correct", "incorrect")


@pytest.mark.usefixtures("misses")
def test_the_files_and_the_frame_have_it_behind_the_others(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    write_scores(layout, rows(), ())
    own = ["miss_rate", "miss_rate_low", "miss_rate_high"]
    with layout.scores_csv.open(newline="") as file:
        table = list(csv.DictReader(file))
    assert list(table[0]) == list(rows()[0].__struct_fields__)
    assert list(table[0])[-3:] == own
    of_capital = [float(value) for name, value in table[0].items() if name in own]
    assert of_capital == pytest.approx([1 / 3, *of_capital[1:]])
    assert of_capital[1] < 1 / 3 < of_capital[2]
    assert json.loads(layout.scores_json.read_text())[0]["miss_rate"] == pytest.approx(1 / 3)
    frame = ScoreTable(rows()).to_frame()
    assert list(frame.columns[-3:]) == own
    assert {str(kind) for kind in frame.dtypes[own]} == {"float64"}
    assert frame["miss_rate"].isna().sum() == frame["accuracy"].isna().sum() > 0


@pytest.mark.usefixtures("misses")
def test_table_markdown_and_page_show_it() -> None:
    lines = score_table(rows()).splitlines()
    [head] = [line for line in lines if "asked" in line]
    assert head.split()[-3:] == ["prec.", "F1", "miss"]
    [capital] = [line for line in lines if "P36 capital" in line]
    assert capital.split()[-1] == "33.3"
    data = replace(page(), scores=tuple(rows()))
    assert "| misses \\<b\\> |" in markdown(data)
    assert "| 33.3 (" in markdown(data)
    text = render(data)
    assert text.count('<th scope="col" class="n">Misses &lt;b&gt;</th>') == text.count(">F1</th>") - 1
    assert 'Misses &lt;b&gt;</th><td class="text">incorrect / (correct + incorrect); lower is better</td>' in text
    assert '<td class="n" data-sort="0.3333333333333333">33.3%<div class="ci">' in text


def test_where_it_is_shown_is_its_own_to_say() -> None:
    @metrics.register("doubts")
    class Doubts(Metric):
        """What is told in words alone, of a question type that has it."""

        places = ()
        sentence = "{} in doubt"
        over = "multi_choices"

        def share(self, grade: Grade) -> tuple[float, float]:
            return grade.verdict == "unparsed", grade.question_type == "single_answer"

    text = score_table(rows())
    assert "Short answer: 16.7% in doubt" in text
    assert "doubts" not in text
    assert "Doubts" not in render(replace(page(), scores=tuple(rows())))
    assert next(iter(ScoreTable(rows()).to_frame()["doubts"])) == pytest.approx(1 / 5)


def test_more_columns_than_a_terminal_is_wide_leave_the_names_their_room() -> None:
    for number in range(9):
        kind = type(f"Rate{number}", (metrics.get("accuracy"),), {"short": f"rate {number}"})
        metrics.register(f"rate_{number}")(kind)
    lines = score_table(rows()).splitlines()
    assert max(map(len, lines)) <= 118
    assert lines[2].split()[-7:] == ["F1", "rate", "0", "rate", "1", "rate", "2"]
    assert "a wider terminal also shows: rate 3, rate 4, rate 5, rate 6, rate 7, rate 8" in lines
    assert any("P36 capital" in line for line in lines)


def test_rows_made_before_a_metric_was_there_have_nothing_of_it(request: pytest.FixtureRequest) -> None:
    before = rows()
    request.getfixturevalue("misses")
    assert "miss_rate" not in ScoreTable(before).to_frame()
    assert score_table(before).splitlines()[2].split()[-1] == "miss"


@pytest.mark.parametrize("name", ["level", "accuracy_low", "no identifier", "class"])
def test_a_name_that_no_column_can_have(name: str) -> None:
    metrics.register(name)(type("Odd", (metrics.get("accuracy"),), {"__doc__": "Odd."}))
    with pytest.raises(ConfigError, match=name):
        rows()
