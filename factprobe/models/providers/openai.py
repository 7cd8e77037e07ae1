"""Models behind OpenAI-compatible endpoints, such as OpenAI, vLLM, llama.cpp, Ollama and LM Studio."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta, field

from factprobe.calls.call_errors import call_error, reason_line
from factprobe.calls.environment import read_key
from factprobe.config import Filled
from factprobe.endings import ending_of
from factprobe.errors import CallError, ConfigError
from factprobe.models.base import (
    TYPICAL_ANSWER,
    Address,
    EndpointSettings,
    Model,
    Price,
    Reply,
    SameAnswers,
    ScoredToken,
    statements,
)
from factprobe.models.prices import listed_price
from factprobe.models.providers.completions import (
    Completion,
    ReceivedCompletion,
    length_limit,
    locate_tokens,
    max_answer_tokens,
    read_completion,
    refuse_streaming,
    to_finite,
)
from factprobe.records import Request, Usage, join_messages

if TYPE_CHECKING:
    import httpx2
    import openai

_OPENAI = "https://api.openai.com/v1"
_ADDRESS = "write it as http://127.0.0.1:8000/v1"
_NO_KEY = "none"  # the client requires a key
_PROMPTS_PER_CALL = 128
_REQUIRED_KEYS = ("model", "messages", "prompt", "input")
_LIMIT_SYNONYMS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_SETTING_HINTS = {
    "temperature": "model.temperature=null",
    "logprobs": "model.logprobs=false",
    "response_format": "model.json_schema=null",
}


class OpenAISettings(EndpointSettings, frozen=True, kw_only=True):
    """Settings of an OpenAI-compatible endpoint."""

    model: Annotated[Filled, Meta(examples=["gpt-4o-mini"])]
    """The endpoint's name for the model."""
    base_url: Address[str | None] = None
    """Address of the endpoint, e.g. `http://127.0.0.1:8000/v1` for your own server; by default OpenAI's."""
    api_key_env: SameAnswers[str] = "OPENAI_API_KEY"
    """Name of the environment variable with the key; with `base_url`, it may be unset, for servers without keys."""
    api: Literal["chat", "completions"] = "chat"
    """`chat` for chat messages, `completions` for plain completions of the messages as one text."""
    temperature: Annotated[float, Meta(ge=0)] | None = 0.0  # type: ignore[assignment]  # null is allowed too
    """Sampling temperature; 0 is greedy; null omits it from requests, as some reasoning models require."""
    logprobs: bool = False
    """Request and store the log-probability of each token of the answer."""
    json_schema: dict[str, Any] | None = None
    """JSON schema that answers must follow; by default none."""
    reduction: Literal["sum", "mean"] = "sum"
    """Score of a ranked answer: the sum or mean of the log-probabilities of its statement's tokens."""
    extra_body: dict[str, Any] = field(default_factory=dict)
    """Further keys for the body of requests; null removes a key."""

    @property
    def model_name(self) -> str:
        """Name of the model; by default the endpoint's name for it."""
        return self.name or self.model


