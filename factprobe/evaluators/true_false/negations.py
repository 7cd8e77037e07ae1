"""A reply to a negated statement, by what it says of the statement that is denied."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from factprobe.evaluators.true_false.blank import is_statement_again
from factprobe.evaluators.true_false.labels import LABEL, PLAIN
from factprobe.evaluators.true_false.restating import Restated
from factprobe.evaluators.true_false.sides import LabelReading
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.records.graded import Side
from factprobe.text import normalise

if TYPE_CHECKING:
    from factprobe.reading.asked import Asked
    from factprobe.records import Question

_DENIES = re.compile(rf"\b(?:{phrases('binary_restates_not')})\b")
_THAT = re.compile(rf"\b(?:{phrases('binary_that')})\s+(?P<told>.+)")
_SHORT = re.compile(phrases("binary_short"))
_IN_FULL = {short: full for full, shorts in table("binary_contracted").items() for short in shorts}
_CLAUSE = re.compile(r"(?<![.!?\n])[.!?\n:]+(?:\s|$)|,\s")

OTHER: dict[Side, Side] = {"correct": "incorrect", "incorrect": "correct"}
"""What a statement is where the one that it denies is the other."""


class ReadReply(Protocol):
    """What is needed here of a reply as it is read."""

    @property
    def question(self) -> Question:
        """What was asked."""

    @property
    def asked(self) -> Asked:
        """The same as data."""

    @property
    def reply(self) -> str:
        """The cleaned reply."""

    @property
    def flat(self) -> str:
        """The reply, normalised."""

    @property
    def worded(self) -> str:
        """The reply with words for signs."""

    @property
    def denial(self) -> str:
        """The words that deny the statement; empty where none do."""

    @property
    def restated(self) -> Restated | None:
        """What is told in the statement's place."""


def labels_of_negated(labels: LabelReading, reading: ReadReply, plain: ReadReply) -> LabelReading:
    """The side that the labels of a reply take on a negated statement.

    Whoever says that it is not true that he was born in Ulm judges the statement that is denied.

    Args:
        labels: the side that they take on what they judge.
        reading: of the reply.
        plain: the reply, read as one to the statement that is denied.
    """
    short = _SHORT.fullmatch(reading.flat)
    if short:  # He was. He was not.
        return LabelReading("said", "correct" if _is_denial(short) else "incorrect", PLAIN, reading.reply)
    if labels.side is None or labels.how not in ("said", "concluded"):
        return labels
    if _only_repeats(reading):
        return LabelReading("none")  # the label is the statement's own: It is not true that ...
    found = _THAT.search(normalise(labels.clause))
    if found is None or not _tells(found["told"], plain):
        return labels
    return replace(labels, side=OTHER[labels.side])


def is_short(flat: str) -> bool:
    """Whether a normalised reply is short for what is denied or for its negation: He was. He was not."""
    return _SHORT.fullmatch(flat) is not None


def _is_denial(short: re.Match[str]) -> bool:
    """Whether a match of `_SHORT` denies."""
    return bool(short["not"] or short["nt"] or short["short"])


def _only_repeats(reading: ReadReply) -> bool:
    """Whether a reply is the statement and nothing else."""
    statement = reading.question.statement
    return statement is not None and reading.flat == normalise(statement.text)


def _tells(told: str, plain: ReadReply) -> bool:
    """Whether a clause says what the statement that is denied says, in its words or in short: that it is."""
    short = _SHORT.fullmatch(told)
    if short:
        return not _is_denial(short)
    told = LABEL.sub(" ", told)
    words = [word for word in told.split() if word not in vocabulary("function")]
    shared = sum(word in plain.asked.words for word in words)
    return not _DENIES.search(told) and shared > 1 and shared * 2 >= len(words)


def restated_of_negated(reading: ReadReply, plain: ReadReply) -> Restated | None:
    """What a reply tells in a negated statement's place, and the side that it takes by that.

    Args:
        reading: of the reply.
        plain: the reply, read as one to the statement that is denied.
    """
    denied = plain.question.statement
    if denied is None or _only_repeats(reading):
        return None
    again = normalise(denied.text)
    for clause in _CLAUSE.split(reading.worded):
        first, blank, rest = normalise(clause).partition(" ")
        flat = f"{_IN_FULL.get(first, first)}{blank}{rest}"
        if flat == again or is_statement_again(plain.asked, flat, opens=True):
            return Restated("incorrect", clause, "says what the statement denies")
    if plain.denial:
        return Restated("correct", plain.denial, "denies it too, in its own words")
    found = plain.restated
    return found and Restated(OTHER[found.side], found.words, f"{found.why}, which the statement denies")
