"""Asks a model without files: everything at once, held in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from factprobe.asking.cost import Spending
from factprobe.asking.job import AskSettings, opened_cache
from factprobe.asking.runner import Exchange, ask
from factprobe.asking.unanswered import Unanswered
from factprobe.errors import NoAnswersError
from factprobe.models.base import Model
from factprobe.progress import progress_bar
from factprobe.records import Request, Response

T = TypeVar("T")


def run_apart(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns; it has a thread to itself, for a notebook has a loop that it could not share."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def ask_model(
    model: Model,
    questions: Sequence[Request],
    settings: AskSettings | None = None,
    spending: Spending | None = None,
) -> list[Response]:
    """Asks every question; the responses are in the order of the questions. Works inside a running event loop too.

    Args:
        model: whom to ask.
        questions: what to ask.
        settings: for the response cache; by default there is none.
        spending: counts tokens and money, and knows the limit.

    Raises:
        ModelError: the model cannot be loaded.
        NoAnswersError: no question gets an answer, or none any more.
        CostLimitError: the next call could pass the limit.
    """

    by_id: dict[str, Response] = {}
    unanswered = Unanswered(model.name, again="ask them again")

    async def collect() -> None:
        with (
            opened_cache(settings or AskSettings(cache="off")) as cache,
            progress_bar(len(questions), "ask", "question") as bar,
        ):

            def keep(asked: Exchange) -> None:
                by_id[asked.request.question_id] = asked.response
                unanswered.of += 1
                if asked.response.failed:
                    unanswered.add(asked.response.fault, mend=asked.mend)
                bar.update()

            async with model:
                await ask(model, questions, keep, cache, spending)

    run_apart(collect())
    if unanswered.are_all():
        raise NoAnswersError(str(unanswered), mend=unanswered.mend)
    return [by_id[question.question_id] for question in questions]
