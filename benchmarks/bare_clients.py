"""Bare loops over clients of an endpoint: so many calls at once, the text of each answer taken, nothing kept.

    python benchmarks/bare_clients.py openai http://127.0.0.1:8000/v1 64 questions.jsonl

The clients: `openai` is the official one with its aiohttp transport, `openai_default` with its default one, `aiohttp`
has no client above it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from stub_server import MODEL

Call = Callable[[list[Any]], Awaitable[str]]


@asynccontextmanager
async def openai_client(url: str, http_client: Any) -> AsyncIterator[Call]:
    import openai

    async with openai.AsyncOpenAI(api_key="none", base_url=url, http_client=http_client) as client:

        async def call(messages: list[Any]) -> str:
            found = await client.chat.completions.create(model=MODEL, messages=messages, max_tokens=48, temperature=0.0)
            return found.choices[0].message.content or ""

        yield call


@asynccontextmanager
async def aiohttp_client(url: str, concurrency: int) -> AsyncIterator[Call]:
    import aiohttp

    connector = aiohttp.TCPConnector(limit=concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def call(messages: list[Any]) -> str:
            body = {"model": MODEL, "messages": messages, "max_tokens": 48, "temperature": 0.0}
            async with session.post(f"{url}/chat/completions", json=body) as response:
                found = await response.json()
                return str(found["choices"][0]["message"]["content"])

        yield call


async def main(kind: str, url: str, concurrency: int, questions: Path) -> None:
    import openai

    clients = {
        "openai": lambda: openai_client(url, openai.DefaultAioHttpClient()),
        "openai_default": lambda: openai_client(url, None),
        "aiohttp": lambda: aiohttp_client(url, concurrency),
    }
    with questions.open(encoding="utf-8") as file:
        prompts = iter([json.loads(line)["prompts"] for line in file])

    async with clients[kind]() as call:

        async def work() -> None:
            for prompt in prompts:
                await call(prompt)

        await asyncio.gather(*(work() for _ in range(concurrency)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])))
