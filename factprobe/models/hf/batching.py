"""Batching of concurrent requests, since local models answer batches faster."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class RequestBatches(Generic[T, R]):
    """Queue that runs concurrent requests in batches of up to `size`, one batch at a time.

    `run` is called in `thread` and returns the results of a batch in order. Waiting requests are sorted by `length`,
    the longest first, so that a batch has requests of similar length.
    """

    def __init__(
        self, run: Callable[[Sequence[T]], Sequence[R]], size: int, length: Callable[[T], int], thread: Executor
    ) -> None:
        self._run, self._size, self._length, self._thread = run, size, length, thread
        self._waiting: list[tuple[T, asyncio.Future[R]]] = []
        self._worker: asyncio.Task[None] | None = None

    async def result(self, request: T) -> R:
        """Return the result of one request after its batch has run; each one of a batch gets an exception of `run`."""
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._run_batches())
        return await future

    async def _run_batches(self) -> None:
        await asyncio.sleep(0)  # lets concurrent requests arrive
        while batch := self._next_batch():
            requests = [request for request, _ in batch]
            try:
                results = await asyncio.get_running_loop().run_in_executor(self._thread, self._run, requests)
            except Exception as error:  # passed on to the caller
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), result in zip(batch, results, strict=True):
                if not future.done():
                    future.set_result(result)

    def _next_batch(self) -> list[tuple[T, asyncio.Future[R]]]:
        waiting = [(request, future) for request, future in self._waiting if not future.done()]
        waiting.sort(key=lambda request: self._length(request[0]), reverse=True)
        self._waiting = waiting[self._size :]
        return waiting[: self._size]
