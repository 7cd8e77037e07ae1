"""step=study on the command line: the two experiments, what lies where, and what is wrong."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from factprobe.metrics.agreement.detection import study_scores
from factprobe.models.embedders import Embedder
from factprobe.records import (
    HALLUCINATION,
    HALLUCINATION_LABELS,
    NOT_HALLUCINATION,
    Detection,
    DetectorItem,
    HumanLabel,
)
from factprobe.reports.free_text.study import study_document
from factprobe.reports.terminal import plain_text
from tests.command_line import CommandLine
from tests.models.server import completion, endpoint
from tests.steps.test_detect import ASKING, GOLD, RECORDS, read, write

POOL = [{**RECORDS[n % 4], "hyp": f"pool {n}", "src": f"of {n}"} for n in range(8)]
PARTS = [
    "all",
    "without examples",
    "and without the task",
    "and without the role",
    "and without the concept",
]


class Flat(Embedder):
    """All texts are alike."""

    def __init__(self, name: str) -> None:
        pass

    def embed(self, texts: Any) -> Any:
        return np.ones((len(texts), 1), np.float32)


@pytest.fixture
def study(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setattr("factprobe.models.embedders.embedders._classes", {"minilm": Flat})
    write(factprobe, "val.json", GOLD)
    write(factprobe, "pool.json", POOL)
    return factprobe


def says(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    text = body["messages"][-1]["content"]
    return 200, completion(HALLUCINATION if "out 3" in text or "pool" in text else NOT_HALLUCINATION)


def test_the_ablation_by_one_command(study: CommandLine) -> None:
    with endpoint(says) as server:
        command = ["experiment=shroom_ablation", "input=val.json", "detector.unlabelled=pool.json", *ASKING]
        command += [f"detector.model.base_url={server.base_url}", "study.passes=2", "detector.unlabelled_per_task=2"]
        code, out, err = study(*command)
        assert code == 0, err
        assert "study: 5 variants in 2 passes on 4 items" in out
        asked = len(server.requests)
        assert {body["temperature"] for body in server.requests} == {1.0}
        assert study(*command).code == 0
        assert len(server.requests) == asked, "nothing is asked twice"
    rows = read(study, "outputs/val/study.json")
    found = {(row["variant"], row["measure"]): row for row in rows}
    assert list(dict.fromkeys(row["variant"] for row in rows)) == ["majority class", *PARTS]
    assert found["all", "accuracy"]["passes"] == [1.0, 1.0]
    assert found["all", "accuracy"]["estimate"] == 1.0
    assert found["majority class", "accuracy"]["estimate"] == 0.75
    folder = study.folder / "outputs/val/study/Parts of the prompt"
    assert sorted(path.name for path in folder.iterdir()) == sorted(PARTS)
    page = (study.folder / "outputs/val/study.html").read_text()
    assert all(part in page for part in PARTS)
    assert page.count("<rect") > 2 * len(PARTS)


def test_context_length_is_a_curve(factprobe: CommandLine) -> None:
    spans = [
        {"replaced": f"it was {'very ' * 9}{'===1999===' if n % 2 else '===right==='} then", "hallucination": n % 2}
        for n in range(8)
    ]
    (factprobe.folder / "spans.txt").write_text("\n".join(map(json.dumps, spans)))
    assert factprobe("step=train", "detector=hades_lr", "input=spans.txt", "output=lr").code == 0
    code, out, err = factprobe(
        "experiment=hades_context", "input=spans.txt", "detector=hades_lr", "detector.path=lr", "output_dir=x"
    )
    assert code == 0, err
    assert "study: 6 variants in 1 passes on 8 items" in out
    rows = read(factprobe, "x/study.json")
    lengths = [row["variant"] for row in rows if row["measure"] == "roc_auc" and row["variant"] != "majority class"]
    assert lengths == ["5", "10", "20", "40", "80", "all"]
    page = (factprobe.folder / "x/study.html").read_text()
    assert page.count("<polyline") == 3, "accuracy, ROC AUC and the majority class"
    assert all(f">{length}</text>" in page for length in lengths)
    assert "5: accuracy 1.000 (" in page


def test_a_limit_is_of_the_items(study: CommandLine) -> None:
    """Whatever the others are, which have been paid for when they are held against people's labels."""
    with endpoint(says) as server:
        command = ["experiment=shroom_ablation", "input=val.json", "detector.unlabelled=pool.json", *ASKING]
        command += [f"detector.model.base_url={server.base_url}", "study.passes=1", "limit=2"]
        code, out, err = study(*command)
    assert code == 0, err
    assert "study: 5 variants in 1 passes on 2 items" in out


def test_samples_without_a_clean_label_are_told() -> None:
    people = [(DetectorItem(str(n), "out"), HumanLabel(label)) for n, label in enumerate(HALLUCINATION_LABELS)]
    said = [Detection(HALLUCINATION, 1.0, unparsed=3), Detection(NOT_HALLUCINATION, 0.0)]
    clean = study_scores("samples", "one", people, [[one] * 2 for one in said[1:]])
    rows = [*clean, *study_scores("samples", "two", people, [said, said])]
    table = plain_text(study_document("", rows).blocks)
    assert table.endswith("samples: samples without a clean label: two (6)")
    assert "Fleiss" not in table


def test_the_parts_are_taken_away_in_sequence(study: CommandLine) -> None:
    with endpoint(says) as server:
        command = ["experiment=shroom_ablation", "input=val.json", "detector.unlabelled=pool.json", *ASKING]
        command += [f"detector.model.base_url={server.base_url}", "study.passes=1", "cache=off"]
        assert study(*command).code == 0
        evaluated = [body["messages"] for body in server.requests if "out " in body["messages"][-1]["content"]]
    sizes = {(len(messages), len(messages[0]["content"])) for messages in evaluated if "out 0" in str(messages[-1])}
    assert sorted({count for count, _ in sizes}) == [2, 4]
    assert len({size for count, size in sizes if count == 2}) == 4


def test_the_hyperparameters_vary_one_at_a_time(study: CommandLine) -> None:
    with endpoint(says) as server:
        command = ["experiment=shroom_hyperparameters", "input=val.json", "detector.unlabelled=pool.json", *ASKING]
        command += [f"detector.model.base_url={server.base_url}", "study.passes=1"]
        assert study(*command).code == 0
    rows = read(study, "outputs/val/study.json")
    assert {row["panel"] for row in rows} == {"Temperature", "Samples", "Examples of each label"}
    config = json.loads((study.folder / "outputs/val/study/Samples/20/0/manifest.json").read_text())["detect"]["config"]
    assert config["detector"]["samples"] == 20
    assert config["detector"]["model"]["temperature"] == 1.0
    assert config["detector"]["examples"] == 1


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["step=study", "input=val.json", "detector=judge"], "study: is not set; choose one with experiment="),
        (["experiment=shroom_ablation", "input=val.json"], "detector.unlabelled: is not set"),
        (
            [
                "experiment=shroom_ablation",
                "input=val.json",
                "detector.unlabelled=pool.json",
                "+study.settings.sample=1",
            ],
            "unknown setting 'detector.sample'",
        ),
        (["experiment=shroom_ablation", "input=bare.json", "detector.unlabelled=pool.json"], "has neither label nor"),
        (["experiment=nonsense"], "nonsense"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(study: CommandLine, arguments: list[str], what: str) -> None:
    write(study, "bare.json", RECORDS)
    assert what in study.fails(*arguments)
