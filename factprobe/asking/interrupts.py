"""Handling of Ctrl-C: the first stops the run gracefully, later ones kill it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from types import FrameType

STOPPED = "factprobe: stopped; finished files and responses are kept, and the same command resumes"
EXIT_CODE = 130

_IGNORED_SECONDS = 2.0


@contextmanager
def guard_interrupts() -> Iterator[Callable[[], None]]:
    """Prevent a second Ctrl-C from interrupting the handling of the first.

    Call the yielded function as soon as the event loop runs and has its own handler. Then the first Ctrl-C goes to this
    handler; further ones are ignored for two seconds, and after that end the process at once, since all responses are
    on disk. The end of the block restores the earlier handler. Outside the main thread nothing is changed.
    """
    earlier_handler = signal.getsignal(signal.SIGINT)

    def can_set_handler() -> bool:
        return threading.current_thread() is threading.main_thread() and earlier_handler is not None

    def take_over() -> None:
        loop_handler = signal.getsignal(signal.SIGINT)
        calls = count()

        def handle_first(number: int, frame: FrameType | None) -> None:
            is_first = next(calls) == 0  # atomic, since another Ctrl-C may arrive before the next line
            signal.signal(signal.SIGINT, partial(_handle_further, time.monotonic()))
            if is_first and callable(loop_handler):
                loop_handler(number, frame)

        if can_set_handler():
            signal.signal(signal.SIGINT, handle_first)

    try:
        yield take_over
    finally:
        if can_set_handler():
            signal.signal(signal.SIGINT, earlier_handler)


def _handle_further(began: float, *_: object) -> None:
    if time.monotonic() - began > _IGNORED_SECONDS:
        os.write(2, f"{STOPPED}\n".encode())
        os._exit(EXIT_CODE)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C until the end of the process."""
    signal.signal(signal.SIGINT, lambda *_: None)  # unlike SIG_IGN, consumes a pending one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
