"""A graph without files, through the command line and from Python."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import factprobe as fp
from factprobe.kgs import kgs
from factprobe.records import Relation, Triplet
from factprobe.storage import Layout
from tests.command_line import CommandLine
from tests.kgs.memory import FACTS, Memory


@pytest.fixture(autouse=True)
def memory() -> None:
    kgs.register("memory")(Memory)


def test_command_line_runs_all_steps(factprobe: CommandLine, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    code, out, err = factprobe("step=all", "kg=memory", "model=scripted", "model.rule=gold")
    assert code == 0, err
    assert "extract: 2 relations, 6 triplets" in out
    assert caplog.messages == ["memory: no data for 1 of the relations described: source"]
    manifest = json.loads((tmp_path / "outputs/memory/manifest.json").read_text())
    assert manifest["extract"]["inputs"] == {}
    assert manifest["extract"]["counts"]["facts_read"] == 7
    (total,) = [row for row in json.loads((tmp_path / "outputs/memory/scores.json").read_text()) if is_total(row)]
    assert total["accuracy"] == 1
    assert total["questions"] == total["correct"] > 0


def is_total(row: dict[str, str]) -> bool:
    return row["level"] == "total" and row["average"] == "micro"


def test_error_without_facts_names_the_graph(factprobe: CommandLine) -> None:
    line = factprobe.fails("step=extract", "kg=memory", "relations=[source]")
    assert line == "factprobe: error: memory: no relation has data"


def test_relation_without_template_is_reported(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "load_relations", lambda self: [Relation("mouth", "")])
    assert "memory: relation 'mouth' has no template" in factprobe.fails("step=extract", "kg=memory")


def test_python_makes_the_same_questions(factprobe: CommandLine, tmp_path: Path) -> None:
    assert factprobe("step=extract", "kg=memory").code == 0
    assert factprobe("step=generate", "kg=memory").code == 0
    files = sorted(Layout(tmp_path / "outputs/memory").questions("template", "mouth").parent.glob("*.jsonl"))
    written = {json.loads(line)["question_id"] for file in files for line in file.read_text().splitlines()}

    kg = fp.load_kg("memory")
    questions = fp.make_questions(kg)
    assert {question.question_id for question in questions} == written
    assert list(fp.summarise(kg, "crosses").node_summary.subjects) == ["danube", "inn"]
    responses = fp.ask_model(fp.load_model("scripted", rule="gold"), questions)
    grades = fp.grade_responses(kg, questions, responses)
    assert {grade.verdict for grade in grades} == {"correct"}
    assert fp.score(kg, questions, grades)


def test_networkx_needs_no_files() -> None:
    graph = fp.load_kg("memory").to_networkx()
    assert graph.number_of_edges() == sum(len(set(pairs)) for pairs in FACTS.values())
    assert graph.nodes["danube"]["label"] == "Danube"


class Renamed(Memory):
    """Its relations are filed under other names, and its facts are looked up by the source's own."""

    def get_relation_name(self, relation: Relation) -> str:
        return f"river/{relation.relation}"

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        assert relation in self.load_relations()
        return super().facts(relation)


def test_facts_are_requested_with_the_source_relation(factprobe: CommandLine, tmp_path: Path) -> None:
    kgs.register("renamed")(Renamed)
    code, out, err = factprobe("step=extract", "kg=renamed")
    assert code == 0, err
    assert "2 relations, 6 triplets" in out
    triplets = Layout(tmp_path / "outputs/renamed").triplets("river/mouth").read_text().splitlines()
    assert {json.loads(line)["relation_info"]["relation"] for line in triplets} == {"river/mouth"}
    assert {question.relation for question in fp.make_questions(fp.load_kg("renamed"))} == {
        "river/mouth",
        "river/crosses",
    }


class Described(Memory):
    """It describes far more relations than it has data for."""

    def load_relations(self) -> Iterable[Relation]:
        return [*super().load_relations(), *(Relation(f"R{number}", "[X] is [Y].") for number in range(1000))]


def test_many_relations_without_data_give_one_short_warning(
    factprobe: CommandLine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kgs.register("described")(Described)
    assert factprobe("step=extract", "kg=described").code == 0
    (message,) = caplog.messages
    assert message.startswith("described: no data for 1001 of the relations described: source, R0, R1, ")
    assert message.endswith(" and 951 more")
    manifest = json.loads((tmp_path / "outputs/described/manifest.json").read_text())
    assert len(manifest["extract"]["counts"]["relations_without_data"]) == 1001
