"""The tables that the functions give back: lists of their rows that print as the command line shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from factprobe.metrics.comparison import Comparison
from factprobe.metrics.corrected import CorrectedScore
from factprobe.metrics.raters import Agreement
from factprobe.records import AnswerGrade, Score
from factprobe.reports import of_replies, score_table, systems_table
from factprobe.reports.agreement import agreement_table, corrected_table, people_table
from factprobe.reports.comparison import comparison_table
from factprobe.reports.frame import grade_frame, score_frame

if TYPE_CHECKING:
    from pandas import DataFrame


class ScoreTable(list[Score]):
    """The rows of the score table; printed, it is the table that the command line shows."""

    def __str__(self) -> str:
        return score_table(self)

    def to_frame(self) -> DataFrame:
        """The table as a data frame of pandas: a column for each field, NaN where nothing was counted.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return score_frame(self)

    to_pandas = to_frame
    """The name that other tables have for it."""


class PeopleTable(list[Agreement]):
    """How far the grades of each system agree with people; printed, it is the table that the command line shows."""

    def __str__(self) -> str:
        return people_table(self)


class AnswerScores(ScoreTable):
    """The same of anybody's replies; `model` is the system."""

    def __str__(self) -> str:
        return score_table(self, words=of_replies())


class AnswerGrades(list[AnswerGrade]):
    """The grades of `grade_answers`, in the order of the replies; printed, the scores and the agreement with people."""

    scores: AnswerScores
    """A row for each system and sum."""
    agreement: PeopleTable
    """With people who judged the replies; empty where none did."""
    corrected: dict[str, CorrectedScore]
    """Accuracy as people would judge it, by system: `estimate`, `lower`, `upper` and `labels`."""
    skipped: list[str]
    """The records that could not be graded and the files that could not be read, each with its place and why."""

    def __str__(self) -> str:
        skipped = [f"skipped: {len(self.skipped):,}; the attribute `skipped` says what and why"] * bool(self.skipped)
        parts = [str(self.agreement) if self.agreement else "", corrected_table([*self.corrected.values()])]
        return "\n\n".join([systems_table(self.scores), *filter(None, parts), *skipped])

    def to_frame(self) -> DataFrame:
        """The grades as a data frame of pandas: a row for each reply, a column for each field.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return grade_frame(self)

    to_pandas = to_frame
    """The name that other tables have for it."""


class ComparisonTable(list[Comparison]):
    """The rows of a comparison; printed, it is the table that the command line shows."""

    def __str__(self) -> str:
        return comparison_table(self)


class AgreementTable(list[Agreement]):
    """The measures of agreement; printed, they are the table that the command line shows."""

    def __str__(self) -> str:
        return agreement_table(self)
