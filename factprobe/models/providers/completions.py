"""What OpenAI-compatible endpoints send back, read with as much patience as their many kinds need."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import isfinite, isnan
from typing import Any

import msgspec
from msgspec import Struct

from factprobe.calls.faults import reason_line
from factprobe.endings import REFUSAL
from factprobe.errors import CallError
from factprobe.models.base import ScoredToken
from factprobe.records import Tokens, Usage

_SHOWN, _LOOKED_AT = 200, 1_000_000
_LOWEST = -9999.0
"""Stands for minus infinity, which JSON does not have; vLLM writes the same."""


class _Part(Struct):
    text: str | None = None


class _Message(Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None


class _Token(Struct):
    logprob: float


class Logprobs(Struct):
    """The log-probabilities of tokens, as chat endpoints send them (`content`) or as the older ones do."""

    content: list[_Token] | None = None
    token_logprobs: list[float | None] | None = None
    tokens: list[str] | None = None


class _Usage(Struct):
    prompt_tokens: Tokens
    completion_tokens: Tokens | None = None
    total_tokens: Tokens | None = None


class Completion(Struct):
    """One answer, or one prompt that was sent back."""

    index: int = 0
    message: _Message | None = None
    text: str | None = None
    finish_reason: Any = None
    logprobs: Any = None
    error: Any = None

    def answer(self) -> str:
        """The text, or the refusal in its place."""
        return self._written() or self._refusal()

    def ending(self) -> str | None:
        """The finish reason, which is made of the error or the refusal in the answer's place where there is one."""
        if self.error:
            said = self.error.get("message") if isinstance(self.error, dict) else None
            return f"error: {said or self.error}"
        if self._refusal() and not self._written():
            return REFUSAL
        return self.finish_reason if isinstance(self.finish_reason, str) else None

    def _written(self) -> str:
        if self.message is None:
            return self.text or ""
        content = self.message.content
        return content if isinstance(content, str) else "".join(part.text or "" for part in content or ())

    def _refusal(self) -> str:
        return (self.message and self.message.refusal) or ""

    def answer_logprobs(self) -> tuple[float, ...]:
        """The log-probability of each token of the answer; empty where there are none.

        Raises:
            CallError: what was sent is none.
        """
        found = self.read_logprobs()
        if found.content is not None:
            return tuple(finite(token.logprob) for token in found.content)
        return tuple(finite(logprob) for logprob in found.token_logprobs or () if logprob is not None)

    def read_logprobs(self) -> Logprobs:
        """The log-probabilities, as they were sent.

        Raises:
            CallError: what was sent is none.
        """
        try:
            return msgspec.convert(self.logprobs or {}, Logprobs)
        except msgspec.ValidationError as error:
            raise CallError(f"the endpoint sent what are no log-probabilities: {error}", charged=True) from error


def finite(logprob: float) -> float:
    """A log-probability that can be written as JSON.

    Raises:
        CallError: it is no number.
    """
    if isnan(logprob):
        raise CallError("the endpoint sent a log-probability that is no number", charged=True)
    return logprob if isfinite(logprob) else _LOWEST


def placed(text: str, tokens: Sequence[str], logprobs: Sequence[float | None]) -> Iterator[ScoredToken]:
    """The tokens of a text where they stand in it, but for those before any character and those without a probability.

    Raises:
        CallError: they do not add up to the text.
    """
    at = 0
    for token, logprob in zip(tokens, logprobs, strict=False):
        said = token
        if at == 0 and not text.startswith(said):
            said = said.lstrip()  # some tokenizers put a space before the text
            said = said if text.startswith(said) else ""  # a start token
        if not text.startswith(said, at):
            break
        blank = len(said) - len(said.lstrip())
        start, at = at + (blank if blank < len(said) else 0), at + len(said)
        if logprob is not None and said:
            yield ScoredToken(start, at, finite(logprob))
    if at < len(text):
        raise CallError("the endpoint's tokens do not add up to the text", charged=True)


class _Body(Struct):
    choices: list[Completion] | None = None
    usage: Any = None
    error: Any = None


_decode = msgspec.json.Decoder(_Body).decode


def read(content: bytes, choices: int) -> tuple[list[Completion], Usage | None]:
    """The choices of a completion, and its tokens where they can be counted.

    Args:
        content: what the endpoint sent.
        choices: how many there must be at least.

    Raises:
        CallError: it is no completion, or one without choices.
    """
    try:
        completion = _decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        try:  # the standard library also reads lone surrogates, which small models produce
            completion = msgspec.convert(json.loads(content), _Body)
        except (ValueError, RecursionError):
            what = f"the endpoint sent what is no completion ({error}): {_extract(content)}"
            raise CallError(reason_line(what), transient=True, charged=True) from error
    if len(completion.choices or ()) < choices:
        raise CallError(f"the endpoint sent no choices: {_extract(content)}", transient=True, charged=True)
    if completion.error and not any(choice.answer() for choice in completion.choices or ()):
        raise CallError(f"the endpoint sent an error: {_extract(content)}", transient=True, charged=True)
    return completion.choices or [], _usage(completion.usage)


def _usage(found: Any) -> Usage | None:
    try:
        used = msgspec.convert(found, _Usage, strict=False)
    except msgspec.ValidationError:
        return None
    written = used.completion_tokens
    if written is None:  # left out where nothing was to be written
        written = None if used.total_tokens is None else max(0, used.total_tokens - used.prompt_tokens)
    return None if written is None else Usage(used.prompt_tokens, written)


def _extract(content: bytes) -> str:
    return reason_line(content[:_LOOKED_AT].decode(errors="replace"))[:_SHOWN]