class OpenAIModel(Model):
    """Model behind an OpenAI-compatible endpoint, with its key in an environment variable."""

    settings_type: ClassVar[type[OpenAISettings]] = OpenAISettings

    def __init__(self, settings: OpenAISettings) -> None:
        super().__init__(settings)
        refuse_streaming(settings.extra_body, "model.extra_body")
        self._client: openai.AsyncOpenAI | None = None

    def check(self) -> None:
        """Check that the environment variable with the key is set, and that its value looks like a key."""
        _read_api_key(self.settings)

    async def start(self) -> None:
        """Open the client."""
        import openai

        from factprobe.calls.bounded_client import BoundedClient

        # The runner does retries and timeouts, since it knows the other calls.
        try:
            self._client = openai.AsyncOpenAI(
                api_key=_read_api_key(self.settings) or _NO_KEY,
                base_url=self.settings.base_url or _OPENAI,  # overrides OPENAI_BASE_URL
                # a redirect could send key and questions to another server
                http_client=BoundedClient(follow_redirects=False),
                max_retries=0,
                timeout=None,
            )
        except ConfigError:
            raise
        except Exception as error:  # the transport raises its own errors for invalid host names
            raise ConfigError(f"is not an address: {error}", where="model.base_url", hint=_ADDRESS) from error

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()

    def price(self) -> Price | None:
        """Return the price in the settings, or else the listed price; None without either."""
        settings = self.settings
        provider = None if settings.base_url else "openai"
        return settings.price or listed_price(settings.model, settings.base_url, provider)

    def overhead(self) -> Usage:
        """Return the maximum numbers of tokens in addition to the prompt, including the effects of `extra_body`."""
        extra = self.settings.extra_body
        extra_parts = [msgspec.json.encode(part) for part in (self._response_format(), extra) if part]
        return Usage(sum(map(len, extra_parts)), max_answer_tokens({**self._length_limit(), **extra}))

    def limits_answers(self) -> bool:
        """Return whether the requests limit the length of an answer, as those for plain completions do by default."""
        return length_limit({**self._length_limit(), **self.settings.extra_body}) is not None

    def _length_limit(self) -> dict[str, Any]:
        """Return the key of a request that limits the length of the answer; empty without a limit."""
        settings = self.settings
        if settings.api == "completions":
            return {"max_tokens": settings.max_tokens or TYPICAL_ANSWER}
        # OpenAI's own reasoning models reject max_tokens, and other servers often know no other key.
        name = "max_tokens" if settings.base_url else "max_completion_tokens"
        return {} if settings.max_tokens is None else {name: settings.max_tokens}

    def _response_format(self) -> dict[str, Any]:
        schema = {"name": "answer", "schema": self.settings.json_schema, "strict": True}
        return {} if self.settings.json_schema is None else {"type": "json_schema", "json_schema": schema}

    async def reply(self, request: Request) -> Reply:
        """Return the endpoint's answer to the messages."""
        settings, chat = self.settings, self.settings.api == "chat"
        body: dict[str, Any] = {}
        if chat:
            body["messages"] = [{"role": message.role, "content": message.content} for message in request.prompts]
        else:
            body["prompt"] = join_messages(request.prompts)
        body.update(self._length_limit())
        if settings.logprobs:
            body["logprobs"] = True if chat else 1
        if form := self._response_format():
            body["response_format"] = form
        sent = await self._post(body)
        choice = sent.choices[0]
        logprobs = choice.answer_logprobs() if settings.logprobs else ()
        left_out = (*sent.left_out, "logprobs") if logprobs is None else sent.left_out
        return Reply(choice.answer(), choice.ending(), sent.usage, logprobs=logprobs or (), left_out=left_out)

    async def rank(self, request: Request) -> Reply:
        """Score each choice by the log-likelihood of the whole statement with the choice in its gap.

        The endpoint must return the log-probabilities of a prompt's tokens (`echo`). The first, usually the start
        token, has none. If a server rejects `max_tokens: 0`, set another number in `extra_body`.
        """
        texts = statements(request)
        scores: list[float] = []
        usages: list[Usage | None] = []
        for start in range(0, len(texts), _PROMPTS_PER_CALL):
            part = texts[start : start + _PROMPTS_PER_CALL]
            body = {"prompt": part, "max_tokens": 0, "echo": True, "logprobs": 1}
            try:
                choices, usage, _ = await self._post(body, len(part))
            except CallError as error:
                error.charged |= start > 0
                raise
            scores += map(self._score_completion, part, choices)
            usages.append(usage)
        best = max(range(len(scores)), key=scores.__getitem__)
        return Reply(request.choices[best], "stop", _sum_usage(usages), tuple(scores))

    async def token_logprobs(self, text: str, start: int = 0) -> list[ScoredToken]:
        """Return the log-probabilities of the tokens that end after `start`, from an endpoint with `echo`."""
        [choice, *_], *_ = await self._post({"prompt": text, "max_tokens": 0, "echo": True, "logprobs": 1})
        logprobs = self._prompt_logprobs(choice)
        tokens = (choice.read_logprobs().tokens or ())[: len(logprobs)]
        return [token for token in locate_tokens(text, tokens, logprobs) if token.end > start]

    def _score_completion(self, prompt: str, choice: Completion) -> float:
        if isinstance(choice.text, str) and choice.text:  # some servers send the log-probabilities alone
            _, is_echoed, rest = choice.text.partition(prompt.strip())
            if not is_echoed:
                raise CallError("the endpoint does not return the prompt (echo)", hopeless=True, charged=True)
            if rest.strip() and not self.settings.extra_body.get("max_tokens"):
                what = "the endpoint writes on after the prompt; set model.extra_body={max_tokens: 1}"
                raise CallError(what, hopeless=True, charged=True)
        first, *others = self._prompt_logprobs(choice)
        logprobs = [*map(to_finite, others if first is None else (first, *others))]  # a first token may have none
        if not logprobs:
            raise CallError("the endpoint returns no log-probability of a prompt of one token", charged=True)
        return sum(logprobs) / (len(logprobs) if self.settings.reduction == "mean" else 1)

    def _prompt_logprobs(self, choice: Completion) -> list[float | None]:
        """Return the log-probabilities of a prompt's tokens; raise a `CallError` if there are none."""
        generated = int(self.settings.extra_body.get("max_tokens") or 0)  # some servers insist on generating a token
        all_logprobs = choice.read_logprobs().token_logprobs or ()
        logprobs = [*all_logprobs[: len(all_logprobs) - generated]]
        if not logprobs:
            ending = choice.ending()
            if ending_of(ending) == "broken":
                raise CallError(reason_line(f"the answer was broken off: {ending}"), transient=True, charged=True)
            raise CallError("the endpoint returns no log-probabilities of a prompt", hopeless=True, charged=True)
        return logprobs

    async def _post(self, body: dict[str, Any], choices: int = 1) -> ReceivedCompletion:
        """Send a request and parse the completion; typed requests and completions would double the time of a call."""
        settings = self.settings
        chat = "messages" in body
        body = {"model": settings.model, **body, "temperature": settings.temperature, **settings.extra_body}
        body = {name: value for name, value in body.items() if value is not None}
        answer = await self._send_request("/chat/completions" if chat else "/completions", body)
        return read_completion(answer.content, choices, answer.charset_encoding)

    async def _send_request(self, path: str, body: dict[str, Any]) -> httpx2.Response:
        import httpx2

        assert self._client is not None, "start() opens the client"
        try:
            return await self._client.post(path, body=body, cast_to=httpx2.Response)
        except CallError:
            raise
        except Exception as error:  # the transport also raises its own errors for invalid names or headers
            key = f"{self.settings.api_key_env} (model.api_key_env names another variable)"
            failure = call_error(error, key=key, address="model.base_url")
            if getattr(error, "status_code", None) in (400, 422):
                fix = suggest_setting_fix(getattr(error, "body", None), body, self.settings.extra_body)
                failure.hint = fix or failure.hint
            raise failure from error


