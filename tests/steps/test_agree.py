"""step=agree on the command line: files of several kinds, grades of a run, the published predictions."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import factprobe as package
from factprobe.records import Grade
from tests.command_line import CommandLine

Write = Callable[[str, str | bytes], Path]


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def figures(folder: Path) -> dict[tuple[str, str, str], tuple[int, float]]:
    """Items and estimate by raters, consensus and measure."""
    rows = json.loads((folder / "outputs/trex/agreement.json").read_text())
    return {(row["raters"], row["consensus"], row["measure"]): (row["items"], row["estimate"]) for row in rows}


@pytest.mark.shared
def test_the_published_predictions_give_the_published_figures(
    factprobe: CommandLine, tmp_path: Path, data: Path
) -> None:
    gold = data / "shroom/val.model-agnostic.json"
    system = data / "shroom/val.model-agnostic.gpt-4-0125-preview.predictions.json"
    code, out, err = factprobe("step=agree", f"labels={{gold: {gold}, system: {system}}}", "gold=gold")
    assert code == 0, err
    expected = {
        ("gold + system", "all", "accuracy"): (499, 0.8136),
        ("gold + system", "all", "spearman_rho"): (499, 0.6966),
        ("gold + system", "low", "accuracy"): (145, 0.6207),
        ("gold + system", "low", "cohen_kappa"): (145, 0.2378),
        ("gold + system", "high", "accuracy"): (171, 0.8538),
        ("gold + system", "high", "cohen_kappa"): (171, 0.7009),
        ("gold + system", "high", "spearman_rho"): (171, 0.7341),
        ("gold + system", "unanimous", "accuracy"): (183, 0.9290),
        ("gold + system", "unanimous", "cohen_kappa"): (183, 0.8562),
        ("gold + system", "unanimous", "spearman_rho"): (183, 0.8852),
        ("annotators of gold", "all", "fleiss_kappa"): (499, 0.3728),
        ("annotators of gold + system", "all", "fleiss_kappa"): (499, 0.4051),
    }
    found = figures(tmp_path)
    assert {key: (found[key][0], round(found[key][1], 4)) for key in expected} == expected
    assert "0.814" in out
    with (tmp_path / "outputs/trex/agreement.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(found)
    assert all(float(row["low"]) < float(row["estimate"]) < float(row["high"]) for row in table)


def test_items_are_matched_by_id_whatever_their_order(factprobe: CommandLine, write: Write, tmp_path: Path) -> None:
    write("human.jsonl", lines({"id": 1, "label": "Yes"}, {"id": 2, "label": "no"}, {"id": 3, "label": "no"}))
    write(
        "rules.json",
        70 * "\n" + json.dumps([{"id": "3", "label": "no "}, {"id": "1", "label": "yes"}, {"id": "7", "label": "no"}]),
    )
    code, _, err = factprobe("step=agree", "labels={human: human.jsonl, rules: rules.json}")
    assert code == 0, err
    assert figures(tmp_path)["human + rules", "all", "accuracy"] == (2, 1.0)


def test_keys_and_labels_of_other_names(factprobe: CommandLine, write: Write, tmp_path: Path) -> None:
    write("human.jsonl", lines({"n": "a", "says": 1, "p": 0.9}, {"n": "b", "says": 0, "p": 0.2}, {"n": "c", "says": 1}))
    others = [("a", "right", 0.7), ("b", "wrong", 0.1), ("c", "wrong", 0.5)]
    write("other.jsonl", lines(*({"id": item, "label": word, "probability": p} for item, word, p in others)))
    source = "{path: human.jsonl, id: n, label: says, probability: p, map: {1: right, 0: wrong}}"
    code, _, err = factprobe("step=agree", f"labels={{human: {source}, other: other.jsonl}}", "gold=human")
    assert code == 0, err
    found = figures(tmp_path)
    items, accuracy = found["human + other", "all", "accuracy"]
    assert items == 3
    assert accuracy == pytest.approx(2 / 3)
    assert found["human + other", "all", "spearman_rho"] == (2, 1.0)


def test_grades_of_a_run_against_labels(factprobe: CommandLine, tmp_path: Path) -> None:
    settings = ["kg=trex", "model=scripted", "relations=[P36]", "limit=6"]
    assert factprobe("step=all", *settings).code == 0
    grades = tmp_path / "outputs/trex/grades/template/scripted"
    records = [json.loads(line) for line in (grades / "P36.jsonl").read_text().splitlines()]
    human = [{"question_id": record["question_id"], "label": record["verdict"]} for record in records]
    human[0]["label"] = "abstained" if human[0]["label"] != "abstained" else "correct"
    records[1]["verdict"] = "failed"  # no reply is no label
    (tmp_path / "human.jsonl").write_text(lines(*human))
    (grades / "P36.jsonl").write_text(lines(*records))
    sources = "labels={human: human.jsonl, rules: outputs/trex/grades/template/scripted}"
    code, out, err = factprobe("step=agree", sources, "gold=human", *settings)
    assert code == 0, err
    count = len(records) - 1
    assert figures(tmp_path)["human + rules", "all", "accuracy"] == (count, (count - 1) / count)
    assert "agree: 2 raters → outputs/trex/agreement.json" in out
    manifest = json.loads((tmp_path / "outputs/trex/manifest.json").read_text())
    assert manifest["agree"]["counts"]["items"] == {"human": len(human), "rules": len(human)}
    assert len(manifest["agree"]["inputs"]) == 2


GOOD = lines({"label": "a"}, {"label": "b"})


@pytest.mark.parametrize(
    ("other", "source", "parts"),
    [
        (None, "other.jsonl", ["other.jsonl: cannot be read"]),
        (lines({"label": "a"}), "other.jsonl", ["matched by their order", "2 of human, 1 of other", "an id"]),
        (lines({"id": 1, "label": "a"}), "other.jsonl", ["human have no id", "labels.human.id"]),
        (lines({"text": "a"}), "other.jsonl", ["neither label nor verdict", "labels.other.label", "text"]),
        (GOOD, "{path: other.jsonl, label: lable}", ["other have no 'lable'", "its keys: label"]),
        (GOOD, "{path: other.jsonl, lable: x}", ["labels", "lable"]),
        ('{"label": "a"}\n{"label":\n', "other.jsonl", ["other.jsonl:2", "broken line"]),
        ('["a", "b"]', "other.jsonl", ["other.jsonl", "is broken"]),
        (lines({"label": ["a"]}, {"label": "b"}), "other.jsonl", ["other.jsonl, record 1", "not a word"]),
        (lines({"label": "a"}, {"label": "b", "probability": "high"}), "other.jsonl", ["record 2", "not a number"]),
        (lines({"label": "a", "labels": "ab"}, {"label": "b"}), "other.jsonl", ["record 1", "are no list"]),
    ],
)
def test_what_cannot_be_used_is_one_line(
    factprobe: CommandLine, write: Write, other: str | None, source: str, parts: list[str]
) -> None:
    write("human.jsonl", GOOD)
    if other is not None:
        write("other.jsonl", other)
    line = factprobe.fails("step=agree", f"labels={{human: human.jsonl, other: {source}}}")
    for part in parts:
        assert part in line


def test_ids_that_do_not_match(factprobe: CommandLine, write: Write) -> None:
    write("a.jsonl", lines({"id": 1, "label": "x"}, {"id": 1, "label": "y"}))
    write("b.jsonl", lines({"id": 2, "label": "x"}))
    write("c.jsonl", lines({"id": 3, "label": "x"}))
    assert "a.jsonl, record 2: has the id 1 of an earlier one" in factprobe.fails(
        "step=agree", "labels={a: a.jsonl, b: b.jsonl}"
    )
    assert "1 of b, 1 of c have no id in common" in factprobe.fails("step=agree", "labels={b: b.jsonl, c: c.jsonl}")


def test_raters_that_are_not_named(factprobe: CommandLine, write: Write, tmp_path: Path) -> None:
    write("a.jsonl", GOOD)
    (tmp_path / "empty").mkdir()
    assert "name two or more" in factprobe.fails("step=agree")
    assert "1 rater is named" in factprobe.fails("step=agree", "labels={a: a.jsonl}")
    assert "unknown rater 'humn'" in factprobe.fails("step=agree", "labels={a: a.jsonl, b: a.jsonl}", "gold=humn")
    assert "holds no .jsonl file" in factprobe.fails("step=agree", "labels={a: a.jsonl, b: empty}")


def test_the_same_from_python(write: Write) -> None:
    human = write("human.jsonl", lines({"id": "q1", "says": "correct"}, {"id": "q2", "says": "incorrect"}))
    grades = [Grade(name, "single_answer", "correct", (), 1, 0, 0, "single.exact") for name in ("q1", "q2")]
    records: list[dict[str, Any]] = [{"id": "q2", "label": "incorrect"}, {"id": "q1", "label": "correct"}]
    table = package.agree({"human": {"path": str(human), "label": "says"}, "rules": grades, "me": records}, "human")
    found = {(row.raters, row.measure): row.estimate for row in table}
    assert found["human + rules", "accuracy"] == 0.5
    assert found["human + me", "accuracy"] == 1
    assert "human + rules" in str(table)


def test_python_selects_records_by_system_as_the_step_does(write: Write) -> None:
    graded = [("q1", "a", "correct"), ("q1", "b", "incorrect"), ("q2", "a", "correct"), ("q2", "b", "correct")]
    keys = ("id", "system", "verdict")
    grades = write("grades.jsonl", lines(*(dict(zip(keys, one, strict=True)) for one in graded)))
    of = {name: {"path": str(grades), "system": name} for name in ("a", "b")}
    found = {row.measure: row.estimate for row in package.agree(of, "a")}
    assert found["accuracy"] == 0.5


def test_labels_of_several_people_are_one_rater_with_annotators(
    factprobe: CommandLine, write: Write, tmp_path: Path
) -> None:
    said = [
        ("q1", "correct", "ann"),
        ("q1", "correct", "bob"),
        ("q2", "incorrect", "ann"),
        ("q2", "correct", "bob"),
        ("q2", "incorrect", "adjudication"),
        ("q3", "correct", "ann"),
        ("q3", "skip", "ann"),
        ("q4", "bad_question", "ann"),
        ("q5", "abstained", "ann"),
    ]
    keys = ("id", "verdict", "annotator")
    write("labels.jsonl", lines(*(dict(zip(keys, one, strict=True)) for one in said)))
    graded = {"q1": "correct", "q2": "correct", "q3": "correct", "q4": "correct", "q5": "abstained"}
    write("grades.jsonl", lines(*({"id": name, "verdict": verdict} for name, verdict in graded.items())))
    code, _, err = factprobe("step=agree", "labels={people: labels.jsonl, rules: grades.jsonl}", "gold=people")
    assert code == 0, err
    found = figures(tmp_path)
    items, accuracy = found["people + rules", "all", "accuracy"]
    assert (items, round(accuracy, 3)) == (3, 0.667)
    assert "annotators of people" in {raters for raters, _, _ in found}
    code, _, err = factprobe("step=agree", "labels={bob: {path: labels.jsonl, annotator: bob}, rules: grades.jsonl}")
    assert code == 0, err
    assert figures(tmp_path)["bob + rules", "all", "accuracy"] == (2, 1.0)
    line = factprobe.fails("step=agree", "labels={cy: {path: labels.jsonl, annotator: cy}, rules: grades.jsonl}")
    assert "labels.jsonl: has no label of 'cy'; see its key annotator for the names" in line


def test_labels_of_several_systems_need_a_system(factprobe: CommandLine, write: Write, tmp_path: Path) -> None:
    made = [{"id": "q1", "verdict": "correct", "annotator": "ann", "system": system} for system in ("a", "b")]
    write("labels.jsonl", lines(*made))
    write("grades.jsonl", lines(*({**record, "verdict": "incorrect"} for record in made)))
    line = factprobe.fails("step=agree", "labels={people: labels.jsonl, rules: grades.jsonl}")
    assert "replies of several systems have the same id; give the rater a system" in line
    sources = [f"{name}: {{path: {file}.jsonl, system: b}}" for name, file in (("p", "labels"), ("r", "grades"))]
    code, _, err = factprobe("step=agree", f"labels={{{', '.join(sources)}}}")
    assert code == 0, err
    assert figures(tmp_path)["p + r", "all", "accuracy"] == (1, 0.0)
