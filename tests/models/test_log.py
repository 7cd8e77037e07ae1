"""Responses on disk: resumed, repaired, set aside, never asked for twice."""

from __future__ import annotations

from pathlib import Path

import msgspec

from factprobe.models.base import short_hash
from factprobe.models.log import ResponseLog
from factprobe.records import Question, Response
from tests.models.questions import question


def response(asked: Question, text: str | None = "Paris", settings: str = "s", error: str | None = None) -> Response:
    return Response(asked.question_id, text, "stop", None, error, short_hash(asked.prompts), settings)


def fill(path: Path, *responses: Response, tail: bytes = b"") -> ResponseLog:
    log = ResponseLog(path)
    with log.open() as file, log.writer(file) as writer:
        for one in responses:
            writer.write(one)
        file.write(tail)
    return log


def lines(path: Path) -> list[Response]:
    return [msgspec.json.decode(line, type=Response) for line in path.read_bytes().splitlines()]


def test_what_is_answered_is_kept(tmp_path: Path) -> None:
    asked = [question(i) for i in range(4)]
    log = fill(tmp_path / "P36.jsonl", response(asked[2]), response(asked[0]))
    assert log.resume(asked, "s") == {asked[0].question_id, asked[2].question_id}
    assert lines(log.path) == [response(asked[2]), response(asked[0])]


def test_a_half_written_last_line_is_dropped(tmp_path: Path) -> None:
    asked = [question(1), question(2)]
    log = fill(tmp_path / "P36.jsonl", response(asked[0]), tail=b'{"question_id":"Q2:Q90:P36:sing')
    assert log.resume(asked, "s") == {asked[0].question_id}
    assert lines(log.path) == [response(asked[0])]


def test_failed_ones_are_asked_again(tmp_path: Path) -> None:
    asked = [question(1), question(2)]
    log = fill(tmp_path / "P36.jsonl", response(asked[0], None, error="timeout"), response(asked[1]))
    assert log.resume(asked, "s") == {asked[1].question_id}
    assert lines(log.path) == [response(asked[1])]


def test_doubles_count_once(tmp_path: Path) -> None:
    asked = [question(1)]
    log = fill(tmp_path / "P36.jsonl", response(asked[0]), response(asked[0], "Lyon"))
    assert log.resume(asked, "s") == {asked[0].question_id}
    assert lines(log.path) == [response(asked[0])]


def test_other_settings_and_wordings_are_set_aside_and_come_back(tmp_path: Path) -> None:
    old, new = question(1), question(1, "What is the capital of France?")
    log = fill(tmp_path / "P36.jsonl", response(old))
    assert log.resume([new], "s") == set()
    assert lines(log.path) == []
    assert log.resume([old], "other") == set()
    assert log.resume([old], "s") == {old.question_id}
    assert lines(log.path) == [response(old)]
    assert not (tmp_path / "superseded" / "P36.jsonl").exists()


def test_only_responses_to_the_present_wording_are_graded(tmp_path: Path) -> None:
    old, new = question(1), question(1, "What is the capital of France?")
    log = fill(tmp_path / "P36.jsonl", response(old), response(question(9)))
    assert log.matching([new]) == {}
    assert log.matching([old]) == {old.question_id: response(old)}


def test_responses_from_elsewhere_have_no_hash(tmp_path: Path) -> None:
    asked = question(1)
    foreign = Response(asked.question_id, "Paris", None, None, None)
    assert fill(tmp_path / "P36.jsonl", foreign).matching([asked]) == {asked.question_id: foreign}
