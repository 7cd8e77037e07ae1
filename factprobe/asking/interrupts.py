"""Handling of Ctrl-C: the first one ends a run in order, later ones at once if that takes long."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from types import FrameType

STOPPED = "factprobe: stopped; finished files and responses are kept, the same command does the rest"
CODE = 130

_PATIENCE = 2.0


@contextmanager
def guard_interrupts() -> Iterator[Callable[[], None]]:
    """Keep a second Ctrl-C from interrupting the handling of the first.

    Yields a function to call where the first one is handled properly: in the event loop. From then on, further ones are
    ignored for two seconds, and then end the process at once; all answers are on disk. The end of the block restores
    the earlier handler.
    """
    outside = signal.getsignal(signal.SIGINT)
    here = threading.current_thread() is threading.main_thread() and outside is not None

    def take_over() -> None:
        inside = signal.getsignal(signal.SIGINT)
        calls = count()

        def first(number: int, frame: FrameType | None) -> None:
            is_first = next(calls) == 0  # another Ctrl-C may arrive before the next line
            signal.signal(signal.SIGINT, _after(time.monotonic()))
            if is_first and callable(inside):
                inside(number, frame)

        if here:
            signal.signal(signal.SIGINT, first)

    try:
        yield take_over
    finally:
        if here:
            signal.signal(signal.SIGINT, outside)


def _after(began: float) -> Callable[[int, FrameType | None], None]:
    def further(*_: object) -> None:
        if time.monotonic() - began > _PATIENCE:
            os.write(2, f"{STOPPED}\n".encode())
            os._exit(CODE)

    return further


def ignore_interrupts() -> None:
    """Ignore Ctrl-C until the end of the process."""
    signal.signal(signal.SIGINT, lambda *_: None)  # consumes a pending Ctrl-C, of which Python would warn
    signal.signal(signal.SIGINT, signal.SIG_IGN)
