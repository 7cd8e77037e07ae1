"""Work on several relations or parts at once, in processes of their own, of which nothing is to be seen in what comes
of it."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain, islice
from logging.handlers import QueueHandler
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, NoReturn, TypeVar

from factprobe.errors import FactprobeError, require

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

S = TypeVar("S")
T = TypeVar("T")

Workers = int | Literal["ray"]
"""How many processes, or that the work is done by tasks of Ray."""

_WORTH = 0.1
"""Seconds of work for which one more process is started; it takes a tenth of that to start."""


class _Outcome(NamedTuple, Generic[T]):
    """What came of the work on one name."""

    result: T
    logged: list[logging.LogRecord]

    def with_log(self, said: set[str]) -> T:
        """The result, once what was logged is said here, except for what is among that which was said."""
        for record in self.logged:
            if record.getMessage() not in said:  # what is said once is said by each process once
                said.add(record.getMessage())
                logging.getLogger(record.name).handle(record)
        return self.result


def _outcome(work: Callable[[S], T], name: S) -> _Outcome[T]:
    """Does the work in a process whose log nobody reads."""
    logged: SimpleQueue[logging.LogRecord] = SimpleQueue()
    logging.getLogger().handlers[:] = [QueueHandler(logged)]
    result = work(name)
    return _Outcome(result, [logged.get() for _ in range(logged.qsize())])


def cores() -> int:
    """How many cores this process may use; 1 where a process cannot be doubled, or not safely (macOS)."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


@contextmanager
def in_order(work: Callable[[str], T], seconds: Mapping[str, float], workers: Workers) -> Iterator[Iterator[T]]:
    """What comes of the work on each name, in the order of the names; with it comes what was logged on the way.

    Other processes begin with the longest work, as forks of this one. What one of them fails at, or leaves when it is
    killed, is done here when its turn comes: so an error is raised as if there were no others.

    Args:
        work: its result travels between processes; what else it does, it does to files alone.
        seconds: about how long it takes on each name. A process is started for as much as is worth it.
        workers: how many processes at most; or that each name is a task of Ray, on this machine or on its cluster.
    """
    if workers == "ray":
        with _on_ray(work, seconds) as results:
            yield results
        return
    count = min(workers, len(seconds), int(sum(seconds.values()) / _WORTH))
    if count < 2 or not _can_fork():
        yield map(work, seconds)
        return
    pool = _Pool(work, sorted(seconds, key=seconds.__getitem__, reverse=True), count)
    try:
        yield map(pool.result, seconds)
    finally:
        pool.stop()


class _Part(Generic[S]):
    """A part of the work, told from others by which object it is."""

    def __init__(self, content: S) -> None:
        self.content = content


def in_turn(work: Callable[[S], T], parts: Iterable[S], workers: int) -> Iterator[T]:
    """What comes of the work on each part, in the order of the parts, which are drawn as processes are free for them.

    The first is done here, so that the others, see `in_order`, begin with what that has loaded.

    Args:
        work: it and the parts travel between processes, too.
        parts: each of so much work that it is worth a process.
        workers: how many processes at most.
    """
    left = iter(parts)
    yield from map(work, islice(left, 1))
    begun = list(islice(left, workers))
    left = chain(begun, left)
    if len(begun) > 1 and _can_fork():
        drawn: deque[_Part[S]] = deque()
        pool = _Pool(lambda part: work(part.content), _noted(left, drawn), len(begun))
        try:
            while drawn:
                yield pool.result(drawn.popleft())
        finally:
            pool.stop()
    yield from map(work, left)  # all, or those that nobody was left to do


def _noted(parts: Iterable[S], drawn: deque[_Part[S]]) -> Iterator[_Part[S]]:
    """The parts, noted as they are drawn."""
    for content in parts:
        drawn.append(_Part(content))
        yield drawn[-1]


@contextmanager
def _on_ray(work: Callable[[str], T], seconds: Mapping[str, float]) -> Iterator[Iterator[T]]:
    """As `in_order`, with a task of Ray for each name; what fails there is done here."""
    require("ray", extra="ray", where="workers=ray")
    import ray

    began = not ray.is_initialized()
    if began:
        ray.init(include_dashboard=False, configure_logging=False, log_to_driver=False)  # on $RAY_ADDRESS, if any
    try:
        task: Any = ray.remote(_outcome)
        shared = ray.put(work)
        longest = sorted(seconds, key=seconds.__getitem__, reverse=True)
        tasks = {name: task.remote(shared, name) for name in longest}
        said: set[str] = set()

        def result(name: str) -> T:
            try:
                outcome: _Outcome[T] = ray.get(tasks.pop(name))
            except ray.exceptions.RayError:
                return work(name)
            return outcome.with_log(said)

        yield map(result, seconds)
    finally:
        if began:
            ray.shutdown()


def apart(work: Callable[[], None]) -> None:
    """Does work in a process of its own where there may be one, so that none of its memory and threads stay here.

    An error that is none of factprobe's is met again here.
    """

    def caught(_: str) -> FactprobeError | None:
        try:
            work()
        except FactprobeError as error:
            return error
        return None

    pool = _Pool(caught, [""], 1) if _can_fork() else None
    try:
        error = caught("") if pool is None else pool.result("")
    finally:
        if pool is not None:
            pool.stop()
    if error is not None:
        raise error


def _can_fork() -> bool:
    """Whether this process can be doubled: a lock that another thread holds would never be released in the double.

    The threads of libraries that compute (OpenBLAS, OpenMP) are ready for it, or of no use there.
    """
    import multiprocessing

    is_daemon = multiprocessing.current_process().daemon  # which may have no children
    return threading.active_count() == 1 and not is_daemon and "fork" in multiprocessing.get_all_start_methods()


class _Pool(Generic[S, T]):
    """Processes that do the work on names or parts, each on one at a time.

    Args:
        work: see `in_order`.
        names: in the order in which they are begun.
        count: of the processes.
    """

    def __init__(self, work: Callable[[S], T], names: Iterable[S], count: int) -> None:
        from multiprocessing import get_context

        self._work = work
        self._left = iter(names)
        self._busy: dict[Connection, S] = {}
        self._done: dict[S, _Outcome[T] | None] = {}
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

    def result(self, name: S) -> T:
        """What came of the work on a name, each of which is asked for once."""
        from multiprocessing.connection import wait

        while name not in self._done and self._busy:
            for connection in wait(list(self._busy)):
                self._take(connection)  # type: ignore[arg-type]  # these are what is waited for
        outcome = self._done.pop(name, None)
        if outcome is None:
            return self._work(name)
        return outcome.with_log(self._said)

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
        for name in islice(self._left, 1):
            self._busy[connection] = name
            with suppress(OSError):  # it was killed, and waiting for it will tell
                connection.send(name)


def _serve(work: Callable[[S], object], tasks: Connection) -> None:
    """What a process does until it is ended: the work on each name that it is given."""
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and ends this one
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_follow, daemon=True).start()
    gc.freeze()  # what the parent has is not gone through, which would copy it
    while True:
        name = tasks.recv()
        try:
            tasks.send(_outcome(work, name))
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
