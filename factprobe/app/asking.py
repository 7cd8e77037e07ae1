"""How the app asks models: through the response cache and within one limit of money, for as long as it runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from factprobe.asking.at_once import ask_model
from factprobe.asking.cost import Spending
from factprobe.asking.job import AskSettings, price_of
from factprobe.build import Role, settings_of
from factprobe.claims.base import Ask
from factprobe.config import RunConfig, path_of
from factprobe.models import Model
from factprobe.records import PlainRequest, Request, Response


class Asking:
    """Asks any model at once.

    Args:
        config: the run's settings.
    """

    def __init__(self, config: RunConfig) -> None:
        folder = path_of(config.cache_dir) if config.cache_dir else None
        self._settings = AskSettings(config.cache, folder, config.max_cost_usd)
        self._usd = 0.0

    def ask(self, model: Model, requests: Sequence[Request]) -> Sequence[Response]:
        """The responses, in the order of the requests.

        Raises:
            ModelError: the model cannot be loaded.
            NoAnswersError: no call succeeds.
            CostLimitError: the next call could pass `max_cost_usd`.
        """
        if not requests:
            return []
        limit = self._settings.max_cost_usd
        spending = Spending(price_of(model, limit), limit, self._usd)
        try:
            model.check()
            return ask_model(model, requests, self._settings, spending)
        finally:
            self._usd += spending.usd

    def of(self, model: Model, role: Role, part: str) -> Ask:  # noqa: ARG002  # it writes no files
        """What asks a model for a part of the check."""

        def ask(what: str, requests: Iterable[PlainRequest]) -> Sequence[Response]:  # noqa: ARG001
            with settings_of(role, {"backend": model.settings.backend}):
                return self.ask(model, list(requests))

        return ask
