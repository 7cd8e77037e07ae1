"""Any OpenAI-compatible endpoint: hosted ones, vLLM, llama.cpp, Ollama, LM Studio."""

from __future__ import annotations

import os
from typing import Annotated, Any, ClassVar

from msgspec import Meta, field

from factprobe.errors import ConfigError
from factprobe.models.base import CallError, Model, ModelSettings, Reply
from factprobe.records import Question, Usage


class OpenAISettings(ModelSettings, frozen=True, kw_only=True):
    """What `conf/model/openai.yaml` sets. The key itself is never among it, only the name of its variable."""

    model: str
    """The model as the endpoint calls it."""
    base_url: str | None = None
    """The endpoint; by default OpenAI's own."""
    api_key_env: str = "OPENAI_API_KEY"
    """The environment variable that holds the key; with a `base_url` it may be unset, for servers without keys."""
    max_concurrency: Annotated[int, Meta(ge=1)] = 8
    timeout: Annotated[float, Meta(gt=0)] = 60.0
    """Seconds that one call may take."""
    max_retries: Annotated[int, Meta(ge=0)] = 5
    """Further tries of a call on a transient fault."""
    extra_body: dict[str, Any] = field(default_factory=dict)
    """Further keys of the request, as the endpoint understands them."""

    @property
    def model_name(self) -> str:
        """The name, or that of the endpoint's model."""
        return self.name or self.model


class OpenAIModel(Model):
    """A chat endpoint through the official client.

    Raises:
        ConfigError: the variable with the key is not set.
    """

    settings_type: ClassVar[type[ModelSettings]] = OpenAISettings

    def __init__(self, settings: OpenAISettings) -> None:
        super().__init__(settings)
        key = os.environ.get(settings.api_key_env)
        if not key and not settings.base_url:
            mend = f"export {settings.api_key_env}=..., or name another variable with model.api_key_env="
            raise ConfigError(f"the environment variable {settings.api_key_env} is not set", where="model", mend=mend)
        self._key = key or "none"  # the client insists on one

    async def start(self) -> None:
        """Opens the client."""
        import openai

        self._errors = openai.OpenAIError
        self._client = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=self.settings.base_url,
            timeout=self.settings.timeout,
            max_retries=self.settings.max_retries,
        )

    def identity(self) -> dict[str, object]:
        """The endpoint, its model and the further keys beside the common settings."""
        settings = self.settings
        return {
            "base_url": settings.base_url,
            "model": settings.model,
            "extra_body": settings.extra_body,
            **super().identity(),
        }

    async def reply(self, question: Question) -> Reply:
        """See the base class."""
        messages: Any = [{"role": message.role, "content": message.content} for message in question.prompts]
        try:
            completion = await self._client.chat.completions.create(
                model=self.settings.model,
                messages=messages,
                max_tokens=self.settings.max_tokens,
                temperature=self.settings.temperature,
                extra_body=self.settings.extra_body or None,
            )
        except self._errors as error:
            raise CallError(f"{type(error).__name__}: {error}") from error
        if not completion.choices:
            raise CallError("the endpoint sent no choices")
        choice, usage = completion.choices[0], completion.usage
        tokens = Usage(usage.prompt_tokens, usage.completion_tokens) if usage else None
        return Reply(choice.message.content or "", choice.finish_reason, tokens)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.close()
