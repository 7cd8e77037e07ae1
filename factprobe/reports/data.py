"""Data that a report shows."""

from __future__ import annotations

from msgspec import Struct

from factprobe.inputs import Reason
from factprobe.metrics.agreement.raters import Agreement
from factprobe.metrics.breakdowns.base import BreakdownTable, OwnedRow
from factprobe.metrics.calibration import ModelCalibration
from factprobe.metrics.comparison import Comparison
from factprobe.question_types import QuestionType
from factprobe.records import Score, Verdict
from factprobe.reports.vocabulary import GRAPH, ReportVocabulary


class RuleShare(OwnedRow, frozen=True):
    """Number of a model's grades that a rule decided."""

    rule: str
    questions: int
    share: float


class CompatScore(OwnedRow, frozen=True):
    """Accuracy of a model by the rules of factprobe and of another tool, over the questions that both graded.

    The fields `_compat` are those by the other tool's rules; `only` counts questions that are correct by one of them.
    """

    name: str
    """Name of the other tool's rules, e.g. `llm_facteval`."""
    questions: int
    accuracy: float
    accuracy_compat: float
    only: int
    only_compat: int


class Note(OwnedRow, frozen=True):
    """Note on a model's scores: the number of its replies that were cut off or filtered."""

    text: str


class Sample(Struct, frozen=True, gc=False):
    """One question with its answer and verdict, for people to read."""

    question_id: str
    kg: str
    generator: str
    model: str
    relation: str
    relation_label: str
    question_type: QuestionType
    question: str
    """Last message of the prompt."""
    expected: str
    """Right answers, one on each line; for a true/false question whether the statement is true."""
    reply: str
    """Reply of the model, or the reason for its absence."""
    verdict: Verdict
    rule: str
    compat: tuple[tuple[str, Verdict], ...] = ()
    """Name of each other tool whose rules graded the reply, with their verdict."""
    answer: str = ""
    """Words of the reply that were taken as the answer; empty if none were."""
    why: str = ""
    """Explanation of the rule, in a few words."""


class DifferingReply(Struct, frozen=True):
    """Reply to a question that some systems answer correctly and others do not."""

    question: str
    expected: str
    system: str
    verdict: Verdict
    response: str
    why: str


class ReportData(Struct, frozen=True):
    """Data of a report; equal data give equal reports."""

    kg: str
    """Name of the graph, or the name for several."""
    num_relations: int
    num_facts: int
    scores: tuple[Score, ...]
    breakdowns: tuple[BreakdownTable, ...]
    calibrations: tuple[ModelCalibration, ...]
    rules: tuple[RuleShare, ...]
    compat: tuple[CompatScore, ...]
    comparisons: tuple[tuple[str, Comparison], ...]
    """Rows of each graph's comparison.json, each with the name of the graph."""
    samples: tuple[Sample, ...]
    graded: int
    """Number of all grades, including those that are not sampled."""
    settings: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...] = ()
    unequal: str = ""
    """Sentence that models answered different questions; empty if they did not."""
    guessable: tuple[str, ...] = ()
    """Sentences about questions that can be guessed without knowing the facts."""
    people: tuple[Agreement, ...] = ()
    """Agreement of each system's grades with people, a row for each measure."""
    skipped: tuple[Reason, ...] = ()
    """Reasons why records and files of the input were not used."""
    words: ReportVocabulary = GRAPH
    differing: tuple[tuple[DifferingReply, ...], ...] = ()
    """Replies to questions on which systems differ, grouped by question."""
    num_differing: int = 0
    """Number of questions on which systems differ; `differing` may have only a sample of them."""
