"""Requests to a model in memory: responses are returned, and no files are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from factprobe.asking.cost import CostCounter
from factprobe.asking.job import AskSettings, CallCounts, ask_counted
from factprobe.asking.runner import Exchange
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.errors import DataError, NoAnswersError
from factprobe.models.base import Model
from factprobe.models.providers.function import ModelFunction, as_model
from factprobe.records import Request, Response


def ask_model(
    model: Model | ModelFunction,
    questions: Iterable[Request],
    settings: AskSettings | None = None,
    spending: CostCounter | None = None,
) -> list[Response]:
    """Ask a model all questions and return the responses in the order of the questions.

    This also works inside a running event loop.

    Args:
        model: Model to ask, or a function that returns the answer to a prompt or to a list of chat messages.
        questions: Requests to the model.
        settings: Settings of the response cache; by default no cache is used.
        spending: Counter of tokens and cost, which also enforces a cost limit; by default a counter without limit.

    Raises:
        DataError: An item is no request.
        ModelError: The model cannot be loaded.
        NoAnswersError: The model answers no question, or stops answering.
        CostLimitError: The next call could exceed the limit.
    """
    respondent, items = as_model(model), list[Any](questions)
    for request in items:
        if not isinstance(request, Request):
            hint = "give what make_questions returns, or factprobe.records.Request objects"
            raise DataError(f"hold the type {type(request).__name__}", where="the questions", hint=hint)
    exchanges: list[Exchange] = []
    counts = CallCounts(0, spending or CostCounter(None), UnansweredQuestions(respondent.name, again="ask them again"))
    settings = settings or AskSettings(cache="off")
    ask_counted(respondent, items, len(items), exchanges.append, counts, settings)
    counts.warn(respondent.name)
    if counts.unanswered.has_no_answers():
        raise NoAnswersError(str(counts.unanswered), hint=counts.unanswered.hint)
    return [exchange.response for exchange in sorted(exchanges, key=lambda exchange: exchange.position)]
