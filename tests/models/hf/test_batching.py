"""Requests that come one at a time and are run together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from factprobe.models.hf.transformers import RequestBatches

ran: list[list[str]] = []


def shout(texts: Sequence[str]) -> list[str]:
    ran.append(list(texts))
    if "bad" in texts:
        raise ValueError("bad")
    return [text.upper() for text in texts]


async def results(*texts: str, size: int) -> list[str | BaseException]:
    ran.clear()
    with ThreadPoolExecutor(1) as thread:
        batches = RequestBatches(shout, size, len, thread)
        return await asyncio.gather(*map(batches.result, texts), return_exceptions=True)


def test_batches_group_similar_lengths() -> None:
    assert asyncio.run(results("a", "dddd", "ccc", "bb", "eeeee", size=2)) == ["A", "DDDD", "CCC", "BB", "EEEEE"]
    assert ran == [["eeeee", "dddd"], ["ccc", "bb"], ["a"]]


def test_fault_affects_only_its_batch() -> None:
    found = asyncio.run(results("bad", "now", "a", size=2))
    assert [type(one) for one in found] == [ValueError, ValueError, str]


def test_idle_batcher_can_be_reused() -> None:
    async def twice() -> list[str]:
        with ThreadPoolExecutor(1) as thread:
            batches = RequestBatches(shout, 2, len, thread)
            return [await batches.result("a"), await batches.result("b")]

    assert asyncio.run(twice()) == ["A", "B"]


def test_cancelled_requests_are_not_run() -> None:
    async def one_gives_up() -> str:
        with ThreadPoolExecutor(1) as thread:
            batches = RequestBatches(shout, 1, len, thread)
            waiting = [asyncio.create_task(batches.result(text)) for text in ("ccc", "bb", "a")]
            await asyncio.sleep(0)
            waiting[1].cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting[1]
            await waiting[0]
            return await waiting[2]

    ran.clear()
    assert asyncio.run(one_gives_up()) == "A"
    assert ran == [["ccc"], ["a"]]
