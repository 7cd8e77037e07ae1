"""Model calls of the running app, through the response cache and within one cost limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Event

from factprobe.asking.cost import CostCounter
from factprobe.asking.in_memory import ask_model
from factprobe.asking.job import AskSettings, price_of
from factprobe.components.base import Ask
from factprobe.config import RunConfig
from factprobe.errors import ModelError
from factprobe.factories import Role, settings_of
from factprobe.models import Model
from factprobe.models.base import Price
from factprobe.records import PlainRequest, Request, Response, Usage


class ModelCalls:
    """Caller of models that counts the cost of all calls against one limit, and uses the response cache."""

    def __init__(self, config: RunConfig) -> None:
        self._settings = AskSettings.of(config)
        self._usd = 0.0
        self._closed = Event()

    def close(self) -> None:
        """Let calls in progress end, since their answers are paid for, and start no others."""
        self._closed.set()

    def ask(self, model: Model, requests: Sequence[Request]) -> Sequence[Response]:
        """Ask a model and return the responses in the order of the requests.

        Raises:
            ModelError: The model cannot be loaded, or the app closes.
            NoAnswersError: No call succeeds.
            CostLimitError: The next call could exceed `max_cost_usd`.
            ConfigError: The cost is limited, and the price of the model is unknown.
        """
        if not requests:
            return []
        limit = self._settings.max_cost_usd
        spending = _ClosableCostCounter(self._closed, price_of(model, limit), limit, self._usd)
        try:
            model.check()
            return ask_model(model, requests, self._settings, spending)
        finally:
            self._usd += spending.usd

    def asker_of(self, model: Model, role: Role, _: str) -> Ask:
        """Return an `Ask` for a component's model.

        Its errors name the settings of `role` (such as `checker.model`) instead of `model`. The third argument, the
        component's name, is ignored; `StepModelCalls.asker_of` takes the same arguments and uses it.
        """

        def ask(_: str, requests: Iterable[PlainRequest]) -> Sequence[Response]:
            with settings_of(role, model.settings.backend):
                return self.ask(model, list(requests))

        return ask


class _ClosableCostCounter(CostCounter):
    """Cost counter that refuses further calls once the app closes."""

    def __init__(self, closed: Event, price: Price | None, max_cost_usd: float | None, before: float) -> None:
        super().__init__(price, max_cost_usd, before)
        self._closed = closed

    async def reserve(self, request: Request, overhead: Usage) -> float:
        """Reserve the cost of a call; raise a `ModelError` if the app closes."""
        if self._closed.is_set():
            raise ModelError("is asked no more", where="app", hint="start it again")
        return await super().reserve(request, overhead)
