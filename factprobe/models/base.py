"""What a model is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Self, TypeVar, get_type_hints

import msgspec
from msgspec import Meta, Struct

from factprobe.config import Filled
from factprobe.errors import ConfigError, ModelError
from factprobe.records import Request, Usage
from factprobe.registry import Registry

T = TypeVar("T")
_SAME_ANSWERS = Meta(extra={"same_answers": True})
SameAnswers = Annotated[T, _SAME_ANSWERS]
"""The type of a setting that does not count for a model's identity: it changes no answer, or `identity` has something
else in its place. All other settings count, so that one that was forgotten asks anew and reuses nothing."""


def short_hash(value: object) -> str:
    """A hash of a value's JSON, 16 hexadecimal digits."""
    from hashlib import blake2b

    return blake2b(msgspec.json.encode(value, order="deterministic"), digest_size=8).hexdigest()


def asked_hash(request: Request) -> str:
    """A hash of all that the model sees of a request, of its sample, and of what its reply is held to."""
    ranked = () if request.cloze is None else (request.cloze, request.choices)
    sample = (request.sample,) if request.sample else ()  # nothing else may change the hash of what was paid for
    held = (request.grammar,) if request.grammar else ()
    return short_hash((request.prompts, *ranked, *sample, *held))


class Reply(Struct, frozen=True, gc=False):
    """What a model said."""

    text: str
    finish_reason: str | None = None
    usage: Usage | None = None
    scores: tuple[float, ...] = ()
    """Of a ranked request: the log-likelihood of each choice."""
    logprobs: tuple[float, ...] = ()
    """The log-probability of each token of the text, where they were asked for."""
    left_out: tuple[str, ...] = ()
    """The fields that were sent in a form that cannot be read."""


class ScoredToken(Struct, frozen=True, gc=False):
    """A token of a text with its probability."""

    start: int
    """Its first character that is no white space; of one that is nothing else its first."""
    end: int
    """The character behind its last."""
    logprob: float
    """Given all before it; natural logarithm."""


class WrittenToken(Struct, frozen=True, gc=False):
    """A token that a model has just written."""

    text: str
    logprob: float
    """Before temperature; natural logarithm."""


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """US dollars for a million tokens."""

    input: Annotated[float, Meta(ge=0)]
    output: Annotated[float, Meta(ge=0)]


class ModelSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of every model; nothing secret is among them."""

    backend: str
    """The name in the registry."""
    name: SameAnswers[Filled | None] = None
    """What the model is called in files and tables; by default as what answers: the endpoint's model, the file."""
    max_tokens: Annotated[int, Meta(ge=1)] = 48
    """The longest answer, in tokens."""
    temperature: Annotated[float, Meta(ge=0)] = 0.0
    """0 is greedy."""
    max_concurrency: SameAnswers[Annotated[int, Meta(ge=1)]] = 1
    """Questions under way at once."""
    repeat: Annotated[int, Meta(ge=0)] = 0
    """Another number asks the same questions anew, where the answers are drawn at a temperature."""

    @property
    def model_name(self) -> str:
        """The name, or what stands in for it."""
        return self.name or self.backend


class EndpointSettings(ModelSettings, frozen=True, kw_only=True):
    """The settings of every endpoint beside: how it is called without asking too much of it, and its price."""

    max_concurrency: SameAnswers[Annotated[int, Meta(ge=1, le=1000)]] = 8
    """Questions under way at once, 1,000 at most; fewer while the endpoint says that it has too much to do."""
    timeout: SameAnswers[Annotated[float, Meta(gt=0)]] = 60.0
    """Seconds that one call may take."""
    max_retries: SameAnswers[Annotated[int, Meta(ge=0)]] = 8
    """Further tries of a call on a transient fault."""
    retry_wait: SameAnswers[Annotated[float, Meta(ge=0)]] = 0.5
    """Seconds before the second try; they double with each further one, up to half a minute; the endpoint's
    Retry-After goes before."""
    requests_per_minute: SameAnswers[Annotated[float, Meta(gt=0)] | None] = None
    """The endpoint's limit; by default none."""
    tokens_per_minute: SameAnswers[Annotated[float, Meta(gt=0)] | None] = None
    """The endpoint's limit, prompts and answers together; by default none."""
    price: SameAnswers[Price | None] = None
    """US dollars for a million tokens, e.g. `{input: 0.15, output: 0.6}`; by default what the package genai-prices
    says of the model."""


@cache
def answering(settings_type: type[Any]) -> tuple[str, ...]:
    """The names of the settings that count for a model's identity, because they may change an answer."""
    types = get_type_hints(settings_type, include_extras=True)
    fields = settings_type.__struct_fields__
    return tuple(name for name in fields if _SAME_ANSWERS not in getattr(types[name], "__metadata__", ()))


