"""Providers without an OpenAI-compatible endpoint, through the package litellm."""

from __future__ import annotations

import os
from typing import Any, ClassVar

import msgspec
from msgspec import field

from factprobe.calls.faults import call_error, retry_after
from factprobe.config import Filled
from factprobe.endings import REFUSAL, ending_of
from factprobe.errors import CallError, require
from factprobe.models.base import EndpointSettings, Model, Price, Reply
from factprobe.models.prices import listed_price
from factprobe.models.providers.completions import content_text, usage_of
from factprobe.records import Request, Usage


class LiteLLMSettings(EndpointSettings, frozen=True, kw_only=True):
    """The settings of a provider that litellm knows."""

    model: Filled
    """The provider and its model, as litellm calls them, e.g. `anthropic/claude-sonnet-4-5`."""
    api_base: str | None = None
    """The provider's address, where it is not its usual one."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Further arguments of litellm's `acompletion`."""

    @property
    def model_name(self) -> str:
        """The name, or that of the provider's model."""
        return self.name or self.model


class LiteLLM(Model):
    """Providers without an OpenAI-compatible endpoint: `pip install 'factprobe[litellm]'`. Each key is read from the
    provider's own environment variable, e.g. `ANTHROPIC_API_KEY`; it never stands in a config.

    Raises:
        MissingExtraError: litellm is not installed.
    """

    settings_type: ClassVar[type[LiteLLMSettings]] = LiteLLMSettings

    def __init__(self, settings: LiteLLMSettings) -> None:
        super().__init__(settings)
        require("litellm", extra="litellm", where="model")

    async def start(self) -> None:
        """Loads litellm, quietly and without its look-up of prices on the network."""
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        litellm.suppress_debug_info = True
        self._litellm = litellm

    def price(self) -> Price | None:
        """The price that the settings name, or the listed one."""
        provider, _, model = self.settings.model.rpartition("/")
        return self.settings.price or listed_price(model, provider=provider or None)

    async def reply(self, request: Request) -> Reply:
        """See the base class."""
        settings = self.settings
        arguments = {
            "model": settings.model,
            "messages": msgspec.to_builtins(request.prompts),
            "max_tokens": settings.max_tokens,
            "temperature": settings.temperature,
            "api_base": settings.api_base,
            "max_retries": 0,
            "num_retries": 0,
            **settings.extra,
        }
        try:
            completion = await self._litellm.acompletion(**arguments)
        except Exception as error:  # litellm's own are of the official client's classes, but not all are its own
            found = call_error(error, key="the provider's own environment variable", address="model.api_base")
            headers = getattr(error, "litellm_response_headers", None)
            if found.retry_after is None and headers:
                found.retry_after = retry_after(headers)
            raise found from error
        if not completion.choices:
            raise CallError("the provider sent no choices", transient=True, charged=True)
        choice, usage = completion.choices[0], completion.usage
        text, refusal = content_text(choice.message.content), content_text(_own(choice.message, "refusal"))
        reason = _own(choice, "native_finish_reason")  # what litellm does not know it takes for an end
        return Reply(
            text or refusal,
            REFUSAL if refusal and not text else reason if ending_of(reason) else choice.finish_reason,
            usage_of({name: getattr(usage, name, None) for name in Usage.__struct_fields__}),
        )


def _own(found: Any, name: str) -> Any:
    """What a provider says beside what litellm knows of all of them."""
    own: dict[str, Any] = getattr(found, "provider_specific_fields", None) or {}
    return own.get(name)
