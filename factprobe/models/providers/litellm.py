"""Providers without an OpenAI-compatible endpoint, through the package litellm."""

from __future__ import annotations

import os
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, field

from factprobe.calls.call_errors import call_error, retry_after
from factprobe.config import Filled
from factprobe.endings import REFUSAL, ending_of
from factprobe.errors import CallError, require
from factprobe.models.base import Address, EndpointSettings, Model, Price, Reply
from factprobe.models.prices import listed_price
from factprobe.models.providers.completions import (
    content_text,
    length_limit,
    max_answer_tokens,
    read_usage,
    refuse_streaming,
)
from factprobe.records import Request, Usage


class LiteLLMSettings(EndpointSettings, frozen=True, kw_only=True):
    """Settings of a model called through litellm."""

    model: Annotated[Filled, Meta(examples=["anthropic/claude-sonnet-4-5"])]
    """Provider and its model in litellm's notation, e.g. `anthropic/claude-sonnet-4-5`."""
    api_base: Address[str | None] = None
    """The provider's address; by default the one that litellm knows."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Further arguments for litellm's function `acompletion`."""

    @property
    def model_name(self) -> str:
        """Name of the model; by default, that in litellm's notation."""
        return self.name or self.model


class LiteLLM(Model):
    """Model of a provider without an OpenAI-compatible endpoint.

    Install it with `pip install 'factprobe[litellm]'`. The key is read from the provider's own environment variable,
    e.g. `ANTHROPIC_API_KEY`, and never from a config.
    """

    settings_type: ClassVar[type[LiteLLMSettings]] = LiteLLMSettings

    def __init__(self, settings: LiteLLMSettings) -> None:
        super().__init__(settings)
        refuse_streaming(settings.extra, "model.extra")
        require("litellm", extra="litellm", where="model")

    async def start(self) -> None:
        """Import litellm; turn off its messages and its download of prices."""
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        litellm.suppress_debug_info = True
        self._litellm = litellm

    def price(self) -> Price | None:
        """Return the price in the settings, or else the listed price; None without either."""
        provider, _, model = self.settings.model.rpartition("/")
        return self.settings.price or listed_price(model, provider=provider or None)

    def overhead(self) -> Usage:
        """Return the maximum numbers of tokens in addition to the prompt, including the effects of `extra`."""
        extra = self.settings.extra
        size = len(msgspec.json.encode(extra, enc_hook=str)) if extra else 0
        return Usage(size, max_answer_tokens({**self._length_limit(), **extra}))

    def limits_answers(self) -> bool:
        """Return whether the settings with their `extra` arguments limit the length of an answer."""
        return length_limit({**self._length_limit(), **self.settings.extra}) is not None

    def _length_limit(self) -> dict[str, Any]:
        return {} if self.settings.max_tokens is None else {"max_tokens": self.settings.max_tokens}

    async def reply(self, request: Request) -> Reply:
        """Return litellm's answer to the messages."""
        settings = self.settings
        arguments = {
            "model": settings.model,
            "messages": msgspec.to_builtins(request.prompts),
            **self._length_limit(),
            "temperature": settings.temperature,
            "api_base": settings.api_base,
            "max_retries": 0,
            "num_retries": 0,
            **settings.extra,
        }
        try:
            completion = await self._litellm.acompletion(**arguments)
        except Exception as error:  # not all of litellm's errors derive from openai's classes
            failure = call_error(error, key="the provider's own environment variable", address="model.api_base")
            headers = getattr(error, "litellm_response_headers", None)
            if failure.retry_after is None and headers:
                failure.retry_after = retry_after(headers)
            raise failure from error
        if not completion.choices:
            raise CallError("the provider sent no choices", transient=True, charged=True)
        choice, usage = completion.choices[0], completion.usage
        text, refusal = content_text(choice.message.content), content_text(_provider_field(choice.message, "refusal"))
        reason = _provider_field(choice, "native_finish_reason")  # litellm maps unknown reasons to "stop"
        return Reply(
            text or refusal,
            REFUSAL if refusal and not text else reason if ending_of(reason) else choice.finish_reason,
            read_usage({name: getattr(usage, name, None) for name in Usage.__struct_fields__}),
        )


def _provider_field(part: Any, name: str) -> Any:
    provider_fields: dict[str, Any] = getattr(part, "provider_specific_fields", None) or {}
    return provider_fields.get(name)
