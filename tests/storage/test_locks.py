"""Two processes on one folder: the second says so, the first goes on, and a killed one holds nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from factprobe.errors import BusyError, DataError
from factprobe.steps.manifest import Manifest
from factprobe.storage import Layout
from factprobe.storage.locks import hold_lock
from tests.answering import COUNT, EXAM, complete, prepare, settings
from tests.command_line import CommandLine, process
from tests.models.server import Endpoint, completion, endpoint


@contextmanager
def answering(folder: Path) -> Iterator[tuple[subprocess.Popen[str], Endpoint, threading.Event]]:
    """A process in the middle of its work, which goes on when it is told to, at the latest at the end of the block."""
    go = threading.Event()

    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if len(server.requests) > 2:
            go.wait(20)
        return 200, completion("Paris")

    with endpoint(answer) as server:
        run = process("step=answer", *settings(server.base_url), folder=folder)
        try:
            deadline = time.monotonic() + 30
            while len(server.requests) < 3 and run.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            yield run, server, go
        finally:
            go.set()
            run.communicate(timeout=30)


BUSY = "another factprobe process works here; wait for it to end, stop it, or set output_dir= to another folder"


def test_second_process_fails_and_first_continues(factprobe: CommandLine, tmp_path: Path) -> None:
    prepare(factprobe)
    with answering(tmp_path) as (first, server, _):
        for run in (["step=answer"], ["step=answer", "model.max_tokens=9"]):
            assert BUSY in factprobe.fails(*settings(server.base_url), *run)
        assert factprobe("step=answer", *settings(server.base_url), "dry_run=true").code == 0
        for step in ("extract", "generate", "all"):
            assert BUSY in factprobe.fails(f"step={step}", *settings(server.base_url))
        assert len(server.requests) <= 10
        assert first.poll() is None
    assert first.returncode == 0
    assert len(server.requests) == COUNT
    assert complete(tmp_path / "outputs/trex")


@pytest.mark.slow
def test_two_models_work_on_one_folder_at_once(factprobe: CommandLine, tmp_path: Path) -> None:
    prepare(factprobe)
    with answering(tmp_path) as (first, _, _):
        assert factprobe("step=answer", *EXAM, "model=scripted").code == 0
        for step in ("evaluate", "report"):
            assert factprobe(f"step={step}", *EXAM, "model=scripted").code == 0
        assert first.poll() is None
    assert first.returncode == 0
    counts = [len(path.read_text().splitlines()) for path in (tmp_path / "outputs/trex/responses").rglob("*.jsonl")]
    assert counts == [COUNT, COUNT]


def test_killed_process_releases_its_lock(factprobe: CommandLine, tmp_path: Path) -> None:
    prepare(factprobe)
    with answering(tmp_path) as (first, server, go):
        first.send_signal(signal.SIGKILL)
        first.wait(timeout=20)
        go.set()
        assert factprobe("step=answer", *settings(server.base_url)).code == 0
        assert factprobe("step=generate", *EXAM).code == 0
    assert complete(tmp_path / "outputs/trex")
    assert not [path for path in (tmp_path / "outputs").rglob("*") if "journal" in path.name]


def test_many_may_read_and_one_may_write(tmp_path: Path) -> None:
    lock = tmp_path / "a" / "b" / ".lock"
    with (
        hold_lock(lock, "read"),
        hold_lock(lock, "read"),
        pytest.raises(BusyError, match=BUSY),
        hold_lock(lock, "write"),
    ):
        pass
    with hold_lock(lock, "write"):
        for mode in ("read", "write"):
            with pytest.raises(BusyError), hold_lock(lock, mode, 0.05):
                pass
    with hold_lock(lock, "write"):
        pass


STRANGE: dict[str, Callable[[Path], object]] = {
    "garbage": lambda path: path.write_bytes(b"garbage" * 1000),
    "a folder": lambda path: path.mkdir(),
    "a link": lambda path: path.symlink_to("elsewhere"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_non_lock_file_is_a_one_line_error(factprobe: CommandLine, tmp_path: Path, name: str) -> None:
    root = tmp_path / "outputs/trex"
    root.mkdir(parents=True)
    STRANGE[name](root / ".lock")
    assert "outputs/trex/.lock: " in factprobe.fails("step=extract", *EXAM)


def test_case_insensitive_disk_is_detected(
    factprobe: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(factprobe)
    there, listed = tmp_path / "outputs/trex/responses/template", os.listdir
    with hold_lock(there / "stub" / ".lock", "write"), hold_lock(there / "STUB" / ".lock", "write"):
        pass  # this one tells them apart
    monkeypatch.setattr(os, "listdir", lambda folder: ["STUB"] if Path(folder).absolute() == there else listed(folder))
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        line = factprobe.fails("step=answer", *settings(server.base_url))
        assert server.requests == []
    assert "outputs/trex/responses/template/stub: is the folder of STUB on this disk" in line
    assert "model.name=" in line


def test_error_inside_lock_is_passed_on(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="mine"), hold_lock(tmp_path / ".lock", "write"):
        raise ValueError("mine")
    (tmp_path / ".garbage").write_bytes(b"garbage" * 1000)
    with (
        pytest.raises(DataError, match=r"\.garbage: is not a lock file: .*; delete it"),
        hold_lock(tmp_path / ".garbage", "read"),
    ):
        pass


def test_lock_is_held_until_step_is_recorded(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    entered, add = [], Manifest.add

    def watched(manifest: Manifest, step: str, *arguments: Any) -> None:
        with pytest.raises(BusyError), hold_lock(Layout(manifest.path.parent).lock, "write"):
            pass
        entered.append(step)
        add(manifest, step, *arguments)

    monkeypatch.setattr(Manifest, "add", watched)
    assert factprobe("step=all", "kg=umls", "limit=1", "model=scripted").code == 0
    assert entered == ["extract", "generate", "answer", "evaluate", "report"]
