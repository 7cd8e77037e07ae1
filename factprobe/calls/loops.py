"""Where what is asynchronous runs for those who are not."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns; beside a loop that runs, as a notebook has one, it has a thread to itself."""
    if not _has_loop():
        return asyncio.run(coroutine)  # which Ctrl-C ends in order
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
