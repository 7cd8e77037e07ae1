"""Asks a model without files: everything at once, held in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from factprobe.asking.cost import Spending
from factprobe.asking.job import AskSettings, CallCounts, opened_cache
from factprobe.asking.runner import Exchange, ask
from factprobe.asking.unanswered import Unanswered
from factprobe.calls.loops import run_apart
from factprobe.errors import NoAnswersError
from factprobe.models.base import Model
from factprobe.progress import progress_bar
from factprobe.records import Request, Response


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
    counts = CallCounts(0, spending or Spending(None), unanswered)

    def keep(asked: Exchange) -> None:
        by_id[asked.request.question_id] = asked.response
        counts.add(asked)

    run_apart(_ask(model, questions, settings or AskSettings(cache="off"), spending, keep))
    counts.warn(model.name)
    if unanswered.are_all():
        raise NoAnswersError(str(unanswered), hint=unanswered.hint)
    return [by_id[question.question_id] for question in questions]


async def _ask(
    model: Model,
    questions: Sequence[Request],
    settings: AskSettings,
    spending: Spending | None,
    keep: Callable[[Exchange], None],
) -> None:
    with opened_cache(settings) as cache, progress_bar(len(questions), "ask", "question") as bar:

        def kept(asked: Exchange) -> None:
            keep(asked)
            bar.update()

        async with model:
            await ask(model, questions, kept, cache, spending)
