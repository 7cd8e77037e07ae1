"""Parallel work in child processes; results do not depend on the number of workers."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from itertools import chain, islice
from logging.handlers import QueueHandler
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, NoReturn, TypeVar

from factprobe.errors import FactprobeError, require

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

S = TypeVar("S")
T = TypeVar("T")

Workers = int | Literal["ray"]
"""Number of processes, or `ray` for a task of Ray for each piece of work."""

_MIN_SECONDS = 0.1
"""Minimum number of seconds of work for each process; starting one takes a tenth of that."""

_GRACE_SECONDS = 3.0
"""Seconds in which a terminated process may end by itself, and remove its temporary files, before it is killed."""
_PARENT_CHECK_SECONDS = 0.2
"""Interval in seconds at which a process checks that its parent exists."""


class _Outcome(NamedTuple, Generic[T]):
    """Result of the work on one name or part, with its log records."""

    result: T
    logged: list[logging.LogRecord]

    def with_log(self, emitted: set[str]) -> T:
        """Return the result, after emitting log records with new messages, which are added to `emitted`."""
        for record in self.logged:
            if record.getMessage() not in emitted:  # each process logs its own first occurrence of a warning
                emitted.add(record.getMessage())
                logging.getLogger(record.name).handle(record)
        return self.result


def _outcome(work: Callable[[S], T], name: S) -> _Outcome[T]:
    """Do work in a child process, and return the result with the log records."""
    logged: SimpleQueue[logging.LogRecord] = SimpleQueue()
    logging.getLogger().handlers[:] = [QueueHandler(logged)]
    result = work(name)
    return _Outcome(result, [logged.get() for _ in range(logged.qsize())])


def cores() -> int:
    """Return the number of cores available to this process, or 1 if it cannot fork safely, as on macOS."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


@contextmanager
def map_names(work: Callable[[str], T], seconds: Mapping[str, float], workers: Workers) -> Iterator[Iterator[T]]:
    """Do work on names in parallel, and yield an iterator over the results in the order of the names.

    The iterator also emits the log records of the work. Child processes are forks and begin with the longest work. Work
    that fails in a child, or whose child is killed, is repeated in this process when its result is due, so that errors
    are the same as with one process.

    Args:
        work: Function of a name. Its result is sent between processes, and its only other effects are on files.
        seconds: Estimated time for each name; processes are started only for enough work.
        workers: Maximum number of processes, or `ray` for a task for each name, locally or on a cluster.
    """
    longest_first = sorted(seconds, key=seconds.__getitem__, reverse=True)
    if workers == "ray":
        with _on_ray(work, longest_first) as result:
            yield map(result, seconds)
        return
    count = min(workers, len(seconds), int(sum(seconds.values()) / _MIN_SECONDS))
    with closing(_Pool(work, longest_first, count if count > 1 and _can_fork() else 0)) as pool:
        yield map(pool.result, seconds)


class _Part(Generic[S]):
    """Wrapper that makes a part of the work hashable."""

    def __init__(self, content: S) -> None:
        self.content = content


def map_parts(work: Callable[[S], T], parts: Iterable[S], workers: int) -> Iterator[T]:
    """Do work on parts in parallel, and yield the results in order; a part is requested when a process is free.

    The first part is processed in this process, so that the child processes (`workers` at most), which are forks, share
    the modules and data that it loads. Parts, each large enough for a process, and results are sent between processes.
    """
    remaining = iter(parts)
    yield from map(work, islice(remaining, 1))
    first_parts = list(islice(remaining, workers))
    remaining, requested = chain(first_parts, remaining), deque[_Part[S]]()
    count = len(first_parts) if len(first_parts) > 1 and _can_fork() else 0
    with closing(_Pool(lambda part: work(part.content), _record_parts(remaining, requested), count)) as pool:
        while requested:
            yield pool.result(requested.popleft())
    yield from map(work, remaining)  # all parts, or the rest after the pool has ended


def _record_parts(parts: Iterable[S], requested: deque[_Part[S]]) -> Iterator[_Part[S]]:
    """Yield the parts, each wrapped and appended to `requested`."""
    for content in parts:
        requested.append(_Part(content))
        yield requested[-1]


@contextmanager
def _on_ray(work: Callable[[str], T], names: Iterable[str]) -> Iterator[Callable[[str], T]]:
    """Do work on names in tasks of Ray, and yield a function that returns a result; failed work is repeated here."""
    require("ray", extra="ray", where="workers=ray")
    import ray

    began = not ray.is_initialized()
    if began:  # uses $RAY_ADDRESS if it is set
        ray.init(include_dashboard=False, configure_logging=False, log_to_driver=False)
    try:
        task: Any = ray.remote(_outcome)
        shared = ray.put(work)
        tasks = {name: task.remote(shared, name) for name in names}
        emitted: set[str] = set()

        def result(name: str) -> T:
            try:
                outcome: _Outcome[T] = ray.get(tasks.pop(name))
            except ray.exceptions.RayError:
                return work(name)
            return outcome.with_log(emitted)

        yield result
    finally:
        if began:
            ray.shutdown()


