"""step=grade on many replies: what is shown of them, how many are taken, and in how many processes."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from tests.command_line import CommandLine
from tests.inputs.replies import json_lines
from tests.steps.test_grade import ROWS, grades


def test_the_page_shows_a_sample_of_each_cell_as_it_was_graded(factprobe: CommandLine) -> None:
    rows = [{**ROWS[n % 2], "id": n, "system": f"s{n % 3}", "response": f"{n} Lima"} for n in range(300)]
    (factprobe.folder / "a.jsonl").write_text(json_lines(rows))
    assert factprobe("step=grade", "input=a.jsonl", "samples=6").code == 0
    page = (factprobe.folder / "outputs/a/report.html").read_text()
    shown = re.findall(r'<tr data-verdict="(\w+)".*?data-model="(s\d)".*?(\d+) Lima', page, re.DOTALL)
    own = {row["id"]: (row["verdict"], row["system"]) for row in grades(factprobe.folder, "a")}
    assert [own[name] for *_, name in shown] == [(verdict, system) for verdict, system, _ in shown]
    assert [int(name) for *_, name in shown] == sorted(int(name) for *_, name in shown)
    assert Counter(system for _, system, _ in shown) == {"s0": 2, "s1": 2, "s2": 2}
    hidden = {path.name for path in (factprobe.folder / "outputs/a").glob(".*")}
    assert hidden == {".lock", ".manifest.lock"}, "what was set aside is left"


def test_a_limit_takes_the_first_replies(factprobe: CommandLine) -> None:
    unusable: dict[str, Any] = {**ROWS[0], "answers": ""}
    (factprobe.folder / "a.jsonl").write_text(json_lines([unusable, *ROWS]))
    assert "2 replies: " in factprobe("step=grade", "input=a.jsonl", "limit=2").out
    assert [row["id"] for row in grades(factprobe.folder, "a")] == ["2", "3"]
