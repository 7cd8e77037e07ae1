"""Responses on disk: resumed, repaired, set aside, never asked for twice."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from factprobe.asking.log import ResponseLog, Shard
from factprobe.errors import ConfigError, DataError
from factprobe.models.base import request_hash
from factprobe.records import Question, Response
from tests.models.questions import question


def response(asked: Question, text: str | None = "Paris", hash_: str = "s", error: str | None = None) -> Response:
    return Response(asked.question_id, text, "stop", None, error, request_hash(asked), hash_)


def fill(path: Path, *responses: Response, tail: bytes = b"") -> ResponseLog:
    log = ResponseLog(path)
    for one in responses:
        log.append(one)
    with path.open("ab") as file:
        file.write(tail)
    return log


def lines(path: Path) -> list[Response]:
    return [msgspec.json.decode(line, type=Response) for line in path.read_bytes().split(b"\n") if line.strip()]


def test_answered_requests_are_kept(tmp_path: Path) -> None:
    asked = [question(i) for i in range(4)]
    log = fill(tmp_path / "P36.jsonl", response(asked[2]), response(asked[0]))
    assert list(log.resume(asked, "s")) == [1, 0, 1, 0]
    assert lines(log.path) == [response(asked[2]), response(asked[0])]


@pytest.mark.parametrize("tail", [b'{"question_id":"Q2:Q90:P36:sing', b"\xff", b"\0\0\0"])
def test_incomplete_last_line_is_dropped(tmp_path: Path, tail: bytes) -> None:
    asked = [question(1), question(2)]
    log = fill(tmp_path / "P36.jsonl", response(asked[0]), tail=tail)
    assert list(log.resume(asked, "s")) == [1, 0]
    log.append(response(asked[1]))
    assert lines(log.path) == [response(asked[0]), response(asked[1])]


@pytest.mark.parametrize("tail", [b"mine\n", b"mine"])
def test_link_to_another_file_is_not_written_to(tmp_path: Path, tail: bytes) -> None:
    victim, path = tmp_path / "victim", tmp_path / "P36.jsonl"
    victim.write_bytes(tail)
    path.symlink_to(victim)
    with pytest.raises(DataError, match="is a link"):
        ResponseLog(path).append(response(question(1)))
    with suppress(DataError):
        ResponseLog(path).resume([question(1)], "s")
    assert victim.read_bytes() == tail


def test_last_line_without_newline_is_kept(tmp_path: Path) -> None:
    asked = [question(1), question(2)]
    log = fill(tmp_path / "P36.jsonl", tail=msgspec.json.encode(response(asked[0])))
    assert list(log.resume(asked, "s")) == [1, 0]
    log.append(response(asked[1]))
    assert lines(log.path) == [response(asked[0]), response(asked[1])]


def test_failed_requests_are_retried(tmp_path: Path) -> None:
    asked = [question(1), question(2)]
    log = fill(tmp_path / "P36.jsonl", response(asked[0], None, error="timeout"), response(asked[1]))
    assert list(log.resume(asked, "s")) == [0, 1]
    assert lines(log.path) == [response(asked[1])]


def test_duplicates_count_once(tmp_path: Path) -> None:
    asked = [question(1)]
    log = fill(tmp_path / "P36.jsonl", response(asked[0]), response(asked[0], "Lyon"))
    assert list(log.resume(asked, "s")) == [1]
    assert lines(log.path) == [response(asked[0])]


def test_other_settings_and_wordings_are_set_aside_and_come_back(tmp_path: Path) -> None:
    old, new = question(1), question(1, "What is the capital of France?")
    log = fill(tmp_path / "P36.jsonl", response(old))
    assert list(log.resume([new], "s")) == [0]
    assert lines(log.path) == []
    assert list(log.resume([old], "other")) == [0]
    assert list(log.resume([old], "s")) == [1]
    assert lines(log.path) == [response(old)]
    assert not (tmp_path / "superseded" / "P36.jsonl").exists()


def test_responses_follow_question_order(tmp_path: Path) -> None:
    asked = [question(i) for i in range(5)]
    log = fill(tmp_path / "P36.jsonl", *(response(asked[i], str(i)) for i in (3, 0, 4, 1)))
    log.sort_responses(asked)
    assert [one.response for one in lines(log.path)] == ["0", "1", "3", "4"]


def test_only_responses_to_the_present_wording_are_graded(tmp_path: Path) -> None:
    old, new = question(1), question(1, "What is the capital of France?")
    log = fill(tmp_path / "P36.jsonl", response(old), response(question(9)))
    assert list(log.answers([new])) == [(new, None)]
    assert list(log.answers([old])) == [(old, response(old))]


def test_responses_from_elsewhere_have_no_hash(tmp_path: Path) -> None:
    asked = question(1)
    foreign = Response(asked.question_id, "Paris", None, None, None)
    assert list(fill(tmp_path / "P36.jsonl", foreign).answers([asked])) == [(asked, foreign)]


def test_shards_partition_questions_and_are_merged(tmp_path: Path) -> None:
    asked = [question(i) for i in range(40)]
    path = tmp_path / "P36.jsonl"
    for number in range(3):
        shard = ResponseLog(path, Shard(number, 3))
        left = [one for one, state in zip(asked, shard.resume(asked, "s"), strict=True) if state == 0]
        assert 0 < len(left) < 40
        for one in left:
            shard.append(response(one))
        assert 0 not in shard.resume(asked, "s")
    assert not path.exists()
    log = ResponseLog(path)
    assert [answer for _, answer in log.answers(asked)] == [response(one) for one in asked]
    assert list(log.resume(asked, "s")) == [1] * 40
    log.sort_responses(asked)
    assert lines(path) == [response(one) for one in asked]
    assert not list((tmp_path / "shards").rglob("*.jsonl"))


def test_shard_resumes_after_incomplete_line(tmp_path: Path) -> None:
    asked = [question(i) for i in range(9)]
    shard = Shard(0, 1)
    log = ResponseLog(tmp_path / "P36.jsonl", shard)
    log.append(response(asked[0]))
    with log.path.open("ab") as file:
        file.write(b'{"question')
    log = ResponseLog(tmp_path / "P36.jsonl", shard)
    assert list(log.resume(asked, "s")) == [1] + [0] * 8
    log.append(response(asked[1]))
    assert list(log.resume(asked, "s")) == [1, 1] + [0] * 7


@pytest.mark.parametrize("text", ["8/8", "1", "a/b", "-1/2", "1/0", "0/0"])
def test_invalid_shard(text: str) -> None:
    with pytest.raises(ConfigError, match="is not a shard"):
        Shard.parse(text)


@given(
    # At least one answer: a file that begins with a NUL byte is refused as UTF-16.
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["s", "t"]), st.booleans()), min_size=1, max_size=12),
    st.binary(),
)
@example([(0, "s", True)], b"\t\n")
def test_no_answer_is_ever_lost(found: list[tuple[int, str, bool]], tail: bytes) -> None:
    asked = [question(i) for i in range(4)]
    everyone = [question(i) for i in range(6)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "P36.jsonl"
        given_ = [response(everyone[i], f"{i}", s, None if fine else "timeout") for i, s, fine in found]
        log = fill(path, *given_, tail=tail)
        for hash_ in ("t", "s", "t"):
            state = log.resume(asked, hash_)
            expected = {i for i, s, fine in found if fine and s == hash_ and i < 4}
            assert {i for i in range(4) if state[i]} == expected
        files = [path, Path(folder) / "superseded/P36.jsonl"]
        left = {(one.question_id, one.settings_hash) for file in files if file.exists() for one in lines(file)}
        assert left == {(one.question_id, one.settings_hash) for one in given_ if one.error is None}


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize("end", [b"\n", b""])
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"question_id":"%s","response":NaN,"finish_reason":null,"usage":null,"error":"timeout"}', None),
        (b'{"question_id":"%s","response":"Lima","finish_reason":NaN,"usage":null,"error":NaN}', "Lima"),
        (MARK + b'{"question_id":"%s","response":"Lima","finish_reason":null,"usage":null,"error":null}', "Lima"),
        (MARK * 2 + b'{"question_id":"%s","response":"Lima","finish_reason":null,"usage":null,"error":null}', "Lima"),
    ],
)
@pytest.mark.parametrize("place", [0, 1])
def test_lines_can_be_read_twice(tmp_path: Path, line: bytes, expected: str | None, end: bytes, place: int) -> None:
    """Pandas writes NaN for null, and files that were joined have byte-order marks in their middle."""
    asked = [question(1), question(2)]
    others = [response(asked[1 - place])]
    log = fill(tmp_path / "P36.jsonl", *others[:place], tail=line % asked[place].question_id.encode() + end)
    if not place and end:
        log = fill(log.path, *others)
    found = {one.question_id: said for one, said in log.answers(asked)}[asked[place].question_id]
    assert found is not None
    assert found.response == expected
    log.resume(asked, "s")
    kept = [said.response for said in log.all_responses() if said.question_id == asked[place].question_id]
    assert kept == ([] if expected is None else [expected])


@pytest.mark.parametrize("value", ["1.5", "[]", "{}", '"\\ud800"', "1" * 400, "NaNs", "-"])
@pytest.mark.parametrize("field", ["response", "finish_reason", "usage", "error", "scores", "logprobs", "question_id"])
def test_wrong_field_is_a_broken_line(tmp_path: Path, field: str, value: str) -> None:
    asked = [question(1), question(2)]
    record = msgspec.json.decode(msgspec.json.encode(response(asked[1])))
    encoded = msgspec.json.encode({**record, field: "§"}).replace('"§"'.encode(), value.encode())
    log = fill(tmp_path / "P36.jsonl", response(asked[0]), tail=encoded + b"\n")
    assert next(said and said.response for _, said in log.answers(asked)) == "Paris"
    assert next(iter(log.resume(asked, "s"))) == 1
