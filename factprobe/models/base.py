"""What a model is, and the registry of those there are."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from typing import Annotated, Any, ClassVar, Self

import msgspec
from msgspec import Meta, Struct

from factprobe.errors import ModelError
from factprobe.records import Question, Usage
from factprobe.registry import Registry


class CallError(ModelError):
    """One call gave no reply; the question counts as failed and is asked again by the next run."""


def short_hash(value: object) -> str:
    """A hash of a value's JSON, 16 hexadecimal digits."""
    return hashlib.blake2b(msgspec.json.encode(value, order="deterministic"), digest_size=8).hexdigest()


class Reply(Struct, frozen=True, gc=False):
    """What a model said."""

    text: str
    finish_reason: str | None = None
    usage: Usage | None = None
    scores: tuple[float, ...] = ()
    """Of a ranked question: the log-likelihood of each choice."""
    logprobs: tuple[float, ...] = ()
    """The log-probability of each token of the text, where they were asked for."""


class ModelSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every model's config sets; nothing secret is among it."""

    backend: str
    """The name in the registry."""
    name: str | None = None
    """What the model is called in files and tables; by default what it answers with."""
    max_tokens: Annotated[int, Meta(ge=1)] = 48
    """The longest answer, in tokens."""
    temperature: Annotated[float, Meta(ge=0)] = 0.0
    """0 is greedy."""
    max_concurrency: Annotated[int, Meta(ge=1)] = 1
    """Questions under way at once."""

    @property
    def model_name(self) -> str:
        """The name, or what stands in for it."""
        return self.name or self.backend


class Model(ABC):
    """Answers questions. A subclass says how, and what among its settings changes an answer."""

    settings_type: ClassVar[type[ModelSettings]] = ModelSettings

    def __init__(self, settings: Any) -> None:
        """Checks what can be checked at once; `start` does what takes time."""
        self.settings = settings
        self.settings_hash = short_hash(self.identity())

    @property
    def name(self) -> str:
        """What the model is called in files and tables."""
        return str(self.settings.model_name)

    def identity(self) -> dict[str, object]:
        """Every setting that changes an answer."""
        return {"max_tokens": self.settings.max_tokens, "temperature": self.settings.temperature}

    async def start(self) -> None:  # noqa: B027  # most have nothing to load
        """Gets ready for questions, in the event loop that runs: loads what takes time, opens connections.

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
    async def reply(self, question: Question) -> Reply:
        """Answers one question.

        Raises:
            CallError: there is no answer, now; the run goes on.
        """

    async def rank(self, question: Question) -> Reply:  # noqa: ARG002  # those that can rank override it
        """Scores the choices of a question with a `cloze` by their likelihood in its gap.

        Returns:
            The likeliest choice as the text, and the log-likelihood of each choice.

        Raises:
            CallError: there is no answer, now; the run goes on.
            ModelError: the model gives no log-probabilities.
        """
        mend = "use model=transformers, or model=openai with an endpoint that returns the log-probabilities of a prompt"
        raise ModelError("gives no log-probabilities to rank answers by", where=f"model {self.name}", mend=mend)


models: Registry[Model] = Registry(
    "models",
    "model",
    {
        "smollm2": "factprobe.models.llama_cpp:SmolLM2",
        "llama_cpp": "factprobe.models.llama_cpp:LlamaCpp",
        "openai": "factprobe.models.openai:OpenAIModel",
        "scripted": "factprobe.models.scripted:Scripted",
        "transformers": "factprobe.models.transformers:Transformers",
    },
)
