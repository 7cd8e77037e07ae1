"""What a run does when all that can go wrong does: an endpoint with faults, kills, broken files and settings.

Each try runs the command as a process of its own, in a folder of its own, and then looks at what must hold: one final
record a question, with an answer or a reason; nothing paid twice; no secret in any file; the exit code and the last
line; no traceback; time and memory. Prints how often each row was tried and held; exit code 1 where one did not hold.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import chain, count, repeat
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from endpoint import environment
from fault_bench import answer_rows, attack_rows, endpoint_rows, file_rows, kill_rows, setting_rows
from fault_bench.attempt import EXAM, GRAPH, LONGEST, Attempt, NotHeldError
from fault_bench.warm import Warm

Row = Callable[[Attempt], None]
ROWS: dict[str, Row] = {
    **endpoint_rows.ROWS,
    **answer_rows.ROWS,
    **kill_rows.ROWS,
    **file_rows.ROWS,
    **setting_rows.ROWS,
    **attack_rows.ROWS,
}


class Try(NamedTuple):
    """What came of one."""

    row: str
    seed: int
    reason: str | None
    """Why it did not hold."""


class Bench:
    """What the tries share.

    Args:
        scratch: their folders lie here.
        jobs: how many are made at once.
    """

    def __init__(self, scratch: Path, jobs: int) -> None:
        self._scratch, self._jobs = scratch, jobs
        self._warm: SimpleQueue[Warm] = SimpleQueue()
        for _ in range(jobs):
            self._warm.put(Warm())
        self._exam = scratch / "outputs" / GRAPH
        with self._taken() as warm:
            run = ["step=all", *EXAM, "model=scripted"]
            warm.run(run, scratch, environment(), (scratch / "out.txt", scratch / "err.txt"), LONGEST)

    @contextmanager
    def _taken(self) -> Iterator[Warm]:
        warm = self._warm.get()
        try:
            yield warm
        finally:
            self._warm.put(warm)

    def close(self) -> None:
        """Ends its processes."""
        while not self._warm.empty():
            self._warm.get().close()

    def attempt(self, row: str, seed: int) -> Try:
        """Tries a row once."""
        with (
            tempfile.TemporaryDirectory(dir=self._scratch) as folder,
            self._taken() as warm,
            closing(Attempt(Path(folder), self._exam, f"{row} {seed}", warm)) as this,
        ):
            reason = _reason(ROWS[row], this)
        if reason:
            print(f"{row}, seed {seed}: {reason}", file=sys.stderr, flush=True)
        return Try(row, seed, reason)

    def play(self, rows: Sequence[str], seeds: Iterable[int], minutes: float) -> list[Try]:
        """Tries all rows with one seed after the other, until there are no more or the time is over."""
        end = time.monotonic() + minutes * 60

        def one(row: str, seed: int) -> list[Try]:
            return [self.attempt(row, seed)] if time.monotonic() < end else []

        tries: list[Try] = []
        with ThreadPoolExecutor(self._jobs) as pool:
            for seed in seeds:
                tries += chain.from_iterable(pool.map(one, rows, repeat(seed)))
                if time.monotonic() >= end:
                    break
        return tries


def _reason(row: Row, this: Attempt) -> str | None:
    try:
        row(this)
        this.check_files()
    except Exception as error:  # the bench goes on, whatever a row meets
        what = str(error) if isinstance(error, NotHeldError) else f"{type(error).__name__}: {error}"
        return " ".join(what.split())[:400]
    return None


def table(tries: Sequence[Try], rows: Sequence[str]) -> Iterator[str]:
    """A line for each row: how often it was tried and held, and what did not hold first."""
    width = max(map(len, rows))
    yield f"{'fault':{width}}  tried   held"
    for row in rows:
        mine = sorted((one for one in tries if one.row == row), key=lambda one: one.seed)
        broken = [one for one in mine if one.reason]
        first = f"   seed {broken[0].seed}: {broken[0].reason}" if broken else ""
        yield f"{row:{width}}  {len(mine):5}  {len(mine) - len(broken):5}{first}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, help="of each row; by default one, or as many as --minutes leave time for")
    parser.add_argument("--minutes", type=float, help="no try begins later; by default there is no limit")
    parser.add_argument("--seed", type=int, default=0, help="of the first try of each row; the next one has the next")
    parser.add_argument("--only", default="", metavar="PATTERN", help="rows whose name it is found in")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tries at once")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs and theirs would ignore it
    rows = [row for row in ROWS if re.search(options.only, row)]
    if not rows:
        parser.error(f"no row is called {options.only}; there are: {', '.join(ROWS)}")
    number = options.tries or (None if options.minutes else 1)
    seeds = iter(range(options.seed, options.seed + number)) if number else count(options.seed)
    minutes = options.minutes or float("inf")
    with tempfile.TemporaryDirectory() as folder, closing(Bench(Path(folder), options.jobs)) as bench:
        tries = bench.play(rows, seeds, minutes)
    print("\n".join(table(tries, rows)))
    held = sum(one.reason is None for one in tries)
    print(f"{held} of {len(tries)} tries held, of {len(rows)} rows")
    sys.exit(held < len(tries))


if __name__ == "__main__":
    main()
