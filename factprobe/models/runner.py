"""Puts questions to a model, several at once, and gives each response as soon as it is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from itertools import islice

from factprobe.errors import ModelError
from factprobe.models.base import CallError, Model, short_hash
from factprobe.records import Question, Response

_HOPELESS = 20


async def ask(model: Model, questions: Iterable[Question]) -> AsyncGenerator[Response, None]:
    """Asks a model that is started every question once, at most `max_concurrency` at a time.

    Raises:
        ModelError: the first calls all fail; there is no point in burning through the rest.
    """
    left = iter(questions)
    # A dict, not a set: of the calls that end together the one asked first comes first.
    running = {asyncio.create_task(_respond(model, q)): None for q in islice(left, model.settings.max_concurrency)}
    answered, failed = False, 0
    try:
        while running:
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in [task for task in running if task in done]:
                del running[task]
                response = task.result()
                answered = answered or response.error is None
                failed += response.error is not None
                running.update((asyncio.create_task(_respond(model, question)), None) for question in islice(left, 1))
                yield response
                if failed >= _HOPELESS and not answered:
                    raise ModelError(f"the first {failed} calls to {model.name} all failed: {response.error}")
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _respond(model: Model, question: Question) -> Response:
    hashes = short_hash(question.prompts), model.settings_hash
    try:
        reply = await (model.reply(question) if question.cloze is None else model.rank(question))
    except CallError as error:
        return Response(question.question_id, None, None, None, str(error), *hashes)
    return Response(
        question.question_id,
        reply.text,
        reply.finish_reason,
        reply.usage,
        None,
        *hashes,
        scores=reply.scores,
        logprobs=reply.logprobs,
    )
