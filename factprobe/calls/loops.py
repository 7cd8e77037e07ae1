"""Execution of coroutines from synchronous code."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_coroutine(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine and return its result.

    It runs in a new thread if the current thread has a running event loop, as in a notebook. Ctrl-C cancels it.
    """
    if not _has_loop():
        return asyncio.run(coroutine)  # also handles Ctrl-C
    tasks: list[asyncio.Task[Any]] = []

    async def as_task() -> T:
        tasks.extend(asyncio.all_tasks())
        return await coroutine

    with ThreadPoolExecutor(1) as thread:
        future = thread.submit(asyncio.run, as_task())
        try:
            return future.result()
        except KeyboardInterrupt:
            for task in () if future.done() else tasks:
                task.get_loop().call_soon_threadsafe(task.cancel)
            raise


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
