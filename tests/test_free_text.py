"""Claims and hallucinations of free texts from Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import factprobe
from factprobe.errors import ConfigError, DataError
from tests.checkers.parts import register
from tests.models.server import completion, endpoint, model_at

TEXT = "Paris is the capital of France. Melbourne lies in Austria."


@pytest.fixture(autouse=True)
def parts() -> None:
    register()


def test_texts_are_checked_against_the_graph() -> None:
    found = factprobe.check([TEXT, ""])
    assert [verdict.label for verdict in found[0].verdicts] == ["Entailment", "Contradiction"]
    assert found.records[0]["response"] == TEXT
    assert found.records[0]["ys"] == ["Entailment", "Contradiction"]
    assert found.records[1]["Y"] == {"Entailment": 0, "Neutral": 0, "Contradiction": 0, "Abstain": 1}
    assert found.rates.with_claims == 1
    assert "Abstain" in str(found)


def test_claims_that_are_there_are_taken_as_they_are() -> None:
    claimed = factprobe.extract_claims([TEXT], kg=factprobe.load_kg("trex"))
    assert claimed.records[0]["triplets"][0][0] in ("Paris", "France")
    again = factprobe.check(claimed.records, claim_extractor="nobody", aggregator="strict")
    assert again[0].aggregate == "Contradiction"
    assert again.records[0]["details"][0]["facts"]


def test_a_file_and_other_parts(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"response": "Ada wrote notes"}\n{"no": 1}\n')
    found = factprobe.check(path, "tiny", claim_extractor="tiny", retriever="shelf", claim_format="sentence")
    assert found.records == [
        {
            "response": "Ada wrote notes",
            "claims": ["Ada wrote notes"],
            "ys": ["Entailment"],
            "Y": {"Entailment": 1.0, "Neutral": 0.0, "Contradiction": 0.0, "Abstain": 0.0},
            "reference": ["Ada wrote notes.", "not Ada wrote poems"],
            "retriever": "shelf",
            "details": [{"spans": [[0, 15]], "why": "said", "passage": 0}],
        }
    ]
    with pytest.raises(DataError, match="has no response"):
        factprobe.check(path, "tiny", claim_extractor="tiny", retriever="shelf", strict=True)


def test_a_model_of_ones_own_is_asked() -> None:
    def says(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        text = str(body["messages"])
        return 200, completion(json.dumps([["Ada", "wrote", "notes"]]) if "JSON list" in text else "Entailment")

    with endpoint(says) as server:
        model = model_at(server)
        text = {"response": "Ada wrote notes", "reference": "Ada wrote notes."}
        found = factprobe.check([text], "llm", claim_extractor="llm", model=model, aggregator="major")
        assert found.records[0]["triplets"] == [["Ada", "wrote", "notes"]]
        assert found[0].aggregate == "Entailment"
        named = {"name": "llm", "model": {"backend": "openai", "model": "m", "base_url": server.base_url}}
        assert factprobe.check(found.records, named)[0].labels == ["Entailment"]


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(
        ConfigError,
        match="claim_format: claim_extractor=graph gives no claims of the format sentence; it gives triplet",
    ):
        factprobe.extract_claims([TEXT], claim_format="sentence")
    with pytest.raises(ConfigError, match="no text has a reference"):
        factprobe.check([TEXT], "llm")
    with pytest.raises(ConfigError, match="did you mean 'graph'"):
        factprobe.check([TEXT], "graf")
    with pytest.raises(DataError, match="the texts: has no text"):
        factprobe.check([])


def test_a_model_of_ones_own_is_asked_by_those_who_vote() -> None:
    with endpoint(lambda _: (200, completion("Contradiction"))) as server:
        vote = {"name": "majority", "checkers": ["graph", "llm"], "tie": "Neutral"}
        text = {"response": "r", "reference": "x", "triplets": [["Paris", "is the capital of", "France"]]}
        [found] = factprobe.check([text], vote, model=model_at(server))
        assert len(server.requests) == 1
        assert found.verdicts[0].why == "a tie: graph: Entailment, llm: Contradiction"


def test_what_holds_no_claim_has_them_under_the_key_of_the_extractor(caplog: pytest.LogCaptureFixture) -> None:
    assert factprobe.extract_claims([""], "sentences").records == [{"response": "", "claims": [], "details": []}]
    found = factprobe.check([{"response": "", "reference": "x"}], "tiny", claim_extractor="sentences")
    assert found.records[0]["claims"] == []
    caplog.clear()
    factprobe.extract_claims(["Nothing here is an entity."])
    assert [record.getMessage() for record in caplog.records] == [
        "claim_extractor=graph finds no claim about entities of trex; another one, such as llm, may find some"
    ]


def test_a_graph_without_data_is_no_abstention(tmp_path: Path) -> None:
    relation = {"relation": "P36", "template": "The capital of [X] is [Y] .", "label": "capital", "type": "1-1"}
    (tmp_path / "relations.jsonl").write_text(json.dumps(relation))
    (tmp_path / "TREx").mkdir()
    with pytest.raises(DataError, match=r"no relation has data; name the folder with kg\.data_dir="):
        factprobe.check([TEXT], kg=factprobe.load_kg("trex", tmp_path))


def test_a_number_is_no_id_that_another_text_has() -> None:
    found = factprobe.check([{"id": "2", "response": "a"}, {"response": "b"}, {"id": "_2", "response": "c"}])
    assert [text.claimed.item.response for text in found] == ["a", "b", "c"]
    assert len({text.claimed.item.id for text in found}) == 3


def test_what_was_taken_out_is_checked() -> None:
    claimed = factprobe.extract_claims([TEXT])
    assert factprobe.check(claimed).records == factprobe.check(claimed.records).records


def test_half_a_character_is_no_name() -> None:
    [found] = factprobe.check([f"{TEXT} \ud800"])
    assert [verdict.label for verdict in found.verdicts] == ["Entailment", "Contradiction"]


JUDGED = '{"verdict": "hallucinated", "reason": ["It was 1815."]}'


def test_hallucinations_of_texts_and_records() -> None:
    with endpoint(lambda _: (200, completion(JUDGED))) as server:
        found = factprobe.detect(["In 1999.", {"hyp": " "}], "judge", model=model_at(server))
        assert [one.label for one in found] == ["Hallucination", None]
        assert found.records[0] == {
            "output": "In 1999.",
            "label": "Hallucination",
            "p(Hallucination)": 1.0,
            "detection": {"detector": "judge (m)", "reasons": ["It was 1815."]},
        }
        assert len(server.requests) == 1


def test_hallucinations_of_a_file_as_the_step_finds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spans = [{"replaced": f"it lies ==={words}=== then", "hallucination": n} for n, words in enumerate(("far", "in 9"))]
    Path("train.txt").write_text("\n".join(map(json.dumps, spans)))
    factprobe.run("step=train", "detector=hades_lr", "input=train.txt", "output=lr")
    factprobe.run("step=detect", "detector=hades_lr", "detector.path=lr", "input=train.txt")
    lines = Path("train.detected.txt").read_text().splitlines()
    found = factprobe.detect("train.txt", {"name": "hades_lr", "path": "lr"})
    assert found.records == [*map(json.loads, lines)]
    assert [one.label for one in found] == ["Not Hallucination", "Hallucination"]


def test_what_cannot_be_looked_at_is_said() -> None:
    with pytest.raises(ConfigError, match="is not trained; train it: step=train detector=hades_svm"):
        factprobe.detect(["x"], "hades_svm")
    with pytest.raises(DataError, match="record 1: has no text under hyp"):
        factprobe.detect([{"no": 1}], "judge")
    with pytest.raises(DataError, match="the texts: holds no records"):
        factprobe.detect([], "judge")
