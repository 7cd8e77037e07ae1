"""The side that the labels in a reply take, clause by clause: the first that takes one decides, or the conclusion."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from msgspec import Struct

from factprobe.evaluators.true_false.clauses import BOTH, marked_clauses
from factprobe.evaluators.true_false.labels import ASIDE, EITHER, LABEL, PLAIN, TRUE, Said, is_stray, said_in
from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.records.graded import Side
from factprobe.text import normalise

_CONCLUDES = Phrases(rf"\b(?:{phrases('binary_concludes')})\b")
_MENDS = Phrases(phrases("binary_mends"))
_GOES_BACK = Phrases(f"{_CONCLUDES.pattern}|{_MENDS.pattern}")
_VERSION = Phrases(phrases("binary_version"))
_BELIEVED = Phrases(phrases("binary_believed"))
POSSIBLE = Phrases(rf"\b(?:{phrases('binary_possible')})\b")
_OF_OTHER = re.compile(rf"\b(?i:{EITHER}) (?:{phrases('binary_of')}) (?P<name>[A-Z]\w+)")
_NAME_IS = re.compile(rf"\W*(?P<name>[A-Z]\w+(?: [A-Z]\w+)*) (?:{phrases('option_is')}) (?i:{TRUE})\W*")
_OR = f" {in_order('link_or')[0]} "
_PREFIX = re.compile(rf"\b({phrases('binary_prefix')})-(?=\w)", re.IGNORECASE)
"""It would be a label where it stood alone: non-clinical."""
_OF_NAME = re.compile(rf" (?:{phrases('binary_of')}) [A-Z]")
"""What stands in each match of it; it is told faster that there is none of these."""
_TURNS = vocabulary("binary_turns")
"""Alone between two marks, one of them announces that the other side follows."""
_ANNOUNCEMENT = 5
"""Words from which a clause that announces a conclusion says more than that."""


class LabelReading(Struct, frozen=True):
    """The side that the labels of a reply take."""

    how: Literal["said", "concluded", "both", "half", "doubted", "none"]
    side: Side | None = None
    rank: int = ASIDE
    """How surely its clause speaks of the statement."""
    clause: str = ""
    """The clause that decided, as it was read."""


def labels_in(text: str, asked: frozenset[str]) -> LabelReading:
    """The side that the labels in a text take.

    Args:
        text: the reply, without the names of the statement.
        asked: the words of the question.
    """
    clauses = _Clauses(asked)
    for clause, mark in marked_clauses(text):
        settled = clauses.take(clause, mark)
        if settled is not None:
            return settled
    return clauses.labels()


class _Clauses:
    """What the clauses so far say of the statement."""

    def __init__(self, asked: frozenset[str]) -> None:
        self._asked = asked
        self._labels: LabelReading | None = None
        self._doubts = False
        """Whether a clause named both sides and took none."""
        self._announced = False
        """Whether the clause before announced a conclusion."""
        self._turns = False
        """Whether the clause before announced the other side."""
        self._possible: dict[Side, str] = {}
        """The sides that are called possible, with the clauses that do so."""

    def labels(self) -> LabelReading:
        """The side that they take together."""
        if self._labels is not None:
            return self._labels
        if len(self._possible) == 1:
            ((side, clause),) = self._possible.items()
            return LabelReading("said", side, clause=clause)
        return LabelReading("doubted" if self._doubts or self._possible else "none")

    def take(self, written: str, mark: str) -> LabelReading | None:
        """Adds a clause; the labels of the whole reply where it settles that they take both sides.

        Args:
            written: the clause.
            mark: what ends it.
        """
        clause = normalise(
            _PREFIX.sub(r"\1", written.replace("/", _OR)) if "-" in written else written.replace("/", _OR)
        )
        if self._is_decided() and not _GOES_BACK.search(clause):
            self._turns = clause in _TURNS
            return None
        if BOTH.search(clause):
            clause = BOTH.sub(" ", clause)
            if not LABEL.search(clause):
                self._doubts = True
                return None
        introduces = ":" in mark and _VERSION.search(clause) is not None
        said = Said() if introduces else said_in(clause, self._asked)
        if said.sides and said.rank == ASIDE and is_stray(clause, self._asked):
            said = Said()
        mends, concludes = _MENDS.search(clause) is not None, _CONCLUDES.search(clause) is not None
        announces = (concludes or mends) and len(clause.split()) < _ANNOUNCEMENT and not said.sides
        concludes = concludes or self._announced or (mends and (said.rank == PLAIN or self._labels is None))
        turned = self._turns and self._labels is not None and bool(said.sides - {self._labels.side})
        self._announced, self._turns = announces, clause in _TURNS
        if turned:
            return LabelReading("both", rank=PLAIN, clause=written)
        if announces or _BELIEVED.search(clause) or _is_of_other(written, self._asked):
            return None
        if said.sides and POSSIBLE.search(clause):
            self._possible.update(dict.fromkeys(said.sides, written))
            return None
        return self._weigh(said, written, concludes=concludes, is_key=":" in mark)

    def _is_decided(self) -> bool:
        is_plain = self._labels is not None and self._labels.rank == PLAIN
        return is_plain and not (self._turns or self._announced)

    def _weigh(self, said: Said, written: str, *, concludes: bool, is_key: bool) -> LabelReading | None:
        """Sets a clause against those before it, whose side holds unless this one concludes or speaks more surely.

        Args:
            said: what the clause says.
            written: the clause.
            concludes: whether it is a conclusion or a correction.
            is_key: whether it stands before a colon.
        """
        before = self._labels
        if before is not None and before.how == "half" and said.half:
            return None
        rank = before.rank if before is not None else ASIDE
        is_surer = said.rank == PLAIN and rank < PLAIN and not is_key
        if before is not None and not concludes and not (is_surer and len(said.sides) == 1):
            return None
        if len(said.sides) == 2:
            if not concludes:
                return LabelReading("both", rank=PLAIN, clause=written)
            self._labels = LabelReading("both", None, said.rank, written)
        elif said.sides:
            (side,) = said.sides
            is_first = before is None or (is_surer and not concludes)
            self._labels = LabelReading("said" if is_first else "concluded", side, said.rank, written)
        elif said.half and before is None:
            self._labels = LabelReading("half", None, rank, written)
        return None


def _is_of_other(clause: str, asked: frozenset[str]) -> bool:
    """Whether a clause judges another name, or what it stands for: Paris is correct, true for Romania."""
    found = _OF_OTHER.search(clause) if _OF_NAME.search(clause) else _NAME_IS.fullmatch(clause)
    return found is not None and (asked | _common()).isdisjoint(normalise(found["name"]).split())


@cache
def _common() -> frozenset[str]:
    """The words with a capital that name nobody: That is correct."""
    return vocabulary("function", "kind", "hedge", "binary_frame")
