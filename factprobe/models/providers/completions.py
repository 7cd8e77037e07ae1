"""What OpenAI-compatible endpoints send back, read with as much patience as their many kinds need."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import inf, isfinite, isnan
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from factprobe.calls.faults import page_title, reason_line
from factprobe.calls.filters import is_filtered
from factprobe.endings import FILTERED, REFUSAL
from factprobe.errors import CallError
from factprobe.models.base import ScoredToken
from factprobe.records import Tokens, Usage

_SHOWN, _LOOKED_AT = 200, 1_000_000
_LONGEST_INTEGER = 20
"""Digits; a longer number is no count."""
_LOWEST = -9999.0
"""Stands for minus infinity, which JSON does not have; vLLM writes the same."""


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
    total_tokens: Any = None


class Completion(Struct):
    """One answer, or one prompt that was sent back; its fields are read one by one, since it was paid as a whole."""

    index: Any = 0
    message: Any = None
    text: Any = None
    finish_reason: Any = None
    logprobs: Any = None
    error: Any = None

    def answer(self) -> str:
        """Return the text, or the refusal in its place."""
        return self._written() or self._refusal()

    def ending(self) -> str | None:
        """Return the finish reason, made of the error or the refusal in the answer's place where there is one."""
        if self.error:
            if is_filtered(self.error):
                return FILTERED
            said = self.error.get("message") if isinstance(self.error, dict) else None
            return f"error: {said or self.error}"
        if self._refusal() and not self._written():
            return REFUSAL
        return self.finish_reason if isinstance(self.finish_reason, str) else None

    def _written(self) -> str:
        if self.message is None:
            return content_text(self.text)
        return content_text(self.message.get("content") if isinstance(self.message, dict) else self.message)

    def _refusal(self) -> str:
        return content_text(self.message.get("refusal")) if isinstance(self.message, dict) else ""

    def answer_logprobs(self) -> tuple[float, ...] | None:
        """Return the log-probability of each token of the answer, empty where none were sent.

        Returns:
            None where one cannot be read: without it the others say nothing of the answer as a whole.
        """
        try:
            found = self.read_logprobs()
            if found.content is not None:
                return tuple(finite(token.logprob) for token in found.content)
            return tuple(finite(logprob) for logprob in found.token_logprobs or () if logprob is not None)
        except CallError:
            return None

    def read_logprobs(self) -> Logprobs:
        """The log-probabilities, as they were sent.

        Raises:
            CallError: what was sent is none.
        """
        try:
            return msgspec.convert(self.logprobs or {}, Logprobs)
        except msgspec.ValidationError as error:
            raise CallError(f"the endpoint sent what are no log-probabilities: {error}", charged=True) from error


def content_text(content: object) -> str:
    """Return the text of a message's content: a string, parts with texts, or any other value as JSON.

    A part without a text, an image say, is left out.
    """
    if isinstance(content, str):
        return content
    if isinstance(content, list | tuple):
        return "".join(map(content_text, content))
    if isinstance(content, dict) and isinstance(content.get("type", content.get("text")), str):
        text = content.get("text")
        return text if isinstance(text, str) else ""
    return "" if content is None else json.dumps(content, ensure_ascii=False)


def finite(logprob: float) -> float:
    """A log-probability that can be written as JSON.

    Raises:
        CallError: it is no number.
    """
    if isnan(logprob) or logprob == inf:
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


class Sent(NamedTuple):
    """A completion that an endpoint sent."""

    choices: list[Completion]
    usage: Usage | None
    """None where the endpoint counted no tokens, or what it sent are no counts."""
    left_out: tuple[str, ...] = ()
    """The fields in a form that cannot be read."""


def read(content: bytes, choices: int) -> Sent:
    """Read a completion.

    Args:
        content: what the endpoint sent.
        choices: how many there must be at least.

    Raises:
        CallError: it is no completion, or one without choices.
    """
    try:
        completion = _decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        try:  # the standard library also reads lone surrogates, which small models produce, and NaN
            completion = msgspec.convert(_read_patiently(content), _Body)
        except (ValueError, RecursionError):
            what = f"the endpoint sent what is no completion ({error}): {_extract(content)}"
            raise CallError(reason_line(what), transient=True, charged=True) from error
    what = "no choices" if len(completion.choices or ()) < choices else ""
    if completion.error and not any(choice.answer() for choice in completion.choices or ()):
        what = what or "an error"
    if what:
        filtered = is_filtered(_read_patiently(content))
        line = f"the endpoint sent {what}: {_extract(content)}"
        raise CallError(line, transient=True, charged=True, filtered=filtered)
    usage = usage_of(completion.usage)
    return Sent(completion.choices or [], usage, ("usage",) if usage is None and completion.usage else ())


def _read_patiently(content: bytes) -> Any:
    """Read JSON with control characters, half characters or endless numbers in it, as endpoints send it.

    Raises:
        ValueError: it is no JSON.
        RecursionError: it is too deep.
    """
    return json.loads(content.decode(json.detect_encoding(content), "replace"), strict=False, parse_int=_parse_integer)


def _parse_integer(digits: str) -> float:
    return int(digits) if len(digits) < _LONGEST_INTEGER else float(digits)


def usage_of(found: Any) -> Usage | None:
    """Return the tokens that an endpoint counted, None where it did not, or they are no counts."""
    try:
        used = msgspec.convert(found, _Usage, strict=False)
    except msgspec.ValidationError:
        return None
    written = used.completion_tokens
    if written is None:  # left out where nothing was to be written
        total = used.total_tokens
        written = (
            max(0, int(total) - used.prompt_tokens) if isinstance(total, int | float) and isfinite(total) else None
        )
    return None if written is None else Usage(used.prompt_tokens, written)


def _extract(content: bytes) -> str:
    return reason_line(page_title(content[:_LOOKED_AT].decode(errors="replace")))[:_SHOWN]
