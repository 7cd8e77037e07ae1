"""A reply to a statement in clauses, without those that only ask."""

from __future__ import annotations

import re

from factprobe.evaluators.true_false.labels import EITHER, NOT, said_in
from factprobe.reading.language import phrases
from factprobe.reading.phrasing import Phrases
from factprobe.text import normalise

BOTH = Phrases(
    rf"\b(?:{EITHER})(?: (?:{phrases('binary_or')}) | ?/ ?)(?:(?:{phrases('binary_again')}) )?"
    rf"(?:{phrases('binary_turned')})?(?:{EITHER}|{NOT})\b|"
    rf"\b(?:{phrases('binary_between')}) (?:{EITHER}) (?:{phrases('link_and')}) (?:{EITHER})\b"
)
"""Both labels, between which a reply may choose: true or false."""
_CLAUSE = re.compile(
    r"(?<![.!?\n;:])[.!?\n;:]+(?=\s|$|[\"'*)])|,\s|\s[-–—]\s|\n|\(|[—…。！？，；：]|"
    rf"\s(?=(?:{phrases('binary_cuts')})\s)"
)
_SENTENCE = re.compile(r"(?:[^.!?\n;。！？…]|[.!?;](?!\s|$|[\"'*)]))+[.!?;。！？…\n\"')]*")
_ASKED = re.compile(rf"\s*(?:{phrases('binary_asks')})\b", re.IGNORECASE)
_NO_WAIT = re.compile(phrases("binary_no_wait"), re.IGNORECASE)
"""The no of a correction, which takes no side."""
_STOPS = frozenset(".!?")
_CUT_OFF = re.compile(rf"(?<=[^.][.!]\s)\s*(?:{phrases('binary_begins')})\s*$", re.IGNORECASE)
"""The beginning of a sentence behind others, which says nothing yet: This is."""


def marked_clauses(text: str) -> list[tuple[str, str]]:
    """The clauses of a text that may say something of the statement, each with the mark that ends it.

    Args:
        text: the reply.
    """
    text = text if text[-1:] in _STOPS else _CUT_OFF.sub("", text)
    text = _NO_WAIT.sub(" ", _without_questions(text))
    found, start = [], 0
    for mark in _CLAUSE.finditer(text):
        found.append((text[start : mark.start()], mark[0]))
        start = mark.end()
    return [(clause, mark) for clause, mark in [*found, (text[start:], "")] if clause.strip()]


def _without_questions(text: str) -> str:
    """Return the text without its questions about the statement."""
    if "?" not in text:
        return text
    kept: list[str] = []
    for found in _SENTENCE.finditer(text):
        sentence = found[0]
        clause = normalise(sentence)
        is_asked = "?" in sentence[-4:] and (
            said_in(clause, frozenset()).sides or _ASKED.match(clause) or BOTH.search(clause)
        )
        if not is_asked:
            kept.append(sentence)
    rest = " ".join(kept)
    return rest if any(c.isalnum() for c in rest) or _ASKED.match(text) or BOTH.search(normalise(text)) else text
