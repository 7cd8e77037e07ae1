"""Questions about one day, on a graph of four clubs that can be checked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from factprobe import api
from factprobe.errors import ConfigError
from factprobe.evaluators import grade
from factprobe.kgs.summaries import summary_and_facts
from factprobe.records import Grade, Period, Question, Response
from tests.command_line import CommandLine

FACTS: list[dict[str, Any]] = [
    {"sub": "Ann", "obj": "Ajax", "start": "2015-07-01", "end": "2019-06-30"},
    {"sub": "Ann", "obj": "Porto", "start": 2019},
    {"sub": "Bob", "obj": "Porto", "end": "2020"},
    {"sub": "Bob", "obj": "Celtic", "start": "2021-01", "end": "2022-12"},
    {"sub": "Bob", "obj": "Celtic", "start": "2024"},
    {"sub": "Cid", "obj": "Lazio"},
    {"sub": "Dan", "obj": "Lazio", "start": "2023"},
    {"sub": "Dan", "obj": "Ajax", "start": "2022", "end": "2025"},
    {"sub": "Dan", "obj": "Celtic", "end": "2023"},
    {"sub": "Eve", "obj": "Porto", "start": "1999", "end": "2003"},
]
"""On 1 January 2024: Ann Porto; Bob Celtic, again; Cid Lazio, at any time; Dan Lazio and Ajax; Eve nowhere any more."""


@pytest.fixture
def folder(write: Callable[[str, str | bytes], Path]) -> Path:
    relation = {"relation": "P54", "template": "[X] plays for [Y].", "label": "team", "type": "N-M"}
    file = write("clubs/relations.jsonl", json.dumps(relation))
    lines = [
        {"sub_uri": f"p/{f['sub']}", "sub_label": f["sub"], "obj_uri": f"c/{f['obj']}", "obj_label": f["obj"]}
        | {key: f[key] for key in ("start", "end") if key in f}
        for f in FACTS
    ]
    write("clubs/P54.jsonl", "\n".join(map(json.dumps, lines)))
    return file.parent


def asked(folder: Path, **settings: Any) -> list[Question]:
    kg = api.load_kg("clubs", folder, adapter="trex")
    return api.make_questions(kg, **{"as_of": "2024-01-01", **settings})


def labels(answers: Any) -> list[str]:
    return [answer.label for answer in answers]


def test_the_answers_are_those_of_the_day(folder: Path) -> None:
    questions = asked(folder, question_types=["single_answer", "multiple_answer"])
    found = {question.subject_uri: question for question in questions}
    assert {uri: labels(question.answers) for uri, question in found.items()} == {
        "p/Ann": ["Porto"],
        "p/Bob": ["Celtic"],
        "p/Cid": ["Lazio"],
        "p/Dan": ["Lazio", "Ajax"],
    }
    assert {uri: labels(question.outdated) for uri, question in found.items() if question.outdated} == {
        "p/Ann": ["Ajax"],
        "p/Bob": ["Porto"],
        "p/Dan": ["Celtic"],
    }
    assert found["p/Ann"].question_type == "single_answer"
    assert found["p/Dan"].question_type == "multiple_answer"


def test_a_relation_without_dates_is_asked_about_without_the_day() -> None:
    facts = [("Ada", "born in", "Ulm"), ("Max", "born in", "Bonn")]
    kg = api.load_kg(facts, templates={"born in": "[X] was born in [Y]."})
    questions = api.make_questions(kg, as_of="2024-01-01", question_types=["single_answer"])
    assert [question.prompts[-1].content for question in questions] == [
        "Fill the blank: Ada was born in ____.",
        "Fill the blank: Max was born in ____.",
    ]
    assert [question.bare for question in questions] == ["", ""]


def test_without_a_day_all_of_them_are_right(folder: Path) -> None:
    (ann, *_) = asked(folder, question_types=["multiple_answer"], as_of=None)
    assert labels(ann.answers) == ["Ajax", "Porto"]
    assert (ann.outdated, ann.bare) == ((), "")


def test_the_subject_is_asked_for_on_that_day_too(folder: Path) -> None:
    questions = asked(folder, question_types=["single_answer", "multiple_answer"], ask="subject")
    porto = next(question for question in questions if question.object_uri == "c/Porto")
    assert labels(porto.answers) == ["Ann"]
    assert labels(porto.outdated) == ["Bob", "Eve"]


@pytest.mark.parametrize("seed", range(5))
def test_what_was_right_once_is_never_a_false_candidate(folder: Path, seed: int) -> None:
    once = {(f"p/{fact['sub']}", fact["obj"]) for fact in FACTS}
    for question in asked(folder, question_types=["multi_choices", "binary_answer"], seed=seed, negated=True):
        if question.choices:
            (right,) = labels(question.answers)
            wrong = [choice for choice in question.choices if choice != right]
            assert not {(question.subject_uri, choice) for choice in wrong} & once
        elif question.form in ("binary_obj_incorrect", "binary_negated_obj_correct"):
            assert (question.subject_uri, question.shown.removeprefix("c/")) not in once


def test_the_words_tell_the_day(folder: Path) -> None:
    for question in asked(folder):
        assert question.bare.startswith("As of 1 January 2024: ")
        assert question.bare in question.prompts[-1].content
        assert question.statement is not None
        assert question.bare.endswith(question.statement.text)
    (ann, *_) = asked(folder, question_types=["single_answer"], as_of_words="On {date}, {statement} (one club)")
    assert ann.bare == "On 1 January 2024, Ann plays for ____. (one club)"


def test_ranked_answers_too(folder: Path) -> None:
    questions = asked(folder, generator="likelihood")
    ann = next(question for question in questions if question.subject_uri == "p/Ann")
    assert ann.cloze == ("As of 1 January 2024: Ann plays for ", ".")
    assert sorted(ann.choices) == ["Celtic", "Lazio", "Porto"]
    assert "p/Eve" not in {question.subject_uri for question in questions}


def test_the_files_have_the_periods(folder: Path) -> None:
    kg = api.load_kg("clubs", folder, adapter="trex")
    subjects = api.summarise(kg, "P54").node_summary.subjects
    assert subjects["p/Ann"].periods == {"c/Ajax": (Period("2015-07-01", "2019-06-30"),), "c/Porto": (Period("2019"),)}
    assert subjects["p/Bob"].periods["c/Celtic"] == (Period("2021-01", "2022-12"), Period("2024"))
    assert subjects["p/Cid"].periods == {}


def test_a_triplet_has_the_period_that_ends_last(folder: Path) -> None:
    kg = api.load_kg("clubs", folder, adapter="trex")
    found = {
        fact.subject_label: fact
        for fact in summary_and_facts(kg, kg.by_name()["P54"])[1]
        if fact.object_label == "Celtic"
    }
    assert (found["Bob"].start, found["Bob"].end) == ("2024", "")
    assert (found["Dan"].start, found["Dan"].end) == ("", "2023")


def graded(question: Question, reply: str, folder: Path) -> Grade:
    summary = api.summarise(api.load_kg("clubs", folder, adapter="trex"), "P54")
    (found,) = grade([(question, Response(question.question_id, reply, "stop", None, None))], summary)
    return found


@pytest.mark.parametrize(
    ("subject", "reply", "verdict", "rule"),
    [
        ("Ann", "Porto", "correct", "single.exact"),
        ("Ann", "Ajax", "incorrect", "single.outdated"),
        ("Ann", "She plays for Ajax.", "incorrect", "single.outdated"),
        ("Ann", "Lazio", "incorrect", "single.other_entity"),
        ("Ann", "As of 1 January 2024, Ann plays for Porto.", "correct", "single.mention"),
        ("Dan", "Celtic", "incorrect", "set.outdated"),
        ("Dan", "Lazio, Ajax", "correct", "set.exact"),
        ("Dan", "Lazio, Celtic", "incorrect", "set.partial"),
        ("Dan", "Porto", "incorrect", "set.no_match"),
    ],
)
def test_an_answer_of_another_time_is_outdated(folder: Path, subject: str, reply: str, verdict: str, rule: str) -> None:
    questions = asked(folder, question_types=["single_answer", "multiple_answer"])
    question = next(question for question in questions if question.subject_uri == f"p/{subject}")
    found = graded(question, reply, folder)
    assert (found.verdict, found.rule) == (verdict, rule)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"as_of": "2024"}, "is not a day"),
        ({"as_of": 2024}, "'2024' is not a day"),
        ({"as_of": "New Year"}, "is not a day"),
        ({"as_of": "2023-02-29"}, "is not a day"),
        ({"as_of": "2024-01-01 or so"}, "is not a day"),
        ({"as_of_words": "{statement}"}, "as_of_words"),
    ],
)
def test_what_is_no_day_is_refused(folder: Path, settings: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        asked(folder, **settings)


def test_the_report_tells_of_them(
    factprobe: CommandLine, folder: Path, write: Callable[[str, str | bytes], Path]
) -> None:
    clubs = ("kg=trex", "kg.name=clubs", f"kg.data_dir={folder}", "generator.as_of=2024-01-01")
    factprobe("step=extract", *clubs)
    factprobe("step=generate", *clubs, "generator.question_types=[single_answer]")
    questions = Path("outputs/clubs/questions/template/P54.jsonl").read_text().splitlines()
    ids = [json.loads(line)["question_id"] for line in questions]
    replies = [{"question_id": name, "response": "Ajax"} for name in ids]
    path = write("replies.jsonl", "\n".join(map(json.dumps, replies)))
    rest = ("model=replay", f"model.path={path}", "generator.question_types=[single_answer]")
    for step in ("answer", "evaluate"):
        factprobe(f"step={step}", *clubs, *rest)
    printed = factprobe("step=report", *clubs, *rest).out
    assert "of 3 answers 1 (33.3 %) are right at another time than the one asked about" in printed


def test_a_day_on_which_nothing_holds_is_told(
    factprobe: CommandLine, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = folder / "P54.jsonl"
    file.write_text("\n".join(line for line in file.read_text().splitlines() if "Ann" in line))
    clubs = ("kg=trex", "kg.name=clubs", f"kg.data_dir={folder}")
    factprobe("step=extract", *clubs)
    factprobe("step=generate", *clubs, "generator.as_of=2020-01-01")
    assert "no question was made" not in caplog.text
    factprobe("step=generate", *clubs, "generator.as_of=1700-01-01")
    assert "no question was made: no fact of these relations holds on generator.as_of=1700-01-01" in caplog.text


def test_facts_that_ended_are_warned_of_without_a_day(
    factprobe: CommandLine, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clubs = ("kg=trex", "kg.name=clubs", f"kg.data_dir={folder}")
    factprobe("step=extract", *clubs)
    factprobe("step=generate", *clubs)
    assert "1 relation is asked about as if facts that have an end still held; set generator.as_of" in caplog.text
    caplog.clear()
    factprobe("step=generate", *clubs, "generator.as_of=2020-01-01")
    assert "generator.as_of" not in caplog.text


def test_a_broken_date_is_named(factprobe: CommandLine, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    line = {"sub_uri": "a", "sub_label": "A", "obj_uri": "b", "obj_label": "B", "start": "2020", "end": "2019"}
    with (folder / "P54.jsonl").open("a") as file:
        file.write(f"\n{json.dumps(line)}")
    factprobe("step=extract", "kg=trex", f"kg.data_dir={folder}")
    assert "P54.jsonl:11: broken line: start '2020' is after end '2019'" in caplog.text
