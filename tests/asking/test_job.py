"""Asking without a run of the steps, as a generator does that has a model write: what is resumed, cached and paid."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from factprobe.asking.job import AskSettings, CallCounts, ask_all, calls_left
from factprobe.asking.pending import PendingRequests
from factprobe.errors import ConfigError, CostLimitError, DataError
from factprobe.models import Model
from factprobe.models.base import request_hash
from factprobe.records import Message, PlainRequest, Question, Response
from factprobe.storage import write_lines
from tests.models.questions import binary, question
from tests.models.server import Endpoint, completion, endpoint, fault, model_at

COUNT = 12
PRICE = {"input": 1, "output": 2}
BODIES = ("stars", "moons")


def requests(body: str) -> list[PlainRequest]:
    """What to write about one thing; the ids are the same for each."""
    return [PlainRequest(f"{i}", (Message("user", f"Write {body} {i}."),)) for i in range(COUNT)]


def echo(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return 200, completion(f"reply to {body['messages'][-1]['content']}")


class Writer:
    """A generator that has a model write: requests in files of its own, and settings of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = AskSettings(cache_dir=folder / "cache")
        for body in BODIES:
            write_lines(folder / f"{body}.jsonl", requests(body))

    def todo(self, model: Model) -> PendingRequests[PlainRequest]:
        files = {body: (self.folder / f"{body}.jsonl", self.folder / "replies" / f"{body}.jsonl") for body in BODIES}
        return PendingRequests(files, PlainRequest, model.settings_hash)

    def ask(self, server: Endpoint, **changes: Any) -> CallCounts:
        model = model_at(server, price=PRICE, **changes)
        return ask_all(model, self.todo(model), self.settings)

    def replies(self, server: Endpoint) -> dict[str, list[str | None]]:
        todo = self.todo(model_at(server))
        return {body: [found.response if found else None for _, found in todo.answers(body)] for body in BODIES}

    def forget(self) -> None:
        for path in (self.folder / "replies").rglob("*.jsonl"):
            path.unlink()


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


WRITTEN = {body: [f"reply to Write {body} {i}." for i in range(COUNT)] for body in BODIES}


def test_replies_are_stored_with_their_requests(writer: Writer) -> None:
    with endpoint(echo) as server:
        counts = writer.ask(server)
        assert (counts.asked, counts.cached, counts.kept, counts.failed) == (2 * COUNT, 0, 0, 0)
        assert writer.replies(server) == WRITTEN
        lines = (writer.folder / "replies/moons.jsonl").read_bytes().splitlines()
        said = [msgspec.json.decode(line, type=Response) for line in lines]
        assert [one.question_id for one in said] == [f"{i}" for i in range(COUNT)]
        assert said[3].prompts_hash == request_hash(requests("moons")[3])
        counts = writer.ask(server)
        assert (counts.asked, counts.cached, counts.kept) == (0, 0, 2 * COUNT)
        assert len(server.requests) == 2 * COUNT


def test_works_inside_running_event_loop(writer: Writer) -> None:
    async def notebook(server: Endpoint) -> CallCounts:
        return writer.ask(server)

    with endpoint(echo) as server:
        assert asyncio.run(notebook(server)).asked == COUNT * len(BODIES)
        shutil.rmtree(writer.folder / "replies")
        assert asyncio.run(notebook(server)).cached == COUNT * len(BODIES)
        assert all(all(found) for found in writer.replies(server).values())


def test_only_what_is_new_is_asked(writer: Writer) -> None:
    with endpoint(echo) as server:
        writer.ask(server)
        other = PlainRequest("4", (Message("user", "Write the sun."),))
        write_lines(writer.folder / "stars.jsonl", [*requests("stars")[:4], other, *requests("stars")[5:]])
        assert writer.ask(server).asked == 1
        assert writer.replies(server)["stars"][3:6] == [
            WRITTEN["stars"][3],
            "reply to Write the sun.",
            WRITTEN["stars"][5],
        ]
        assert writer.replies(server)["moons"] == WRITTEN["moons"]


@pytest.mark.parametrize(("mode", "asked"), [("read", 0), ("refresh", 2 * COUNT), ("off", 2 * COUNT)])
def test_cache_is_used_as_the_settings_say(writer: Writer, mode: Any, asked: int) -> None:
    with endpoint(echo) as server:
        writer.ask(server)
        writer.forget()
        writer.settings = AskSettings(cache=mode, cache_dir=writer.folder / "cache")
        counts = writer.ask(server)
        assert (counts.asked, counts.cached) == (asked, 2 * COUNT - asked)
        assert writer.replies(server) == WRITTEN
        assert (writer.folder / "cache/responses.sqlite").is_file()


