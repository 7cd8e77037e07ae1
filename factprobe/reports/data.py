"""Data that a report shows."""

from __future__ import annotations

from msgspec import Struct

from factprobe.inputs import Reason
from factprobe.metrics.agreement.raters import Agreement
from factprobe.metrics.breakdowns.base import Table
from factprobe.metrics.comparison import Comparison
from factprobe.metrics.compat import CompatScore
from factprobe.metrics.confidence import ModelCalibration
from factprobe.question_types import QuestionType
from factprobe.records import Score, Verdict
from factprobe.reports.vocabulary import GRAPH, ReportVocabulary


class RuleShare(Struct, frozen=True):
    """Number of a model's grades that a rule decided."""

    kg: str
    generator: str
    model: str
    rule: str
    questions: int
    share: float


class Note(Struct, frozen=True):
    """Note on a model's scores: the number of its replies that were cut off or filtered."""

    kg: str
    generator: str
    model: str
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
    """Right answers, one on each line, or whether the statement is true."""
    reply: str
    """Reply of the model, or the reason for its absence."""
    verdict: Verdict
    rule: str
    compat: tuple[tuple[str, Verdict], ...] = ()
    """Verdicts by the rules of other tools, with the tool's name."""
    answer: str = ""
    """Words of the reply taken as the answer; empty without any."""
    why: str = ""
    """Reason of the rule, in a few words."""


class DifferingReply(Struct, frozen=True):
    """Reply to a question that some systems answer correctly and others do not."""

    question: str
    expected: str
    system: str
    verdict: Verdict
    response: str
    why: str


class ReportData(Struct, frozen=True):
    """Data of a report; the same data gives the same report."""

    kg: str
    """Name of the graph, or of all."""
    num_relations: int
    num_facts: int
    scores: tuple[Score, ...]
    breakdowns: tuple[Table, ...]
    calibrations: tuple[ModelCalibration, ...]
    rules: tuple[RuleShare, ...]
    compat: tuple[CompatScore, ...]
    comparisons: tuple[tuple[str, Comparison], ...]
    """Rows of each graph's comparison.json, with the graph."""
    samples: tuple[Sample, ...]
    graded: int
    """Number of grades; the samples are some of them."""
    settings: tuple[tuple[str, str], ...]
    """Settings of the run, name and value."""
    notes: tuple[Note, ...] = ()
    unequal: str = ""
    """Sentence that models answered different questions; empty if they did not."""
    guessable: tuple[str, ...] = ()
    """Lines on questions that can be guessed without the facts."""
    people: tuple[Agreement, ...] = ()
    """Agreement of each system's grades with people, measure by measure."""
    skipped: tuple[Reason, ...] = ()
    """Reasons why records and files of the input were not used."""
    words: ReportVocabulary = GRAPH
    differing: tuple[tuple[DifferingReply, ...], ...] = ()
    """Replies on which systems differ, question by question."""
    num_differing: int = 0
    """Questions on which systems differ; `differing` may have a sample of them."""
