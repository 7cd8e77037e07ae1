"""Replacement of signs in replies by words: ticks, crosses, and letters of other scripts."""

from __future__ import annotations

import re

from factprobe.reading.language import phrases, table, vocabulary

_RIGHT, _WRONG = (table("option_sign")[side][0] for side in ("correct", "incorrect"))
_TICK = re.compile(rf" ?[✓✔✅☑👍]\ufe0f?|(?:<[-=]+|[←⟵])(?:\s*(?:{phrases('option_ticked')})\b)?")
_CROSS = re.compile(r" ?[✗✘❌✖👎❎]\ufe0f?")
_EXCEPT = re.compile(rf"\b(?:{phrases('option_except')})\b", re.IGNORECASE)
_EXCEPTION = re.compile(
    rf"\b(?:{phrases('option_none')}|{phrases('option_noun')})\b[^.!?\n]{{0,40}}?{_EXCEPT.pattern}"
    rf"\s*(?![^.!?\n]*\b(?:{'|'.join(sorted(vocabulary('option_wrong')))})\b)",
    re.IGNORECASE,
)
"""Pattern of what precedes the exception in "none of these except Ulm"; but "all except Ulm are wrong"."""
_ALIKE = str.maketrans({sign: letter for letter, signs in table("option_alike").items() for sign in signs})
_LONE_ALIKE = re.compile(rf"(?<!\w)[{''.join(map(chr, _ALIKE))}](?!\w)")
"""Pattern of a letter of another script that looks like a Latin one, or has the same place in its alphabet."""


def in_plain_words(reply: str) -> str:
    """Return the reply with words for ticks and crosses, and with Latin letters for letters of other scripts."""
    if not reply.isascii() or "<" in reply:
        reply = _CROSS.sub(f" ({_WRONG})", _TICK.sub(f" ({_RIGHT})", reply))
    if _EXCEPT.search(reply):  # a fast test
        reply = _EXCEPTION.sub("", reply)
    return reply if reply.isascii() else _LONE_ALIKE.sub(lambda match: match[0].translate(_ALIKE), reply)
