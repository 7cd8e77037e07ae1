"""Any OpenAI-compatible endpoint: hosted ones, vLLM, llama.cpp, Ollama, LM Studio."""

from __future__ import annotations

import json
import os
from email.utils import parsedate_to_datetime
from time import time
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct, field

from factprobe.errors import ConfigError
from factprobe.models.base import CallError, EndpointSettings, Model, Price, Reply
from factprobe.models.cost import listed_price
from factprobe.records import Question, Usage

if TYPE_CHECKING:
    import openai

_TRANSIENT = (408, 409, 429)
_CONGESTED = (408, 429, 503, 529)
_HOPELESS = (401, 403, 404)
_LONGEST_REASON = 500
_NO_KEY = "none"  # the client insists on one
_PROMPTS_A_CALL = 128


class OpenAISettings(EndpointSettings, frozen=True, kw_only=True):
    """What `conf/model/openai.yaml` sets. The key itself is never among it, only the name of its variable."""

    model: str
    """The model as the endpoint calls it."""
    base_url: str | None = None
    """The endpoint; by default OpenAI's own."""
    api_key_env: str = "OPENAI_API_KEY"
    """The environment variable that holds the key; with a `base_url` it may be unset, for servers without keys."""
    api: Literal["chat", "completions"] = "chat"
    """Chat messages, or plain completions of the messages' text."""
    temperature: Annotated[float, Meta(ge=0)] | None = 0.0  # type: ignore[assignment]  # None leaves it to the endpoint
    logprobs: bool = False
    """Keep the log-probability of each token of the answer."""
    json_schema: dict[str, Any] | None = None
    """The JSON schema that answers keep to."""
    reduction: Literal["sum", "mean"] = "sum"
    """How the log-probabilities of a ranked answer's tokens make its score."""
    extra_body: dict[str, Any] = field(default_factory=dict)
    """Further keys of the request, as the endpoint understands them; null leaves one out."""

    @property
    def model_name(self) -> str:
        """The name, or that of the endpoint's model."""
        return self.name or self.model


class _Part(Struct):
    text: str = ""


