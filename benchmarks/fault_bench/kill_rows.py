"""The rows about runs that end before their time, go on, and meet others: kills, two at once, a disk without room."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

from fault_bench.attempt import STOPPED, Attempt, Ended, hold
from fault_bench.calls import Script, to
from tests.models.server import Endpoint, completion, endpoint, send

LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
os.execv(sys.argv[2], sys.argv[2:])
"""


def _script() -> Script:
    """An endpoint without faults, which counts."""
    return Script(lambda: (500, {}), {})


def _killed(number: int, step: str) -> Callable[[Attempt], None]:
    def play(attempt: Attempt) -> None:
        if step == "step=answer":
            attempt.copy_exam("triplets", "questions", "manifest.json")
        draw, script = attempt.random, _script()
        at_once, kills = draw.choice((1, 4, 8)), draw.randint(1, 3)
        changes = (f"model.max_concurrency={at_once}", f"cache={draw.choice(('read', 'off'))}")
        with endpoint(script, delay=0.05) as server:
            run = [step, *to(server.base_url, *changes)]
            for _ in range(kills):
                running = attempt.start(*run)
                _wait(attempt, server)
                os.kill(running.process.pid, number)
                _check_stopped(running.end(), number)
            attempt.run(*run, codes=(0,))
            attempt.check_answered()
            most = max(script.asked.values())
            hold(most <= 1 + kills, f"one question was asked {most} times, with {kills} kills")
            total, bound = script.asked.total(), len(attempt.texts) + kills * at_once
            hold(total <= bound, f"{total} calls, with {kills} kills of {at_once} at once")
            attempt.run("step=all", *to(server.base_url, *changes), codes=(0,))

    return play


def _wait(attempt: Attempt, server: Endpoint) -> None:
    """Until some moment of a run: by the clock, or while it asks."""
    draw = attempt.random
    if draw.random() < 0.5:
        time.sleep(0.3 + draw.random() * 3)
        return
    wanted, end = len(server.requests) + draw.randint(1, 12), time.monotonic() + 20
    while len(server.requests) < wanted and time.monotonic() < end:
        time.sleep(0.002)
    time.sleep(draw.random() * 0.05)


def _check_stopped(ended: Ended, number: int) -> None:
    """Sees to it that a run ended by the signal, or well because it was over before."""
    hold("Traceback" not in ended.err, f"a traceback: {ended.last}")
    if ended.code == -number and not ended.err:  # killed, or Ctrl-C while Python itself starts or ends
        return
    if number == signal.SIGINT:
        hold(ended.code in (0, STOPPED), f"exit code {ended.code}: {ended.last}")
        hold(len(ended.err.splitlines()) <= 1, f"more than one line: {ended.err}")
    else:
        hold(ended.code in (0, 128 + number), f"exit code {ended.code}: {ended.last}")


def _same_folder(attempt: Attempt) -> None:
    """The second one says that it is kept apart, while the first one asks."""
    attempt.copy_exam("triplets", "questions", "manifest.json")
    begun, done, script = Event(), Event(), _script()

    def waits(here: Endpoint, handler: object) -> None:
        begun.set()
        done.wait(60)
        send(b'{"choices": [{"message": {"content": "Paris"}}]}')(here, handler)  # type: ignore[arg-type]

    with endpoint(lambda body: script(body) and waits) as server:
        run = [attempt.random.choice(("step=answer", "step=all")), *to(server.base_url)]
        first = attempt.start(*run)
        hold(begun.wait(60), "the first one asks nothing")
        try:
            second = attempt.run(*run, codes=(2,))
            hold("another" in second.last, f"the last line is {second.last}")
        finally:
            done.set()
        first.end().check(0)
        hold(max(script.asked.values()) == 1, "asked twice")
    attempt.check_answered()


def _one_cache(attempt: Attempt) -> None:
    """Two folders, one cache: what one has answered is not asked again by the other."""
    script = _script()
    with endpoint(script, delay=0.02) as server:
        folders = ("one", "two")
        runs = [attempt.start("step=all", *to(server.base_url), f"output_dir={name}") for name in folders]
        for running in runs:
            running.end().check(0)
        hold(max(script.asked.values()) <= 2, "asked more than twice")
        before = script.asked.total()
        attempt.run("step=all", *to(server.base_url), codes=(0,))
        hold(script.asked.total() == before, "the third one asks again")
    attempt.check_answered()


def _shards(attempt: Attempt) -> None:
    """Shards at once, one of them killed; a run without a shard puts them together."""
    attempt.copy_exam("triplets", "questions", "manifest.json")
    script = _script()
    with endpoint(script, delay=0.02) as server:
        run = ["step=answer", *to(server.base_url, "cache=off", "model.max_concurrency=2")]
        parts = [attempt.start(*run, f"shard={number}/2") for number in range(2)]
        _wait(attempt, server)
        os.kill(parts[0].process.pid, signal.SIGKILL)
        hold(parts[0].end().code in (0, -signal.SIGKILL), "the killed one ends otherwise")
        parts[1].end().check(0)
        attempt.run(*run, codes=(0,))
        hold(script.asked.total() <= len(attempt.texts) + 2, f"{script.asked.total()} calls")
    attempt.check_answered()


def _full_disk(attempt: Attempt) -> None:
    """No file may grow beyond some size, until there is room again."""
    attempt.copy_exam("triplets", "questions", "manifest.json")
    size = attempt.random.randrange(1_000, 60_000)
    with endpoint(lambda _: (200, completion("Paris " * 500))) as server:
        run = [attempt.random.choice(("step=answer", "step=all")), *to(server.base_url, "model.max_concurrency=1")]
        ended = attempt.start(*run, wrapper=(sys.executable, "-c", LIMITED, str(size))).end()
        ended.check(0, 2)
        if ended.code:
            place = ended.last.removeprefix("factprobe: error: ").split(":")[0]
            hold(Path(place).name != place and "make room" in ended.last, f"the last line is {ended.last}")
        attempt.run(*run, codes=(0,))
        hold(len(server.requests) <= len(attempt.texts) + 1, f"{len(server.requests)} calls")
    attempt.check_answered()


ROWS: dict[str, Callable[[Attempt], None]] = {
    **{
        f"{number.name} in {step}": _killed(number, step)
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
        for step in ("step=answer", "step=all")
    },
    "two runs in one folder": _same_folder,
    "two runs with one cache": _one_cache,
    "shards at once, one killed": _shards,
    "no room on the disk": _full_disk,
}
