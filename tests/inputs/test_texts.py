"""Texts to check: what is read of the records of a file, and where what is found goes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.errors import ConfigError, DataError
from factprobe.inputs.refchecker import read_annotations, read_sources
from factprobe.inputs.texts import (
    InputText,
    input_path,
    output_path,
    read_texts,
    sibling_path,
    texts_of,
    writes_list,
)
from factprobe.records import CheckedText, Claim, ClaimVerdict, Item
from factprobe.reports.free_text.checked import checked_record, claimed_record
from factprobe.storage import Problems

Write = Callable[[str, str | bytes], Path]


def one(**record: Any) -> InputText:
    [found] = texts_of([("here", {"response": "r", **record})], Problems(strict=True), "here")
    return found


def test_claims_and_references_of_a_record() -> None:
    text = one(id=7, question="Who?", reference=["a", " ", "b"], other=[1])
    assert text.item == Item("7", "r", "Who?", ("a", "b"))
    assert text.claims is None
    assert one(reference="a").item.references == ("a",)
    assert one(reference="", question=None).item == Item("1", "r")


@pytest.mark.parametrize("key", ["triplets", "claims"])
def test_existing_claims(key: str) -> None:
    details = [{"spans": [[0, 1], ["x"], [1]], "uris": ["Q1", "P1", "Q2"], "why": "w"}, {}]
    text = one(**{key: [["a", "b", "c"], "A sentence."], "details": details, "fault": "cut"})
    assert text.claims == (Claim(("a", "b", "c"), ((0, 1),), ("Q1", "P1", "Q2")), Claim(("A sentence.",)))
    assert text.claimed.fault == "cut"
    assert one(**{key: []}).claims == ()
    assert one(**{key: None}).claims is None


def test_empty_list_hides_no_claims() -> None:
    assert one(triplets=[], claims=["A sentence."]).claims == (Claim(("A sentence.",)),)
    assert one(triplets=None, claims=["A sentence."]).claims == (Claim(("A sentence.",)),)
    assert one(triplets=[["a", "b", "c"]], claims=[]).claims == (Claim(("a", "b", "c")),)
    assert one(triplets=[], claims=[]).claims == ()


@pytest.mark.parametrize("uris", [["Q38"], ["Q1", "P1", "Q2", "Q3"], ["Q1", "P1", 2], "abc", {"a": 1}, None])
def test_invalid_uris_are_ignored(uris: Any) -> None:
    assert one(triplets=[["a", "b", "c"]], details=[{"uris": uris}]).claims == (Claim(("a", "b", "c")),)


def test_records_of_refcheckers_benchmark() -> None:
    labelled = [{"triplet": ["a", "b", "c"], "human_label": "Neutral"}, {"triplet": ["a", "b", "d"]}]
    text = one(claude2_response_kg=labelled)
    assert text.claims == (Claim(("a", "b", "c")), Claim(("a", "b", "d")))
    assert text.people == ("Neutral", None)
    assert one(claude2_response_kg=labelled, triplets=[]).claims == ()


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ({"question": "Who?"}, "has no response"),
        ({"response": 1}, "has a response that is not text"),
        ({"response": "r", "question": ["x"]}, "has a question that is not text"),
        ({"response": "r", "id": True}, "has an id that is neither"),
        ({"response": "r", "id": 1.5}, "has an id that is neither"),
        ({"response": "r", "reference": {"a": 1}}, "has a reference that is neither"),
        ({"response": "r", "reference": ["a", None]}, "has a reference that is neither"),
        ({"response": "r", "triplets": "a"}, "has triplets that are not a list"),
        ({"response": "r", "triplets": [["a", "b"]]}, "has a claim that is neither"),
        ({"response": "r", "claims": [["a", "b", 1]]}, "has a claim that is neither"),
        ({"response": "r", "triplets": [["", " ", ""]]}, "has a claim without a word"),
        ({"response": "r", "claims": ["A sentence.", " "]}, "has a claim without a word"),
        ({"response": "r", "x_response_kg": [1]}, "has an annotated claim that is not a mapping"),
        (
            {"response": "r", "x_response_kg": [{"triplet": ["a", "b", "c"], "human_label": "True"}]},
            "human label 'True'",
        ),
        ({"response": "r", "id": "1"}, "has the id '1' of an earlier record"),
    ],
)
def test_broken_record_is_one_line(write: Write, record: Any, what: str) -> None:
    good = {"response": "r", "id": 1}
    for name, content in {
        "in.jsonl": f"{json.dumps(good)}\n{json.dumps(record)}\n",
        "in.json": json.dumps([good, record]),
    }.items():
        path, problems = write(name, content), Problems()
        assert [text.item.id for text in read_texts(path, problems)] == ["1"]
        [message] = problems.messages
        assert what in message
        assert message.startswith(f"{path}:2: " if name == "in.jsonl" else f"{path}, record 2: ")
        with pytest.raises(DataError, match="run without strict=true"):
            read_texts(path, Problems(strict=True))


@pytest.mark.parametrize("value", ["1e400", '"\\ud83d"'])
def test_unreadable_value_loses_one_record(write: Write, value: str) -> None:
    good, bad = '{"id": 1, "response": "r \\"[NaN]\\" é"}', f'{{"id": 2, "response": "s", "score": {value}}}'
    for name, content in {"in.jsonl": f"{bad}\n{good}\n", "in.json": f"[{bad}, {good}]"}.items():
        path, problems = write(name, content), Problems()
        assert [text.item.response for text in read_texts(path, problems)] == ['r "[NaN]" é']
        [message] = problems.messages
        place, what = (f"{path}:1", "line") if name == "in.jsonl" else (f"{path}, record 1", "record")
        assert message.startswith(f"{place}: broken {what}: ")


def test_invalid_list_is_a_one_line_error(write: Write) -> None:
    with pytest.raises(DataError, match=r"in\.json: is broken: "):
        read_texts(write("in.json", '[{"response": "r"}, {"response": NaN'), Problems())


@pytest.mark.parametrize("content", ["[]", "", "[1, null]", '{"question": "Who?"}\n'])
def test_file_without_a_text(write: Write, content: str) -> None:
    with pytest.raises(DataError, match=r"in\.json: has no text that can be checked"):
        read_texts(write("in.json", content), Problems())


def test_output_path(write: Write, tmp_path: Path) -> None:
    source = write("a.b.json", "[]")
    assert sibling_path(source, "checked").name == "a.b.checked.json"
    assert output_path(None, sibling_path(source, "x"), source).name == "a.b.x.json"
    assert output_path("other.json", sibling_path(source, "x"), source) == Path("other.json")
    (tmp_path / "link.json").symlink_to(source)
    for same in (source, tmp_path / "." / "a.b.json", tmp_path / "link.json"):
        with pytest.raises(ConfigError, match="output: is the input, which would be overwritten"):
            output_path(str(same), source, source)
    with pytest.raises(ConfigError, match="is a folder; output="):
        output_path(str(tmp_path), sibling_path(source, "x"), source)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match="pipe is not a regular file; set another path"):
        output_path(str(tmp_path / "pipe"), source, source)
    for name in ("out.csv", "out"):
        with pytest.raises(ConfigError, match=r"output: out\S* has no ending of JSON; name it out\.json"):
            output_path(name, sibling_path(source, "x"), source)
    assert output_path("out", Path("t"), source) == Path("out")
    for inputs, what in (((), "no file is named"), (("a", "b"), "several files are named")):
        with pytest.raises(ConfigError, match=f"input: {what}"):
            input_path(inputs)


@pytest.mark.parametrize(
    ("name", "content", "output", "expected"),
    [
        ("a.json", "[]", "b.json", True),
        ("a.json", "{}", "b.json", False),
        ("a.json", "[]", "b.jsonl", False),
        ("a.jsonl", "{}", "b.json", True),
        ("a.jsonl", "{}", "b.jsonl", False),
    ],
)
def test_form_of_the_output(write: Write, name: str, content: str, output: str, expected: bool) -> None:
    assert writes_list(Path(output), write(name, content)) == expected


def test_questions_by_id(write: Write) -> None:
    records = [
        {"id": 1, "question": "Who?"},
        {"id": "2", "reference": ["a"]},
        {"id": "1"},
        {"question": "x"},
        {"id": []},
    ]
    problems = Problems()
    found = read_sources(write("q.json", json.dumps(records)), problems)
    assert {name: tuple(source) for name, source in found.items()} == {"1": ("Who?", ()), "2": ("", ("a",))}
    assert len(problems.messages) == 3
    with pytest.raises(DataError, match="holds no question"):
        read_sources(write("q.json", "[]"), problems)


def test_annotation_files_are_found_by_name(write: Write, tmp_path: Path) -> None:
    for name in ("zero/nq_a_b_answers.json", "zero/notes.json", "nq_answers.json", "x/y/z/ms_m_answers.json"):
        write(name, '[{"response": "r"}]')
    found = [(one.setting, one.dataset, one.model) for one in read_annotations(tmp_path, Problems())]
    assert found == [("z", "ms", "m"), ("zero", "nq", "a_b")]


WORDS = st.text(max_size=5)
CLAIMS = st.one_of(st.lists(st.tuples(WORDS, WORDS, WORDS)), st.lists(st.tuples(WORDS), min_size=1)).map(
    lambda every: tuple(Claim(parts) for parts in every if any(map(str.strip, parts)))
)


@given(CLAIMS, WORDS)
def test_written_records_are_read_back(claims: tuple[Claim, ...], fault: str) -> None:
    text = one()
    found = InputText(text.record, text.item, claims, fault).claimed
    record = json.loads(json.dumps(claimed_record(text.record, found)))
    again = one(**record)
    assert again.claimed == found
    verdicts = tuple(ClaimVerdict("Neutral", "w", {"Neutral": 1.0}, passage=0) for _ in claims)
    checked = checked_record(record, CheckedText(again.claimed, verdicts, "Neutral"))
    assert one(**json.loads(json.dumps(checked))).claimed == found
    assert claimed_record(checked, found) == record


@pytest.mark.parametrize("name", ["a.txt", "a.MD"])
def test_a_text_file_is_one_text(write: Write, name: str) -> None:
    path = write(name, "Paris is in France.\n\nLima is in Peru.\n")
    [text] = read_texts(path, Problems(strict=True))
    assert text.record == {"response": "Paris is in France.\n\nLima is in Peru."}
    assert writes_list(sibling_path(path, "checked", ".json"), path)


def test_files_that_are_no_texts(write: Write) -> None:
    with pytest.raises(DataError, match=r'holds no JSON objects; write texts as \[{"response": "..."}\]'):
        read_texts(write("a.json", "Paris is in France."), Problems())
    with pytest.raises(DataError, match="has no text that can be checked"):
        read_texts(write("a.txt", "\n"), Problems())
    with pytest.raises(DataError, match="is not UTF-8"):
        read_texts(write("a.txt", "Zürich".encode("latin-1")), Problems())
