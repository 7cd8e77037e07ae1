"""A reply to a question with options in plain signs: one for each of those by which options are led or ticked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factprobe.reading.cleaning import with_bullets
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.words import name_words, words_in
from factprobe.text import normalise, one_line

_TICKED = re.compile(r"^([-*• \t]{0,9})\[[xX✓✔✅]\][ \t]{0,9}([^\n]+)", re.MULTILINE)
_NONE_BUT = re.compile(
    rf"\b(?:{phrases('option_none_of')})(?:\s+\w+){{0,5}}?,?\s+(?:{phrases('option_except')})\b\s*", re.IGNORECASE
)
"""What rules all options out but the one that follows."""
_SIGN = {side: words[0] for side, words in table("option_sign").items()}
_TICKS = (
    (
        re.compile(rf" ?[✓✔✅☑👍]\ufe0f?|(?:<[-=]+|[←⟵])(?:\s*(?:{phrases('option_ticked')})\b[^\n]*)?"),
        _SIGN["correct"],
    ),
    (re.compile(r" ?[✗✘❌✖👎❎]\ufe0f?"), _SIGN["incorrect"]),
)
_BESIDE_WIDE = re.compile(
    r"(?<=[\u3040-\u30ff\u3400-\u9fff])(?=[A-Za-zＡ-Ｚ])|(?<=[A-Za-zＡ-Ｚ])(?=[\u3040-\u30ff\u3400-\u9fff])"
)
_ALIKE = str.maketrans({sign: letter for letter, signs in table("option_alike").items() for sign in signs})
_LONE_ALIKE = re.compile(rf"(?<!\w)[{''.join(map(chr, _ALIKE))}](?!\w)")
"""A letter of another script that looks like one of an option, or has its place in the alphabet."""
_JUDGED_ROW = re.compile(
    r"^[ \t]*\|([^|\n]+)\|(?:([^|\n]+)\|)?[ \t(*]*"
    rf"({'|'.join(vocabulary('option_right', 'option_wrong'))})[ \t)*]*\|[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
"""A row of a table that says of an option whether it is right."""
_STOPPED = re.compile(
    rf"(?:(?<=^)|(?<=[.!?:;\n] )|(?<=\n)|{phrases('option_stop')})([A-H])\.(?=\s)"
    r"(?!\s*[A-Z]\.\s*[A-Z])"
    rf"|\b({phrases('option_no')})\.(?=\s+[A-J]\b)"
)
"""A letter or a no that ends a sentence, and is no initial or number: B. A is wrong."""
_STOP = re.compile(r"\.\s")
"""What both this and the next hold."""
_LAST_TWO = re.compile(r"\b([A-J])\.\s+([A-J])\.?\s*$")
_LETTER_BRACKETS = re.compile(r"[\[({【]\s*([A-Za-z])\s*[\])}】]")
_DOT = re.compile(r"\.(?=\s|\w\.)")
_NEAR = 30
"""Characters beside a letter that hold the word before it and the one behind."""


def choice_words(shown: Sequence[str]) -> frozenset[str]:
    """The words of the options."""
    return frozenset().union(*map(name_words, shown))


def without_dots(choice: str) -> str:
    """The text of an option without the dots of initials, which end no sentence."""
    return _DOT.sub(" ", choice) if "." in choice else choice


def in_plain_signs(reply: str, shown: Sequence[str]) -> str:
    """The reply with one sign for each of those by which an option may be led or marked as right.

    Of "none of these except Ulm" is left what it names.
    """
    reply = _NONE_BUT.sub("", reply)
    if "[" in reply:
        reply = _TICKED.sub(rf"\1\2 ({_SIGN['correct']})", reply)
    if "<" in reply or not reply.isascii():
        for marks, word in _TICKS:
            reply = marks.sub(f" ({word})", reply)
        reply = _LONE_ALIKE.sub(lambda found: found[0].translate(_ALIKE), _BESIDE_WIDE.sub(" ", reply))
    if reply.count("|") > 3:
        reply = _JUDGED_ROW.sub(lambda row: one_line(f"• {row[1]} {row[2] or ''} ({row[3]})"), reply)
    for choice in shown:
        if "." in choice:
            reply = reply.replace(choice, without_dots(choice))
    has_brackets = "(" in reply or "[" in reply or "{" in reply or "【" in reply
    has_stops = _STOP.search(reply) is not None
    option_words = choice_words(shown) if has_stops or has_brackets else frozenset()
    if has_stops:
        reply = _LAST_TWO.sub(lambda found: f"{found[1]} . {found[2]}", reply)
        if 1 not in map(len, option_words):
            reply = _STOPPED.sub(lambda found: f"{found[1] or found[2]} .", reply)

    def opened(found: re.Match[str]) -> str:
        """The letter with its closing bracket only, unless it belongs to the text before it: Ulm (B)."""
        before = words_in(normalise(reply[max(found.start() - _NEAR, 0) : found.start()]))
        after = words_in(normalise(reply[found.end() : found.end() + _NEAR]))
        belongs = option_words.issuperset(before[-1:]) and option_words.isdisjoint(after[:1])
        return found[0] if before and belongs else f"{found[1]})"

    return with_bullets(_LETTER_BRACKETS.sub(opened, reply) if has_brackets else reply)