class Model(ABC):
    """Answers requests. A subclass says how."""

    settings_type: ClassVar[type[ModelSettings]] = ModelSettings
    cached: ClassVar[bool] = True
    """Whether its replies go into the response cache: not where they cost nothing."""
    priced_by: ClassVar[str] = "'model.price={input: 0.15, output: 0.6}' for US dollars for a million tokens"
    """The setting that says what it costs."""

    def __init__(self, settings: Any) -> None:
        """Checks what can be checked at once; `start` does what takes time."""
        self.settings = settings
        self.settings_hash = short_hash((settings.backend, settings.repeat, self.identity()))

    @property
    def name(self) -> str:
        """What the model is called in files and tables."""
        return str(self.settings.model_name)

    def identity(self) -> dict[str, object]:
        """Every setting but those of the type `SameAnswers`; a subclass puts in what it read in the place of a path."""
        return {name: getattr(self.settings, name) for name in answering(self.settings_type)}

    def price(self) -> Price | None:
        """What its tokens cost, or None where that is not known; in the process they cost nothing."""
        return Price(0, 0)

    def overhead(self) -> Usage:
        """The most tokens that a call takes beside its request: before it, for what the settings add, and after it."""
        return Usage(0, self.settings.max_tokens)

    def check(self) -> None:  # noqa: B027  # most need nothing else
        """Sees to it that calls can be made, as far as that is known without one: that a key is set, say.

        Raises:
            ConfigError: they cannot.
        """

    async def start(self) -> None:  # noqa: B027  # most have nothing to load
        """Gets ready for requests, in the event loop that runs: loads what takes time, opens connections.

        Raises:
            ModelError: the model cannot be loaded.
        """

    async def aclose(self) -> None:  # noqa: B027  # most have nothing to close
        """Gives back what is bound to the event loop; `start` makes the model ready again."""

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    @abstractmethod
    async def reply(self, request: Request) -> Reply:
        """Answers one request.

        Raises:
            CallError: there is no answer, now; the run goes on.
        """

    async def rank(self, request: Request) -> Reply:  # noqa: ARG002  # those that can rank override it
        """Scores the choices of a request with a `cloze` by their likelihood in its gap.

        Returns:
            The likeliest choice as the text, and the log-likelihood of each choice.

        Raises:
            CallError: there is no answer, now; the run goes on.
            ModelError: the model gives no log-probabilities.
        """
        hint = f"use model=transformers, or {_ENDPOINT}"
        raise ModelError("gives no log-probabilities to rank answers by", where=f"model {self.name}", hint=hint)

    async def token_logprobs(self, text: str, start: int = 0) -> list[ScoredToken]:  # noqa: ARG002  (some override it)
        """The log-probabilities of the tokens of a text that reach beyond a character, each given all before it.

        The first token has none where the model has no start token. A text that is longer than the context loses its
        beginning.

        Args:
            text: without any template.
            start: the character; what is before is context alone.

        Raises:
            CallError: this text cannot be scored; others may.
            ModelError: the model gives no log-probabilities of a text.
        """
        raise ModelError("gives no log-probabilities of a text", where=f"model {self.name}", hint=_SCORING)

    def write(self, request: Request) -> AsyncIterator[WrittenToken]:  # noqa: ARG002  (some override it)
        """Writes a reply token by token.

        Raises:
            CallError: there is none.
            ModelError: the model hands on whole replies only.
        """
        raise ModelError("hands on whole replies only", where=f"model {self.name}", hint=_WRITING)


def assert_samples_differ(samples: int, model: Mapping[str, Any], where: str, setting: str, usual: float) -> None:
    """Sees to it that a model that is asked the same several times may say something else.

    Args:
        samples: how often it is asked.
        model: its settings.
        where: the setting that says how often.
        setting: what the model's settings stand under.
        usual: a temperature that will do.

    Raises:
        ConfigError: its temperature is 0.
    """
    if samples > 1 and model.get("temperature") == 0:
        hint = f"set {setting}.temperature={usual} or so, or {where}=1"
        raise ConfigError(f"{samples} samples at temperature 0 are one and the same", where=where, hint=hint)


_WRITING = "use a model of llama.cpp: model=smollm2 or model=llama_cpp"
_ENDPOINT = "model=openai with an endpoint that returns the log-probabilities of a prompt"
_SCORING = f"use model=smollm2, llama_cpp or transformers, or {_ENDPOINT}"


models: Registry[Model] = Registry(
    "models",
    "model",
    {
        "smollm2": "factprobe.models.providers.llama_cpp:SmolLM2",
        "llama_cpp": "factprobe.models.providers.llama_cpp:LlamaCpp",
        "openai": "factprobe.models.providers.openai:OpenAIModel",
        "replay": "factprobe.models.providers.replay:Replay",
        "litellm": "factprobe.models.providers.litellm:LiteLLM",
        "scripted": "factprobe.models.providers.scripted:Scripted",
        "transformers": "factprobe.models.hf.transformers:Transformers",
    },
)
