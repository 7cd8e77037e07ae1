"""The whole run with the scripted model: the contract's files, resuming, determinism, the published data."""

from __future__ import annotations

import csv
import json
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from factprobe.evaluators import grade
from factprobe.records import Grade, GraphSummary, Question, RelationSummary, Response
from factprobe.storage import Layout, Lines, Problems, read_json
from tests.command_line import CommandLine, process
from tests.models.server import completion, endpoint

RELATION_INFO = {"relation", "template", "label", "description", "type", "subject_symbol", "object_symbol"}
CONTRACT = {
    "triplets": {"subject_label", "object_label", "object_uri", "subject_uri", "relation_info"},
    "questions": {"question_id", "question_type", "prompts", "answers", "relation", "subject_uri", "object_uri"},
    "responses": {"question_id", "response", "finish_reason", "usage", "error"},
    "grades": {
        "question_id",
        "question_type",
        "verdict",
        "matched",
        "true_positives",
        "false_positives",
        "false_negatives",
        "rule",
    },
}


def records(folder: Path) -> list[dict[str, Any]]:
    """Every record of the JSON Lines files under a folder, read with nothing but the standard library."""
    return [json.loads(line) for path in sorted(folder.rglob("*.jsonl")) for line in path.read_text().splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file under a folder but the manifest, which tells the time."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "manifest.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_whole_run_leaves_the_files_of_the_contract(factprobe: CommandLine, tmp_path: Path) -> None:
    code, out, err = factprobe("step=all", "kg=trex", "model=scripted", "limit=4", "seed=3")
    assert code == 0, err
    root = tmp_path / "outputs/trex"
    for step in ("extract", "generate", "answer", "evaluate", "report"):
        assert f"{step}: " in out
    assert "total" in out
    for folder, keys in CONTRACT.items():
        found = records(root / folder)
        assert found
        assert all(keys <= record.keys() for record in found)
    assert all(record["relation_info"].keys() >= RELATION_INFO for record in records(root / "triplets"))
    summary = json.loads((root / "triplets/summary.json").read_text())
    assert summary["num_facts"] == len(records(root / "triplets")) == 4 * summary["num_relations"] == 64
    for relation in summary["relations"]:
        nodes = json.loads((root / f"triplets/{relation['relation']}.summary.json").read_text())["node_summary"]
        for uri, node in nodes["objects"].items():
            assert node["object_uri"] == uri
            assert all(uri in nodes["subjects"][subject]["objects"] for subject in node["subjects"])
    assert {path.parent.name for path in (root / "grades").rglob("*.jsonl")} == {"scripted"}
    ids = [question["question_id"] for question in records(root / "questions")]
    assert len(ids) == len(set(ids))
    assert sorted(ids) == sorted(response["question_id"] for response in records(root / "responses"))
    assert sorted(ids) == sorted(grade["question_id"] for grade in records(root / "grades"))


def test_scores_add_up(factprobe: CommandLine, tmp_path: Path) -> None:
    assert factprobe("step=all", "kg=trex", "model=scripted", "limit=4").code == 0
    root = tmp_path / "outputs/trex"
    with (root / "scores.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    same = json.loads((root / "scores.json").read_text())
    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in same] == rows
    verdicts = Counter(grade["verdict"] for grade in records(root / "grades"))
    total = next(row for row in same if row["level"] == "total" and row["average"] == "micro")
    assert {verdict: total[verdict] for verdict in verdicts} == verdicts
    assert total["questions"] == verdicts.total()
    assert total["accuracy"] == verdicts["correct"] / verdicts.total()
    cells = [row for row in same if row["level"] == "cell"]
    assert sum(row["questions"] for row in cells) == verdicts.total()


def test_the_manifest_tells_each_step(factprobe: CommandLine, tmp_path: Path) -> None:
    for seed in (1, 2):
        assert factprobe("step=all", "kg=trex", "model=scripted", "limit=2", f"seed={seed}").code == 0
    manifest = json.loads((tmp_path / "outputs/trex/manifest.json").read_text())
    for step in ("extract", "generate", "answer", "evaluate", "report"):
        entry = manifest[step]
        assert entry["seed"] == 2
        assert entry["config"]["model"]["backend"] == "scripted"
        assert entry["versions"].keys() >= {"factprobe", "python"}
        assert all(len(found) == 64 for found in entry["inputs"].values())
        assert entry["inputs"]
        assert entry["counts"]
        assert entry["seconds"] >= 0
    assert [entry["seed"] for entry in manifest["history"]] == [1] * 5


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_any_process(factprobe: CommandLine, tmp_path: Path) -> None:
    settings = ["step=all", "kg=trex", "limit=6", "model=scripted", "generator.ask=both"]
    for name, hash_seed in (("one", "1"), ("two", "2")):
        run = process(*settings, "seed=7", f"output_dir={name}", folder=tmp_path, PYTHONHASHSEED=hash_seed)
        _, err = run.communicate(timeout=60)
        assert run.returncode == 0, err
    assert factprobe(*settings, "seed=8", "output_dir=other").code == 0
    one, two, other = (contents(tmp_path / name) for name in ("one", "two", "other"))
    assert one == two
    assert one["questions/template/P36.jsonl"] != other["questions/template/P36.jsonl"]
    assert one["triplets/P36.jsonl"] == other["triplets/P36.jsonl"]


def test_a_second_run_asks_nothing_again(factprobe: CommandLine) -> None:
    settings = ["kg=trex", "model=openai", "model.model=stub", "relations=[P36]", "limit=5"]
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        settings.append(f"model.base_url={server.base_url}")
        assert factprobe("step=all", *settings).code == 0
        asked = len(server.requests)
        assert asked == 20
        result = factprobe("step=answer", *settings)
        assert "0 responses, 20 kept from before" in result.out
        assert len(server.requests) == asked
        assert factprobe("step=answer", *settings, "model.max_tokens=9").code == 0
        assert len(server.requests) == 2 * asked
        assert "20 kept" in factprobe("step=answer", *settings).out


def test_the_report_shows_no_more_questions_than_it_is_told(factprobe: CommandLine, tmp_path: Path) -> None:
    settings = ["kg=trex", "model=scripted", "limit=2", "relations=[P36,P37,P19]"]
    assert factprobe("step=all", *settings).code == 0
    page = tmp_path / "outputs/trex/report.html"
    grades = len(records(tmp_path / "outputs/trex/grades"))
    for samples, shown in ((4, 4), (0, 0), (1000, grades)):
        assert factprobe("step=report", *settings, f"samples={samples}").code == 0
        assert page.read_text().count("<tr data-verdict=") == shown


def test_failed_questions_are_asked_again_and_counted(factprobe: CommandLine, tmp_path: Path) -> None:
    broken = True
    settings = ["kg=trex", "model=openai", "model.model=stub", "relations=[P36]", "limit=3", "model.max_retries=0"]

    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        failing = broken and "France" in body["messages"][-1]["content"]
        return (500, {"error": {"message": "out of order"}}) if failing else (200, completion("Paris"))

    with endpoint(answer) as server:
        settings.append(f"model.base_url={server.base_url}")
        result = factprobe("step=all", *settings)
        assert result.code == 0, result.err
        assert "4 failed" in result.out
        verdicts = [grade["verdict"] for grade in records(tmp_path / "outputs/trex/grades")]
        assert verdicts.count("failed") == 4
        rows = json.loads((tmp_path / "outputs/trex/scores.json").read_text())
        [total] = [row for row in rows if row["level"] == "total" and row["average"] == "micro"]
        assert (total["questions"], total["failed"]) == (12, 4)
        assert total["accuracy"] == total["correct"] / 8
        broken = False
        server.requests.clear()
        assert "4 responses, 8 kept" in factprobe("step=answer", *settings).out
        assert len(server.requests) == 4
    responses = records(tmp_path / "outputs/trex/responses")
    assert len(responses) == 12
    assert all(response["error"] is None for response in responses)


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(factprobe: CommandLine, tmp_path: Path) -> None:
    settings = ["kg=trex", "model=openai", "model.model=stub", "relations=[P36,P37]"]
    with endpoint(lambda body: (200, completion("Paris")), delay=0.05) as server:
        settings.append(f"model.base_url={server.base_url}")
        for step in ("extract", "generate"):
            assert factprobe(f"step={step}", *settings).code == 0
        root = tmp_path / "outputs/trex"
        questions = [question["question_id"] for question in records(root / "questions")]
        first = process("step=answer", *settings, folder=tmp_path)
        while len(server.requests) < 60:
            time.sleep(0.01)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        kept = sum(path.read_bytes().count(b"\n") for path in (root / "responses").rglob("*.jsonl"))
        before = len(server.requests)
        second = process("step=answer", *settings, folder=tmp_path)
        _, err = second.communicate(timeout=60)
        assert second.returncode == 0, err
        left = len(questions) - kept
        assert left - 8 <= len(server.requests) - before <= left  # those in flight may lie in the cache
    answered = [response["question_id"] for response in records(root / "responses")]
    assert sorted(answered) == sorted(questions)
    assert 0 < kept < len(questions)


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_answered(tmp_path: Path) -> None:
    settings = ["kg=trex", "model=openai", "model.model=stub", "relations=[P36]"]
    with endpoint(lambda body: (200, completion("Paris")), delay=0.05) as server:
        run = process("step=all", *settings, f"model.base_url={server.base_url}", folder=tmp_path)
        while len(server.requests) < 30:
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "Traceback" not in err
    assert "finished files and responses are kept" in err
    assert len(records(tmp_path / "outputs/trex/responses")) >= 20


def test_the_key_is_in_no_file(
    factprobe: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    key = "sk-secret-4f9a1c"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    settings = ["step=all", "kg=trex", "model=openai", "model.model=stub", "relations=[P36]", "limit=2"]
    with endpoint(lambda body: (401, {"error": {"message": "wrong key"}})) as server:
        _, out, err = factprobe(*settings, f"model.base_url={server.base_url}")
    assert server.keys == {f"Bearer {key}"}
    assert key not in out + err + caplog.text
    assert all(key.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_labels_as_data_sets_have_them(factprobe: CommandLine, tmp_path: Path) -> None:
    labels = ["[X]", "[MASK]", "{braces}", "a, b, c", 'say "hi"', "two\nlines", "long " * 5_000]
    labels += ["Café", "Cafe\u0301", ""]
    folder = tmp_path / "data"
    folder.mkdir()
    relation = {"relation": "P1", "template": "[X] is linked to [Y] .", "label": "linked", "type": "N-M"}
    (folder / "relations.jsonl").write_text(json.dumps(relation))
    facts = [
        {"sub_uri": f"S{i}", "sub_label": label, "obj_uri": f"O{i}", "obj_label": label}
        for i, label in enumerate(labels)
    ]
    (folder / "P1.jsonl").write_text("".join(json.dumps(fact) + "\n" for fact in [*facts, *facts[:3]]))
    code, _, err = factprobe("step=all", "kg.data_dir=data", "model=scripted", "model.rule=gold")
    assert code == 0, err
    root = tmp_path / "outputs/trex"
    triplets = records(root / "triplets")
    assert [triplet["object_label"] for triplet in triplets] == labels
    questions = records(root / "questions")
    counts = json.loads((root / "manifest.json").read_text())["generate"]["counts"]
    assert counts["not_made"] == {"an entity has no label": 4}
    assert len(questions) == 4 * (len(labels) - 1)
    assert {grade["verdict"] for grade in records(root / "grades")} == {"correct"}
    for question in questions:
        if question["question_type"] == "multi_choices":
            assert not {"Café", "Cafe\u0301"} <= set(question["choices"])


@pytest.mark.parametrize(
    ("kg", "question_types"),
    [
        ("trex", "single_answer"),
        ("trex", "multiple_answer"),
        *(pytest.param(kg, "multiple_answer", marks=pytest.mark.slow) for kg in ("umls", "bear", "google_re")),
    ],
)
@pytest.mark.slow
def test_a_relation_need_not_have_a_question(
    factprobe: CommandLine, tmp_path: Path, kg: str, question_types: str
) -> None:
    settings = [f"kg={kg}", "model=scripted", "model.rule=gold", f"generator.question_types=[{question_types}]"]
    code, _, err = factprobe("step=all", *settings)
    assert code == 0, err
    root = tmp_path / "outputs" / kg
    asked = records(root / "questions")
    assert {question["question_type"] for question in asked} <= {question_types}
    assert [grade["verdict"] for grade in records(root / "grades")] == ["correct"] * len(asked)
    names = {path.name for path in (root / "questions").rglob("*.jsonl")}
    assert names == {path.name for path in (root / "responses").rglob("*.jsonl")}
    assert factprobe("-m", "step=answer", *settings, "shard=0/2,1/2").code == 0
    assert factprobe("step=answer", *settings).code == 0


@pytest.mark.parametrize("content", ["", "\n\n", "not json\n{}\n"])
def test_a_relation_need_not_have_a_fact(factprobe: CommandLine, tmp_path: Path, content: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    described = [{"relation": name, "template": "[X] is near [Y] .", "type": "N-M"} for name in ("P1", "P2")]
    (folder / "relations.jsonl").write_text("".join(json.dumps(relation) + "\n" for relation in described))
    facts = [{"sub_uri": f"S{i}", "sub_label": f"S {i}", "obj_uri": f"O{i}", "obj_label": f"O {i}"} for i in range(5)]
    (folder / "P1.jsonl").write_text("".join(json.dumps(fact) + "\n" for fact in facts))
    (folder / "P2.jsonl").write_text(content)
    code, _, err = factprobe("step=all", "kg.data_dir=data", "model=scripted")
    assert code == 0, err
    assert len(records(tmp_path / "outputs/trex/grades")) == 20


def test_a_graph_without_a_fact_is_an_error(factprobe: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "relations.jsonl").write_text('{"relation": "P1", "template": "[X] is near [Y] .", "type": "N-M"}\n')
    (folder / "P1.jsonl").write_text("not json\n")
    line = factprobe.fails("step=all", "kg.data_dir=data", "model=scripted")
    assert "none of the 1 relations has a fact that can be read" in line


@pytest.mark.shared
@pytest.mark.parametrize(
    ("kg", "folder", "relations", "facts"),
    [
        pytest.param("trex", "lama/TREx", 20, 16_227, marks=pytest.mark.slow),
        ("google_re", "lama/Google_RE", 2, 4_762),
        pytest.param("umls", "umls", 15, 35_960, marks=pytest.mark.slow),
        pytest.param("bear", "bear", 60, 7_731, marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_the_published_data_sets(
    factprobe: CommandLine, data: Path, tmp_path: Path, kg: str, folder: str, relations: int, facts: int
) -> None:
    """Questions of all facts, of which every right answer is graded so; the whole run with a part of them."""
    settings = [f"kg={kg}", f"kg.data_dir={data / folder}", "model=scripted", "model.rule=gold"]
    for step in ("extract", "generate"):
        result = factprobe(f"step={step}", *settings)
        assert result.code == 0, result.err
    layout = Layout(tmp_path / "outputs" / kg)
    manifest = json.loads(layout.manifest.read_text())
    assert manifest["extract"]["counts"]["relations"] == relations
    assert manifest["extract"]["counts"]["triplets"] == facts
    assert manifest["extract"]["counts"]["broken_lines"] == 0
    made = manifest["generate"]["counts"]["questions"]
    assert made["binary_answer"] == 2 * facts
    assert made["multi_choices"] == facts
    verdicts = Counter(
        grade.verdict
        for relation in read_json(layout.graph_summary, GraphSummary).relations
        for grade in graded_right(layout, relation.relation)
    )
    assert verdicts == {"correct": sum(made.values())}
    result = factprobe("step=all", *settings, "limit=40", "output_dir=part")
    assert result.code == 0, result.err
    manifest = json.loads((tmp_path / "part/manifest.json").read_text())
    assert manifest["extract"]["counts"]["relations"] == relations
    made = manifest["generate"]["counts"]["questions"]
    assert made["multi_choices"] > 20 * relations
    assert manifest["evaluate"]["counts"]["verdicts"] == {"correct": sum(made.values())}
    assert (tmp_path / "part/report.html").stat().st_size > 10_000


def graded_right(layout: Layout, relation: str) -> Iterator[Grade]:
    """The grades of a relation's questions where each is given all its right answers."""
    questions = Lines(layout.questions("template", relation), Question, Problems(strict=True))
    replies = ((question, Response(question.question_id, gold(question), "stop", None, None)) for question in questions)
    return grade(replies, read_json(layout.summary(relation), RelationSummary))


def gold(question: Question) -> str:
    """All right answers, one a line."""
    named = question.answers
    return named if isinstance(named, str) else "\n".join(answer.label for answer in named)
