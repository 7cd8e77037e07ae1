"""Sweeps whose jobs or machines die: what starts again by itself, and what the same command then does."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.cli.test_sweeps import GROUP, RAY, asking, done, family, launched, prepare, results
from tests.command_line import CommandLine, process
from tests.models.server import Endpoint, completion, endpoint

SHARDS = "shard=0/4,1/4,2/4,3/4"
AT_ONCE = 4
"""Calls that a job has under way at most."""
JOBS = {"submitit_local": b"submitit.core._submit", "ray": b"ray::_run_job"}
"""Launchers, each with words in the command line of its jobs' processes."""
without_ray = pytest.mark.skipif(not RAY, reason="needs hydra-ray-launcher, in an environment of its own")


class Exam:
    """An exam that one process has answered whole, and that a sweep then answers in four parts.

    Args:
        factprobe: the command.
        server: the endpoint that is asked.
    """

    def __init__(self, factprobe: CommandLine, server: Endpoint) -> None:
        self.factprobe, self.server = factprobe, server
        self.common = [*asking(server), "kg=umls", "limit=8", "cache=off"]
        self.whole, self.parts = factprobe.folder / "whole", factprobe.folder / "parts"
        for folder, steps in ((self.whole, ("extract", "generate", "answer")), (self.parts, ("extract", "generate"))):
            for step in steps:
                prepare(factprobe, f"step={step}", *self.common, f"output_dir={folder}")
        self.questions = len(server.requests)

    def sweep(self, *launcher: str) -> list[str]:
        """Return the command that answers the parts."""
        return ["-m", "step=answer", *self.common, f"output_dir={self.parts}", SHARDS, *launcher]

    def disturb(self, sweep: list[str], kill: Callable[[], None]) -> tuple[int, str]:
        """Start the sweep, kill something in the midst of it, and return its exit code and errors."""
        with process(*sweep, folder=self.factprobe.folder, **{GROUP: str(os.getpid())}) as run:
            deadline = time.monotonic() + 90
            while self.calls() < 3 * AT_ONCE and run.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            kill()
            _, err = run.communicate(timeout=120)
        return run.returncode, err

    def calls(self) -> int:
        """Return how many calls there were for the parts."""
        return len(self.server.requests) - self.questions

    def assert_whole(self, lost: int) -> None:
        """Assert that the parts make the files of one run, and that only calls under way were made again."""
        assert self.calls() <= self.questions + lost
        prepare(self.factprobe, "step=answer", *self.common, f"output_dir={self.parts}")
        assert self.calls() <= self.questions + lost
        assert results(self.parts) == results(self.whole)


@pytest.fixture
def exam(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Exam]:
    """An exam, with an endpoint that gives each prompt an answer of its own."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with endpoint(lambda body: (200, completion(f"It is {len(str(body['messages']))}.")), 0.2) as server:
        yield Exam(factprobe, server)


def kill_job(launcher: str) -> None:
    """Kill the process of one job at work."""
    jobs = [pid for pid in family() if JOBS[launcher] in Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(jobs[0], signal.SIGKILL)


@pytest.mark.slow
def test_after_a_killed_job_the_same_command_resumes(exam: Exam) -> None:
    sweep = exam.sweep(*launched("submitit_local"))
    code, err = exam.disturb(sweep, lambda: kill_job("submitit_local"))
    assert code == 2, err
    assert err.endswith("; the same command resumes; debug=true shows the traceback\n")
    done(*sweep, folder=exam.factprobe.folder)
    exam.assert_whole(4 * AT_ONCE)  # the killed job's, and those of the jobs that the command stopped


@without_ray
@pytest.mark.slow
def test_ray_starts_a_killed_job_again(exam: Exam) -> None:
    code, err = exam.disturb(exam.sweep(*launched("ray")), lambda: kill_job("ray"))
    assert code == 0, err
    exam.assert_whole(AT_ONCE)


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[int]]]:
    """Two nodes of Ray with a core each on this machine: their address, and the group of each one's processes."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{found.getsockname()[1]}"
    where = (["--head", f"--port={address.split(':')[1]}", "--include-dashboard=false"], [f"--address={address}"])
    with TemporaryDirectory(prefix="ray") as short, ExitStack() as stack:  # a socket's path may have 107 characters
        for name, value in {"AUTH_MODE": "disabled", "TMPDIR": short, "USAGE_STATS_ENABLED": "0"}.items():
            monkeypatch.setenv(f"RAY_{name}", value)
        yield address, [stack.enter_context(node(*one)) for one in where]


@contextmanager
def node(*settings: str) -> Iterator[int]:
    """A node of Ray as a group of processes."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--node-ip-address=127.0.0.1"]
    resources = ("--num-cpus=1", "--object-store-memory=80000000")
    with subprocess.Popen(
        [*command, *settings, *resources],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout
            assert any("Ray runtime started" in line for line in process.stdout)
            yield process.pid
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@without_ray
@pytest.mark.slow
def test_ray_starts_the_jobs_of_a_dead_node_on_another(exam: Exam, nodes: tuple[str, list[int]]) -> None:
    address, groups = nodes
    sweep = exam.sweep("hydra/launcher=ray", f"hydra.launcher.ray.init.address={address}")
    code, err = exam.disturb(sweep, lambda: os.killpg(groups[1], signal.SIGKILL))
    assert code == 0, err
    exam.assert_whole(AT_ONCE)
