"""Base class of models, and their registry."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Self, TypeVar, get_type_hints

from msgspec import Meta, Struct

from factprobe.config import Filled
from factprobe.errors import ConfigError, ModelError
from factprobe.records import LogProbability, Request, Usage
from factprobe.registry import Registry
from factprobe.storage import short_hash

T = TypeVar("T")
_SAME_ANSWERS = Meta(extra={"same_answers": True})
SameAnswers = Annotated[T, _SAME_ANSWERS]
"""Type of a setting that is not part of a model's identity: no answer depends on it, or `identity` replaces it.

All other settings are part of the identity. A missing annotation causes superfluous calls, but no wrong cache hits.
"""

_ADDRESS = Meta(extra={"address": True})
Address = Annotated[T, _ADDRESS]
"""Type of a setting with the address of an endpoint; the model's identity has its `normalise_address`."""
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#]*", re.IGNORECASE)


def normalise_address(address: str) -> str:
    """Return an address with scheme and host in small letters, and without a final slash, as clients call it."""
    return _ORIGIN.sub(lambda origin: origin[0].lower(), address, count=1).removesuffix("/")


def request_hash(request: Request) -> str:
    """Return a hash of the parts of a request on which replies depend: prompts, choices, sample number and grammar."""
    ranked = () if request.cloze is None else (request.cloze, request.choices)
    sample = (request.sample,) if request.sample else ()  # omitted when 0, so that hashes of cached replies stay valid
    grammar = (request.grammar,) if request.grammar else ()
    return short_hash((request.prompts, *ranked, *sample, *grammar))


class Reply(Struct, frozen=True, gc=False):
    """Reply of a model."""

    text: str
    finish_reason: str | None = None
    usage: Usage | None = None
    scores: tuple[float, ...] = ()
    """Log-likelihood of each choice of a ranked request."""
    logprobs: tuple[LogProbability, ...] = ()
    """Log-probability of each token of the text, if requested."""
    left_out: tuple[str, ...] = ()
    """Names of fields of the endpoint's response that could not be read."""


class ScoredToken(Struct, frozen=True, gc=False):
    """Token of a given text, with its log-probability."""

    start: int
    """Offset of the first character; leading white space counts only if the token has nothing else."""
    end: int
    """Offset after the last character."""
    logprob: float
    """Natural logarithm of the token's probability, given all earlier tokens."""


def token_start(text: str) -> int:
    """Return the offset of the first character of a token in its text, as `ScoredToken.start` counts it."""
    blank = len(text) - len(text.lstrip())
    return blank if blank < len(text) else 0


class WrittenToken(Struct, frozen=True, gc=False):
    """Token of a reply, yielded while the reply is generated."""

    text: str
    logprob: float
    """Natural logarithm of the token's probability at temperature 1."""


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """Price in US dollars per million tokens."""

    input: Annotated[float, Meta(ge=0)]
    output: Annotated[float, Meta(ge=0)]


class ModelSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings that all models have; they contain no secrets."""

    backend: str
    """Name in the registry."""
    name: SameAnswers[Filled | None] = None
    """The model's name in files and tables; by default the name of the endpoint's model or of the file."""
    max_tokens: Annotated[int, Meta(ge=1)] = 48
    """Maximum length of an answer in tokens."""
    temperature: Annotated[float, Meta(ge=0)] = 0.0
    """Sampling temperature; 0 is greedy."""
    max_concurrency: SameAnswers[Annotated[int, Meta(ge=1)]] = 1
    """Maximum number of open requests."""
    repeat: Annotated[int, Meta(ge=0)] = 0
    """Index of the repeat; with another number, the same questions are asked again (with another random seed)."""

    @property
    def model_name(self) -> str:
        """Name of the model in files and tables."""
        return self.name or self.backend


TYPICAL_ANSWER = 500
"""Number of tokens assumed in estimates for an answer without a length limit."""
LONGEST_ANSWER = 8_192
"""Number of tokens reserved within a cost limit for an answer without a length limit."""


class EndpointSettings(ModelSettings, frozen=True, kw_only=True):
    """Settings that all endpoints have: limits, retries and price."""

    max_tokens: Annotated[int, Meta(ge=1)] | None = None  # type: ignore[assignment]  # null is allowed too
    """Maximum length of an answer in tokens, reasoning included; by default the endpoint's own."""

    max_concurrency: SameAnswers[Annotated[int, Meta(ge=1, le=1000)]] = 8
    """Maximum number of open requests, up to 1,000; fewer are open while the endpoint reports overload."""
    timeout: SameAnswers[Annotated[float, Meta(gt=0)]] = 60.0
    """Timeout of a call in seconds."""
    max_retries: SameAnswers[Annotated[int, Meta(ge=0)]] = 8
    """Maximum number of retries of a call after transient errors."""
    retry_wait: SameAnswers[Annotated[float, Meta(ge=0)]] = 0.5
    """Seconds before the first retry, doubled for each further one up to 30, unless the endpoint sends Retry-After."""
    requests_per_minute: SameAnswers[Annotated[float, Meta(gt=0)] | None] = None
    """The endpoint's limit of requests per minute; by default none."""
    tokens_per_minute: SameAnswers[Annotated[float, Meta(gt=0)] | None] = None
    """The endpoint's limit of tokens per minute, of prompts and answers together; by default none."""
    price: SameAnswers[Price | None] = None
    """US dollars per million tokens, e.g. `{input: 0.15, output: 0.6}`; by default the price in genai-prices."""


