"""A breakdown of one's own is registered in one place, and every output has it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from msgspec import Struct
from msgspec.structs import replace

from factprobe.metrics.breakdowns.base import Breakdown, Breakdowns, BreakdownTable, breakdowns, join_tables
from factprobe.metrics.statistics.intervals import Interval
from factprobe.records import Grade, Question
from factprobe.reports.report_files import write_scores
from factprobe.reports.table import score_table
from factprobe.storage import Layout
from tests.reports.pages import markdown, page, render, rows


class Endings(Struct, frozen=True):
    """How often each ending occurs."""

    kg: str
    generator: str
    model: str
    ending: str
    count: int
    share: float | None
    sure: Interval


class ByEnding(Breakdown):
    """One of one's own."""

    title = "How replies <end>"
    note = "Of all replies."
    heads: ClassVar[Mapping[str, str]] = {
        "count": "replies",
        "share": "share",
        "ending": "ending",
        "sure": "in between",
    }
    main = "count"

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self.seen: list[tuple[str, str, str]] = []

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """See the base class."""
        assert question.question_id == grade.question_id
        self.seen.append((generator, model, grade.ending))

    def rows(self) -> Sequence[Endings]:
        """See the base class."""
        return [Endings(self.kg, *key, 1234, None, Interval(0.5, 0.25, 0.75)) for key in dict.fromkeys(self.seen)]

    @classmethod
    def sentence(cls, row: Endings) -> str:
        """See the base class."""
        return f"{{count}} end by {row.ending}: {{sure}}"


@pytest.fixture
def own() -> None:
    """Registers it for one test."""
    breakdowns.register("endings")(ByEnding)


def table(kg: str = "trex", *, of_facts: bool = True) -> BreakdownTable:
    asked = Question("S:O:P36:single_answer:ask_object", "single_answer", (), (), "P36", "S", "O")
    found = Breakdowns(kg, of_facts=of_facts)
    grade = Grade(asked.question_id, "single_answer", "correct", (), 1, 0, 0, "single.exact", ending="cut")
    found.add("template", "tiny", grade, asked)
    [own] = [table for table in found.tables() if table.name == "endings"]
    return own


@pytest.mark.usefixtures("own")
class TestOwnBreakdown:
    def test_it_comes_behind_factprobes(self) -> None:
        assert breakdowns.every()[-1] == "endings"

    def test_it_is_shown_questions_of_no_facts_unless_it_tells_of_facts_alone(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert len(table(of_facts=False).rows) == 1
        monkeypatch.setattr(ByEnding, "of_facts", True)
        assert len(table().rows) == 1
        assert table(of_facts=False).rows == ()

    def test_its_file_is_written_and_does_not_outlive_its_rows(self, tmp_path: Path) -> None:
        layout = Layout(tmp_path)
        write_scores(layout, rows(), [table()._replace(rows=())])
        assert not (tmp_path / "endings.json").exists()
        write_scores(layout, rows(), [table()])
        [row] = json.loads((tmp_path / "endings.json").read_text())
        assert row["ending"] == "cut"
        assert row["sure"] == {"estimate": 0.5, "low": 0.25, "high": 0.75}
        write_scores(layout, rows(), [table()._replace(rows=())])
        assert json.loads((tmp_path / "endings.json").read_text()) == []

    def test_the_terminal_tells_it_below_the_table_of_its_model(self) -> None:
        assert "\n1,234 end by cut: 50.0% (25.0 to 75.0)" in score_table(rows(), [table()])

    def test_the_page_has_names_before_figures(self) -> None:
        text = render(replace(page(), breakdowns=(table(),)))
        assert "<h3>How replies &lt;end&gt;</h3>" in text
        assert "Of all replies." in text
        part = text[text.index("How replies &lt;end&gt;</caption>") :]
        heads = [part.index(f">{head}</th>") for head in ("Ending", "Replies", "Share", "In between")]
        assert heads == sorted(heads)
        row = part[: part.index("</tr>\n</tbody>")]
        assert '<td class="text name">cut</td><td class="n main" data-sort="1234">1,234</td>' in row
        assert '<div class="ci">25.0–75.0</div>' in row

    def test_markdown_has_it(self) -> None:
        text = markdown(replace(page(), breakdowns=(table(),)))
        assert "### How replies \\<end\\>\n\n| model | ending | replies | share | in between |" in text
        assert "| tiny | cut | 1,234 | – | 50.0 (25.0–75.0) |" in text

    def test_several_graphs_share_a_table(self) -> None:
        [both] = join_tables([[table()], [table("bear")]])
        assert [row.kg for row in both.rows] == ["trex", "bear"]