class _Message(Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None


class _Token(Struct):
    logprob: float


class _Logprobs(Struct):
    content: list[_Token] | None = None
    token_logprobs: list[float | None] | None = None
    text_offset: list[int] | None = None


class _Choice(Struct):
    index: int = 0
    message: _Message | None = None
    text: str | None = None
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _Usage(Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(Struct):
    choices: list[_Choice] | None = None
    usage: _Usage | None = None


_decode = msgspec.json.Decoder(_Completion).decode


class OpenAIModel(Model):
    """An endpoint through the official client.

    Raises:
        ConfigError: the variable with the key is not set, or the address holds what is secret.
    """

    settings_type: ClassVar[type[OpenAISettings]] = OpenAISettings

    def __init__(self, settings: OpenAISettings) -> None:
        super().__init__(settings)
        address = urlsplit(settings.base_url or "")
        if address.username or address.password or address.query:
            mend = f"leave user, password and query out; the key is read from the variable {settings.api_key_env}"
            raise ConfigError(
                "an address is written into files, so it must hold no key", where="model.base_url", mend=mend
            )
        key = os.environ.get(settings.api_key_env)
        if not key and not settings.base_url:
            mend = f"export {settings.api_key_env}=..., or name another variable with model.api_key_env="
            raise ConfigError(f"the environment variable {settings.api_key_env} is not set", where="model", mend=mend)
        self._key = key
        self._client: openai.AsyncOpenAI | None = None

    async def start(self) -> None:
        """Opens the client, with its fastest transport."""
        import openai

        # Further tries and the time that a call may take are the runner's, which knows of the other calls.
        self._client = openai.AsyncOpenAI(
            api_key=self._key or _NO_KEY,
            base_url=self.settings.base_url,
            http_client=openai.DefaultAioHttpClient(),
            max_retries=0,
            timeout=None,
        )

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            await self._client.close()

    def identity(self) -> dict[str, object]:
        """The endpoint, its model and what the request holds beside the common settings."""
        settings = self.settings
        return {
            name: getattr(settings, name)
            for name in ("base_url", "model", "api", "logprobs", "json_schema", "reduction", "extra_body")
        } | super().identity()

    def price(self) -> Price | None:
        """The price that the settings name, or the listed one."""
        settings = self.settings
        provider = None if settings.base_url else "openai"
        return settings.price or listed_price(settings.model, settings.base_url, provider)

    async def reply(self, question: Question) -> Reply:
        """See the base class."""
        settings, chat = self.settings, self.settings.api == "chat"
        body: dict[str, Any] = {}
        if chat:
            body["messages"] = [{"role": message.role, "content": message.content} for message in question.prompts]
            # OpenAI's own reasoning models know no max_tokens, other servers often nothing else.
            body["max_tokens" if settings.base_url else "max_completion_tokens"] = settings.max_tokens
        else:
            body["prompt"] = "\n\n".join(message.content for message in question.prompts)
            body["max_tokens"] = settings.max_tokens
        if settings.logprobs:
            body["logprobs"] = True if chat else 1
        if settings.json_schema is not None:
            schema = {"name": "answer", "schema": settings.json_schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        [choice, *_], usage = await self._post(body)
        return Reply(_text(choice), choice.finish_reason, usage, logprobs=_logprobs(choice))

    async def rank(self, question: Question) -> Reply:
        """Scores the choices by the log-probabilities that the endpoint gives for the tokens of a prompt (`echo`).

        Each choice is put into the gap, and the log-probabilities of all tokens of the statement but the first, which
        has none, are summed or averaged. Summed, the tokens before the gap add the same to every choice.

        Raises:
            CallError: the endpoint gives no such log-probabilities.
        """
        before, after = question.cloze or ("", "")
        texts = [f"{before}{choice}{after}" for choice in question.choices]
        scores: list[float] = []
        used = Usage(0, 0)
        for start in range(0, len(texts), _PROMPTS_A_CALL):
            part = texts[start : start + _PROMPTS_A_CALL]
            body = {"prompt": part, "max_tokens": 0, "echo": True, "logprobs": 1}
            choices, found = await self._post(body, len(part))
            choices.sort(key=lambda choice: choice.index)
            scores += [self._score(choice, text) for choice, text in zip(choices, part, strict=True)]
            usage = found or Usage(0, 0)
            used = Usage(used.prompt_tokens + usage.prompt_tokens, used.completion_tokens + usage.completion_tokens)
        best = max(range(len(scores)), key=scores.__getitem__)
        return Reply(question.choices[best], "stop", used, tuple(scores))

    def _score(self, choice: _Choice, text: str) -> float:
        found = choice.logprobs
        if found is None or not found.token_logprobs:
            raise CallError("the endpoint gives no log-probabilities of a prompt", hopeless=True)
        offsets = found.text_offset or [0] * len(found.token_logprobs)
        pairs = zip(found.token_logprobs, offsets, strict=True)
        known = [logprob for logprob, offset in pairs if logprob is not None and offset < len(text)]
        total = sum(known)
        return total / max(len(known), 1) if self.settings.reduction == "mean" else total

    async def _post(self, body: dict[str, Any], choices: int = 1) -> tuple[list[_Choice], Usage | None]:
        """Sends a request and reads what came back.

        By the client's way for endpoints that it does not know: its own models of requests and completions take as
        long as all the rest of a call.
        """
        import openai

        assert self._client is not None, "start() opens the client"
        settings = self.settings
        chat = "messages" in body
        body = {"model": settings.model, **body, "temperature": settings.temperature, **settings.extra_body}
        body = {name: value for name, value in body.items() if value is not None}
        try:
            path = "/chat/completions" if chat else "/completions"
            content = await self._client.post(path, body=body, cast_to=bytes)
        except openai.OpenAIError as error:
            raise call_error(error, self._key) from error
        completion = _read(content, self._key)
        if len(completion.choices or ()) < choices:
            raise CallError(f"the endpoint sent no choices{_extract(content, self._key)}")
        used = completion.usage
        return completion.choices or [], Usage(used.prompt_tokens, used.completion_tokens) if used else None


def call_error(error: openai.OpenAIError, *secrets: str | None) -> CallError:
    """What a fault of the official client's, or of a library that raises the same errors, means for the run.

    Only what may pass is transient: no connection, no answer in time, 408, 409, 429 and 5xx.
    """
    import openai

    status = getattr(error, "status_code", None)
    if status is not None:
        found = getattr(error, "body", None)
        body = found if isinstance(found, dict) else {}
        reason = f"{status}: {body.get('message') or error}"
        spent = body.get("code") == "insufficient_quota"  # a 429 that no waiting helps
        response = getattr(error, "response", None)
        return CallError(
            _clean(reason, *secrets),
            transient=(status in _TRANSIENT or int(status or 0) >= 500) and not spent,
            congested=status in _CONGESTED,
            retry_after=None if spent or response is None else retry_after(response.headers),
            hopeless=status in _HOPELESS or spent,
        )
    timeout = isinstance(error, openai.APITimeoutError)
    cause = error.__cause__ or error.__context__
    reason = f"{error} ({type(cause).__name__}: {cause})" if cause else str(error)
    return CallError(
        _clean(reason, *secrets), transient=isinstance(error, openai.APIConnectionError), congested=timeout
    )


def retry_after(headers: Any) -> float | None:
    """The seconds that a response's headers ask to wait, by `retry-after-ms` or `Retry-After` (RFC 9110, 10.2.3)."""
    for name, factor in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * factor
        except ValueError:
            try:
                seconds = parsedate_to_datetime(value).timestamp() - time()
            except ValueError:
                continue
        if seconds == seconds:  # noqa: PLR0124  # not NaN
            return max(0.0, seconds)
    return None


def _read(content: bytes, secret: str | None) -> _Completion:
    try:
        return _decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        try:  # the standard library also reads lone surrogates, which small models produce
            return msgspec.convert(json.loads(content), _Completion)
        except ValueError:
            raise CallError(f"the endpoint sent what is no completion ({error}){_extract(content, secret)}") from error


def _extract(content: bytes, secret: str | None) -> str:
    return _clean(f": {content[:200].decode(errors='replace')}", secret)


def _clean(reason: str, *secrets: str | None) -> str:
    """A reason in one short line without the key, which some endpoints repeat."""
    for secret in filter(None, secrets):
        reason = reason.replace(secret, "***")
    return " ".join(reason.split())[:_LONGEST_REASON]


def _text(choice: _Choice) -> str:
    if choice.message is None:
        return choice.text or ""
    content = choice.message.content
    text = content if isinstance(content, str) else "".join(part.text for part in content or ())
    return text or choice.message.refusal or ""


def _logprobs(choice: _Choice) -> tuple[float, ...]:
    found = choice.logprobs
    if found is None:
        return ()
    if found.content is not None:
        return tuple(token.logprob for token in found.content)
    return tuple(logprob for logprob in found.token_logprobs or () if logprob is not None)
