"""Ctrl-C that comes in while Ctrl-C is handled."""

from __future__ import annotations

import asyncio
import signal
import time

import pytest

from factprobe.asking import interrupts


def test_second_ctrl_c_does_not_interrupt_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    settled: list[str] = []
    clock = time.monotonic

    def again() -> float:
        if not settled:
            settled.append("again")
            signal.raise_signal(signal.SIGINT)
        return clock()

    async def asking() -> None:
        take_over()
        monkeypatch.setattr(time, "monotonic", again)
        try:
            signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            await asyncio.sleep(0.01)
            settled.append("in order")
            raise

    with interrupts.guard_interrupts() as take_over, pytest.raises(KeyboardInterrupt):
        asyncio.run(asking())
    assert settled == ["again", "in order"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
