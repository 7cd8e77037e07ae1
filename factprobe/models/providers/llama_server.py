"""Cache of prompt prefixes for llama.cpp's server, and log-probabilities of the tokens of a text.

A `CallError` is raised if the server fails or its response is unsuitable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from weakref import finalize

from factprobe.errors import CallError
from factprobe.models.base import ScoredToken, WrittenToken
from factprobe.storage import short_hash

_MAX_PREFIXES = 8
"""Maximum number of cached prefixes; questions of several types, which have different prefixes, may alternate."""


class PromptPrefixCache:
    """Cache of prompt prefixes: all messages of a prompt except the last.

    A prefix is read once; its state is restored before each prompt that begins with it. Without this, the server reads
    only the part of a prompt that differs from the previous one, and llama.cpp's numbers depend on the pieces in which
    a prompt is read. With the cache, these are always prefix and last message, whatever the earlier prompts.
    """

    def __init__(self) -> None:
        from shutil import rmtree
        from tempfile import mkdtemp

        self.folder = Path(mkdtemp(prefix="factprobe-"))
        """Folder in which the server saves its state (a setting of the server)."""
        finalize(self, rmtree, self.folder, ignore_errors=True)
        self._is_accepted: dict[str, bool] = {}
        """True if the server accepted a cached prefix as a prompt, by name of the prefix."""

    def restore(self, server: Any, messages: Sequence[Mapping[str, str]]) -> bool:
        """Restore the server's state after all messages but the last; return False if these are none, or rejected."""
        prefix = messages[:-1]
        if not prefix:
            return False
        name = short_hash(prefix)
        is_accepted = self._is_accepted.pop(name, None)
        if is_accepted is None:
            while len(self._is_accepted) >= _MAX_PREFIXES:
                oldest = next(iter(self._is_accepted))
                del self._is_accepted[oldest]
                (self.folder / oldest).unlink(missing_ok=True)
            is_accepted = self._save_prefix(server, prefix, name)
        elif is_accepted:
            post(server, "/slots/0?action=restore", {"filename": name})
        self._is_accepted[name] = is_accepted
        return is_accepted

    @staticmethod
    def _save_prefix(server: Any, prefix: Sequence[Mapping[str, str]], name: str) -> bool:
        body = {"messages": prefix, "add_generation_prompt": False, "max_tokens": 0, "cache_prompt": False}
        if "choices" not in server.handle_chat_completions(body):
            return False
        post(server, "/slots/0?action=save", {"filename": name})
        return True


def post(server: Any, path: str, body: Mapping[str, object]) -> Any:
    """Call an xllamacpp server over HTTP, for functions without a Python method, and return the response's JSON."""
    import httpx2

    url = f"{server.listening_address}{path}"
    try:  # `verify=False` avoids loading certificates for each call over plain HTTP
        reply = httpx2.post(url, json=body, trust_env=False, verify=False, timeout=None)
        return reply.raise_for_status().json()
    except httpx2.HTTPError as error:
        raise CallError(f"llama.cpp: {error}") from error


_BIAS = 1_000.0
_ALL_TOKENS = 1_000_000
"""Number larger than any vocabulary, to request all tokens."""


def score(server: Any, text: str, start: int, context: int) -> list[ScoredToken]:
    """Return the tokens of a text that end after `start`, with their log-probabilities.

    The text is scored without a chat template, in at most `context` tokens. The server reports probabilities of
    generated tokens only, so it is made to generate the text: a large bias forces each token, and the reported
    probability is the one without the bias. The server caches the text so far, so that each call after the first reads
    one token. The server does not report the probability of a generated token that ends within a character. It is
    looked up among those of all possible tokens instead, which takes a second.
    """
    tokens = _tokens_with_offsets(server, text)
    ids = [token.id for token in tokens]
    whole = next((token.id for token in tokens if token.is_whole), None)
    result: list[ScoredToken] = []
    for number, token in enumerate(tokens):
        # tokens without characters, such as start tokens, are context
        if number and token.end > max(start, token.start):
            before = ids[max(0, number + 1 - context) : number]
            forced = token.id if token.is_whole else whole
            value = _forced_logprob(server, before, token.id, forced, keep=bool(result))
            result.append(ScoredToken(token.start, token.end, value))
    return result


def streamed_tokens(chunk: dict[str, Any]) -> Iterator[WrittenToken]:
    """Yield the tokens in a chunk of a streamed reply; a token that ends within a character is joined to the next."""
    if "choices" not in chunk:
        raise CallError(f"llama.cpp: {chunk.get('error', chunk)}")
    for choice in chunk["choices"]:
        content = (choice.get("logprobs") or {}).get("content") or ()
        text = choice.get("delta", {}).get("content")
        if text and content:
            yield WrittenToken(text, sum(token["logprob"] for token in content))


def _forced_logprob(server: Any, before: Sequence[int], token: int, forced: int | None, *, keep: bool) -> float:
    """Return the log-probability of `token` after `before`, while the server is forced to generate `forced`, if any."""
    bias, top_count = [] if forced is None else [[forced, _BIAS]], 1 if forced == token else _ALL_TOKENS
    body = {"prompt": before, "max_tokens": 1, "temperature": 0, "logprobs": top_count, "logit_bias": bias}
    body["cache_prompt"] = keep
    completion = server.handle_completions(body)
    if "choices" not in completion:
        raise CallError(f"llama.cpp: {completion.get('error', completion)}")
    logprobs = completion["choices"][0].get("logprobs") or {}
    tokens = [option for entry in logprobs.get("content") or () for option in (entry, *entry["top_logprobs"])]
    logprob = next((float(option["logprob"]) for option in tokens if option["id"] == token), None)
    if logprob is None:
        raise CallError("llama.cpp: the model reports no probability of a token")
    return logprob


class _Token(NamedTuple):
    id: int
    start: int
    end: int
    is_whole: bool
    """True if the token starts and ends at character boundaries."""


def _tokens_with_offsets(server: Any, text: str) -> list[_Token]:
    """Return the tokens of a text with their character offsets, which exclude a token's leading white space."""
    tokens = post(server, "/tokenize", {"content": text, "add_special": True, "with_pieces": True})["tokens"]
    encoded = text.encode()
    characters = [place for place, sign in enumerate(text) for _ in sign.encode()] + [len(text)]
    result, at = [], 0
    for token in tokens:
        is_whole = isinstance(token["piece"], str)
        piece = token["piece"].encode() if is_whole else bytes(token["piece"])
        if at == 0 and not encoded.startswith(piece):
            piece = piece.removeprefix(b" ")  # some tokenizers put a space before the text
        if not encoded.startswith(piece, at):
            piece = b""  # it is a start token
        blank = len(piece) - len(piece.lstrip())
        begin = characters[at + blank if blank < len(piece) else at]
        at += len(piece)
        end = characters[at - 1] + 1 if piece else begin
        result.append(_Token(token["id"], begin, end, is_whole))
    if at < len(encoded):
        raise CallError("llama.cpp: the tokens do not add up to the text")
    return result
