"""Lenient parser of completions from OpenAI-compatible endpoints; it raises a `CallError` if they are unsuitable."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf, isfinite, isnan
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from factprobe.calls.call_errors import page_title, reason_line
from factprobe.calls.filters import is_filtered
from factprobe.endings import FILTERED, REFUSAL
from factprobe.errors import CallError, ConfigError
from factprobe.models.base import TYPICAL_ANSWER, ScoredToken, token_start
from factprobe.records import LogProbability, Tokens, Usage

_MAX_REASON_CHARS, _MAX_READ_BYTES = 200, 1_000_000
_MIN_FLOAT_DIGITS = 20
"""Integers with this many digits or more are read as floats."""
_MINUS_INFINITY = -9999.0
"""Substitute for minus infinity, which JSON lacks; vLLM uses the same value."""


def length_limit(sent: Mapping[str, Any]) -> int | None:
    """Return the maximum length of an answer in tokens according to the keys of a request; None without a limit."""
    limits = [_positive(sent.get(name)) for name in ("max_tokens", "max_completion_tokens")]
    return max(filter(None, limits), default=None)


def max_answer_tokens(sent: Mapping[str, Any]) -> int:
    """Return the maximum number of tokens of all answers to a request; without a limit each has `TYPICAL_ANSWER`."""
    answers = max(_positive(sent.get(name)) or 1 for name in ("n", "best_of"))
    return (length_limit(sent) or TYPICAL_ANSWER) * answers


def refuse_streaming(extra: Mapping[str, Any], where: str) -> None:
    """Raise a `ConfigError` if further keys of a request, set by `where`, ask for a stream, which is not read."""
    if extra.get("stream"):
        raise ConfigError("a reply that is sent in parts cannot be read", where=f"{where}.stream", hint="leave it out")


def _positive(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


class _Token(Struct):
    logprob: LogProbability


class Logprobs(Struct):
    """Log-probabilities of tokens, as chat endpoints (`content`) or older endpoints (the other fields) send them."""

    content: list[_Token] | None = None
    token_logprobs: list[LogProbability | None] | None = None
    tokens: list[str] | None = None


class _Usage(Struct):
    prompt_tokens: Tokens
    completion_tokens: Tokens | None = None
    total_tokens: Any = None


class Completion(Struct):
    """One of the choices of a completion: an answer, or the echoed prompt. Fields are validated when they are used."""

    index: Any = 0
    message: Any = None
    text: Any = None
    finish_reason: Any = None
    logprobs: Any = None
    error: Any = None

    def answer(self) -> str:
        """Return the text, or the refusal if there is no text."""
        return self._reply_text() or self._refusal_text()

    def ending(self) -> str | None:
        """Return the finish reason, made from the error or refusal if the choice has one; None without any."""
        if self.error:
            if is_filtered(self.error):
                return FILTERED
            message = self.error.get("message") if isinstance(self.error, dict) else None
            return f"error: {message or self.error}"
        if self._refusal_text() and not self._reply_text():
            return REFUSAL
        return self.finish_reason if isinstance(self.finish_reason, str) else None

    def _reply_text(self) -> str:
        if self.message is None:
            return content_text(self.text)
        return content_text(self.message.get("content") if isinstance(self.message, dict) else self.message)

    def _refusal_text(self) -> str:
        return content_text(self.message.get("refusal")) if isinstance(self.message, dict) else ""

    def answer_logprobs(self) -> tuple[float, ...] | None:
        """Return the log-probability of each token of the answer; empty if none were sent, None if unreadable."""
        try:
            logprobs = self.read_logprobs()
            if logprobs.content is not None:
                return tuple(to_finite(token.logprob) for token in logprobs.content)
            return tuple(map(to_finite, logprobs.token_logprobs or ()))
        except CallError:
            return None

    def read_logprobs(self) -> Logprobs:
        """Parse the log-probabilities; raise a `CallError` if they have an unknown format."""
        try:
            return msgspec.convert(self.logprobs or {}, Logprobs)
        except msgspec.ValidationError as error:
            raise CallError(f"the endpoint sent unreadable log-probabilities: {error}", charged=True) from error


def content_text(content: object) -> str:
    """Return the text of a message's content: a string, parts that have texts, or any other value as JSON."""
    if isinstance(content, str):
        return content
    if isinstance(content, list | tuple):
        return "".join(map(content_text, content))
    if isinstance(content, dict) and isinstance(content.get("type", content.get("text")), str):
        text = content.get("text")
        return text if isinstance(text, str) else ""
    return "" if content is None else json.dumps(content, ensure_ascii=False)


