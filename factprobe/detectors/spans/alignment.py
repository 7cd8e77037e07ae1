"""Alignment of a tokenizer's tokens with the characters of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
"""SentencePiece's token for a byte that no other token covers, such as `<0xE2>`."""
_SPECIAL = re.compile(r"<[^<>\s]+>")
"""Special token, such as `</s>` or `<|im_end|>`."""
_SPACE = re.compile(rb"\s+")
_METASPACE = "\u2581"
"""SentencePiece's symbol for a space."""


def align(text: str, tokens: Sequence[str]) -> list[int] | None:
    """Return the index of the token in which each character starts; None if the tokens do not spell the text.

    White space and characters that no token covers have the index -1. Tokens may be plain, or in the spelling of
    byte-level BPE or SentencePiece. White space is ignored, since detokenizers drop some. The text may lack the special
    tokens. The tokens may cover only a part of the text, or the text only a part of the tokens.
    """
    raw = text.encode("utf-8", "surrogatepass")
    indices = [at for at, byte in enumerate(raw) if not bytes([byte]).isspace()]
    text_bytes = bytes(raw[at] for at in indices)
    for spell, keeps_special in product((_byte_level, _sentence_piece), (True, False)):
        pieces = [
            (number, _SPACE.sub(b"", spell(token)))
            for number, token in enumerate(tokens)
            if keeps_special or not _SPECIAL.fullmatch(token) or _BYTE.fullmatch(token)
        ]
        spelt = b"".join(piece for _, piece in pieces)
        owners = [number for number, piece in pieces for _ in piece]
        if spelt and (start := spelt.find(text_bytes)) >= 0:
            return list(_of_characters(text, indices, owners[start : start + len(text_bytes)]))
        if spelt and (start := text_bytes.find(spelt)) >= 0:
            return list(_of_characters(text, indices[start:], owners))
    return None


def _of_characters(text: str, places: Sequence[int], owners: Sequence[int]) -> Iterator[int]:
    """Yield, for each character, the index of the token that has its first byte, or -1."""
    owner_of = dict(zip(places, owners, strict=False))
    at = 0
    for character in text:
        yield owner_of.get(at, -1)
        at += len(character.encode("utf-8", "surrogatepass"))


def _byte_letters() -> dict[str, int]:
    """Return the byte that each character of byte-level BPE stands for (Radford et al. 2019)."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + number): byte for number, byte in enumerate(others)}


_BYTES = _byte_letters()


def _byte_level(token: str) -> bytes:
    if all(letter in _BYTES for letter in token):
        return bytes(_BYTES[letter] for letter in token)
    return token.encode("utf-8", "surrogatepass")


def _sentence_piece(token: str) -> bytes:
    if byte := _BYTE.fullmatch(token):
        return bytes([int(byte[1], 16)])
    return token.replace(_METASPACE, " ").encode("utf-8", "surrogatepass")
