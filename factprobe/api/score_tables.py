"""Score tables, comparisons of models, and agreement of graders and people, from Python."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from factprobe.api.graphs import summarise
from factprobe.api.result_tables import AgreementTable, AnswerGrades, ComparisonTable, ScoreTable
from factprobe.collection.vocabulary import of_replies
from factprobe.config import LabelSource, Seed, convert
from factprobe.errors import ConfigError, DataError, format_list
from factprobe.inputs import plain
from factprobe.inputs.labels import HumanJudgment, LabelsSource, ReplyLabels, load_labels, warn_of_labels
from factprobe.inputs.records import as_records
from factprobe.kgs import Graph
from factprobe.metrics import Tallies
from factprobe.metrics.agreement.people import judgment_on
from factprobe.metrics.agreement.raters import agreements
from factprobe.metrics.comparison import comparisons
from factprobe.metrics.corrected import corrected_scores
from factprobe.metrics.paired_replies import PairedReplies
from factprobe.metrics.score_table import scores
from factprobe.metrics.strata import popularity
from factprobe.records import Grade, Question, Score
from factprobe.reports.notebook import Plots
from factprobe.steps.replies.agree import files_of, match_raters, read_records
from factprobe.text import format_count

log = logging.getLogger(__name__)


class _Options(Struct):
    """Options of comparisons."""

    seed: Seed


def score(
    kg: Graph,
    questions: Iterable[Question],
    grades: Iterable[Grade],
    *,
    model: str = "model",
    generator: str = "template",
    labels: LabelsSource | None = None,
) -> ScoreTable:
    """Return the score table of graded questions; popularity is counted in the relations of these questions.

    Each of several grades of a question counts as a reply of its own, as those of repeats do in reports; a warning says
    so.

    Args:
        kg: The graph.
        questions: The questions.
        grades: The grades of the replies.
        model: Name of the model.
        generator: Name of the generator.
        labels: People's labels of the replies, which correct the accuracy: a file, or records with `id` (of the
            question) and `verdict`.

    Raises:
        ConfigError: An item is not a question, or not a grade of a graph's question.
        DataError: A grade is of a question that is not among the questions, or the labels cannot be read.
    """
    reply_labels = None if labels is None else load_labels(labels, strict=False)
    all_questions = list(questions)
    if others := [item for item in all_questions if not isinstance(item, Question)]:
        hint = "give what make_questions returned"
        raise ConfigError(f"hold the type {type(others[0]).__name__}", where="the questions", hint=hint)
    by_id = {question.question_id: question for question in all_questions}
    left = Counter(question.question_id for question in all_questions)
    names = dict.fromkeys(question.relation for question in by_id.values())
    summaries = {name: summarise(kg, name) for name in names}
    facts = [fact for summary in summaries.values() for fact in summary.facts()]
    tallies = Tallies(popularity(facts))
    for grade in _grades(model, grades):
        question = by_id.get(grade.question_id)
        if question is None:
            what, hint = f"have no question {grade.question_id!r}", "give all questions of these grades"
            raise DataError(what, where="the questions", hint=hint)
        left[grade.question_id] -= 1
        judgment = reply_labels.match(model, grade.question_id) if reply_labels else None
        tallies.add(generator, model, question.relation, grade, question, judgment)
    warn_of_labels(reply_labels)
    _warn_of_repeats(left)
    relations = {name: summary.relation_info for name, summary in summaries.items()}
    table = ScoreTable(scores(tallies.cells, relations, kg.name, tallies.strata))
    table.corrected = {row.model: row for row in corrected_scores(kg.name, tallies.cells)}
    return table


def _warn_of_repeats(left: Mapping[str, int]) -> None:
    """Warn of questions that have more grades than there are questions of this id."""
    if several := [name for name, count in left.items() if count < 0]:
        what = "%s several grades, such as %s, and each counts; give one grade of each if these are no repeats"
        log.warning(what, format_count(len(several), "question has", "questions have"), several[0])


def compare(
    graded: Mapping[str, Iterable[Grade] | AnswerGrades], *, labels: LabelsSource | None = None, seed: int = 0
) -> ComparisonTable:
    """Compare models pairwise on the same questions, as `step=compare` does.

    Args:
        graded: The grades of two or more models by name, either of a graph's questions or as returned by
            `grade_answers`.
        labels: People's labels of the replies, which correct the differences: a file, or records with `id`, `verdict`
            and the model as `system`; by default the column `human` of replies.
        seed: The seed of the bootstrap.

    Raises:
        ConfigError: `graded` is not a mapping, no two models have answered the same question, grades of a graph's
            questions are mixed with results of `grade_answers`, or such a result is of several systems.
        DataError: The labels cannot be read.
    """
    seed = convert({"seed": plain(seed)}, _Options).seed
    _check_mapping(graded, "graded")
    replies = {name: grades for name, grades in graded.items() if isinstance(grades, AnswerGrades)}
    reply_labels = None if labels is None else load_labels(labels, strict=False)
    if replies:
        if len(replies) < len(graded):
            hint = "compare what grade_answers returned, or what grade_responses did"
            raise ConfigError("grades of replies and of a graph's questions have none in common", hint=hint)
        pairs = PairedReplies()
        for name, grades in replies.items():
            if len(systems := {reply.system or name: None for reply in grades.replies}) > 1:
                hint = "grade the replies of each alone, or read `comparison` of these grades"
                raise ConfigError(
                    f"are of several systems ({format_list(systems)})", where=f"the grades of {name}", hint=hint
                )
            for reply, grade in zip(grades.replies, grades, strict=True):
                pairs.add(name, reply.question, grade.verdict, grade.probability, judgment_on(reply, reply_labels))
        table = ComparisonTable(pairs.comparisons(seed), of_replies())
        warn_of_labels(reply_labels)
    else:
        by_id = {name: {grade.question_id: grade for grade in _grades(name, grades)} for name, grades in graded.items()}
        table = ComparisonTable(comparisons(by_id, seed, judgments=_judgments(by_id, reply_labels)))
    if not table:
        raise ConfigError(f"no two of {format_list(graded)} have answered a question in common")
    return table


def plot(scores: ScoreTable | AnswerGrades | Iterable[Score]) -> Plots:
    """Plot a score table as the report does: accuracies with intervals, verdicts, and scores by penalty.

    Args:
        scores: The result of `score` or `grade_answers`, or rows of several tables.

    Raises:
        ConfigError: There is no accuracy to plot, or these are no scores.
    """
    if isinstance(scores, AnswerGrades):
        return Plots(scores.scores, of_replies())
    rows = list(scores) if isinstance(scores, Iterable) else [scores]
    if others := [row for row in rows if not isinstance(row, Score)]:
        what = f"objects of the type {type(others[0]).__name__} are no scores"
        raise ConfigError(what, where="plot", hint="give what score or grade_answers returned")
    return Plots(rows)


def _check_mapping(value: Any, where: str) -> None:
    """Raise a `ConfigError` if grades or raters are no mapping by name."""
    if not isinstance(value, Mapping):
        hint = 'give each a name: {"model-a": ..., "model-b": ...}'
        raise ConfigError(f"is of the type {type(value).__name__}, no mapping", where=where, hint=hint)


def _grades(name: str, grades: Iterable[Any]) -> Iterator[Grade]:
    """Yield the grades of a model; raise a `ConfigError` for an item that is no grade of a graph's question."""
    for grade in grades if isinstance(grades, Iterable) else [grades]:
        if not isinstance(grade, Grade):
            hint = "give what grade_responses or grade_answers returned"
            raise ConfigError(f"holds the type {type(grade).__name__}", where=f"the grades of {name}", hint=hint)
        yield grade


