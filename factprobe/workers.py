"""Work on several relations at once, in processes of their own, of which nothing is to be seen in what comes of it."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from logging.handlers import QueueHandler
from queue import SimpleQueue
from typing import TYPE_CHECKING, Generic, NamedTuple, NoReturn, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")

_WORTH = 0.1
"""Seconds of work for which one more process is started; it takes a tenth of that to start."""


class _Outcome(NamedTuple, Generic[T]):
    """What came of the work on one name."""

    result: T
    logged: list[logging.LogRecord]


def cores() -> int:
    """How many cores this process may use; 1 where a process cannot be doubled, or not safely (macOS)."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


@contextmanager
def in_order(work: Callable[[str], T], seconds: Mapping[str, float], workers: int) -> Iterator[Iterator[T]]:
    """What comes of the work on each name, in the order of the names; with it comes what was logged on the way.

    Other processes begin with the longest work, as forks of this one. What one of them fails at, or leaves when it is
    killed, is done here when its turn comes: so an error is raised as if there were no others.

    Args:
        work: its result travels between processes; what else it does, it does to files alone.
        seconds: about how long it takes on each name. A process is started for as much as is worth it.
        workers: how many processes at most.
    """
    count = min(workers, len(seconds), int(sum(seconds.values()) / _WORTH))
    if count < 2 or not _can_fork():
        yield map(work, seconds)
        return
    pool = _Pool(work, sorted(seconds, key=seconds.__getitem__, reverse=True), count)
    try:
        yield map(pool.result, seconds)
    finally:
        pool.stop()


def _can_fork() -> bool:
    """Whether this process can be doubled: a lock that another thread holds would never be released in the double.

    The threads of libraries that compute (OpenBLAS, OpenMP) are ready for it, or of no use there.
    """
    import multiprocessing

    is_daemon = multiprocessing.current_process().daemon  # which may have no children
    return threading.active_count() == 1 and not is_daemon and "fork" in multiprocessing.get_all_start_methods()


class _Pool(Generic[T]):
    """Processes that do the work on names, each on one at a time.

    Args:
        work: see `in_order`.
        names: in the order in which they are begun.
        count: of the processes.
    """

    def __init__(self, work: Callable[[str], T], names: Sequence[str], count: int) -> None:
        from multiprocessing import get_context

        self._work = work
        self._left = deque(names)
        self._busy: dict[Connection, str] = {}
        self._done: dict[str, _Outcome[T] | None] = {}
        self._said: set[str] = set()
        context = get_context("fork")
        self._processes = []
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(work, theirs), daemon=True)
            self._processes.append(process)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until the new process has its own answer to it
            try:
                process.start()
            finally:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            theirs.close()
            self._hand_on(ours)

    def result(self, name: str) -> T:
        """What came of the work on a name, each of which is asked for once."""
        from multiprocessing.connection import wait

        while name not in self._done and self._busy:
            for connection in wait(list(self._busy)):
                self._take(connection)  # type: ignore[arg-type]  # these are what is waited for
        outcome = self._done.pop(name, None)
        if outcome is None:
            return self._work(name)
        for record in outcome.logged:
            if record.getMessage() not in self._said:  # what is said once is said by each process once
                self._said.add(record.getMessage())
                logging.getLogger(record.name).handle(record)
        return outcome.result

    def stop(self) -> None:
        """Ends the processes, whatever they are at."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()

    def _take(self, connection: Connection) -> None:
        name = self._busy.pop(connection)
        try:
            self._done[name] = connection.recv()
        except (EOFError, OSError):  # it was killed
            self._done[name] = None
        else:
            self._hand_on(connection)

    def _hand_on(self, connection: Connection) -> None:
        if self._left:
            name = self._left.popleft()
            self._busy[connection] = name
            with suppress(OSError):  # it was killed, and waiting for it will tell
                connection.send(name)


def _serve(work: Callable[[str], object], tasks: Connection) -> None:
    """What a process does until it is ended: the work on each name that it is given."""
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and ends this one
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_follow, daemon=True).start()
    gc.freeze()  # what the parent has is not gone through, which would copy it
    while True:
        name = tasks.recv()
        logged: SimpleQueue[logging.LogRecord] = SimpleQueue()
        logging.getLogger().handlers[:] = [QueueHandler(logged)]
        try:
            result = work(name)
            tasks.send(_Outcome(result, [logged.get() for _ in range(logged.qsize())]))
        except Exception:  # the parent meets it too
            tasks.send(None)


def _leave(*_: object) -> NoReturn:
    """Ends the process as an error does, so that no half of a file is left."""
    sys.exit()


def _follow() -> None:
    """Ends the process with its parent, which may be killed."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None, "it was started by one"
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