def to_finite(logprob: float | None) -> float:
    """Return a log-probability, -9999 for minus infinity, which JSON lacks; raise a `CallError` if it is no number."""
    if logprob is None or isnan(logprob) or logprob == inf:
        raise CallError("the endpoint sent a log-probability that is not a number", charged=True)
    return logprob if isfinite(logprob) else _MINUS_INFINITY


def locate_tokens(text: str, tokens: Sequence[str], logprobs: Sequence[float | None]) -> Iterator[ScoredToken]:
    """Yield the tokens with their offsets in a text, except start tokens and tokens without a probability."""
    at = 0
    for token, logprob in zip(tokens, logprobs, strict=False):
        spelling = token
        if at == 0 and not text.startswith(spelling):
            spelling = spelling.lstrip()  # some tokenizers put a space before the text
            spelling = spelling if text.startswith(spelling) else ""  # it is a start token
        if not text.startswith(spelling, at):
            break
        start, at = at + token_start(spelling), at + len(spelling)
        if logprob is not None and spelling:
            yield ScoredToken(start, at, to_finite(logprob))
    if at < len(text):
        raise CallError("the endpoint's tokens do not add up to the text", charged=True)


class _ResponseBody(Struct):
    choices: list[Completion] | None = None
    usage: Any = None
    error: Any = None


_decode = msgspec.json.Decoder(_ResponseBody).decode


class ReceivedCompletion(NamedTuple):
    """Completion received from an endpoint."""

    choices: list[Completion]
    usage: Usage | None
    """Token counts; None if they are missing or invalid."""
    left_out: tuple[str, ...] = ()
    """Names of unreadable fields."""


def read_completion(content: bytes, choices: int, charset: str | None = None) -> ReceivedCompletion:
    """Parse the body of a response as a completion with at least `choices` choices, sorted by their indices.

    A body that is not Unicode is decoded as `charset`, which the response declares; without one, or if that fails,
    U+FFFD replaces its unreadable bytes.
    """
    content = _as_unicode(content, charset)
    try:
        completion = _decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        try:  # the standard library also accepts NaN and lone surrogates, which small models generate
            completion = msgspec.convert(_parse_leniently(content), _ResponseBody)
        except (ValueError, RecursionError):
            what = f"the endpoint sent no completion ({error}): {_extract_reason(content)}"
            raise CallError(reason_line(what), transient=True, charged=True) from error
    what = "no choices" if len(completion.choices or ()) < choices else ""
    if completion.error and not any(choice.answer() for choice in completion.choices or ()):
        what = what or "an error"
    if what:
        filtered = is_filtered(_parse_leniently(content))
        line = f"the endpoint sent {what}: {_extract_reason(content)}"
        raise CallError(line, transient=True, charged=True, filtered=filtered)
    usage, received = read_usage(completion.usage), completion.choices or []
    if all(isinstance(choice.index, int) for choice in received):
        received.sort(key=lambda choice: choice.index)
    left_out = ("usage",) if usage is None and completion.usage else ()
    return ReceivedCompletion(received, usage, left_out if _is_unicode(content) else (*left_out, "text"))


def _is_unicode(content: bytes) -> bool:
    """Return whether the bytes of a body are UTF-8, or the UTF-16 or UTF-32 that they look like."""
    try:
        content.decode(json.detect_encoding(content))
    except UnicodeDecodeError:
        return False
    return True


def _as_unicode(content: bytes, charset: str | None) -> bytes:
    """Convert a body that is not Unicode from its declared encoding to UTF-8, if that can be done."""
    if charset and not _is_unicode(content):
        with suppress(LookupError, UnicodeError):
            return content.decode(charset).encode()
    return content


def _parse_leniently(content: bytes) -> Any:
    """Parse JSON; accept control characters, lone surrogates and very long numbers too."""
    return json.loads(content.decode(json.detect_encoding(content), "replace"), strict=False, parse_int=_parse_integer)


def _parse_integer(digits: str) -> float:
    return int(digits) if len(digits) < _MIN_FLOAT_DIGITS else float(digits)


def read_usage(value: Any) -> Usage | None:
    """Return the token counts that an endpoint sent; None if they are missing or invalid."""
    try:
        usage = msgspec.convert(value, _Usage, strict=False)
    except msgspec.ValidationError:
        return None
    completion_tokens = usage.completion_tokens
    if completion_tokens is None:  # some endpoints omit it if no text was requested
        total = usage.total_tokens
        is_known = isinstance(total, int | float) and isfinite(total)
        completion_tokens = max(0, int(total) - usage.prompt_tokens) if is_known else None
    return None if completion_tokens is None else Usage(usage.prompt_tokens, completion_tokens)


def _extract_reason(content: bytes) -> str:
    return reason_line(page_title(content[:_MAX_READ_BYTES].decode(errors="replace")))[:_MAX_REASON_CHARS]
