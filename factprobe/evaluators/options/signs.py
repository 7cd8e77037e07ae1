"""Plain words for the signs by which a reply ticks, crosses out or letters options."""

from __future__ import annotations

import re

from factprobe.reading.cleaning import with_bullets
from factprobe.reading.language import phrases, table

_WORD = {side: words[0] for side, words in table("option_sign").items()}
_TICKED = re.compile(r"^([-*• \t]{0,9})\[[xX✓✔✅]\][ \t]{0,9}([^\n]+)", re.MULTILINE)
_TICKS = (
    (re.compile(rf" ?[✓✔✅☑👍]\ufe0f?|(?:<[-=]+|[←⟵])(?:\s*(?:{phrases('option_ticked')})\b)?"), _WORD["correct"]),
    (re.compile(r" ?[✗✘❌✖👎❎]\ufe0f?"), _WORD["incorrect"]),
)
_EXCEPT = re.compile(
    rf"\b(?:{phrases('option_none')}|{phrases('option_noun')})\b[^.!?\n]{{0,40}}?\b(?:{phrases('option_except')})\b\s*",
    re.IGNORECASE,
)
_ALIKE = str.maketrans({sign: letter for letter, signs in table("option_alike").items() for sign in signs})
_LONE_ALIKE = re.compile(rf"(?<!\w)[{''.join(map(chr, _ALIKE))}](?!\w)")
"""A letter of another script that looks like that of an option, or has its place in the alphabet."""

_LAST_LETTERS = re.compile(r"\b([A-J])\.\s+([A-J])\.?\s*$")
"""Letters that end two sentences, and are no initials."""


def in_plain_words(reply: str) -> str:
    """Return the reply with words for ticks and crosses, Latin letters, and one kind of bullet.

    Of "none of these except Ulm" only the exception stays.
    """
    reply = _LAST_LETTERS.sub(r"\1 . \2", _EXCEPT.sub("", reply))
    if "[" in reply:
        reply = _TICKED.sub(rf"\1\2 ({_WORD['correct']})", reply)
    if "<" in reply or not reply.isascii():
        for sign, word in _TICKS:
            reply = sign.sub(f" ({word})", reply)
        reply = _LONE_ALIKE.sub(lambda found: found[0].translate(_ALIKE), reply)
    return with_bullets(reply)
