"""The steps that check texts: what they read and write, and what they ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.checkers.parts import register
from tests.command_line import CommandLine
from tests.inputs.replies import json_lines

TINY = ("claim_extractor=tiny", "checker=tiny")
TEXTS: list[dict[str, Any]] = [
    {"id": "a", "response": "Ada wrote notes. Ada wrote poems.", "reference": "Ada wrote notes.", "mine": [1]},
    {"response": "", "reference": ["Tom slept."]},
    {"id": "c", "response": "Tom ate ???", "question": "Who?", "reference": ["x", "Tom"]},
    {"id": "d", "response": "broken", "reference": "x"},
    {"id": "e", "response": "Tom ate fish. Tom ate meat", "reference": ["-", "not Tom ate fish, and Tom ate meat"]},
]


@pytest.fixture(autouse=True)
def parts() -> None:
    register()


def write(factprobe: CommandLine, records: Any = TEXTS, name: str = "in.json") -> Path:
    path = factprobe.folder / name
    path.write_text(json.dumps(records) if name.endswith(".json") else json_lines(records), encoding="utf-8")
    return path


def read(factprobe: CommandLine, name: str) -> Any:
    return json.loads((factprobe.folder / name).read_text(encoding="utf-8"))


def test_texts_are_taken_apart_and_checked(factprobe: CommandLine) -> None:
    write(factprobe)
    result = factprobe("step=extract_check", "input=in.json", "output=out/there.json", *TINY)
    assert result.code == 0, result.err
    first, empty, unclear, broken, last = read(factprobe, "out/there.json")
    assert list(first) == ["id", "response", "reference", "mine", "triplets", "ys", "Y", "details"]
    assert first["triplets"] == [["Ada", "wrote", "notes"], ["Ada", "wrote", "poems"]]
    assert first["ys"] == ["Entailment", "Neutral"]
    assert first["Y"] == {"Entailment": 0.5, "Neutral": 0.5, "Contradiction": 0.0, "Abstain": 0.0}
    assert first["details"][0] == {"spans": [[0, 33]], "why": "said", "passage": 0}
    assert (empty["triplets"], empty["ys"], empty["Y"]["Abstain"], empty["details"]) == ([], [], 1.0, [])
    assert (unclear["ys"], unclear["Y"], unclear["details"][0]["why"]) == ([None], None, "garbled")
    assert (broken["triplets"], broken["Y"], broken["fault"], broken["details"]) == ([], None, "cannot be read", [])
    assert last["ys"] == ["Contradiction", "Entailment"]
    assert last["details"][0]["probabilities"] == {"Contradiction": 0.75}
    assert (
        "5 texts with 5 claims; not all claims of 1 of them could be extracted, most often: cannot be read"
        in result.out
    )
    assert "1 of the claims without a clean verdict, most often: garbled → out/there.json" in result.out
    counts = read(factprobe, "outputs/in/manifest.json")["extract_check"]["counts"]
    assert (counts["faults"], counts["without_claims"], counts["unclear"]) == (1, 1, {"garbled": 1})
    assert counts["rates"]["rates"]["Abstain"]["estimate"] == pytest.approx(1 / 3)


def test_one_step_after_the_other_comes_to_the_same(factprobe: CommandLine) -> None:
    write(factprobe, name="in.jsonl")
    for step in ("extract_check", "extract_claims"):
        assert factprobe(f"step={step}", "input=in.jsonl", *TINY).code == 0
    assert factprobe("step=check", "input=in.claims.jsonl", *TINY).code == 0
    both, apart = (factprobe.folder / name for name in ("in.checked.jsonl", "in.claims.checked.jsonl"))
    assert both.read_bytes() == apart.read_bytes()
    assert len(both.read_text().splitlines()) == len(TEXTS)
    again = factprobe("step=check", "input=in.checked.jsonl", "output=again.jsonl", *TINY)
    assert again.code == 0
    assert (factprobe.folder / "again.jsonl").read_bytes() == both.read_bytes()


def test_sentences_stand_under_claims(factprobe: CommandLine) -> None:
    write(factprobe, [*TEXTS[:2]])
    assert factprobe("step=extract_check", "input=in.json", "claim_format=sentence", *TINY).code == 0
    found = read(factprobe, "in.checked.json")
    assert found[0]["claims"] == ["Ada wrote notes", "Ada wrote poems"]
    assert found[1]["claims"] == []
    assert "triplets" not in found[0]
    line = factprobe.fails("step=extract_check", "input=in.json", "claim_format=subsentence", *TINY)
    assert "claim_format: claim_extractor=tiny gives no claims of the format subsentence; it gives triplet" in line


@pytest.mark.parametrize(("failed", "code"), [(1, 0), (2, 4)])
def test_extraction_that_fails_for_most_texts_is_incomplete(factprobe: CommandLine, failed: int, code: int) -> None:
    broken, empty = {"response": "broken", "reference": "x"}, {"response": "", "reference": "x"}
    write(factprobe, [broken] * failed + [empty] * (3 - failed))
    result = factprobe("step=extract_check", "input=in.json", *TINY)
    assert (result.code, "no claim could be extracted, most often: cannot be read" in result.err) == (code, bool(code))


@pytest.mark.parametrize("name", ["strict", "major", "threshold"])
def test_a_label_for_the_whole(factprobe: CommandLine, name: str) -> None:
    write(factprobe)
    result = factprobe("step=extract_check", "input=in.json", *TINY, f"aggregator={name}")
    found = [record["Y"] for record in read(factprobe, "in.checked.json")]
    assert found == ["Neutral" if name == "strict" else "Entailment", "Abstain", None, None, "Contradiction"]
    assert "responses" in result.out


def test_references_are_retrieved_where_there_are_none(factprobe: CommandLine) -> None:
    texts = [{"response": "Ada wrote poems"}, {"response": "Tom ate fish"}, {"response": "Ada x y", "reference": "z"}]
    write(factprobe, texts)
    assert factprobe("step=extract_check", "input=in.json", *TINY, "retriever=shelf").code == 0
    ada, tom, own = read(factprobe, "in.checked.json")
    assert (ada["reference"], ada["retriever"]) == (["Ada wrote notes.", "not Ada wrote poems"], "shelf")
    assert ada["ys"] == ["Contradiction"]
    assert ada["details"][0]["passage"] == 1
    assert (tom["ys"], tom["Y"], "reference" in tom) == ([None], None, False)
    assert tom["details"][0]["why"] == "there is no reference to check it against"
    assert (own["reference"], own["ys"], "retriever" in own) == ("z", ["Neutral"], False)


def test_without_any_reference_it_is_said_before_anything_is_done(factprobe: CommandLine) -> None:
    write(factprobe, [{"response": "Ada x y"}])
    line = factprobe.fails("step=extract_check", "input=in.json", *TINY)
    assert "no text has a reference; name who finds them: retriever=bm25" in line
    assert not (factprobe.folder / "in.checked.json").exists()


def test_the_graph_is_read_by_who_wants_it(factprobe: CommandLine) -> None:
    write(factprobe, [{"response": "Ada P36 notes. Ada P37 notes"}])
    command = ("step=extract_check", "input=in.json", "claim_extractor=tiny", "checker=known", "relations=[P36]")
    assert factprobe(*command).code == 0
    found = read(factprobe, "in.checked.json")[0]
    assert found["ys"] == ["Entailment", "Neutral"]
    assert found["details"][0]["facts"] == [{"triplet": ["a", "P36", "b"], "uris": ["A", "P36", "B"]}]
    inputs = read(factprobe, "outputs/in/manifest.json")["extract_check"]["inputs"]
    assert any(path.endswith("P36.jsonl") for path in inputs)


def test_who_finds_nothing_is_named(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    write(factprobe, [{"response": "Nothing here is an entity."}])
    assert factprobe("step=extract_check", "input=in.json").code == 0
    [record] = caplog.records
    assert record.getMessage() == (
        "claim_extractor=graph finds no claim about entities of trex; another one, such as llm, may find some"
    )
    assert read(factprobe, "in.checked.json")[0]["Y"]["Abstain"] == 1


def test_how_often_a_voter_is_left_out_is_counted(factprobe: CommandLine) -> None:
    triplets = [["Paris", "is the capital of", "France"], ["Ada", "wrote", "???"]]
    write(factprobe, [{"response": "r", "triplets": triplets, "reference": "x"}])
    vote = ("checker=majority", "checker.checkers=[graph,tiny]", "checker.tie=Contradiction")
    ended = factprobe("step=check", "input=in.json", *vote)
    assert (ended.code, "without a vote on 1 claim: tiny" in ended.out) == (0, True)
    [found] = read(factprobe, "in.checked.json")
    assert found["ys"] == ["Contradiction", "Neutral"]
    assert found["details"][0]["why"] == "a tie: graph: Entailment, tiny: Neutral"
    assert found["details"][1]["why"] == "graph: Neutral, tiny: none (garbled)"
    assert read(factprobe, "outputs/in/manifest.json")["check"]["counts"]["left_out"] == {"tiny": 1}
    line = factprobe.fails("step=check", "input=in.json", "checker=majority", "checker.checkers=[graph,graph]")
    assert "checker.checkers: two are called the same: graph, graph; give each a name of its own" in line


def test_two_jobs_of_a_sweep_do_not_write_one_output(factprobe: CommandLine) -> None:
    write(factprobe)
    result = factprobe("-m", "step=extract_check", "input=in.json", "aggregator=soft,strict", *TINY)
    assert result.code == 2
    assert "another job of this sweep makes step=extract_check here with another aggregator" in result.err
    apart = ("output=${aggregator.name}.json", "output_dir=outputs/${aggregator.name}")
    assert factprobe("-m", "step=extract_check", "input=in.json", "aggregator=soft,strict", *TINY, *apart).code == 0
    assert read(factprobe, "strict.json")[0]["Y"] == "Neutral"
    assert read(factprobe, "soft.json")[0]["Y"]["Neutral"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "input: no file is named"),
        (["input=nowhere.json"], "nowhere.json: cannot be read"),
        (["input=in.json", "output=in.json"], "output: is the input, which would be overwritten"),
        (["input=in.json", "checker=gaph"], "unknown checker 'gaph'; did you mean 'graph'?"),
        (["input=in.json", "checker.windows=2"], "unknown setting 'checker.windows'"),
        (["input=in.json", "aggregator.unsupported=0.5"], "aggregator=threshold would have this setting"),
        (["input=in.json", "retriever=bm25"], "retriever.passages: is not set"),
    ],
)
def test_a_wrong_setting_is_one_line(factprobe: CommandLine, arguments: list[str], part: str) -> None:
    write(factprobe)
    assert part in factprobe.fails("step=extract_check", *arguments)
    assert (factprobe.folder / "in.json").read_text() == json.dumps(TEXTS)


def test_claims_are_wanted_where_none_are_taken(factprobe: CommandLine) -> None:
    write(factprobe)
    line = factprobe.fails("step=check", "input=in.json", "checker=tiny")
    assert "in.json: holds no claims; take them out of it first: step=extract_check input=in.json" in line
    write(factprobe, [*TEXTS, {"response": "Ada", "triplets": [], "reference": "x"}])
    assert factprobe("step=check", "input=in.json", "checker=tiny").code == 0
    assert len(read(factprobe, "in.checked.json")) == 1


def test_passages_that_were_retrieved_stay_marked_and_are_no_text_of_its_own(factprobe: CommandLine) -> None:
    texts = [{"response": "Ada wrote poems"}, {"response": "Ada x y", "reference": "z"}, {"response": "Tom ate fish"}]
    write(factprobe, texts)
    assert factprobe("step=extract_check", "input=in.json", *TINY, "retriever=shelf").code == 0
    first = (factprobe.folder / "in.checked.json").read_bytes()
    assert factprobe("step=check", "input=in.checked.json", "output=again.json", "checker=tiny").code == 0
    assert (factprobe.folder / "again.json").read_bytes() == first
    (factprobe.folder / "notes.txt").write_text("Ada wrote poems indeed.")
    other = ("retriever=bm25", "retriever.passages=notes.txt")
    assert factprobe("step=check", "input=in.checked.json", "output=other.json", "checker=tiny", *other).code == 0
    ada, own, tom = read(factprobe, "other.json")
    assert (ada["reference"], ada["retriever"], ada["ys"]) == ("Ada wrote poems indeed.", "bm25", ["Entailment"])
    assert (own["reference"], "retriever" in own) == ("z", False)
    assert "reference" not in tom
    (factprobe.folder / "notes.txt").write_text("Nobody eats fish.")
    assert factprobe("step=check", "input=in.checked.json", "output=other.json", "checker=tiny", *other).code == 0
    assert not {"reference", "retriever"} & {*read(factprobe, "other.json")[0]}, "nothing is found any more"
    assert factprobe("step=extract_claims", "input=in.checked.json", "output=c.json", "claim_extractor=tiny").code == 0
    assert read(factprobe, "c.json")[0]["retriever"] == "shelf"


def test_broken_passages_are_counted_and_strict_stops_at_them(factprobe: CommandLine) -> None:
    write(factprobe, [{"response": "Ada wrote notes"}])
    (factprobe.folder / "shelf.jsonl").write_text('{"text": "Ada wrote notes"}\n{"text": 3}\n{broken\n')
    command = ("step=extract_check", "input=in.json", *TINY, "retriever=bm25", "retriever.passages=shelf.jsonl")
    ended = factprobe(*command)
    assert (ended.code, "2 records skipped" in ended.out) == (0, True)
    entry = read(factprobe, "outputs/in/manifest.json")["extract_check"]
    assert entry["counts"]["skipped"] == 2
    assert any(path.endswith("shelf.jsonl") for path in entry["inputs"])
    assert "shelf.jsonl:2: has no text under 'text'" in factprobe.fails(*command, "strict=true")


def test_one_text_with_one_claim_is_said_so(factprobe: CommandLine) -> None:
    (factprobe.folder / "in.json").write_text(json.dumps([{"response": "Ada wrote notes"}, {"response": 3}]))
    result = factprobe("step=extract_check", "input=in.json", "claim_extractor=sentences")
    assert result.code == 0, result.err
    assert "1 text checked by graph\n(rates in % over 1 response, 1 with claims)" in result.out
    assert "1 text with 1 claim; 1 record skipped" in result.out


def test_the_first_texts_alone_and_no_parts(factprobe: CommandLine) -> None:
    write(factprobe)
    result = factprobe("step=extract_check", "input=in.json", "limit=2", *TINY)
    assert result.code == 0, result.err
    assert "2 texts with 2 claims" in result.out
    assert len(read(factprobe, "in.checked.json")) == 2
    line = factprobe.fails("step=extract_check", "input=in.json", "shard=0/2", *TINY)
    assert line.endswith("shard: step=extract_check has no parts; leave it out; limit= takes the first texts")
    line = factprobe.fails("step=extract_check", "input=in.json", "output=out.csv", *TINY)
    assert "output: out.csv has no ending of JSON; name it out.json" in line


@pytest.mark.parametrize("step", ["extract_claims", "extract_check", "detect"])
@pytest.mark.parametrize("folder", [".", "..", "/"])
def test_a_folder_in_the_place_of_texts_is_told_in_a_line(factprobe: CommandLine, step: str, folder: str) -> None:
    detector = ["detector=hades_token_probability"] if step == "detect" else []
    line = factprobe.fails(f"step={step}", f"input={folder}", *detector)
    assert line.endswith(f"{folder}: cannot be read: Is a directory")


def test_claims_beside_triplets_are_left_out_with_a_word(
    factprobe: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    write(factprobe, [{"response": "x", "reference": "y", "triplets": [["a", "b", "c"]], "claims": ["d"]}])
    assert factprobe("step=check", "input=in.json", "checker=tiny").code == 0
    assert "of 1 text with triplets and claims the triplets are checked" in caplog.text


def test_claims_stand_below_their_sentences_and_unread_references_are_told(
    factprobe: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    texts = [{"id": "a", "response": "Paris is the capital of France. It is <b>sunny</b>.", "reference": "r"}]
    (factprobe.folder / "in.json").write_text(json.dumps(texts))
    out = factprobe("step=extract_check", "input=in.json", "relations=[P36]").out
    assert "a: Paris is the capital of France.\n    Entailment: France | capital | Paris\n" in out
    assert "a: It is <b>sunny</b>.\n    no claim found\n" in out
    page = (factprobe.folder / "outputs/in/claims.html").read_text()
    assert "It is &lt;b&gt;sunny&lt;/b&gt;." in page
    assert ">Entailment</span></td>" in page
    assert "checker=graph: does not read the references of 1 text" in caplog.text
    (factprobe.folder / "b.json").write_text(
        '[{"id": "b", "response": "", "triplets": [["Lima", "capital of", "Chile"]]}]'
    )
    out = factprobe("step=check", "input=b.json", "relations=[P36]").out
    assert "b, of the text as a whole:\n    Neutral: Lima | capital of | Chile (" in out
