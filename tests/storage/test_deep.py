"""JSON that is nested a thousand deep is a broken line or file like any other, wherever it is read."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from factprobe.asking.cache import ResponseCache
from factprobe.asking.log import ResponseLog
from factprobe.errors import DataError
from factprobe.models.base import Reply
from factprobe.records import Response
from factprobe.steps.replies.agree import read_records
from factprobe.storage import Lines, Problems, read_json, write_json
from tests.answering import EXAM, records, settings
from tests.command_line import CommandLine
from tests.models.server import completion, endpoint, send

DEPTHS = [1_000, 100_000]
RUN = ["step=all", *EXAM, "limit=1", "model=scripted"]


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("depth", DEPTHS)
def test_too_deep_line_is_skipped_and_reported(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"a": 1}}\n{{"a": {nested(depth)}}}\n{nested(depth)}\n{{"a": 2}}')
    problems = Problems()
    assert list(Lines(path, dict[str, Any], problems)) == [{"a": 1}, {"a": 2}]
    assert [message.partition(": broken line: ")[0] for message in problems.messages] == [f"{path}:2", f"{path}:3"]
    with pytest.raises(DataError, match=r"a\.jsonl:2: broken line: "):
        read_records([path])


@pytest.mark.parametrize("depth", DEPTHS)
def test_too_deep_document_is_an_error(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "a.json"
    path.write_text(f'{{"a": {nested(depth)}}}')
    with pytest.raises(DataError, match=r"a\.json: is broken: "):
        read_json(path, dict[str, Any])


def test_too_deep_record_cannot_be_written(tmp_path: Path) -> None:
    value: list[Any] = []
    for _ in range(5_000):
        value = [value]
    path = tmp_path / "a.json"
    with pytest.raises(DataError, match=r"a\.json: cannot be written, since a value is nested too deep"):
        write_json(path, {"a": value})
    assert not list(tmp_path.iterdir())


def test_too_deep_last_response_is_requested_again(tmp_path: Path) -> None:
    path = tmp_path / "P36.jsonl"
    kept = json.dumps({"question_id": "q", "response": "Paris"}) + "\n"
    path.write_text(f'{kept}{{"question_id": "r", "response": "x", "y": {nested(1_000)}}}')
    ResponseLog(path).resume([], "")
    log = ResponseLog(path)
    log.append(Response("s", "Rome", None, None, None))
    assert [json.loads(line)["question_id"] for line in path.read_text().splitlines()] == ["s"]


def test_too_deep_cached_reply_counts_as_damage(cache: Path) -> None:
    first = ResponseCache(cache)
    first.put("asked", "settings", Reply("Paris"))
    first.close()
    with sqlite3.connect(first.path) as connection:
        connection.execute("update replies set reply = ?", (f'{{"text": "x", "y": {nested(1_000)}}}'.encode(),))
    connection.close()
    second = ResponseCache(cache)
    assert second.get("asked", "settings") is None
    second.put("asked", "settings", Reply("Rome"))
    assert second.get("asked", "settings") == Reply("Rome")
    second.close()


@pytest.mark.parametrize("file", ["triplets/summary.json", "triplets/P36.summary.json", "manifest.json"])
def test_step_that_reads_it_ends_in_one_line(factprobe: CommandLine, file: str) -> None:
    assert factprobe(*RUN).code == 0
    path = factprobe.folder / "outputs/trex" / file
    path.write_text(path.read_text().rstrip()[:-1] + f', "x": {nested(1_000)}}}')
    line = factprobe.fails("step=report", *RUN[1:])
    assert f"{file}: is broken: " in line


def test_reply_is_that_questions_error(factprobe: CommandLine) -> None:
    logprobs = f'{{"choices": [{{"message": {{"content": "a"}}, "logprobs": {nested(950)}}}]}}'
    odd = [nested(1_000), f'{{"choices": {nested(100_000)}}}', logprobs, f'{{"choices": [], "usage": {nested(980)}}}']
    calls = iter([None, *odd])

    def answer(body: dict[str, Any]) -> Any:
        text = next(calls, None)
        return (200, completion("Paris")) if text is None else send(text.encode())

    with endpoint(answer) as server:
        changes = ["limit=2", "model.max_retries=0", "model.max_concurrency=1", "model.logprobs=true"]
        result = factprobe("step=all", *settings(server.base_url, *changes))
    assert result.code == 0, result.err
    errors = [found["error"] is not None for found in records(factprobe.folder / "outputs/trex/responses")]
    assert errors == [False, *[True] * 4, *[False] * 3]
