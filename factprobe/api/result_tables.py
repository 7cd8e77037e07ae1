"""Tables that the Python functions return: lists of rows, printed as on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, SupportsIndex, overload

from msgspec.structs import asdict

from factprobe.collection.replies import GradedReplies, reply_cells
from factprobe.collection.vocabulary import GRAPH, ReportVocabulary, of_replies
from factprobe.errors import UnknownNameError
from factprobe.inputs import AnsweredQuestion
from factprobe.metrics.agreement.raters import Agreement
from factprobe.metrics.comparison import Comparison
from factprobe.metrics.corrected import CorrectedScore
from factprobe.records import AnswerGrade, Grade, Score
from factprobe.reports.agreement import agreement_table, corrected_table, people_table
from factprobe.reports.comparison import comparison_table, first_pairs
from factprobe.reports.frame import Reply, grade_frame, record_frame, score_frame
from factprobe.reports.notebook import MAX_ROWS, comparison_html, html_table, score_html
from factprobe.reports.table import score_table, systems_table

if TYPE_CHECKING:
    from pandas import DataFrame


class _Table:
    """Base class of the tables, which can be data frames too."""

    def _frame(self) -> DataFrame:
        raise NotImplementedError

    def to_frame(self) -> DataFrame:
        """Return a data frame of pandas: scores with a column for each field with a value (NaN: nothing was counted).

        Grades have a row for each reply, with question, right answers and response; comparisons have the columns of
        `comparison.csv`.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return self._frame()

    to_pandas = to_frame
    """Alias of `to_frame`, the method's name in other libraries."""


class ScoreTable(_Table, list[Score]):
    """Rows of the score table, printed as on the command line, and shown as a table in a notebook."""

    def _repr_html_(self) -> str:
        return score_html(self)

    corrected: Mapping[str, CorrectedScore] = MappingProxyType({})
    """Accuracy as people would judge it, by model."""

    @overload
    def __getitem__(self, key: SupportsIndex | str) -> Score: ...
    @overload
    def __getitem__(self, key: slice) -> list[Score]: ...
    def __getitem__(self, key: SupportsIndex | slice | str) -> Score | list[Score]:
        """Return rows by number or slice, or the first row of level `total` of a model by the model's name.

        Raises:
            UnknownNameError: No model has the name.
        """
        if not isinstance(key, str):
            return super().__getitem__(key)
        totals = {row.model: row for row in reversed(self) if row.level == "total" and row.average == "micro"}
        if key not in totals:
            raise UnknownNameError("model", key, totals, where="scores")
        return totals[key]

    def __str__(self) -> str:
        return "\n\n".join(filter(None, [score_table(self), corrected_table([*self.corrected.values()])]))

    def _frame(self) -> DataFrame:
        frame = score_frame(self)
        return frame.dropna(axis="columns", how="all") if self else frame


class AgreementTable(_Table, list[Agreement]):
    """Measures of agreement, printed as on the command line, and shown as a table in a notebook."""

    def _repr_html_(self) -> str:
        return html_table(Agreement.__struct_fields__, ([*asdict(row).values()] for row in self))

    def _frame(self) -> DataFrame:
        return record_frame(self, Agreement)

    def __str__(self) -> str:
        return agreement_table(self)


class PeopleTable(AgreementTable):
    """Agreement of each system's grades with people, printed as on the command line."""

    def __str__(self) -> str:
        return people_table(self)


class AnswerScores(ScoreTable):
    """Score table of replies of any origin; the field `model` of a row is the name of the system."""

    def __str__(self) -> str:
        return score_table(self, words=of_replies())


class AnswerGrades(_Table, list[AnswerGrade]):
    """Grades of `grade_answers` in the order of the replies; printed as the scores and the agreement with people."""

    scores: AnswerScores
    """Scores of each system and in total."""
    agreement: PeopleTable
    """Agreement with human labels; empty without any."""
    corrected: dict[str, CorrectedScore]
    """Accuracy as people would judge it, by system: `estimate`, `low`, `high` and `labels`."""
    replies: list[AnsweredQuestion]
    """Questions and responses that were graded, in the same order."""
    comparison: ComparisonTable
    """Paired comparisons of the systems on the same questions; empty with one system."""
    skipped: list[str]
    """Reasons why records could not be graded or files not be read, each after its place."""
    notes: list[str]
    """Notes on replies that are empty, missing, cut off or filtered, and on systems with different questions."""

    @classmethod
    def of(cls, counts: GradedReplies, graded: Iterable[tuple[AnsweredQuestion, Grade]], seed: int) -> AnswerGrades:
        """Add graded replies to `counts`, and return the grades with the tables made from all counts."""
        pairs = list(graded)
        grades = cls(counts.count_while_iterating(pairs))
        grades.replies = [reply for reply, _ in pairs]
        grades.comparison = ComparisonTable(counts.comparisons(), of_replies())
        grades.scores = AnswerScores(counts.scores())
        grades.agreement = PeopleTable(counts.people.agreements(seed))
        grades.corrected = {row.model: row for row in counts.corrected_scores()}
        return grades

    def _repr_html_(self) -> str:
        parts = [self.scores._repr_html_(), self.comparison._repr_html_() if self.comparison else ""]
        return "".join([*parts, _grade_html(self, self._pairs())])

    def _pairs(self) -> Iterator[Reply]:
        return ((reply.question, reply.response) for reply in self.replies)

    def __str__(self) -> str:
        skipped = [f"skipped: {len(self.skipped):,}; the attribute `skipped` says what and why"] * bool(self.skipped)
        parts = [corrected_table([*self.corrected.values()]), first_pairs(self.comparison, of_replies())]
        parts += [str(self.agreement)] if self.agreement else []
        return "\n\n".join([systems_table(self.scores), *self.notes, *filter(None, parts), *skipped])

    def _frame(self) -> DataFrame:
        return grade_frame(self, AnswerGrade, self._pairs())


class QuestionGrades(_Table, list[Grade]):
    """Grades of `grade_responses` and `judge_grades`, with questions and responses; shown as a table in a notebook."""

    def __init__(self, grades: Iterable[Grade], replies: Sequence[Reply]) -> None:
        super().__init__(grades)
        self.replies = replies

    def _repr_html_(self) -> str:
        return _grade_html(self, self.replies)

    def _frame(self) -> DataFrame:
        return grade_frame(self, Grade, self.replies)


def _grade_html(grades: Sequence[Grade | AnswerGrade], replies: Iterable[Reply]) -> str:
    """Format the first grades, with their questions and replies, as an HTML table."""
    pairs = zip(grades[:MAX_ROWS], replies, strict=False)
    rows = ((*reply_cells(*reply), grade.verdict, grade.why) for grade, reply in pairs)
    title = f"the first {MAX_ROWS} of {len(grades):,} replies" if grades[MAX_ROWS:] else ""
    return html_table(["question", "answers", "response", "verdict", "why"], rows, title)


class ComparisonTable(_Table, list[Comparison]):
    """Rows of a comparison, printed as on the command line, in the vocabulary `words`."""

    def __init__(self, rows: Iterable[Comparison] = (), words: ReportVocabulary = GRAPH) -> None:
        super().__init__(rows)
        self._words = words

    def _repr_html_(self) -> str:
        return comparison_html(self)

    def _frame(self) -> DataFrame:
        return record_frame(self, Comparison)

    def __str__(self) -> str:
        return comparison_table(self, self._words)