def _judgments(
    graded: Mapping[str, Mapping[str, Grade]], labels: ReplyLabels | None
) -> dict[str, dict[str, HumanJudgment]]:
    """Return people's judgments of each model's replies, by question id; empty without labels."""
    if labels is None:
        return {}
    judgments = {
        model: {name: judgment for name in grades if (judgment := labels.match(model, name)) is not None}
        for model, grades in graded.items()
    }
    warn_of_labels(labels)
    return judgments


def agree(
    labels: Mapping[str, str | Path | Mapping[str, Any] | Iterable[Grade | Mapping[str, Any]]],
    gold: str | None = None,
    *,
    seed: int = 0,
) -> AgreementTable:
    """Measure the agreement of graders, judges and people on the same items, as `step=agree` does.

    Args:
        labels: For each rater a file, a folder of grades, the settings of `labels.<name>` as a mapping, grades, or
            records with an id and a label.
        gold: The rater with whom the others are compared; by default all pairs are compared.
        seed: The seed of the bootstrap.

    Raises:
        ConfigError: There are fewer than two raters, or `gold` is not one of them.
        DataError: A file or record cannot be used, or the items of the raters do not match.
    """
    seed = convert({"seed": plain(seed)}, _Options).seed
    _check_mapping(labels, "labels")
    sources: dict[str, LabelSource] = {}
    records: dict[str, list[dict[str, Any]]] = {}
    for name, source in labels.items():
        if isinstance(source, str | Path | Mapping):
            settings = source if isinstance(source, Mapping) else {"path": str(source)}
            sources[name] = convert(settings, LabelSource, f"labels.{name}")
            records[name] = read_records(files_of(name, sources[name]))
        else:
            sources[name] = LabelSource(path=name)
            items = source if hasattr(source, "columns") else map(msgspec.to_builtins, source)
            records[name] = [dict(record) for _, record in as_records(items)]
    return AgreementTable(agreements(match_raters(sources, records, gold), gold, seed))
