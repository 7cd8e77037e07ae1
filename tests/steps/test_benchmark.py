"""step=benchmark on RefChecker's annotations, and on a few of the test's own; step=collect."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.checkers.parts import register
from tests.command_line import CommandLine
from tests.models.server import completion, endpoint, fault

TINY = ("claim_extractor=tiny", "checker=tiny")
LABELS = ("Entailment", "Neutral", "Contradiction")


@pytest.fixture(autouse=True)
def parts() -> None:
    register()


def response(name: str, said: str, *claims: tuple[str, str]) -> dict[str, Any]:
    annotated = [{"triplet": triplet.split(" ", 2), "human_label": label} for triplet, label in claims]
    return {"id": name, "response": said, "claude2_response_kg": annotated}


ANSWERS = [
    response("1", "Ada wrote notes. Ada ate fish", ("Ada wrote notes", "Entailment"), ("Ada ate fish", "Neutral")),
    response("2", "Tom ate fish", ("Tom ate fish", "Contradiction")),
    response("3", "I cannot say"),
    response("4", "Eva sang Carmen", ("Eva sang Carmen", "Entailment"), ("Eva sang ???", "Neutral")),
    response("5", "not asked", ("Eva sang Aida", "Neutral")),
]
REFERENCES = [
    {"id": "1", "question": "What did Ada do?", "reference": ["Ada wrote notes.", "Ada ate fish"]},
    {"id": 2, "question": "What did Tom eat?", "reference": "not Tom ate fish"},
    {"id": "3", "question": "Who?", "reference": "x"},
    {"id": "4", "question": "What did Eva sing?", "reference": "Eva sang Carmen"},
]


@pytest.fixture(name="annotations")
def annotations_folder(factprobe: CommandLine) -> Path:
    folder = factprobe.folder / "annotations"
    (folder / "zero_context").mkdir(parents=True)
    (folder / "zero_context/nq_tiny_model_7B_answers.json").write_text(json.dumps(ANSWERS))
    (folder / "other.json").write_text("[]")
    (factprobe.folder / "references.json").write_text(json.dumps(REFERENCES))
    return folder


def run(factprobe: CommandLine, *arguments: str) -> list[dict[str, Any]]:
    result = factprobe("step=benchmark", "output=benchmark.json", *TINY, *arguments)
    assert result.code == 0, result.err
    found: list[dict[str, Any]] = json.loads((factprobe.folder / "benchmark.json").read_text())
    return found


@pytest.mark.shared
def test_the_rates_are_those_of_the_published_labels(factprobe: CommandLine, data: Path) -> None:
    rows = run(factprobe, f"input={data / 'refchecker'}")
    assert len(rows) == 15
    assert sum(row["claims"] for row in rows) == 7042
    assert {row["setting"] for row in rows} == {"zero_context", "noisy_context", "accurate_context"}
    for row in rows:
        path = data / f"refchecker/{row['setting']}/{row['dataset']}_{row['model']}_answers.json"
        responses = [
            [claim["human_label"] for claim in one["claude2_response_kg"]] for one in json.loads(path.read_text())
        ]
        assert row["responses"] == len(responses) == 100
        assert row["claims"] == sum(map(len, responses))
        claiming = [labels for labels in responses if labels]
        for label in LABELS:
            rates = [labels.count(label) / len(labels) for labels in claiming]
            assert row[label.lower()] == pytest.approx(sum(rates) / 100)
            assert row["with_claims"][label.lower()] == pytest.approx(fmean(rates))
        assert row["abstain"] == pytest.approx(1 - len(claiming) / 100)
        assert row["with_claims"]["responses"] == len(claiming)
        assert row["entailment"] + row["neutral"] + row["contradiction"] + row["abstain"] == pytest.approx(1)
        for name, (low, high) in row["intervals"].items():
            assert low <= row[name] <= high


def test_a_checker_is_held_against_people(factprobe: CommandLine, annotations: Path) -> None:
    [row] = run(factprobe, f"input={annotations}", "references=references.json")
    assert (row["setting"], row["dataset"], row["model"]) == ("zero_context", "nq", "tiny_model_7B")
    assert (row["responses"], row["claims"], row["abstain"]) == (5, 6, 0.2)
    assert row["entailment"] == pytest.approx((0.5 + 0 + 0 + 0.5 + 0) / 5)
    majority, triplets, extracted = row["agreement"]
    assert (majority["checker"], triplets["checker"], extracted["claims_of"]) == ("majority class", "tiny", "tiny")
    assert majority["labels"]["accuracy"]["estimate"] == pytest.approx(2 / 5)
    # the checker says of the five claims: Entailment, Entailment, Contradiction, Entailment, nothing
    assert (triplets["claims"], triplets["unclear"]) == (5, 1)
    assert triplets["labels"]["accuracy"]["estimate"] == pytest.approx(3 / 5)
    assert triplets["labels"]["f1_factual"]["estimate"] == pytest.approx(2 * 2 / (2 * 2 + 1 + 0))
    assert triplets["labels"]["f1_nonfactual"]["estimate"] == pytest.approx(2 * 1 / (2 * 1 + 0 + 2))
    assert triplets["rates"]["responses"] == 3
    # people: 0.5, 0, 0.5 of Entailment; the checker 1, 0, 1
    assert triplets["rates"]["pearson"]["Entailment"]["estimate"] == pytest.approx(1)
    assert triplets["rates"]["spearman"]["Entailment"]["estimate"] == pytest.approx(1)
    assert triplets["rates"]["pearson"]["Neutral"] is None
    assert extracted["labels"] is None
    assert extracted["claims"] == 5
    assert row["agreement"][0]["rates"] is None


def test_claims_that_nobody_labelled_are_not_counted(factprobe: CommandLine, annotations: Path) -> None:
    path = annotations / "zero_context/nq_tiny_model_7B_answers.json"
    answers = json.loads(path.read_text())
    answers[3]["claude2_response_kg"][1]["human_label"] = None
    path.write_text(json.dumps(answers))
    [row] = run(factprobe, f"input={annotations}", "references=references.json")
    _, triplets, _ = row["agreement"]
    assert (triplets["claims"], triplets["unclear"]) == (4, 0)
    assert triplets["labels"]["accuracy"]["estimate"] == pytest.approx(3 / 4)


def test_the_tables_fit_eighty_columns_and_tell_who_checked(
    factprobe: CommandLine, annotations: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    file = annotations / "zero_context/nq_tiny_model_7B_answers.json"
    file.rename(file.with_name("msmarco_falcon_40B_instruct_answers.json"))
    command = ("step=benchmark", f"input={annotations}", "output=b.json", "claim_extractor=tiny")
    alone = factprobe(*command, "checker=tiny").out
    assert alone.rstrip().endswith("; a checker's agreement with people needs references=FILE")
    asked = factprobe(*command, "checker=llm", "checker.model=scripted", "references=references.json")
    assert asked.code == 0, asked.err
    table, _, last = asked.out.rstrip().rpartition("\n")
    assert max(map(len, table.splitlines())) <= 80
    assert "needs references" not in last
    assert "no room" not in table
    assert "…" not in table
    for words in ("Labels by llm (scripted)", "abstain", "F1 non-factual", "Spearman", "falcon_40B_instruct"):
        assert words in table
    lines = table.splitlines()
    [at] = [i for i, line in enumerate(lines) if line.startswith("   falcon_40B_instruct  ")]
    assert lines[at + 1].count("–") == 4, "the intervals of the rates"
    [row] = json.loads((factprobe.folder / "b.json").read_text())
    assert [one["checker_models"] for one in row["agreement"]] == [[], ["scripted"], ["scripted"]]


def test_who_has_no_vote_is_counted(factprobe: CommandLine, annotations: Path) -> None:
    vote = ("checker=majority", "checker.checkers=[tiny,{name: other, method: tiny}]", "claim_extractor=tiny")
    result = factprobe("step=benchmark", f"input={annotations}", "references=references.json", *vote)
    assert result.code == 0, result.err
    [manifest] = factprobe.folder.glob("outputs/**/manifest.json")
    counts = json.loads(manifest.read_text())["benchmark"]["counts"]
    assert counts["left_out"] == {"tiny": 1, "other": 1}
    assert (counts["responses"], counts["claims"], counts["unlabelled"]) == (5, 6, 0)


def test_claims_in_another_format_stand_beside(factprobe: CommandLine, annotations: Path) -> None:
    [row] = run(factprobe, f"input={annotations}", "references=references.json", "claim_format=sentence")
    assert [one["claim_format"] for one in row["agreement"]] == ["triplet", "triplet", "sentence"]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "input: no file is named"),
        (["input=nowhere"], "holds none of RefChecker's annotation files"),
        (["input=annotations", "references=other.json"], "references: has the id of no response"),
        (["input=annotations", "references=annotations/other.json"], "holds no question"),
    ],
)
def test_what_is_missing_is_said_in_a_line(
    factprobe: CommandLine, annotations: Path, arguments: list[str], part: str
) -> None:
    (factprobe.folder / "other.json").write_text('[{"id": "x", "question": "?"}]')
    assert part in factprobe.fails("step=benchmark", *TINY, *arguments)


def says(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    text = body["messages"][-1]["content"]
    return (400, fault("no")) if "Tom" in text else (200, completion(f"<think>hm</think>To {len(text)}"))


@pytest.mark.parametrize("setting", ["zero_context", "noisy_context", "accurate_context"])
def test_responses_are_collected_for_a_check(factprobe: CommandLine, annotations: Path, setting: str) -> None:
    with endpoint(says) as server:
        model = ["model=openai", "model.model=m", f"model.base_url={server.base_url}", "model.max_retries=0"]
        command = ["step=collect", "references=references.json", f"collect={setting}", *model]
        result = factprobe(*command)
        assert result.code == 0, result.err
        ids = "34" if setting == "accurate_context" else "134"
        assert f"{len(ids)} responses to {len(ids) + 1} questions of m" in result.out
        assert f"1 of {len(ids) + 1} questions has no answer of m" in result.err
        found = json.loads((factprobe.folder / f"references.{setting}.m.json").read_text())
        assert [(one["id"], one["setting"], one["model"]) for one in found] == [(name, setting, "m") for name in ids]
        assert all(one["response"].startswith("To ") for one in found)
        assert all(("reference" in one) == (setting != "zero_context") for one in found)
        asked = [body["messages"][-1]["content"] for body in server.requests if "Ada" in str(body)]
        assert ["Passage 2: Ada ate fish" in text for text in asked] == {"a": [], "n": [True], "z": [False]}[setting[0]]
        again = len(server.requests)
        assert factprobe(*command).code == 0
        assert len(server.requests) == again + 1, "only what has no answer is asked again"
        found_by = ["retriever=shelf"] if setting == "zero_context" else []
        assert factprobe("step=extract_check", f"input=references.{setting}.m.json", *TINY, *found_by).code == 0


def test_the_first_responses_and_questions_alone(factprobe: CommandLine, annotations: Path) -> None:
    [row] = run(factprobe, f"input={annotations}", "references=references.json", "limit=2")
    assert (row["responses"], row["claims"], row["agreement"][1]["claims"]) == (2, 3, 3)
    assert factprobe("step=collect", "references=references.json", "model=scripted", "limit=3").code == 0
    assert len(json.loads((factprobe.folder / "references.zero_context.scripted.json").read_text())) == 3


def test_without_a_passage_nothing_is_asked_about_it(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    (factprobe.folder / "asked.jsonl").write_text('{"id": "1", "question": "Who?"}\n{"id": "2", "question": " "}\n')
    command = ("step=collect", "references=asked.jsonl", "model=scripted")
    assert "holds nothing that can be asked" in factprobe.fails(*command, "collect=noisy_context")
    assert [record.getMessage() for record in caplog.records] == [
        "asked.jsonl, id 1: has no reference; skipped",
        "asked.jsonl, id 2: has no question; skipped",
    ]
    assert factprobe(*command).code == 0
    [line] = (factprobe.folder / "asked.zero_context.scripted.jsonl").read_text().splitlines()
    assert json.loads(line)["response"] == "I don't know."


def test_what_nobody_has_labelled_has_no_part(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    unlabelled = {"triplet": ["Tom", "ate", "fish"]}
    records = [
        {**ANSWERS[0], "triplets": [["Ada", "sang", "Aida"]], "ys": ["Neutral"]},  # of an earlier check
        {"id": "2", "response": "Tom ate fish", "claude2_response_kg": [unlabelled]},
        {"id": "3", "response": "Never looked at", "triplets": [["Ada", "sang", "Aida"]]},
        ANSWERS[3],
        {"id": "5", "response": "I cannot say", "claude2_response_kg": []},
    ]
    for folder, content in (("zero", records), ("people/zero", records), ("none", records[1:3])):
        path = factprobe.folder / "annotations" / folder / "nq_m_answers.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content))
    (factprobe.folder / "references.json").write_text(json.dumps(REFERENCES))
    nobody, apart, row = run(factprobe, "input=annotations", "references=references.json")
    assert (nobody["responses"], nobody["unlabelled"], nobody["entailment"]) == (0, 2, None)
    assert nobody["agreement"] == []
    assert apart == row
    assert (row["responses"], row["unlabelled"], row["with_claims"]["responses"]) == (3, 2, 2)
    assert row["abstain"] == pytest.approx(1 / 3)
    assert row["entailment"] == pytest.approx(1 / 3)
    assert [one["claims"] for one in row["agreement"]] == [4, 4, 3]
    assert row["agreement"][1]["rates"]["responses"] == 2
    assert "6 responses without labels of people" in caplog.text
    here = factprobe.folder / "annotations"
    (here / "zero/nq_m_answers.json").unlink()
    (here / "people/zero/nq_m_answers.json").unlink()
    assert run(factprobe, "input=annotations", "references=references.json")[0]["agreement"] == []


def test_no_two_requests_have_one_id(factprobe: CommandLine) -> None:
    for folder in ("zero", "people/zero"):
        path = factprobe.folder / "annotations" / folder / "nq_m_answers.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(ANSWERS[:2]))
    (factprobe.folder / "references.json").write_text(json.dumps(REFERENCES))
    result = factprobe(
        "step=benchmark",
        "input=annotations",
        "references=references.json",
        "claim_extractor=tiny",
        "checker=llm",
        "checker.model=scripted",
    )
    assert result.code == 0, result.err
    [asked] = factprobe.folder.glob("outputs/**/checker=llm/*/questions/check.jsonl")
    ids = [json.loads(line)["question_id"] for line in asked.read_text().splitlines()]
    assert len(ids) == len({*ids}) > 8


def test_several_passages_are_no_accurate_context(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    (factprobe.folder / "references.json").write_text(json.dumps(REFERENCES))
    command = ("step=collect", "references=references.json", "model=scripted", "collect=accurate_context")
    assert factprobe(*command).code == 0
    assert len(json.loads((factprobe.folder / "references.accurate_context.scripted.json").read_text())) == 3
    assert [record.getMessage() for record in caplog.records] == [
        "references.json, id 1: has several passages, which are for collect=noisy_context; skipped"
    ]
