"""Log-probabilities of tokens under llama.cpp's server, which tells only those of tokens that it writes.

To score a given text it is made to write it: after all tokens before, the next is forced by a bias that no other can
reach, and what is told of it is its probability without the bias. The server keeps what it has read of the text, so
that each call but the first reads one token. Of a token that ends within a character it tells nothing when that is
written, so that such a one is looked up among all that could have been, which takes a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from factprobe.errors import CallError
from factprobe.models.base import ScoredToken, WrittenToken
from factprobe.models.providers.llama_server import post

_BIAS = 1_000.0
_ALL = 1_000_000
"""More tokens than any vocabulary has."""


def score(server: Any, text: str, start: int, context: int) -> list[ScoredToken]:
    """The log-probabilities of the tokens of a text that reach beyond a character.

    Args:
        server: of xllamacpp.
        text: without any template.
        start: the character.
        context: the most tokens that the server takes.

    Raises:
        CallError: it cannot be scored.
    """
    tokens = _tokens(server, text)
    ids = [token.id for token in tokens]
    whole = next((token.id for token in tokens if token.is_whole), None)
    found: list[ScoredToken] = []
    for number, token in enumerate(tokens):
        if number and token.end > max(start, token.start):  # one without characters, such as a start token, is context
            before = ids[max(0, number + 1 - context) : number]
            said = token.id if token.is_whole else whole
            value = _forced(server, before, token.id, said, keep=bool(found))
            found.append(ScoredToken(token.start, token.end, value))
    return found


def written(chunk: dict[str, Any]) -> Iterator[WrittenToken]:
    """The tokens of a piece of a streamed reply; one that ends within a character comes with what ends it.

    Raises:
        CallError: it is an error.
    """
    if "choices" not in chunk:
        raise CallError(f"llama.cpp: {chunk.get('error', chunk)}")
    for choice in chunk["choices"]:
        content = (choice.get("logprobs") or {}).get("content") or ()
        text = choice.get("delta", {}).get("content")
        if text and content:
            yield WrittenToken(text, sum(token["logprob"] for token in content))


def _forced(server: Any, before: Sequence[int], token: int, said: int | None, *, keep: bool) -> float:
    """The log-probability of a token behind others, where another, or the same, is what is written there.

    Args:
        server: of xllamacpp.
        before: the tokens before it.
        token: the one that is scored.
        said: the one that is written.
        keep: whether what the server has read last is of this text, not of one before.
    """
    bias, shown = [] if said is None else [[said, _BIAS]], 1 if said == token else _ALL
    body = {"prompt": before, "max_tokens": 1, "temperature": 0, "logprobs": shown, "logit_bias": bias}
    body["cache_prompt"] = keep
    completion = server.handle_completions(body)
    if "choices" not in completion:
        raise CallError(f"llama.cpp: {completion.get('error', completion)}")
    told = completion["choices"][0].get("logprobs") or {}
    tokens = [other for one in told.get("content") or () for other in (one, *one["top_logprobs"])]
    found = next((float(other["logprob"]) for other in tokens if other["id"] == token), None)
    if found is None:
        raise CallError("llama.cpp: the model tells no probability of a token")
    return found


class _Token(NamedTuple):
    id: int
    start: int
    end: int
    is_whole: bool
    """Whether it ends and begins with a character."""


def _tokens(server: Any, text: str) -> list[_Token]:
    """The tokens with the characters that they stand for, without white space before these."""
    tokens = post(server, "/tokenize", {"content": text, "add_special": True, "with_pieces": True})["tokens"]
    encoded = text.encode()
    characters = [place for place, sign in enumerate(text) for _ in sign.encode()] + [len(text)]
    found, at = [], 0
    for token in tokens:
        piece = _bytes(token["piece"])
        if at == 0 and not encoded.startswith(piece):
            piece = piece.removeprefix(b" ")  # some tokenizers put a space before the text
        if not encoded.startswith(piece, at):
            piece = b""  # a start token
        blank = len(piece) - len(piece.lstrip())
        begin = characters[at + blank if blank < len(piece) else at]
        at += len(piece)
        end = characters[at - 1] + 1 if piece else begin
        found.append(_Token(token["id"], begin, end, isinstance(token["piece"], str)))
    if at < len(encoded):
        raise CallError("llama.cpp: the tokens do not add up to the text")
    return found


def _bytes(piece: str | list[int]) -> bytes:
    return piece.encode() if isinstance(piece, str) else bytes(piece)
