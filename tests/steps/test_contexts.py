"""Questions with and without passages side by side, and what the report says of the difference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.command_line import CommandLine

RUN = ("step=all", "kg=trex", "relations=[P36,P37]", "limit=3", "model=scripted")


def rows(root: Path) -> dict[tuple[str, str], dict[str, Any]]:
    found = json.loads((root / "contexts.json").read_text())
    return {(row["kind"], row["question_type"]): row for row in found}


def test_one_sweep_makes_them_and_a_report_pairs_them(factprobe: CommandLine, tmp_path: Path) -> None:
    sweep = factprobe("-m", *RUN, "model.rule=planted", "generator.context=none,relevance,irrelevance,antifactual")
    assert sweep.code == 0, sweep.err
    root = tmp_path / "outputs/trex"
    names = ["template", "template-antifactual", "template-irrelevance", "template-relevance"]
    assert sorted(path.name for path in (root / "questions").iterdir()) == names
    ids = {
        name: {
            json.loads(line)["question_id"] for line in (root / f"questions/{name}/P36.jsonl").read_text().splitlines()
        }
        for name in names
    }
    assert all(found == ids["template"] for found in ids.values())
    found = rows(root)
    types = ["all", "binary_answer", "multi_choices", "multiple_answer", "single_answer"]
    assert sorted(found) == [(kind, name) for kind in ("antifactual", "irrelevance", "relevance") for name in types]
    for (kind, _), row in found.items():
        assert (row["generator"], row["against"], row["model"]) == (f"template-{kind}", "template", "scripted")
        assert row["questions"] == row["known"] > 0
        believed = float(kind == "antifactual")
        assert row["robust"]["estimate"] == row["accuracy_with"]["estimate"] == 1 - believed
        assert (row["misled"] and row["misled"]["estimate"]) == (believed or None)
        assert row["changed"]["estimate"] == 0
        assert row["helped"] is None
    whole = factprobe("step=report", "output_dir=outputs/trex")
    [line] = [line for line in whole.out.splitlines() if "antifactual passages: 0.0% (" in line]
    assert " right, 100.0% (" in line
    assert " misled" in line
    for file in ("report.html", "report.md"):
        assert "Passages before the questions" in (root / file).read_text()


def test_a_report_without_passages_has_no_file_of_them(factprobe: CommandLine, tmp_path: Path) -> None:
    result = factprobe(*RUN)
    assert result.code == 0, result.err
    assert not (tmp_path / "outputs/trex/contexts.json").exists()
    assert "Passages" not in result.out + (tmp_path / "outputs/trex/report.md").read_text()


def test_passages_alone_tell_little_and_a_name_is_kept(factprobe: CommandLine, tmp_path: Path) -> None:
    result = factprobe(*RUN, "generator.context=antifactual", "generator.name=mine", "model.rule=planted")
    assert result.code == 0, result.err
    assert "antifactual passages: 0.0% (" in result.out
    assert "the same questions have no grades without them" in result.out
    assert [path.name for path in (tmp_path / "outputs/trex/questions").iterdir()] == ["mine"]
    row = rows(tmp_path / "outputs/trex")["antifactual", "all"]
    assert (row["against"], row["accuracy_without"], row["robust"]) == ("", None, None)
    assert (row["accuracy_with"]["estimate"], row["planted"]["estimate"]) == (0, 1)


def test_what_asks_something_else_under_the_same_id_is_no_pair(factprobe: CommandLine, tmp_path: Path) -> None:
    assert factprobe(*RUN, "seed=1").code == 0  # other false statements and options
    assert factprobe(*RUN, "generator.context=relevance").code == 0
    found, root = rows(tmp_path / "outputs/trex"), tmp_path / "outputs/trex/grades/template-relevance/scripted"
    graded = [json.loads(line) for path in root.glob("*.jsonl") for line in path.read_text().splitlines()]
    for name in ("single_answer", "multiple_answer"):
        assert found["relevance", name]["questions"] == sum(grade["question_type"] == name for grade in graded)
    assert 0 < found["relevance", "all"]["questions"] < len(graded)
