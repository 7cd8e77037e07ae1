"""What a report shows."""

from __future__ import annotations

from msgspec import Struct

from factprobe.inputs import Reason
from factprobe.metrics.breakdowns import Table
from factprobe.metrics.comparison import Comparison
from factprobe.metrics.compat import CompatScore
from factprobe.metrics.confidence import ModelCalibration
from factprobe.metrics.raters import Agreement
from factprobe.question_types import QuestionType
from factprobe.records import Score, Verdict
from factprobe.reports.words import GRAPH, Words


class RuleShare(Struct, frozen=True):
    """How many of a model's grades a rule decided."""

    kg: str
    generator: str
    model: str
    rule: str
    questions: int
    share: float


class Note(Struct, frozen=True):
    """What is to be known of a model's scores: how many of its replies did not end by themselves."""

    kg: str
    generator: str
    model: str
    text: str


class Sample(Struct, frozen=True, gc=False):
    """One question with its answer and verdict, as people read them."""

    question_id: str
    kg: str
    generator: str
    model: str
    relation: str
    relation_label: str
    question_type: QuestionType
    question: str
    """The last message of the prompt."""
    expected: str
    """The right answers, one a line, or whether the statement is true."""
    reply: str
    """What the model said, or why it said nothing."""
    verdict: Verdict
    rule: str
    compat: tuple[tuple[str, Verdict], ...] = ()
    """The verdicts by the rules of other tools, each with the tool's name."""
    answer: str = ""
    """The words of the reply that were taken for the answer; empty where none were."""
    why: str = ""
    """What the rule saw, in a few words."""


class ReportData(Struct, frozen=True):
    """All that a report is made of; the same data gives the same report."""

    kg: str
    """The graph, or all of them."""
    num_relations: int
    num_facts: int
    scores: tuple[Score, ...]
    breakdowns: tuple[Table, ...]
    calibrations: tuple[ModelCalibration, ...]
    rules: tuple[RuleShare, ...]
    compat: tuple[CompatScore, ...]
    comparisons: tuple[tuple[str, Comparison], ...]
    """The rows of each graph's comparison.json, with the graph."""
    samples: tuple[Sample, ...]
    graded: int
    """How many grades there are; the samples are some of them."""
    settings: tuple[tuple[str, str], ...]
    """What the run was made with, name and value."""
    notes: tuple[Note, ...] = ()
    guessable: tuple[str, ...] = ()
    """Lines on the questions that can be guessed without the facts."""
    people: tuple[Agreement, ...] = ()
    """How the grades of each system agree with people who judged its replies, measure by measure."""
    skipped: tuple[Reason, ...] = ()
    """Why records and files of the input could not be used."""
    words: Words = GRAPH