@cache
def identifying_settings(settings_type: type[Any]) -> tuple[str, ...]:
    """Return the names of the settings that are part of a model's identity, since they may change an answer."""
    marked = _settings_with(_SAME_ANSWERS, settings_type)
    return tuple(name for name in settings_type.__struct_fields__ if name not in marked)


def _settings_with(mark: Meta, settings_type: type[Any]) -> tuple[str, ...]:
    types = get_type_hints(settings_type, include_extras=True)
    fields = settings_type.__struct_fields__
    return tuple(name for name in fields if mark in getattr(types[name], "__metadata__", ()))


class Model(ABC):
    """Base class of models, which answer requests."""

    settings_type: ClassVar[type[ModelSettings]] = ModelSettings
    cached: ClassVar[bool] = True
    """True if replies are stored in the response cache; False for models that cost nothing."""
    priced_by: ClassVar[str] = "'model.price={input: 0.15, output: 0.6}' for US dollars for a million tokens"
    """Hint on how to set the price, for an error."""

    def __init__(self, settings: Any) -> None:
        """Check the settings and that optional packages are installed; slow work belongs in `start`."""
        self.settings = settings
        self.settings_hash = short_hash((settings.backend, settings.repeat, self.identity()))

    @property
    def name(self) -> str:
        """Name of the model in files and tables."""
        return str(self.settings.model_name)

    def identity(self) -> dict[str, object]:
        """Return the settings on which answers depend; subclasses replace a path by a hash of its content."""
        identity = {name: getattr(self.settings, name) for name in identifying_settings(self.settings_type)}
        for name in _settings_with(_ADDRESS, self.settings_type):
            identity[name] = identity[name] and normalise_address(identity[name])
        return identity

    def price(self) -> Price | None:
        """Return the price of the model's tokens, 0 for local models; None if it is unknown."""
        return Price(0, 0)

    def is_tiny(self) -> bool:
        """Return whether the model is known to be too small to judge replies or to extract claims."""
        return False

    def overhead(self) -> Usage:
        """Return what a call takes in addition to its messages, for estimates of cost.

        These are a number of bytes, and the maximum length of the answer, or `TYPICAL_ANSWER` without a limit.
        """
        return Usage(0, self.settings.max_tokens or TYPICAL_ANSWER)

    def limits_answers(self) -> bool:
        """Return whether the settings limit the length of an answer."""
        return self.settings.max_tokens is not None

    def check(self) -> None:  # noqa: B027  # optional for subclasses
        """Check, without a call, that the model can be called, e.g. that its key is set.

        Raises:
            ConfigError: The model cannot be called.
        """

    async def start(self) -> None:  # noqa: B027  # optional for subclasses
        """Load the model or open connections, for requests in the running event loop.

        Raises:
            ModelError: The model cannot be loaded.
        """

    async def aclose(self) -> None:  # noqa: B027  # optional for subclasses
        """Release resources that belong to the event loop; `start` can be called again."""

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    @abstractmethod
    async def reply(self, request: Request) -> Reply:
        """Answer one request.

        Raises:
            CallError: The request could not be answered; the run goes on with others.
        """

    async def rank(self, request: Request) -> Reply:  # noqa: ARG002  # for overrides
        """Return the choice that is the likeliest in the gap of a request's `cloze`, with the scores of all choices.

        Raises:
            CallError: The request could not be answered; the run goes on with others.
            ModelError: The model gives no log-probabilities.
        """
        hint = f"use model=transformers, or {_ENDPOINT_HINT}"
        raise ModelError("has no log-probabilities to rank answers by", where=f"model {self.name}", hint=hint)

    async def token_logprobs(self, text: str, start: int = 0) -> list[ScoredToken]:  # noqa: ARG002  # for overrides
        """Return the tokens of a text that end after the offset `start`, with their log-probabilities.

        Each is conditioned on all earlier tokens. No chat template is used. A text longer than the model's context is
        cut at its beginning. The first token has no probability, and is omitted, if the model has no start token.

        Raises:
            CallError: This text cannot be scored; others may be.
            ModelError: The model gives no log-probabilities of given texts.
        """
        raise ModelError("has no log-probabilities of a text", where=f"model {self.name}", hint=_SCORING_HINT)

    def write(self, request: Request) -> AsyncIterator[WrittenToken]:  # noqa: ARG002  # for overrides
        """Generate a reply token by token.

        Raises:
            CallError: The request could not be answered.
            ModelError: The model can only return whole replies.
        """
        raise ModelError("returns whole replies only", where=f"model {self.name}", hint=_STREAMING_HINT)


def check_samples_differ(samples: int, model: Mapping[str, Any], where: str, setting: str, usual: float) -> None:
    """Raise a `ConfigError` if several samples of a model would be identical, since its temperature is 0.

    `where` is the setting of their number, `setting` the prefix of the model's, and `usual` the temperature to suggest.
    """
    if samples > 1 and model.get("temperature") == 0:
        hint = f"set {setting}.temperature={usual} or so, or {where}=1"
        raise ConfigError(f"{samples} samples at temperature 0 would be identical", where=where, hint=hint)


def statements(request: Request) -> list[str]:
    """Return a request's cloze filled with each choice, beginning with a capital letter, as in LM Pub Quiz."""
    before, after = request.cloze or ("", "")
    texts = [f"{before}{choice}{after}" for choice in request.choices]
    return [text[:1].upper() + text[1:] for text in texts]


_STREAMING_HINT = "use a model of llama.cpp: model=smollm2 or model=llama_cpp"
_ENDPOINT_HINT = "model=openai with an endpoint that returns the log-probabilities of a prompt"
_SCORING_HINT = f"use model=smollm2, llama_cpp or transformers, or {_ENDPOINT_HINT}"

models: Registry[Model] = Registry("models", "model")
