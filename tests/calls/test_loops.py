"""Coroutines run from synchronous code, with and without a running event loop."""

from __future__ import annotations

import asyncio
import signal
import threading
import time

import pytest

from factprobe.calls.loops import run_coroutine


def test_ctrl_c_in_notebook_cancels_coroutine() -> None:
    main, ended = threading.main_thread().ident, []

    async def asking() -> None:
        try:
            threading.Timer(0.1, signal.pthread_kill, (main, signal.SIGINT)).start()
            await asyncio.sleep(20)
        except asyncio.CancelledError:
            ended.append("in order")
            raise

    async def notebook() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a notebook
        run_coroutine(asking())

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(notebook())
    assert ended == ["in order"]
    assert time.monotonic() - began < 10
