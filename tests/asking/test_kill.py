"""Runs that are killed or stopped at any moment: nothing is lost, and nothing is asked twice but what was under way."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from factprobe.asking.log import ResponseLog
from tests.answering import complete, manifest, prepare, records, settings
from tests.asking.test_log import response
from tests.command_line import CommandLine, process
from tests.models.questions import question
from tests.models.server import Endpoint, completion, endpoint

AT_ONCE = 4
LIMIT = "limit=15"
COUNT = 60


def paris(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return 200, completion("Paris")


def reached(server: Endpoint, count: int, run: subprocess.Popen[str]) -> None:
    """Waits until a server has had so many requests, or the run has ended."""
    deadline = time.monotonic() + 30
    while len(server.requests) < count and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["read", "off"])
def test_repeated_kills_lose_only_calls_under_way(factprobe: CommandLine, tmp_path: Path, mode: str) -> None:
    root, seeded, kills = tmp_path / "outputs/trex", random.Random(4), 3
    prepare(factprobe, LIMIT)
    with endpoint(paris, delay=0.01) as server:
        run = ["step=answer", *settings(server.base_url, LIMIT, f"cache={mode}", f"model.max_concurrency={AT_ONCE}")]
        for _ in range(kills):
            killed = process(*run, folder=tmp_path)
            reached(server, len(server.requests) + seeded.randint(1, 18), killed)
            time.sleep(seeded.random() * 0.01)
            killed.send_signal(signal.SIGKILL)
            killed.communicate(timeout=20)
        assert not complete(root)
        result = factprobe(*run)
        assert result.code == 0, result.err
        assert len(server.requests) <= COUNT + kills * AT_ONCE
    assert complete(root)


@pytest.mark.parametrize("gap", [None, *(pytest.param(gap, marks=pytest.mark.slow) for gap in (0.0, 0.1))])
def test_ctrl_c_once_or_twice_ends_a_run_properly(factprobe: CommandLine, tmp_path: Path, gap: float | None) -> None:
    root = tmp_path / "outputs/trex"
    prepare(factprobe, LIMIT)
    with endpoint(paris, delay=0.01) as server:
        run = ["step=answer", *settings(server.base_url, LIMIT, "cache=off", f"model.max_concurrency={AT_ONCE}")]
        stopped = process(*run, folder=tmp_path)
        reached(server, 20, stopped)
        stopped.send_signal(signal.SIGINT)
        if gap is not None:
            time.sleep(gap)
            stopped.send_signal(signal.SIGINT)
        _, err = stopped.communicate(timeout=30)
        assert (stopped.returncode, len(err.splitlines())) == (130, 1), err
        assert "finished files and responses are kept, and the same command resumes" in err
        kept = len(records(root / "responses"))
        assert 20 - AT_ONCE <= kept < COUNT
        counts = manifest(root)["counts"]
        assert (counts["responses"], counts["stopped"]) == (kept, "KeyboardInterrupt")
        assert counts["prompt_tokens"] == 7 * kept
        before = len(server.requests)
        assert factprobe(*run).code == 0
        assert len(server.requests) - before == COUNT - kept
    assert complete(root)


@pytest.mark.slow
def test_ctrl_c_ends_a_run_whose_endpoint_never_answers(factprobe: CommandLine, tmp_path: Path) -> None:
    prepare(factprobe)
    with endpoint(lambda body: lambda here, handler: here.closing.wait()) as server:
        stopped = process("step=answer", *settings(server.base_url), folder=tmp_path)
        reached(server, 8, stopped)
        stopped.send_signal(signal.SIGINT)
        _, err = stopped.communicate(timeout=20)
    assert (stopped.returncode, len(err.splitlines())) == (130, 1), err


class Killed(BaseException):
    """Stands for a kill: nothing of the program runs after it but what Python itself does."""


def test_kill_while_responses_are_put_in_order_loses_none(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [question(i) for i in range(6)]
    other = [question(i) for i in range(4, 9)]

    def steps(folder: Path) -> list[Callable[[], object]]:
        log = ResponseLog(folder / "P36.jsonl")
        return [lambda: log.resume(asked, "s"), lambda: log.sort_responses(asked)]

    def run(folder: Path, most: int) -> bool:
        """Whether all was done before that many files had been renamed or removed."""
        left = [most]

        def counted(real: Callable[..., Any]) -> Callable[..., Any]:
            def changed(path: Path, *arguments: Any, **named: Any) -> Any:
                if path.suffix == ".jsonl" or arguments:
                    if not left[0]:
                        raise Killed
                    left[0] -= 1
                return real(path, *arguments, **named)

            return changed

        with monkeypatch.context() as patch:
            for name in ("replace", "unlink"):
                patch.setattr(Path, name, counted(getattr(Path, name)))
            try:
                for step in steps(folder):
                    step()
            except Killed:
                return False
        return True

    for most in range(20):
        with TemporaryDirectory() as name:
            folder = Path(name)
            for path, found in (
                ("P36.jsonl", [5, 3, 8]),
                ("shards/0-of-2/P36.jsonl", [1]),
                ("superseded/P36.jsonl", [4]),
            ):
                log = ResponseLog(folder / path)
                for i in found:
                    log.append(response(question(i), str(i)))
            done = run(folder, most)
            assert run(folder, 100)
            log = ResponseLog(folder / "P36.jsonl")
            assert list(log.resume(asked, "s")) == [0, 1, 0, 1, 1, 1]
            assert list(log.resume(other, "s")) == [1, 1, 0, 0, 1]
            assert list(log.resume(asked, "s")) == [0, 1, 0, 1, 1, 1]
        if done:
            assert most > 3
            return
    raise AssertionError("it never came to its end")
