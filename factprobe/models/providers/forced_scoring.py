"""Log-probabilities of a text's tokens under llama.cpp's server, which reports only those of generated tokens.

To score a text, the server is made to generate it: each token is forced by a large bias, and its reported probability
is the one without the bias. The server caches the text so far, so that each call but the first reads one token. For a
token that ends within a character, the server reports no probability on generation; it is then looked up among all
possible tokens, which takes a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from factprobe.errors import CallError
from factprobe.models.base import ScoredToken, WrittenToken
from factprobe.models.providers.llama_server import post

_BIAS = 1_000.0
_ALL = 1_000_000
"""Number larger than any vocabulary."""


def score(server: Any, text: str, start: int, context: int) -> list[ScoredToken]:
    """Return the log-probabilities of the tokens of a text that end after `start`.

    The text is scored without a chat template, in at most `context` tokens.

    Raises:
        CallError: The text cannot be scored.
    """
    tokens = _tokens(server, text)
    ids = [token.id for token in tokens]
    whole = next((token.id for token in tokens if token.is_whole), None)
    found: list[ScoredToken] = []
    for number, token in enumerate(tokens):
        # tokens without characters, such as start tokens, are context
        if number and token.end > max(start, token.start):
            before = ids[max(0, number + 1 - context) : number]
            forced = token.id if token.is_whole else whole
            value = _forced_logprob(server, before, token.id, forced, keep=bool(found))
            found.append(ScoredToken(token.start, token.end, value))
    return found


def streamed_tokens(chunk: dict[str, Any]) -> Iterator[WrittenToken]:
    """Yield the tokens in a chunk of a streamed reply; a token that ends within a character is joined with the next.

    Raises:
        CallError: The chunk is an error.
    """
    if "choices" not in chunk:
        raise CallError(f"llama.cpp: {chunk.get('error', chunk)}")
    for choice in chunk["choices"]:
        content = (choice.get("logprobs") or {}).get("content") or ()
        text = choice.get("delta", {}).get("content")
        if text and content:
            yield WrittenToken(text, sum(token["logprob"] for token in content))


def _forced_logprob(server: Any, before: Sequence[int], token: int, forced: int | None, *, keep: bool) -> float:
    """Return the log-probability of a token after earlier tokens, while the server is forced to generate a token.

    The forced token may differ from the scored one. With `keep`, the server may reuse its cache, which has the
    beginning of the same text.
    """
    bias, top_count = [] if forced is None else [[forced, _BIAS]], 1 if forced == token else _ALL
    body = {"prompt": before, "max_tokens": 1, "temperature": 0, "logprobs": top_count, "logit_bias": bias}
    body["cache_prompt"] = keep
    completion = server.handle_completions(body)
    if "choices" not in completion:
        raise CallError(f"llama.cpp: {completion.get('error', completion)}")
    logprobs = completion["choices"][0].get("logprobs") or {}
    tokens = [other for one in logprobs.get("content") or () for other in (one, *one["top_logprobs"])]
    found = next((float(other["logprob"]) for other in tokens if other["id"] == token), None)
    if found is None:
        raise CallError("llama.cpp: the model reports no probability of a token")
    return found


class _Token(NamedTuple):
    id: int
    start: int
    end: int
    is_whole: bool
    """True if it starts and ends at character boundaries."""


def _tokens(server: Any, text: str) -> list[_Token]:
    """Return the tokens with the offsets of their characters, without leading white space."""
    tokens = post(server, "/tokenize", {"content": text, "add_special": True, "with_pieces": True})["tokens"]
    encoded = text.encode()
    characters = [place for place, sign in enumerate(text) for _ in sign.encode()] + [len(text)]
    found, at = [], 0
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
        found.append(_Token(token["id"], begin, end, is_whole))
    if at < len(encoded):
        raise CallError("llama.cpp: the tokens do not add up to the text")
    return found
