"""The response cache: what is asked once is not paid for again, and no fault of its file is the end of a run."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from factprobe.asking import cache as cache_module
from factprobe.asking.cache import ResponseCache
from factprobe.asking.runner import Exchange, ask
from factprobe.models.base import Reply
from factprobe.records import Usage
from tests.models.questions import question
from tests.models.server import Endpoint, completion, endpoint, model_at

REPLY = Reply('Paris "\n\0é', "length", Usage(7, 2), (-0.5, -1.25), (-0.1,))


def asked(server: Endpoint, cache: ResponseCache | None, count: int = 5, **settings: Any) -> list[Exchange]:
    model = model_at(server, **settings)
    answers: list[Exchange] = []

    async def main() -> None:
        async with model:
            await ask(model, [question(i, f"text {i}") for i in range(count)], answers.append, cache)

    asyncio.run(main())
    if cache is not None:
        cache.close()
    return sorted(answers, key=lambda one: one.request.question_id)


def echo(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return 200, completion(f"reply to {body['messages'][-1]['content']}" if "messages" in body else body["prompt"])


def test_cached_reply_round_trips(tmp_path: Path) -> None:
    first = ResponseCache(tmp_path / "a" / "b")
    first.put("q", "s", REPLY)
    second = ResponseCache(tmp_path / "a" / "b")
    assert second.get("q", "s") == first.get("q", "s") == REPLY
    assert second.get("q", "other") is None
    assert second.get("other", "s") is None
    second.put("q", "s", Reply("Lyon"))
    assert first.get("q", "s") == Reply("Lyon")
    first.close()
    second.close()


def test_second_run_uses_the_cache(tmp_path: Path) -> None:
    with endpoint(echo) as server:
        first = asked(server, ResponseCache(tmp_path), temperature=0.7)
        assert len(server.requests) == 5
        second = asked(server, ResponseCache(tmp_path), temperature=0.7)
        assert len(server.requests) == 5
    assert [one.response for one in second] == [one.response for one in first]
    assert {one.from_cache for one in first} == {False}
    assert {one.from_cache for one in second} == {True}


def test_refresh_asks_again_and_replaces(tmp_path: Path) -> None:
    texts = iter(["old", "new"])
    with endpoint(lambda body: (200, completion(next(texts)))) as server:
        asked(server, ResponseCache(tmp_path), 1)
        [refreshed] = asked(server, ResponseCache(tmp_path, "refresh"), 1)
        [read] = asked(server, ResponseCache(tmp_path), 1)
    assert (refreshed.response.response, read.response.response, len(server.requests)) == ("new", "new", 2)


def test_failed_call_is_not_kept(tmp_path: Path) -> None:
    with endpoint(lambda body: (400, {}) if len(server.requests) == 1 else echo(body)) as server:
        [first] = asked(server, ResponseCache(tmp_path), 1)
        [second] = asked(server, ResponseCache(tmp_path), 1)
    assert first.response.error
    assert (second.response.response, second.from_cache) == ("reply to text 0", False)


@pytest.mark.parametrize(
    "changed",
    [
        {"model": "other"},
        {"temperature": 0.5},
        {"temperature": None},
        {"max_tokens": 7},
        {"api": "completions"},
        {"logprobs": True},
        {"json_schema": {"type": "object"}},
        {"extra_body": {"top_k": 3}},
        {"repeat": 1},
    ],
    ids=str,
)
def test_answer_changing_setting_misses_the_cache(tmp_path: Path, changed: dict[str, Any]) -> None:
    with endpoint(echo) as server:
        asked(server, ResponseCache(tmp_path), 2)
        asked(server, ResponseCache(tmp_path), 2, **changed)
        assert len(server.requests) == 4
        asked(server, ResponseCache(tmp_path), 2, **changed)
        assert len(server.requests) == 4


def test_other_endpoint_misses_the_cache(tmp_path: Path) -> None:
    with endpoint(echo) as one, endpoint(echo) as other:
        asked(one, ResponseCache(tmp_path), 2)
        asked(other, ResponseCache(tmp_path), 2)
        assert (len(one.requests), len(other.requests)) == (2, 2)


def test_neutral_setting_hits_the_cache(tmp_path: Path) -> None:
    with endpoint(echo) as server:
        asked(server, ResponseCache(tmp_path), 2)
        same = {"timeout": 9.0, "max_retries": 1, "max_concurrency": 2, "requests_per_minute": 1e6}
        asked(server, ResponseCache(tmp_path), 2, **same, price={"input": 1, "output": 1}, repeat=0)
        assert len(server.requests) == 2


def foreign(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def filled(path: Path) -> None:
    cache = ResponseCache(path.parent)
    for number in range(200):
        cache.put(str(number), "s", Reply("x" * 500))
    cache.close()


def left_open(path: Path) -> None:
    """What a kill leaves: nothing has been taken out of the files beside."""
    open_ = path.with_name("open")
    open_.mkdir()
    cache = ResponseCache(open_)
    for number in range(200):
        cache.put(str(number), "s", Reply("x" * 500))
    for file in open_.iterdir():
        shutil.copy(file, path.parent)
    cache.close()
    shutil.rmtree(open_)


def truncated(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[:30_000])


DAMAGED: dict[str, Callable[[Path], object]] = {
    "garbage": lambda path: path.write_bytes(b"garbage" * 1000),
    "a page": lambda path: path.write_text("<html></html>"),
    "truncated": truncated,
}
UNREADABLE: dict[str, Callable[[Path], object]] = {
    "a reply that is none": lambda path: foreign(path, "insert into replies values ('q', 's', 'garbage')"),
    "a reply that is no UTF-8": lambda path: foreign(path, "insert into replies values ('q', 's', x'22ff22')"),
    "a reply that is a number": lambda path: foreign(path, "insert into replies values ('q', 's', 5)"),
}
UNUSABLE: dict[str, Callable[[Path], object]] = {
    "a folder in its place": lambda path: path.mkdir(),
    "other columns": lambda path: foreign(path, "create table replies (a)"),
    "a view of that name": lambda path: foreign(path, "create view replies as select 1"),
}


def used(folder: Path) -> None:
    """What a run does with a cache, and more often than it."""
    cache = ResponseCache(folder)
    for number in range(200):
        cache.get(str(number), "s")
    cache.get("q", "s")
    for number in range(3):
        cache.put(f"new {number}", "s", REPLY)
        cache.get(f"new {number}", "s")
    cache.close()


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_cached_reply_is_requested_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    cache = ResponseCache(tmp_path)
    cache.put("paid", "s", REPLY)
    cache.close()
    UNREADABLE[name](tmp_path / "responses.sqlite")
    cache = ResponseCache(tmp_path)
    assert cache.get("q", "s") is None
    assert cache.get("paid", "s") == REPLY
    cache.put("q", "s", REPLY)
    assert cache.get("q", "s") == REPLY
    cache.close()
    assert caplog.messages == []


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_cache_is_renamed(tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str) -> None:
    DAMAGED[name](tmp_path / "responses.sqlite")
    before = (tmp_path / "responses.sqlite").stat().st_ino
    used(tmp_path)
    [warning] = caplog.messages
    assert "is damaged" in warning
    [aside] = tmp_path.glob("*.damaged")
    assert aside.name in warning
    assert aside.stat().st_ino == before
    again = ResponseCache(tmp_path)
    assert again.get("new 2", "s") == REPLY
    again.close()
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable_file_turns_the_cache_off(tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str) -> None:
    UNUSABLE[name](tmp_path / "responses.sqlite")
    used(tmp_path)
    [warning] = caplog.messages
    assert "this run continues without it" in warning


def test_cache_folder_that_is_a_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    used(tmp_path / "file")
    assert len(caplog.messages) == 1


def test_database_of_another_program_keeps_its_tables(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "responses.sqlite"
    foreign(path, "create table letters (text)", "insert into letters values ('dear')")
    used(tmp_path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("select * from letters").fetchall() == [("dear",)]
    connection.close()


def test_cache_locked_by_another_process(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "_BUSY_SECONDS", 0.05)
    ResponseCache(tmp_path).close()
    holder = sqlite3.connect(tmp_path / "responses.sqlite", isolation_level=None)
    holder.execute("pragma locking_mode = exclusive")
    holder.execute("begin exclusive")
    used(tmp_path)
    [warning] = caplog.messages
    assert "locked" in warning
    holder.close()


def test_cache_damaged_while_two_runs_use_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "responses.sqlite"
    filled(path)
    first, second = ResponseCache(tmp_path), ResponseCache(tmp_path)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 100_000)
    for cache in (first, second):  # the second one must not set aside what the first has begun anew
        for number in range(200):
            cache.get(str(number), "s")
        cache.put(f"by {id(cache)}", "s", REPLY)
    assert len(caplog.messages) == len(list(tmp_path.glob("*.damaged"))) == 1
    third = ResponseCache(tmp_path)
    assert [third.get(f"by {id(cache)}", "s") for cache in (first, second)] == [REPLY, REPLY]
    for cache in (first, second, third):
        cache.close()


def in_processes(target: Callable[..., None], *arguments: tuple[Any, ...]) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=target, args=found) for found in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
    assert [process.exitcode for process in processes] == [0] * len(processes)


def without_rights(folder: Path, told: str, found: int) -> None:
    """Uses a cache as somebody who may not write there."""
    if os.geteuid() == 0:
        os.setuid(65534)
    messages: list[str] = []
    cache_module.log.warning = lambda what, *values: messages.append(what % values)  # type: ignore[method-assign]
    used(folder)
    assert len(messages) == 1, messages
    assert told in messages[0]
    cache = ResponseCache(folder)
    with ThreadPoolExecutor(1) as pool:  # as a notebook does
        replies = list(pool.map(lambda number: cache.get(str(number), "s"), range(200)))
    assert replies.count(Reply("x" * 500)) == found
    cache.close()


@pytest.mark.parametrize(
    ("content", "told", "found"),
    [
        ("good", "is read-only", 200),
        ("killed", "is read-only", 200),
        ("garbage", "continues without it", 0),
        ("nothing", "continues without it", 0),
    ],
)
def test_read_only_cache(content: str, told: str, found: int) -> None:
    with TemporaryDirectory() as name:  # pytest's own folders let nobody else in
        folder = Path(name)
        contents: dict[str, Callable[[Path], object]]
        contents = {"good": filled, "killed": left_open, "garbage": DAMAGED["garbage"], "nothing": str}
        contents[content](folder / "responses.sqlite")
        for file in folder.iterdir():
            file.chmod(0o644)  # shared on purpose: by default nobody else reads it
        folder.chmod(0o555)
        try:
            in_processes(without_rights, (folder, told, found))
        finally:
            folder.chmod(0o755)


def fill(folder: Path, name: str) -> None:
    cache = ResponseCache(folder)
    for number in range(300):
        cache.put(f"{name} {number}", "s", Reply(f"{name} {number}"))
        assert cache.get(f"{name} {number}", "s") == Reply(f"{name} {number}")
        cache.put("shared", "s", Reply(name))
    cache.close()


def test_several_processes_at_once(tmp_path: Path) -> None:
    in_processes(fill, *((tmp_path, str(i)) for i in range(3)))
    cache = ResponseCache(tmp_path)
    assert all(cache.get(f"{i} {n}", "s") == Reply(f"{i} {n}") for i in range(3) for n in range(300))
    assert cache.get("shared", "s") in [Reply(str(i)) for i in range(3)]
    cache.close()
    assert [path.name for path in tmp_path.iterdir()] == ["responses.sqlite"]


def test_busy_cache_file_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    connect, times = ResponseCache._connect, count(1)

    def busy_at_first(self: ResponseCache) -> None:
        if next(times) < 4:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY_RECOVERY
            raise error
        connect(self)

    monkeypatch.setattr(ResponseCache, "_connect", busy_at_first)
    cache = ResponseCache(tmp_path)
    cache.put("a", "s", Reply("Paris"))
    assert cache.get("a", "s") == Reply("Paris")
    cache.close()
    assert caplog.text == ""


def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    """The folder may be there already, and open to others; a file that is there keeps what its owner chose."""
    before = os.umask(0)
    try:
        cache = ResponseCache(tmp_path)
        cache.put("a", "s", Reply("yes"))
        found = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        cache.close()
    finally:
        os.umask(before)
    assert set(found.values()) == {0o600}, found
    assert len(found) == 3
    cache.path.chmod(0o660)
    ResponseCache(tmp_path).close()
    assert cache.path.stat().st_mode & 0o777 == 0o660
