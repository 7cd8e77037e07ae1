"""The queue and its file: order, undo, resume, overlap, disagreements, unusable labels."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from factprobe.errors import DataError
from factprobe.inputs.labels import LabelVerdict, ReplyLabels, read_label_file
from factprobe.labelling import label_file as store_module
from factprobe.labelling.drawing import DrawnReply
from factprobe.labelling.label_file import ADJUDICATION, LabelStore
from factprobe.labelling.queue import LabelQueue
from factprobe.storage import Problems
from tests.labelling.replies import drawn

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
FOUR = ["q1", "q2", "q3", "q4"]


def queue(path: Path, replies: list[DrawnReply]) -> LabelQueue:
    return LabelQueue(replies, LabelStore(path, Problems(), lambda: NOON))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def judge(of: LabelQueue, annotator: str, *verdicts: LabelVerdict) -> list[str]:
    """Judge the next replies, and return their ids."""
    names = []
    for verdict in verdicts:
        one = of.next_reply(annotator)
        assert one is not None
        names.append(one.candidate.id)
        of.judge(annotator, one.candidate.key, verdict)
    return names


def next_id(of: LabelQueue, annotator: str) -> str | None:
    one = of.next_reply(annotator)
    return None if one is None else one.candidate.id


def judgments(path: Path) -> dict[str, bool | None]:
    """Return what the steps that read the labels take from them."""
    problems = Problems()
    labels = ReplyLabels(read_label_file(path, problems), problems, "labels")
    found = {name: labels.match("", name, f"hash of {name}") for name in FOUR}
    assert problems.messages == []
    return {name: one and one.is_correct for name, one in found.items()}


def test_a_label_is_a_line_with_all_keys(tmp_path: Path) -> None:
    path = tmp_path / "new" / "labels.jsonl"
    judge(queue(path, drawn(FOUR)), "ann", "correct")
    assert lines(path) == [
        {
            "id": "q1",
            "verdict": "correct",
            "annotator": "ann",
            "time": "2026-11-27T12:00:00Z",
            "probability": 0.5,
            "reply": "hash of q1",
        }
    ]
    judge(queue(tmp_path / "all.jsonl", drawn(FOUR, probability=1.0)), "ann", "correct")
    assert lines(tmp_path / "all.jsonl")[0]["probability"] == 1.0


def test_a_reply_stays_until_it_is_judged_and_skipped_ones_come_last(tmp_path: Path) -> None:
    found = queue(tmp_path / "labels.jsonl", drawn(FOUR))
    assert [next_id(found, "ann"), next_id(found, "ann")] == ["q1", "q1"]
    assert judge(found, "ann", "skip", "skip", "correct", "abstained", "incorrect") == ["q1", "q2", "q3", "q4", "q1"]
    assert judge(found, "ann", "skip", "correct") == ["q2", "q2"]
    assert next_id(found, "ann") is None


def test_a_new_queue_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    judge(queue(path, drawn(FOUR)), "ann", "correct", "skip")
    again = queue(path, drawn(FOUR))
    assert judge(again, "ann", "incorrect", "correct", "bad_question") == ["q3", "q4", "q2"]
    assert next_id(again, "ann") is None
    assert judgments(path) == {"q1": True, "q2": None, "q3": False, "q4": True}


def test_a_line_that_a_kill_cut_is_dropped_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    judge(queue(path, drawn(FOUR)), "ann", "correct", "incorrect")
    path.write_bytes(path.read_bytes()[:-20])
    assert judge(queue(path, drawn(FOUR)), "ann", "abstained") == ["q2"]
    assert [(line["id"], line["verdict"]) for line in lines(path)] == [("q1", "correct"), ("q2", "abstained")]


@pytest.mark.parametrize(
    "content", [b"question,answers\nWho?,Ada\n", b'{"id": "q1", "question": "Who?"}', b'[{"id": 1}]']
)
def test_a_file_without_labels_is_refused_and_stays(tmp_path: Path, content: bytes) -> None:
    (path := tmp_path / "answers.jsonl").write_bytes(content)
    with pytest.raises(DataError, match=r"answers.jsonl: holds no labels, .*; name another file, .*label\.file="):
        queue(path, drawn(FOUR))
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b"\n", b'{"id":"q1","verd'])
def test_an_empty_file_or_a_first_label_that_a_kill_cut_is_no_error(tmp_path: Path, content: bytes) -> None:
    (path := tmp_path / "labels.jsonl").write_bytes(content)
    assert judge(queue(path, drawn(FOUR)), "ann", "correct") == ["q1"]


def test_undo_takes_back_one_verdict_after_another_also_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    first = queue(path, drawn(FOUR))
    judge(first, "ann", "correct", "skip", "incorrect")
    undone = [first.undo("ann"), first.undo("ann")]
    assert [one and one.candidate.id for one in undone] == ["q3", "q2"]
    assert next_id(first, "ann") == "q2"
    again = queue(path, drawn(FOUR))
    undone = [again.undo("ann"), again.undo("ann")]
    assert [one and one.candidate.id for one in undone] == ["q1", None]
    assert judge(again, "ann", "abstained") == ["q1"]
    assert judgments(path) == {"q1": False, "q2": None, "q3": None, "q4": None}


def test_undo_takes_back_the_verdict_on_a_reply_that_was_skipped_before(tmp_path: Path) -> None:
    found = queue(tmp_path / "labels.jsonl", drawn(FOUR[:2]))
    assert judge(found, "ann", "skip", "correct", "incorrect") == ["q1", "q2", "q1"]
    undone = [found.undo("ann"), found.undo("ann"), found.undo("ann")]
    assert [one and one.candidate.id for one in undone] == ["q1", "q2", None]


def test_nobody_takes_back_the_verdict_of_another(tmp_path: Path) -> None:
    found = queue(tmp_path / "labels.jsonl", drawn(FOUR))
    judge(found, "ann", "correct")
    assert found.undo("bob") is None
    assert len(lines(tmp_path / "labels.jsonl")) == 1


def test_a_second_person_judges_the_shared_replies_and_those_that_nobody_has(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    found = queue(path, drawn(FOUR, shared=["q2"]))
    assert judge(found, "ann", "correct", "correct", "correct") == ["q1", "q2", "q3"]
    again = queue(path, drawn(FOUR, shared=["q2"]))
    assert judge(again, "bob", "incorrect", "correct") == ["q2", "q4"]
    assert [next_id(again, who) for who in ("ann", "bob", "cy")] == [None] * 3


def test_two_people_at_once_are_shown_different_replies(tmp_path: Path) -> None:
    found = queue(tmp_path / "labels.jsonl", drawn(["q1", "q2"]))
    assert [next_id(found, "ann"), next_id(found, "bob")] == ["q1", "q2"]
    judge(found, "bob", "correct")
    assert next_id(found, "bob") == "q1"  # nothing else is left, and ann may be gone


def test_disagreements_come_back_and_are_settled(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    found = queue(path, drawn(FOUR, shared=FOUR))
    judge(found, "ann", "correct", "correct", "skip")
    assert next_id(found, ADJUDICATION) is None
    judge(found, "bob", "correct", "incorrect")
    assert [one.candidate.id for one in found.disputed()] == ["q2"]
    assert judgments(path)["q2"] is None
    assert judge(found, ADJUDICATION, "incorrect") == ["q2"]
    assert found.disputed() == []
    assert judgments(path)["q2"] is False
    assert found.verdicts["", "q2"] == {"ann": "correct", "bob": "incorrect"}
    assert found.undo(ADJUDICATION) is not None
    assert [one.candidate.id for one in queue(path, drawn(FOUR, shared=FOUR)).disputed()] == ["q2"]


def test_two_different_labels_of_one_person_bring_the_reply_back(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    made = [{"id": "q1", "verdict": verdict, "annotator": "ann"} for verdict in ("correct", "incorrect")]
    path.write_text("\n".join(map(json.dumps, made)))
    assert judge(queue(path, drawn(FOUR)), "ann", "incorrect") == ["q1"]
    assert judgments(path)["q1"] is False


def test_labels_of_other_replies_count_for_none(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    made = [
        {"id": "q1", "verdict": "correct", "annotator": "ann", "reply": "hash of another"},
        {"id": "q2", "verdict": "correct", "annotator": "ann", "system": "another"},
        {"id": "q9", "verdict": "correct", "annotator": "ann"},
        {"id": "q3", "verdict": "maybe", "annotator": "ann"},
    ]
    path.write_text("\n".join(map(json.dumps, made)) + "\n{broken\n")
    found = queue(path, drawn(FOUR))
    assert judge(found, "ann", "correct", "correct", "correct", "correct") == FOUR
    assert path.read_text().startswith("\n".join(map(json.dumps, made)) + "\n{broken\n{"), "what is there stays"


def test_a_full_disk_is_one_line_and_nothing_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "labels.jsonl"
    found = queue(path, drawn(FOUR))
    judge(found, "ann", "correct")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(store_module, "append_line", fail)
        with pytest.raises(DataError, match="cannot be written: No space left on device; see to it and judge"):
            judge(found, "ann", "correct")
    assert judge(found, "ann", "incorrect") == ["q2"]
    assert len(lines(path)) == 2
