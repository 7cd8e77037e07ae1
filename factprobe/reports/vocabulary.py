"""Vocabulary of a report: names of the answerers and of the counted items."""

from __future__ import annotations

import re

from msgspec import Struct

_NAMED = re.compile(r"\b([Mm]odel|[Rr]elation)")


class ReportVocabulary(Struct, frozen=True):
    """Vocabulary of a report on a graph; reports on other replies have their own."""

    model: str = "model"
    """Name of the answerer."""
    relation: str = "relation"
    """Name of the groups of questions."""
    questions: str = "questions"
    """Name of the counted items."""
    asked: str = "asked"
    """Short header of their count."""
    alike: str = "questions about the same subject"
    """Name of a cluster of correlated items."""
    others: str = "other rules"
    """Name of the rules whose verdicts are shown for comparison."""

    owners: tuple[str, ...] = ("kg", "model", "generator")
    """Fields of a row that identify whose figures it has."""
    summary_levels: tuple[str, ...] = ("question_type",)
    """Levels of the score table that the one-screen summary shows below the total, most important first."""

    def count(self, number: int) -> str:
        """Return a number of counted items with their name."""
        return f"{number:,} {counted(self.questions, number)}"

    def put(self, text: str) -> str:
        """Rephrase a text about models and relations in these words."""
        return _NAMED.sub(self._put, text)

    def _put(self, found: re.Match[str]) -> str:
        word: str = getattr(self, found[0].lower())
        return word.capitalize() if found[0][0].isupper() else word


def counted(plural: str, number: int) -> str:
    """Return the name of counted items, as the number needs it."""
    return {"replies": "reply"}.get(plural, plural.removesuffix("s")) if number == 1 else plural


GRAPH = ReportVocabulary()


def of_replies(relation: str = "relation") -> ReportVocabulary:
    """Return the vocabulary of a report on other replies, grouped by a name."""
    levels = ("question_type", "relation")
    return ReportVocabulary(
        "system", relation, "replies", "replies", "replies to the same question", "people", ("model",), levels
    )
