"""Names of relations in reports."""

from __future__ import annotations

import re

from tests.command_line import CommandLine


def test_a_name_that_is_also_the_label_is_shown_once(factprobe: CommandLine) -> None:
    (factprobe.folder / "facts.csv").write_text("subject,relation,object\nFrance,capital,Paris\nPeru,capital,Lima\n")
    out = factprobe("step=all", "kg=csv", "kg.source=facts.csv", "model=scripted", "breakdowns=true").out
    assert "capital capital" not in out
    page = (factprobe.folder / "outputs/csv/report.html").read_text()
    assert "capital (capital)" not in page
    shown = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "capital capital" not in shown
