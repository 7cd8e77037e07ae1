"""Labels of people: which count, and what is said of those that do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from factprobe.inputs.labels import (
    HumanJudgment,
    ReplyLabel,
    ReplyLabels,
    labels_for_correction,
    read_label_file,
    reply_hash,
)
from factprobe.storage import Problems


def label(name: str, verdict: str, annotator: str = "ann", **more: object) -> ReplyLabel:
    return ReplyLabel(id=name, verdict=verdict, annotator=annotator, **more)  # type: ignore[arg-type]


def matched(*labels: ReplyLabel) -> tuple[ReplyLabels, Problems]:
    problems = Problems()
    return ReplyLabels(labels, problems, "labels.jsonl"), problems


def test_bad_lines_are_named_and_the_others_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    good = {"id": "q1", "verdict": "correct", "annotator": "ann", "time": "2026-11-27T09:00:00Z", "probability": 0.5}
    lines = [
        json.dumps(good),
        json.dumps({"id": "q2", "verdict": "maybe"}),
        json.dumps({"id": "q3", "verdict": "correct", "probability": 0}),
        json.dumps({"id": "q4", "verdict": "abstained"}),
        '{"id": "q5", "verd',
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    problems = Problems()
    assert [found.id for found in read_label_file(path, problems)] == ["q1", "q4"]
    assert len(problems.messages) == 3
    unknown, impossible, cut = problems.messages
    assert unknown == (f"{path}:2: unknown verdict 'maybe'; known: correct, incorrect, abstained, bad_question, skip")
    assert impossible == f"{path}:3: the probability 0 is not above 0 and at most 1"
    assert cut.startswith(f"{path}:5: broken line")


@pytest.mark.parametrize("labels", [[], [label("q1", "skip")], [label("q1", "bad_question")]])
def test_labels_that_judge_nothing_are_told(labels: list[ReplyLabel], caplog: pytest.LogCaptureFixture) -> None:
    labels_for_correction([label("q1", "correct")], Problems(), "labels.jsonl")
    assert not caplog.messages
    labels_for_correction(labels, Problems(), "labels.jsonl")
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("labels.jsonl: ")


@pytest.mark.parametrize(
    ("verdicts", "found"),
    [
        ({"ann": "correct"}, True),
        ({"ann": "incorrect"}, False),
        ({"ann": "abstained"}, False),
        ({"ann": "bad_question"}, None),
        ({"ann": "skip"}, None),
        ({"ann": "correct", "bob": "incorrect"}, None),
        ({"ann": "correct", "bob": "correct", "cy": "bad_question"}, True),
        ({"ann": "incorrect", "bob": "abstained", "cy": "correct"}, False),
    ],
)
def test_the_majority_of_people_counts(verdicts: dict[str, str], found: bool | None) -> None:
    labels, problems = matched(*(label("q1", verdict, who) for who, verdict in verdicts.items()))
    judgment = labels.match("", "q1")
    assert (judgment and judgment.is_correct) == found
    assert not problems.messages


def test_replies_without_a_majority_are_told() -> None:
    pairs = [("q1", "incorrect"), ("q2", "correct"), ("q3", "bad_question")]
    two = [*(label(name, "correct", "ann") for name, _ in pairs), *(label(*pair, "bob") for pair in pairs)]
    labels, _ = matched(
        *two, *(label("q4", "bad_question", who) for who in ("ann", "bob")), label("q4", "correct", "cy")
    )
    assert labels.match("", "q4") is None
    found = [labels.match("", name) for name, _ in pairs]
    assert found == [None, HumanJudgment(True, 1.0), None]
    assert [*labels.warnings()] == [
        "labels.jsonl: 2 replies without a majority of labels, left out of the correction: q1, q3"
    ]


@pytest.mark.parametrize("chances", [(0.25, 0.5, 1.0), (None, None, None)])
def test_labels_with_a_probability_and_labels_without_are_told(chances: tuple[float | None, ...]) -> None:
    labels, _ = matched(*(label(f"q{at}", "correct", probability=chance) for at, chance in enumerate(chances)))
    found = [labels.match("", f"q{at}") for at in range(3)]
    assert [judgment and judgment.probability for judgment in found] == [chance or 1.0 for chance in chances]
    assert not [*labels.warnings()]
    mixed = [
        *(label(f"q{at}", "correct", probability=chance) for at, chance in enumerate(chances)),
        label("x", "correct"),
    ]
    mixed += [label("y", "correct", probability=0.5), label("y", "correct", "bob"), label("z", "skip")]
    labels, _ = matched(*mixed)
    judgments = [labels.match("", name) for name in ("q0", "q1", "q2", "x", "y", "z")]
    assert [judgment and judgment.probability for judgment in judgments[3:]] == [1.0, 0.5, None]
    [warning] = labels.warnings()
    assert f"{1 if chances[0] else 4} of 5 labelled replies" in warning


def test_two_different_labels_of_one_person_do_not_count() -> None:
    labels, problems = matched(label("q1", "correct"), label("q2", "correct"), label("q1", "incorrect"))
    assert labels.match("", "q1") is None
    assert labels.match("", "q2") == HumanJudgment(True, 1.0)
    assert problems.messages == ["labels.jsonl: ann labels 'q1' as correct, incorrect, and none of them counts"]


def test_a_skip_takes_a_label_back() -> None:
    labels, problems = matched(label("q1", "correct"), label("q1", "skip"), label("q1", "incorrect"))
    assert labels.match("", "q1") == HumanJudgment(False, 1.0)
    assert not problems.messages


def test_labels_name_the_system_where_ids_are_shared() -> None:
    labels, _ = matched(label("q1", "correct", system="a"), label("q1", "incorrect", system="b", probability=0.5))
    assert labels.match("a", "q1") == HumanJudgment(True, 1.0)
    assert labels.match("b", "q1") == HumanJudgment(False, 0.5)
    assert labels.match("c", "q1") is None


def test_labels_that_no_reply_has_are_told_in_one_line_each() -> None:
    digest = reply_hash("Who?", "Ann.")
    labels, _ = matched(
        *(label(f"x{number}", "correct") for number in range(5)),
        label("q1", "correct", reply=digest),
        label("q2", "correct", reply=digest),
    )
    assert labels.match("", "q1", digest) == HumanJudgment(True, 1.0)
    assert labels.match("", "q2", reply_hash("Who?", "Bob.")) is None
    assert [*labels.warnings()] == [
        "labels.jsonl: 5 labels of replies that are not among these; left out: x0, x1, x2…",
        "labels.jsonl: 1 label of other replies with the same id; left out: q2",
    ]


def test_labels_without_a_system_count_for_the_first_that_has_the_id() -> None:
    labels, _ = matched(label("q1", "correct"), label("q2", "correct"))
    assert labels.match("a", "q1") == labels.match("a", "q2") == HumanJudgment(True, 1.0)
    assert labels.match("b", "q1") is None
    assert [*labels.warnings()] == [
        "labels.jsonl: several systems have replies with the same ids, q1; they count for the first; "
        'add "system" to the labels'
    ]


@pytest.mark.parametrize("system", ["", "a"])
def test_a_label_of_an_id_that_several_replies_have_counts_once(system: str) -> None:
    one, other = reply_hash("Who?", "Ann."), reply_hash("Who?", "Bob.")
    labels, _ = matched(label("q1", "correct", system=system), label("q2", "correct", system=system, reply=other))
    for _ in range(2):
        assert labels.match("a", "q1", one) == HumanJudgment(True, 1.0)
        assert labels.match("a", "q1", other) is None
        assert labels.match("a", "q2", one) is None
        assert labels.match("a", "q2", other) == HumanJudgment(True, 1.0)
    assert [*labels.warnings()] == [
        "labels.jsonl: several replies have the same ids, q1; labels of them count for the first; "
        "give each reply an id of its own"
    ]
