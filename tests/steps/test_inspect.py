"""The step `inspect`: what it shows is what is there, and the questions are those that are asked."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.command_line import CommandLine

TREX = ["kg=trex", "relations=[P36,P1376,P47]"]
FACTS = (
    "subject_id,subject,relation,object\n"
    "Q1,Georgia,capitalCity,Tbilisi\nQ2,Georgia,capitalCity,Atlanta\nQ3,Mexico,capitalCity,Mexico City\n"
    "Q4,Mexico City,lies in,Mexico\nQ5,Bonn,capitalCity,\n"
)


def rows(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((folder / "inspect.json").read_text())
    return found


def test_it_needs_no_step_before_it_and_asks_nobody(factprobe: CommandLine) -> None:
    (factprobe.folder / "facts.csv").write_text(FACTS)
    ended = factprobe("step=inspect", "kg=csv", "kg.source=facts.csv", "model=smollm2")
    assert ended.code == 0, ended.err
    folder = factprobe.folder / "outputs/csv"
    capital, lies = rows(folder)
    assert (capital["label"], capital["facts"], capital["namesakes"], capital["type"]) == ("capital city", 3, 2, "1-1")
    assert lies["giveaway"] == ["Mexico City", "Mexico"]
    flat = " ".join(ended.out.split())
    assert "2 subjects are asked about in the same words as others with other objects, e.g. Georgia (2)" in flat
    assert "100.0% of the facts name the object in the subject: Mexico City → Mexico" in flat
    assert "no template of its own: asked as '[X], capital city: [Y].'" in flat
    page = (folder / "inspect.html").read_text()
    assert "Mexico City → Mexico" in page
    assert not (folder / "questions").exists()
    assert ended.out.endswith("inspect: 2 relations, 1 broken line skipped → outputs/csv/inspect.html\n")


@pytest.mark.parametrize(
    "settings",
    [
        [],
        ["generator.ask=both", "seed=7"],
        ["generator.negatives=near"],
        ["generator.sample=uniform", "generator.sample_size=9"],
        ["generator.template=all"],
        ["generator=likelihood"],
    ],
    ids=" ".join,
)
def test_the_questions_are_those_of_generate(factprobe: CommandLine, settings: list[str]) -> None:
    out = factprobe("step=inspect", *TREX, *settings).out
    for step in ("extract", "generate"):
        assert factprobe(f"step={step}", *TREX, *settings).code == 0
    name = "likelihood" if "generator=likelihood" in settings else "template"
    paths = [
        factprobe.folder / f"outputs/trex/questions/{name}/{relation}.jsonl" for relation in ("P36", "P1376", "P47")
    ]
    made = [json.loads(line) for path in paths for line in path.read_text().splitlines()]
    page = (factprobe.folder / "outputs/trex/inspect.html").read_text()
    asked = page.partition("As step=generate makes them")[2]
    shown = [question for question in made if _last(question) in asked.replace("&#34;", '"').replace("&#39;", "'")]
    assert len(shown) >= 9, out
    assert asked.count("<tr>") - 1 <= 10
    assert "10. " in out


def test_the_questions_are_about_many_subjects(factprobe: CommandLine) -> None:
    lines = [f"Bosch,owns,firm {number}" for number in range(40)] + [f"person{n},owns,dog{n}" for n in range(40)]
    (factprobe.folder / "facts.csv").write_text("\n".join(["subject,relation,object", *lines]))

    def subjects(seed: int) -> list[str]:
        out = factprobe("step=inspect", "kg=csv", "kg.source=facts.csv", f"seed={seed}").out
        return re.findall(r"\b(Bosch|person\d+), owns:", out.partition("questions as step=generate")[2])

    first = subjects(1)
    assert len(set(first)) == len(first) == 10
    assert subjects(1) == first != subjects(2)


def test_the_page_shows_questions_as_they_are_put_and_what_each_begins_with_once(factprobe: CommandLine) -> None:
    ended = factprobe("step=inspect", *TREX)
    page = (factprobe.folder / "outputs/trex/inspect.html").read_text()
    asked = page.partition("As step=generate makes them")[2]
    assert ended.out.count("You answer multiple-choice questions.") == asked.count("multiple-choice questions.") == 1
    assert "Multiple choice: You answer multiple-choice questions. Reply with" in asked
    assert re.search(
        r'<th scope="row" class="text"[^>]*>Which option fills the blank in this sentence\?\n.*\nA\) ', asked
    )


def test_words_are_aligned_as_words_and_figures_as_figures(factprobe: CommandLine) -> None:
    factprobe("step=inspect", *TREX)
    relations, _, words = (factprobe.folder / "outputs/trex/inspect.html").read_text().partition("<h2>To know")
    assert relations.count('<td class="n') == relations.count("<td") > 0
    assert words.count("<td") > 20
    assert not re.findall(r'<t[dh][^>]* class="n[ "]', words)


def test_the_page_has_what_the_run_warned_of(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    (factprobe.folder / "facts.csv").write_text(FACTS + "http://a/Q9,,capitalCity,Lima\n")
    factprobe("step=inspect", "kg=csv", "kg.source=facts.csv")
    page = (factprobe.folder / "outputs/csv/inspect.html").read_text()
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2
    for message in told:
        assert page.count(f"<li>{message}</li>") == 1
    caplog.clear()
    factprobe("step=inspect", *TREX)
    assert "<h2>Warnings" not in (factprobe.folder / "outputs/trex/inspect.html").read_text()


def _last(question: dict[str, list[dict[str, str]]]) -> str:
    return question["prompts"][-1]["content"] if question["prompts"] else ""


def test_any_number_of_workers_gives_the_same_bytes(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("factprobe.workers._MIN_SECONDS", 1e-6)
    found = []
    for workers in (1, 3):
        ended = factprobe("step=inspect", "kg=trex", f"workers={workers}", f"output_dir=out{workers}")
        folder = factprobe.folder / f"out{workers}"
        text = ended.out.replace(str(folder), "").replace(f"out{workers}", "")
        found.append([(folder / name).read_bytes() for name in ("inspect.json", "inspect.html")] + [text.encode()])
    assert found[0] == found[1]


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = factprobe("step=inspect", "kg=trex").out
    assert max(len(line) for line in out.splitlines() if os.sep not in line) <= columns


def test_a_model_words_relations_that_have_only_a_label(
    factprobe: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    (factprobe.folder / "facts.csv").write_text(FACTS)
    (factprobe.folder / "said.jsonl").write_text(
        '{"question_id": "capitalCity", "response": "The capital of [X] is [Y]."}\n'
        '{"question_id": "lies in", "response": "It is a place."}\n'
    )
    command = ["step=inspect", "kg=csv", "kg.source=facts.csv", "inspect.templates=model", "model=replay"]
    ended = factprobe(*command, "model.path=said.jsonl")
    assert ended.code == 0, ended.err
    assert "1 of 2 relations worded" in ended.out
    assert "it does not contain [X] and [Y] once each (1)" in caplog.text
    worded = factprobe.folder / "outputs/csv/worded.yaml"
    text = worded.read_text()
    assert '"capitalCity":\n  - "The capital of [X] is [Y]."' in text
    again = factprobe(*command, "model.path=said.jsonl", "kg.templates=outputs/csv/worded.yaml")
    assert "Georgia" in again.out
    assert worded.read_text() == text
    extracted = factprobe("step=extract", "kg=csv", "kg.source=facts.csv", "kg.templates=outputs/csv/worded.yaml")
    assert extracted.code == 0, extracted.err
    assert "The capital of [X] is [Y]." in (factprobe.folder / "outputs/csv/triplets/capitalCity.jsonl").read_text()


def test_the_report_shows_it(factprobe: CommandLine) -> None:
    command = ["kg=trex", "relations=[P36]", "limit=2", "model=scripted"]
    assert factprobe("step=inspect", *command).code == 0
    assert factprobe("step=all", *command).code == 0
    folder = factprobe.folder / "outputs/trex"
    assert "The graph&#39;s relations" in (folder / "report.html").read_text()
    assert "## The graph's relations" in (folder / "report.md").read_text()


@pytest.mark.parametrize("source", ["facts.csv", "data/facts.csv", "{folder}/facts.csv"])
def test_the_report_shows_it_while_the_file_is_as_it_was(
    factprobe: CommandLine, caplog: pytest.LogCaptureFixture, source: str
) -> None:
    source = source.format(folder=factprobe.folder)
    facts = factprobe.folder / source
    facts.parent.mkdir(exist_ok=True)
    facts.write_text(FACTS)
    command = ["kg=csv", f"kg.source={source}", "model=scripted"]
    for step in ("inspect", "all"):
        assert factprobe(f"step={step}", *command).code == 0
    report = factprobe.folder / "outputs/csv/report.md"
    assert "## The graph's relations" in report.read_text()
    assert "left out" not in caplog.text
    facts.write_text(FACTS + "Q6,Peru,capitalCity,Lima\n")
    assert factprobe("step=report", *command).code == 0
    assert "## The graph's relations" not in report.read_text()
    assert (
        "inspect.json: its inputs have changed since step=inspect, and it is left out; run step=inspect again"
        in caplog.text
    )


def test_relations_without_a_template(factprobe: CommandLine) -> None:
    """Nothing can be extracted of it, which is said there; here it is a row like any other."""
    folder = factprobe.folder / "data"
    (folder / "TREx").mkdir(parents=True)
    (folder / "relations.jsonl").write_text('{"relation": "P36", "template": "", "label": "capital"}\n')
    line = {"sub_uri": "Q1", "sub_label": "France", "obj_uri": "Q2", "obj_label": "Paris"}
    (folder / "TREx/P36.jsonl").write_text(json.dumps(line))
    ended = factprobe("step=inspect", "kg=trex", "kg.data_dir=data/TREx")
    assert "no template: nothing is asked" in ended.out, ended.err