def _sum_usage(usages: list[Usage | None]) -> Usage | None:
    sent = [usage for usage in usages if usage is not None]
    if len(sent) < len(usages):
        return None
    return Usage(sum(usage.prompt_tokens for usage in sent), sum(usage.completion_tokens for usage in sent))


def _read_api_key(settings: OpenAISettings) -> str | None:
    return read_key(settings.api_key_env, "model.api_key_env", needed=not settings.base_url)


def suggest_setting_fix(error: object, sent: Mapping[str, Any], extra: Mapping[str, Any]) -> str | None:
    """Return a hint on the key of the request that an error names; None if it names none.

    `error` is the body of a response with status 400 or 422, and `sent` that of the request. `extra` has the keys of
    `sent` that come from the setting `extra_body`.
    """
    texts = list(_iterate_texts(error))
    names = [name for name in sent if name not in _REQUIRED_KEYS]
    setting = next((name for name in names if name in texts), None)  # some errors have a field with just the name
    within = (name for name in names for text in texts if re.search(rf"\b{re.escape(name)}\b", text))
    setting = setting or next(within, None)
    if setting is None:
        return None
    value = sent[setting]
    if setting in _LIMIT_SYNONYMS:
        if any(re.search(rf"\b{value}\b", text) for text in texts):
            return "set model.max_tokens to a number that the endpoint accepts"
        return f"set 'model.extra_body={{{setting}: null, {_LIMIT_SYNONYMS[setting]}: {json.dumps(value)}}}'"
    if setting in extra:
        return f"remove {setting} from model.extra_body, or set another value"
    removed = f"'model.extra_body={{{setting}: null}}'"
    return f"set {_SETTING_HINTS.get(setting, removed)}"


def _iterate_texts(node: object, depth: int = 5) -> Iterator[str]:
    if isinstance(node, str):
        yield node[:5_000]
    elif depth and isinstance(node, Mapping | list):
        for value in node.values() if isinstance(node, Mapping) else node:
            yield from _iterate_texts(value, depth - 1)
