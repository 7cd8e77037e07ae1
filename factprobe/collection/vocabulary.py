"""Vocabulary of a report: its words for models, relations and counted items."""

from __future__ import annotations

import re

from msgspec import Struct

_REPLACED_WORDS = re.compile(r"\b([Mm]odel|[Rr]elation)")


class ReportVocabulary(Struct, frozen=True):
    """Vocabulary of a report, by default of one on an exam; reports on replies from files use other words."""

    model: str = "model"
    """Word for what answers: a model or a system."""
    relation: str = "relation"
    """Word for a group of questions."""
    questions: str = "questions"
    """Word for the counted items, in the plural."""
    count_head: str = "asked"
    """Short header of the column with the number of items."""
    alike: str = "questions about the same subject"
    """Description of items that are in one cluster, since they are not independent."""
    others: str = "other rules"
    """Word for the source of the other verdicts that are shown for comparison, such as `people`."""

    owners: tuple[str, ...] = ("kg", "model", "generator")
    """Fields of a row that identify the model or system."""
    summary_levels: tuple[str, ...] = ("question_type",)
    """Levels of the score table in a summary, below the total, the most important first."""

    def count(self, number: int) -> str:
        """Return a number with the word for the counted items, such as `3 questions`."""
        return f"{number:,} {counted(self.questions, number)}"

    def put(self, text: str) -> str:
        """Return a text with `model` and `relation` replaced by the words of this vocabulary.

        The text must not contain data, such as the name of a model.
        """
        own = {"model": self.model, "relation": self.relation}
        own |= {word.capitalize(): name.capitalize() for word, name in own.items()}
        return _REPLACED_WORDS.sub(lambda match: own[match[0]], text)


def counted(plural: str, number: int) -> str:
    """Return the word for counted items, given in the plural, in the form for a number."""
    return {"replies": "reply"}.get(plural, plural.removesuffix("s")) if number == 1 else plural


GRAPH = ReportVocabulary()


def of_replies(relation: str = "relation") -> ReportVocabulary:
    """Return the vocabulary of a report on replies from files; `relation` is the word for their groups."""
    levels = ("question_type", "relation")
    return ReportVocabulary(
        "system", relation, "replies", "replies", "replies to the same question", "people", ("model",), levels
    )
