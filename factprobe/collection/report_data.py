"""Data that a report shows."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from factprobe.collection.vocabulary import GRAPH, ReportVocabulary
from factprobe.inputs import Reason
from factprobe.metrics.agreement.raters import Agreement
from factprobe.metrics.breakdowns.base import BreakdownTable, OwnedRow
from factprobe.metrics.calibration import ModelCalibration
from factprobe.metrics.comparison import Comparison
from factprobe.metrics.tallies import Cell
from factprobe.question_types import QuestionType
from factprobe.records import Score, Verdict


class RuleShare(OwnedRow, frozen=True):
    """Number and share of a model's grades that one rule decided."""

    rule: str
    questions: int
    share: float


class CompatScore(OwnedRow, frozen=True):
    """Accuracies of a model by the rules of factprobe and of another tool, over the questions that both graded.

    Fields that end in `_compat` are by the other tool's rules. `only` and `only_compat` are the numbers of questions
    that are correct by factprobe's rules only, and by the other rules only.
    """

    name: str
    """Name of the other tool's rules, e.g. `llm_facteval`."""
    questions: int
    accuracy: float
    accuracy_compat: float
    only: int
    only_compat: int


class Note(OwnedRow, frozen=True):
    """Note on a model's replies, such as how many were cut off or filtered."""

    text: str


class Sample(Struct, frozen=True, gc=False):
    """Question with a reply and its verdict, as an example in a report."""

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
    """Right answers, one on each line; for a true/false question, a text that says whether the statement is true."""
    reply: str
    """Reply of the model, or the reason why there is none."""
    verdict: Verdict
    rule: str
    compat: tuple[tuple[str, Verdict], ...] = ()
    """Verdicts by the rules of other tools: name of the rules, and verdict."""
    answer: str = ""
    """Part of the reply that was graded as the answer; empty if none was found."""
    why: str = ""
    """Reason of the verdict, in a few words."""


class DifferingReply(Struct, frozen=True):
    """Reply to a question that some systems answer correctly and others do not."""

    question: str
    expected: str
    system: str
    verdict: Verdict
    response: str
    why: str


class ReportData(Struct, frozen=True):
    """Data of a report; equal data give byte-identical reports."""

    kg: str
    """Name of the graph, names of several graphs, or title of the replies."""
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
    """Number of all grades, not just of the sampled ones."""
    settings: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...] = ()
    unequal: str = ""
    """Sentence that models answered different questions; empty if all answered the same."""
    guessable: tuple[str, ...] = ()
    """Sentences on questions that can be guessed from their wording alone."""
    people: tuple[Agreement, ...] = ()
    """Agreement of each system's grades with human labels, a row for each measure."""
    skipped: tuple[Reason, ...] = ()
    """Reasons why records and files of the input were not used."""
    words: ReportVocabulary = GRAPH
    differing: tuple[tuple[DifferingReply, ...], ...] = ()
    """Replies to questions that only some systems answer correctly, grouped by question."""
    num_differing: int = 0
    """Number of questions that only some systems answer correctly; `differing` may have a sample of them."""


def series_names(rows: Iterable[Score | Sample | Cell]) -> dict[tuple[str, str], str]:
    """Return a name for each generator and model: the model, with the generator if there are several generators."""
    keys = dict.fromkeys((row.generator, row.model) for row in rows)
    several = len({generator for generator, _ in keys}) > 1
    return {(generator, model): f"{model} · {generator}" if several else model for generator, model in keys}
