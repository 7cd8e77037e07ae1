"""What a report calls those who answer and what it counts."""

from __future__ import annotations

import re

from msgspec import Struct

_NAMED = re.compile(r"\b([Mm]odel|[Rr]elation)")


class Words(Struct, frozen=True):
    """The words of a report on a graph; one on anybody's replies has others."""

    model: str = "model"
    """Who answers."""
    relation: str = "relation"
    """What the questions are sorted by."""
    questions: str = "questions"
    """What is counted."""
    asked: str = "asked"
    """The head of their count, where room is scarce."""
    alike: str = "questions about one subject entity"
    """Those of them that are correlated."""
    others: str = "other rules"
    """Whose verdicts may stand beside those of the rules."""

    owners: tuple[str, ...] = ("kg", "model", "generator")
    """The fields of a row that say whose figures it has."""
    summary_levels: tuple[str, ...] = ("question_type",)
    """Levels of the score table that the one-screen summary shows below the total, most important first."""

    def put(self, text: str) -> str:
        """A text about models and relations in these words."""
        return _NAMED.sub(self._put, text)

    def _put(self, found: re.Match[str]) -> str:
        word: str = getattr(self, found[0].lower())
        return word.capitalize() if found[0][0].isupper() else word


GRAPH = Words()


def of_replies(relation: str = "relation") -> Words:
    """The words of a report on anybody's replies, sorted by what is called so."""
    levels = ("question_type", "relation")
    return Words("system", relation, "replies", "replies", "replies to one question", "people", ("model",), levels)
