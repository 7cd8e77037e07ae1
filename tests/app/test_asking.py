"""How the app asks models: it begins no call once it closes, and keeps what those under way come to."""

from __future__ import annotations

import asyncio
from threading import Thread

import pytest

from factprobe.app.model_calls import ModelCalls
from factprobe.config import compose, from_omegaconf
from factprobe.errors import ModelError
from factprobe.models.base import Model, ModelSettings, Reply
from factprobe.records import Message, PlainRequest, Request

REQUESTS = [PlainRequest(str(number), (Message("user", str(number)),)) for number in range(20)]


class Closing(Model):
    """Answers two at a time; while the fourth call is under way the app closes."""

    def __init__(self, asking: ModelCalls | None) -> None:
        super().__init__(ModelSettings(backend="closing", max_concurrency=2))
        self.asking, self.asked, self.answered = asking, 0, 0

    async def reply(self, request: Request) -> Reply:
        self.asked += 1
        if self.asked == 4 and self.asking:
            Thread(target=self.asking.close).start()
        await asyncio.sleep(0.2)
        self.answered += 1
        return Reply(request.question_id, "stop")


def test_nothing_is_asked_once_the_app_closes() -> None:
    asking = ModelCalls(from_omegaconf(compose([])))
    model = Closing(asking)
    with pytest.raises(ModelError, match="is asked no more"):
        asking.ask(model, REQUESTS)
    assert model.answered == model.asked == 4
    again = Closing(None)
    replies = ModelCalls(from_omegaconf(compose([]))).ask(again, REQUESTS)
    assert [reply.response for reply in replies] == [request.question_id for request in REQUESTS]
    assert again.asked == 16  # four are in the cache