def run_in_child_process(work: Callable[[], None]) -> None:
    """Run work in a child process if possible, so that its memory and threads are released afterwards.

    A `FactprobeError` or `OSError` (e.g. of a full disk) is raised in this process. After any other error the work is
    repeated in this process.
    """

    def caught(_: str) -> FactprobeError | OSError | None:
        try:
            work()
        except (FactprobeError, OSError) as error:
            return error
        return None

    with closing(_Pool(caught, [""], int(_can_fork()))) as pool:
        error = pool.result("")
    if error is not None:
        raise error


def _can_fork() -> bool:
    """Return whether this process can be forked safely.

    Other threads make it unsafe, since a lock that a thread holds would never be released in a child. Threads of
    numerical libraries (OpenBLAS, OpenMP) do not matter, since they handle forks or are not needed in a child.
    """
    import multiprocessing

    is_daemon = multiprocessing.current_process().daemon  # daemons may not have children
    return threading.active_count() == 1 and not is_daemon and "fork" in multiprocessing.get_all_start_methods()


class _Pool(Generic[S, T]):
    """Pool of `count` processes, each of which works on one name or part at a time, in their order.

    With 0 processes this one does the work when a result is requested.
    """

    def __init__(self, work: Callable[[S], T], names: Iterable[S], count: int) -> None:
        self._work = work
        self._remaining = iter(names)
        self._busy: dict[Connection, S] = {}
        self._done: dict[S, _Outcome[T] | None] = {}
        self._logged_messages: set[str] = set()
        self._processes: list[BaseProcess] = []
        parent_ends: list[Connection] = []
        try:
            for _ in range(count):
                from multiprocessing import get_context  # loads slowly

                context = get_context("fork")
                parent_end, child_end = context.Pipe()
                parent_ends.append(parent_end)
                process = context.Process(target=_serve, args=(work, child_end, parent_ends), daemon=True)
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until the child has its own handler
                try:
                    process.start()
                    self._processes.append(process)
                finally:
                    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
                child_end.close()
                self._send_next(parent_end)
        except BaseException:
            self.close()
            raise

    def result(self, name: S) -> T:
        """Return the result for a name or part; each result can be requested once."""
        while name not in self._done and self._busy:
            from multiprocessing.connection import wait

            for connection in wait(list(self._busy)):
                self._receive(connection)  # type: ignore[arg-type]  # `wait` returns the connections passed to it
        outcome = self._done.pop(name, None)
        return self._work(name) if outcome is None else outcome.with_log(self._logged_messages)

    def close(self) -> None:
        """Terminate the processes, and kill those that do not end soon."""
        for process in self._processes:
            process.terminate()
        deadline = time.monotonic() + _GRACE_SECONDS
        for process in self._processes:
            process.join(max(0.0, deadline - time.monotonic()))
            process.kill()
            process.join()

    def _receive(self, connection: Connection) -> None:
        name = self._busy.pop(connection)
        try:
            self._done[name] = connection.recv()
        except (EOFError, OSError):  # the process was killed
            self._done[name] = None
        else:
            self._send_next(connection)

    def _send_next(self, connection: Connection) -> None:
        for name in islice(self._remaining, 1):
            self._busy[connection] = name
            with suppress(OSError):  # the process was killed, which `wait` reports
                connection.send(name)


def _serve(work: Callable[[S], object], tasks: Connection, parent_ends: Iterable[Connection]) -> None:
    """Receive names or parts and send back results until the process is terminated or its parent has ended.

    A library may replace the exception raised in the handler of SIGTERM (DuckDB: `RuntimeError`), or ignore it. It may
    also raise `KeyboardInterrupt` for any signal.
    """
    stopped = False

    def stop(*_: object) -> NoReturn:
        """Exit by an exception, so that temporary files are removed; a further signal does not interrupt that."""
        nonlocal stopped
        stopped = True
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent receives Ctrl-C too, and terminates this process
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.freeze()  # the collector would copy the parent's memory
    for end in parent_ends:  # otherwise `recv` would wait although the parent has ended
        end.close()
    with suppress(EOFError, OSError):  # the parent has ended, or has no more work
        while not stopped:
            name = tasks.recv()
            try:
                tasks.send(_outcome(work, name))
            except (Exception, KeyboardInterrupt):  # the parent repeats the work and raises the error
                if not stopped:
                    tasks.send(None)


def _end_with_parent() -> None:
    """Terminate the process when its parent ends, even if it is killed; kill the process if it does not end soon."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None, "this process is a child"
    while os.getppid() == parent.pid:  # other children may hold the pipe on which `parent.join` waits
        time.sleep(_PARENT_CHECK_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)
