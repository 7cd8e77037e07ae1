"""Replacement of signs in replies by words: ticks, crosses, and letters of other scripts."""

from __future__ import annotations

import re

from factprobe.reading.language import phrases, table, vocabulary

_RIGHT, _WRONG = (table("option_sign")[side][0] for side in ("correct", "incorrect"))
_SIGNS = (  # pattern, replacement, and a pattern of what any match in ASCII has in lower case
    (
        re.compile(rf" ?[✓✔✅☑👍]\ufe0f?|(?:<[-=]+|[←⟵])(?:\s*(?:{phrases('option_ticked')})\b)?"),
        f" ({_RIGHT})",
        re.compile("<"),
    ),
    (re.compile(r" ?[✗✘❌✖👎❎]\ufe0f?"), f" ({_WRONG})", re.compile("✗")),
    (
        re.compile(
            rf"\b(?:{phrases('option_none')}|{phrases('option_noun')})\b[^.!?\n]{{0,40}}?"
            rf"\b(?:{phrases('option_except')})\b\s*(?![^.!?\n]*\b(?:{'|'.join(sorted(vocabulary('option_wrong')))})\b)",
            re.IGNORECASE,
        ),
        "",  # of "none of these except Ulm" only the exception stays; but "all except Ulm are wrong"
        re.compile(rf"\b(?:{phrases('option_except')})\b"),
    ),
    (re.compile(r"\b([A-J])\.\s+([A-J])\.?\s*$"), r"\1 . \2", re.compile(r"\.")),  # ends of sentences, and no initials
)
_ALIKE = str.maketrans({sign: letter for letter, signs in table("option_alike").items() for sign in signs})
_LONE_ALIKE = re.compile(rf"(?<!\w)[{''.join(map(chr, _ALIKE))}](?!\w)")
"""Pattern of a letter of another script that looks like a Latin one, or has the same place in its alphabet."""


def in_plain_words(reply: str) -> str:
    """Return the reply with words for ticks and crosses, and with Latin letters for letters of other scripts."""
    for sign, words, prefilter in () if reply.isalnum() else _SIGNS:
        if not reply.isascii() or prefilter.search(reply.lower()):
            reply = sign.sub(words, reply)
    return reply if reply.isascii() else _LONE_ALIKE.sub(lambda match: match[0].translate(_ALIKE), reply)
