"""The session: texts, unusable labels, larger draws, progress and agreement."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from factprobe.config import LabelConfig
from factprobe.errors import DataError
from factprobe.inputs.labels import LabelVerdict, read_label_file
from factprobe.labelling.replies import LabelCandidate
from factprobe.labelling.session import LabelSession
from factprobe.labelling.status import pair_agreements
from factprobe.storage import Problems
from tests.labelling.replies import candidate, candidates, graded


def session(path: Path, of: list[LabelCandidate], *, count: int = 1000, overlap: float = 0.0) -> LabelSession:
    config = LabelConfig(count=count, overlap=overlap)
    return LabelSession(lambda: map(graded, of), config, path, 0, Problems())


def judge_all(of: LabelSession, annotator: str, verdict: LabelVerdict = "correct", most: int = 1000) -> int:
    count = 0
    while count < most and (task := of.next_task(annotator)):
        of.judge(annotator, task.key, verdict)
        count += 1
    return count


def test_a_task_has_the_texts_and_the_verdicts_of_others(tmp_path: Path) -> None:
    found = session(tmp_path / "labels.jsonl", candidates(1), overlap=1.0)
    task = found.next_task("ann")
    assert task
    assert (task.reply.question, task.reply.answers, task.reply.response) == ("What is q0?", ("this",), "that")
    assert task.others == {}
    found.judge("ann", task.key, "abstained")
    other = found.next_task("bob")
    assert other
    assert other.others == {"ann": "abstained"}
    undone = found.undo("ann")
    assert undone
    assert undone.key == task.key


def test_no_reply_and_two_replies_of_one_id_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    with pytest.raises(DataError, match="there is no reply to judge"):
        session(path, [])
    with pytest.raises(DataError, match=r"two replies of b have the id x; .*columns\.system="):
        session(path, [candidate("x", system=name) for name in "abb"])
    assert not path.exists()


def test_the_interval_appears_and_narrows(tmp_path: Path) -> None:
    found = session(tmp_path / "labels.jsonl", [*candidates(200, 0.6)])
    judge_all(found, "ann", most=9)
    assert found.progress().accuracies[0].interval is None
    widths = []
    for most in (11, 60):
        judge_all(found, "ann", most=most // 2)
        judge_all(found, "ann", "incorrect", most=most // 2)
        interval = found.progress().accuracies[0].interval
        assert interval
        widths.append(interval.high - interval.low)
    assert widths[1] < 0.7 * widths[0]
    progress = found.progress()
    assert (progress.drawn_count, progress.judged_count, progress.by_annotator) == (200, 79, {"ann": 79})


def test_bad_questions_and_ties_are_no_labels_of_the_accuracy(tmp_path: Path) -> None:
    found = session(tmp_path / "labels.jsonl", candidates(4), overlap=1.0)
    judge_all(found, "ann", "bad_question", most=1)
    judge_all(found, "ann")
    judge_all(found, "bob", "bad_question", most=1)
    judge_all(found, "bob", "incorrect", most=1)
    progress = found.progress()
    assert progress.accuracies[0].labels == 2
    assert progress.disputed == 1


def test_each_system_has_its_own_accuracy(tmp_path: Path) -> None:
    of = [candidate(f"q{number}", system=name) for name in "ab" for number in range(3)]
    found = session(tmp_path / "labels.jsonl", of)
    judge_all(found, "ann", most=4)
    assert sum(one.labels for one in found.progress().accuracies) == 4
    assert [one.system for one in found.progress().accuracies] == ["a", "b"]


def test_kappa_is_that_of_the_shared_replies(tmp_path: Path) -> None:
    verdicts: dict[tuple[str, str], dict[str, str]] = {
        ("", f"q{number}"): {"ann": one, "bob": other}
        for number, (one, other) in enumerate(
            [("correct", "correct")] * 20 + [("incorrect", "incorrect")] * 15 + [("correct", "incorrect")] * 15
        )
    }
    verdicts["", "alone"] = {"ann": "correct"}
    [found] = pair_agreements(verdicts, 0)
    assert (found.annotators, found.replies, found.alike) == (("ann", "bob"), 50, 35)
    expected = (0.7 - (0.7 * 0.4 + 0.3 * 0.6)) / (1 - (0.7 * 0.4 + 0.3 * 0.6))
    assert found.kappa
    assert found.kappa.estimate == pytest.approx(expected)
    assert found.kappa.low < expected < found.kappa.high
    assert pair_agreements(verdicts, 0) == [found]


def test_unusable_labels_are_one_line_each(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "labels.jsonl"
    made = [
        {"id": "q0", "verdict": "correct", "annotator": "ann"},
        {"id": "q1", "verdict": "perhaps", "annotator": "ann"},
        {"id": "q2", "verdict": "correct", "annotator": "ann"},
        {"id": "q2", "verdict": "incorrect", "annotator": "ann"},
        {"id": "nowhere", "verdict": "correct", "annotator": "ann"},
        {"id": "q3", "verdict": "correct", "annotator": "ann", "reply": "of another"},
    ]
    path.write_text("\n".join(map(json.dumps, made)) + "\n")
    with caplog.at_level(logging.WARNING):
        found = session(path, candidates(5))
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 4, told
    for words in (
        "unknown verdict 'perhaps'",
        "ann labels 'q2' as correct, incorrect",
        "left out: nowhere",
        "left out: q3",
    ):
        assert sum(words in line for line in told) == 1, words
    assert found.progress().judged_count == 1
    assert judge_all(found, "ann") == 4


def test_a_larger_count_renews_the_probabilities_and_keeps_the_labels(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    of = [*candidates(50, 0.99), *(candidate(f"u{number}") for number in range(50))]
    first = session(path, of, count=20)
    drawn = judge_all(first, "ann")
    before = {label.id: label.probability or 0 for label in read_label_file(path, Problems())}
    again = session(path, of, count=60)
    assert again.progress().judged_count == drawn
    after = {label.id: label.probability or 0 for label in read_label_file(path, Problems())}
    assert before.keys() == after.keys()
    assert all(after[name] > 2 * before[name] for name in before)
    size = len(path.read_text())
    session(path, of, count=60)
    assert len(path.read_text()) == size


def test_labels_of_another_draw_keep_their_probabilities(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "labels.jsonl"
    of = candidates(100)
    judge_all(session(path, of, count=60), "ann")
    before = path.read_text()
    with caplog.at_level(logging.WARNING):
        session(path, of, count=20)
    assert path.read_text() == before
    [line] = [record.getMessage() for record in caplog.records]
    assert "not drawn now, since label.order, label.count, the seed or the grades have changed" in line