def test_without_a_folder_it_is_the_users_cache(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FACTPROBE_CACHE", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: writer.folder / "home" / name)
    writer.settings = AskSettings()
    with endpoint(echo) as server:
        writer.ask(server)
    assert (writer.folder / "home/factprobe/responses.sqlite").is_file()


def test_pending_cost_is_estimated_without_asking(writer: Writer) -> None:
    with endpoint(echo) as server:
        model = model_at(server, price=PRICE, max_tokens=10)

        def left() -> str:
            return calls_left(model, writer.todo(model), writer.settings)

        tokens = sum(-(-len(one.prompts[0].content) // 4) for body in BODIES for one in requests(body))
        line = left()
        assert line.startswith(f"24 calls to m are left to make, about {tokens:,} tokens of prompts and at most 240 of")
        assert line.endswith(f"at most about ${(tokens + 480) / 1e6:.4f}; 0 are answered")
        assert server.requests == []
        writer.ask(server, max_tokens=10)
        assert left().startswith("0 calls")
        writer.forget()
        line = left()  # the cache has them
        assert line.startswith("0 calls")
        assert line.endswith("24 are answered")


def test_limit_of_money_holds_with_what_was_spent_before(writer: Writer) -> None:
    ends: list[tuple[dict[str, Any], BaseException]] = []
    with endpoint(echo) as server:
        model = model_at(server, price=PRICE, max_concurrency=1, max_tokens=48)
        one = 11e-6  # what a call costs; some 200 are reserved for each
        limit = AskSettings(cache="off", max_cost_usd=1.0)
        with pytest.raises(CostLimitError, match=r"^max_cost_usd=1: \$0\.9\d+ are spent"):
            ask_all(
                model,
                writer.todo(model),
                limit,
                spent=1.0 - 27 * one,
                stopped=lambda counts, error: ends.append((counts.as_dict(), error)),
            )
        [(counts, error)] = ends
        assert isinstance(error, CostLimitError)
        assert 0 < counts["responses"] == len(server.requests) < COUNT
        assert counts["usd"] == pytest.approx(counts["responses"] * one)
        assert ask_all(model, writer.todo(model), limit).kept == counts["responses"]
        assert len(server.requests) == 2 * COUNT
        unknown = model_at(server)
        for act in (ask_all, calls_left):
            with pytest.raises(ConfigError, match="the price of m is not known"):
                act(unknown, writer.todo(unknown), limit)


def test_failed_calls_are_counted_and_made_again(writer: Writer) -> None:
    with endpoint(lambda body: (400, fault("not that")) if "moons 5" in str(body) else echo(body)) as server:
        counts = writer.ask(server)
        assert (counts.failed, counts.unanswered.why()) == (1, ", most often: 400: not that")
        assert counts.as_dict()["responses"] == 2 * COUNT - 1
        assert writer.replies(server)["moons"][5] is None
    with endpoint(echo) as server:
        writer.forget()
        assert writer.ask(server).failed == 0


WRITE = """
import sys
from pathlib import Path
from tests.asking.test_job import Writer
from factprobe.factories import build_model
from factprobe.asking.job import ask_all

writer = Writer(Path(sys.argv[1]))
model = build_model({"backend": "openai", "model": "m", "base_url": sys.argv[2], "max_concurrency": 2})
ask_all(model, writer.todo(model), writer.settings)
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_program_that_is_killed_goes_on_where_it_was(writer: Writer, end: signal.Signals) -> None:
    with endpoint(echo, delay=0.02) as server:
        program = [sys.executable, "-c", WRITE, str(writer.folder), server.base_url]
        with subprocess.Popen(program, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as killed:
            deadline = time.monotonic() + 60
            while len(server.requests) < 6 and killed.poll() is None and time.monotonic() < deadline:
                time.sleep(0.001)
            killed.send_signal(end)
            _, err = killed.communicate(timeout=60)
        assert killed.returncode == -end, err
        asked = len(server.requests)
        assert 6 <= asked < 2 * COUNT
        counts = writer.ask(server)
        assert 0 < counts.kept + counts.cached <= asked
        assert len(server.requests) <= 2 * COUNT + 2
        assert writer.replies(server) == WRITTEN


def test_questions_are_requests_too(tmp_path: Path) -> None:
    asked = [question(1), binary(2)]
    write_lines(tmp_path / "P36.jsonl", asked)
    files = {"P36": (tmp_path / "P36.jsonl", tmp_path / "replies.jsonl")}
    with endpoint(echo) as server:
        model = model_at(server)
        ask_all(model, PendingRequests(files, Question, model.settings_hash), AskSettings(cache="off"))
        found = list(PendingRequests(files, Question, model.settings_hash).answers("P36"))
        plain = list(
            PendingRequests(files, PlainRequest, model.settings_hash).answers("P36")
        )  # further keys are passed over
    assert [one for one, _ in found] == asked
    assert [one.question_id for one, _ in plain] == [one.question_id for one in asked]
    assert [said for _, said in plain] == [said for _, said in found]


def test_broken_request_file_is_an_error(writer: Writer) -> None:
    with (writer.folder / "moons.jsonl").open("a") as file:
        file.write('{"question_id": 5}\n')
    with endpoint(echo) as server, pytest.raises(DataError, match=r"moons\.jsonl:13: broken line.*; make it again$"):
        writer.ask(server)
