"""Vocabulary of a report: names for the answerers and the counted items."""

from __future__ import annotations

import re

from msgspec import Struct

_NAMED = re.compile(r"\b([Mm]odel|[Rr]elation)")


class ReportVocabulary(Struct, frozen=True):
    """Vocabulary of a report on a graph; other reports change some words."""

    model: str = "model"
    """Name of the answerer."""
    relation: str = "relation"
    """Name of the groups of questions."""
    questions: str = "questions"
    """Name of the counted items."""
    asked: str = "asked"
    """Short header of their count."""
    alike: str = "questions about the same subject"
    """Name for items that are correlated, and therefore are in one cluster."""
    others: str = "other rules"
    """Name of the rules whose verdicts are shown for comparison."""

    owners: tuple[str, ...] = ("kg", "model", "generator")
    """Fields of a row that identify the answerer."""
    summary_levels: tuple[str, ...] = ("question_type",)
    """Levels of the score table that the summary shows below the total, the most important first."""

    def count(self, number: int) -> str:
        """Return a number of counted items with their name."""
        return f"{number:,} {counted(self.questions, number)}"

    def put(self, text: str) -> str:
        """Return a text about models and relations in the words of this vocabulary."""
        own = {"model": self.model, "relation": self.relation}
        own |= {word.capitalize(): name.capitalize() for word, name in own.items()}
        return _NAMED.sub(lambda found: own[found[0]], text)


def counted(plural: str, number: int) -> str:
    """Return the name of counted items in the singular if the number is 1, otherwise in the plural."""
    return {"replies": "reply"}.get(plural, plural.removesuffix("s")) if number == 1 else plural


GRAPH = ReportVocabulary()


def of_replies(relation: str = "relation") -> ReportVocabulary:
    """Return the vocabulary of a report on replies of any origin, whose groups are called `relation`."""
    levels = ("question_type", "relation")
    return ReportVocabulary(
        "system", relation, "replies", "replies", "replies to the same question", "people", ("model",), levels
    )
