"""The step `grade`: grades and scores of replies from files, with or without a graph."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, tee
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.collection.graph_grades import tables, unequal_exams
from factprobe.collection.replies import GradedReplies, SampledReply
from factprobe.collection.report_data import DifferingReply, ReportData
from factprobe.collection.vocabulary import ReportVocabulary, of_replies
from factprobe.config import RunConfig, name_of, path_of, paths_of
from factprobe.errors import ConfigError
from factprobe.evaluators.answered_questions import grade_answered
from factprobe.evaluators.question_linking import GraphNames
from factprobe.inputs import AnsweredQuestion, Reason, ReplyFiles, SkippedRecords
from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.comparison import Comparison
from factprobe.progress import progress, say
from factprobe.records import AnswerGrade, Grade, Question, Response
from factprobe.relations import RunFacts
from factprobe.reports.agreement import corrected_table, people_table
from factprobe.reports.comparison import first_pairs
from factprobe.reports.frame import write_parquet
from factprobe.reports.report_files import report_data, sampled_cells, write_report, write_scores
from factprobe.reports.table import MORE_TABLES_NOTE, score_table, summary_table, systems_table
from factprobe.steps import CALLS, REPLIES, SCORES
from factprobe.steps.base import MAX_LISTED, Lock, Run, Step, StepResult, SweepClaim, exclusive_lock
from factprobe.steps.judging import JUDGE_SETTINGS, Judge
from factprobe.steps.labels import labels_from_config, unused_labels_hint
from factprobe.steps.manifest import Manifest
from factprobe.storage import (
    Layout,
    Lines,
    Problems,
    SilentProblems,
    remove_temporary_files,
    safe_name,
    spool,
    write_csv,
    write_json,
    write_lines,
)
from factprobe.text import format_count
from factprobe.workers import cores

log = logging.getLogger(__name__)

_RULE_SETTINGS = ("evaluator", "kg", "with_kg", "relations", *JUDGE_SETTINGS)
_WRITERS: dict[str, Callable[[Path, Any], None]] = {".csv": write_csv, ".json": write_json, ".parquet": write_parquet}
_HINT = "set output_dir= to another folder"
_ALL_REPLIES = "answers"
"""Name under which the judge's files list all replies, in place of the name of a relation."""


def grade(run: Run) -> StepResult:
    """Grade and score the replies in files.

    Each reply comes with its question and right answers. A judge decides the grades that the evaluators leave open.
    """
    config, layout = run.config, run.layout
    replies, skipped = ReplyFiles.of(config), SkippedRecords(config.strict)
    _check_free(run, replies.paths)
    remove_temporary_files([layout.root], layout.answer_grades.name, age=0)  # the folder's lock is held
    facts = RunFacts(config)
    graph = GraphNames(facts.summaries()) if config.with_kg else None
    source = _read_replies(run, replies, skipped)
    items = progress(source, "grade", "reply", lambda: min(filter(None, (replies.count(), config.limit)), default=None))
    workers = cores() if run.workers == "ray" else run.workers  # sending replies to Ray takes longer than grading
    graded = grade_answered(items, config.evaluator, graph, workers)
    labels, label_files = labels_from_config(config)
    with spool(layout.root, Grade) as grade_spool, spool(layout.root, SampledReply) as sample_spool:
        judge = None if config.judge is None else Judge(run, "grade", grade_spool)
        title = replies.title or name_of(config.inputs)
        results = GradedReplies(title, config.samples, config.seed, sample_spool, labels)
        if judge is not None:
            judge.prepare(_ALL_REPLIES, _number_replies(graded))
            if config.dry_run:
                return StepResult(judge.calls_left(), [], None, is_dry=True)
            judge.ask()
            again, to_decide = tee(_read_replies(run, replies, SilentProblems()))
            answers = ((reply.question, reply.response) for reply in to_decide)
            graded = zip(again, judge.decide(_ALL_REPLIES, answers), strict=True)
        count = write_lines(layout.answer_grades, results.count_while_iterating(graded))
        grades = Lines(layout.answer_grades, AnswerGrade, run.problems)
        pairs = zip(_read_replies(run, replies, SilentProblems()), grades, strict=True)
        differing = results.differing(progress(pairs, "grade: where systems differ", "reply", count), config.samples)
        _write_report(run, results, skipped.reasons(), of_replies(replies.sorted_by), differing)
    return _make_result(run, replies.paths + facts.files + label_files, results, count, judge, skipped)


def _number_replies(graded: Iterable[tuple[AnsweredQuestion, Grade]]) -> Iterator[tuple[Question, Response, Grade]]:
    """Yield the replies with their numbers as ids, since replies to the same question may share its id."""
    for number, (reply, reply_grade) in enumerate(graded, 1):
        name = str(number)
        yield replace(reply.question, question_id=name), reply.response, replace(reply_grade, question_id=name)


def _make_result(
    run: Run, inputs: list[Path], results: GradedReplies, count: int, judge: Judge | None, skipped: SkippedRecords
) -> StepResult:
    unanswered: list[UnansweredQuestions] = [*results.unanswered()]
    verdicts = results.verdicts()
    counts: dict[str, Any] = {
        "verdicts": dict(verdicts),
        "skipped": len(skipped.messages) - skipped.files,
        "unread_files": skipped.files,
        "skipped_named": skipped.messages[:MAX_LISTED],
    }
    summary = ", ".join(f"{number:,} {verdict}" for verdict, number in verdicts.most_common())
    left_out = f"; {skipped.summary()}" if skipped.messages else ""
    if judge is not None:
        counts["judge"] = judge.counts(count)
        summary = f"{summary}; {judge.summary(count)}"
        unanswered.append(judge.unanswered())
    message = f"{format_count(count, 'reply', 'replies')}: {summary}{left_out} → {run.layout.report}"
    return StepResult(message, inputs, counts, unanswered=unanswered)


def _read_replies(run: Run, replies: ReplyFiles, problems: Problems) -> Iterator[AnsweredQuestion]:
    """Return an iterator over the replies, or only over the first `limit`."""
    return islice(replies.read(problems), run.config.limit)


def _write_report(
    run: Run,
    results: GradedReplies,
    skipped: Iterable[Reason],
    words: ReportVocabulary,
    differing: tuple[int, list[tuple[DifferingReply, ...]]],
) -> None:
    """Write and print the scores, the comparison of systems, and the agreement with human labels if there are any."""
    config, layout = run.config, run.layout
    compared = results.comparisons(config.compared_models)
    graded, rows, people = results.graded(layout), results.scores(), results.people.agreements(config.seed)
    breakdowns = tables(graded)
    write_scores(layout, rows, breakdowns)
    replies = [reply for of_question in differing[1] for reply in of_question]
    _write_tables({layout.comparison_csv: compared, layout.comparison_json: compared, layout.differences_csv: replies})
    parquet = rows if config.parquet else []
    _write_tables({layout.scores_parquet: parquet, layout.agreement_csv: people, layout.agreement_json: people})
    settings = [("input", ", ".join(config.inputs)), ("match", config.match), ("evaluator", config.evaluator.name)]
    settings += [("kg", config.kg.name)] * config.with_kg
    sampled, share = sampled_cells([graded], config)
    graded.comparison = layout.comparison_json if compared else None
    data = replace(
        report_data([graded], rows, breakdowns, config, settings),
        samples=tuple(results.select_samples([cell for _, cell in sampled], share)),
        people=tuple(people),
        skipped=tuple(skipped),
        words=words,
        unequal=unequal_exams([graded], words),
        differing=tuple(differing[1]),
        num_differing=differing[0],
    )
    write_report(layout, data)
    if run.sweep_started is None:
        _print_report(run, results, data, breakdowns, compared)
    for line in results.warnings():
        log.warning("%s", line)


def _print_report(
    run: Run,
    results: GradedReplies,
    data: ReportData,
    breakdowns: Sequence[BreakdownTable],
    compared: Sequence[Comparison],
) -> None:
    """Print the scores, the comparison of systems, and the agreement with human labels."""
    config, rows = run.config, data.scores
    has_parts = len(results.tallies.cells) > 1 and len({row.model for row in rows}) == 1
    format_ = score_table if config.breakdowns else summary_table
    is_long = config.breakdowns or has_parts
    scored = format_(rows, breakdowns, data.notes, data.words) if is_long else systems_table(rows, data.notes)
    parts = [scored, data.unequal, corrected_table(results.corrected_scores())]
    parts.append("" if config.step == "compare" else first_pairs(compared, data.words))
    parts += [people_table(data.people) if data.people else "", unused_labels_hint(config, run.layout.labels)]
    parts.append("" if config.breakdowns else MORE_TABLES_NOTE)
    say("\n\n".join(filter(None, parts)))


def _write_tables(tables: Mapping[Path, Sequence[Any]]) -> None:
    """Write tables in the format of their path's suffix; for an empty table, remove the file of an earlier run."""
    for path, rows in tables.items():
        if rows:
            _WRITERS[path.suffix](path, rows)
        else:
            path.unlink(missing_ok=True)


def with_own_folder(config: RunConfig) -> RunConfig:
    """Return settings with another output folder if the default one has grades of another file with the same name."""
    default_folder = f"outputs/{safe_name(name_of(config.inputs))}"
    if config.output_dir != default_folder:
        return config
    inputs = [path.resolve() for name in config.inputs for path in paths_of(name)]
    graded = [path.resolve() for path in Manifest(Layout(path_of(default_folder)).manifest).inputs_of("grade")]
    same_name = inputs and graded and graded[0].name == inputs[0].name
    if not same_name or not set(graded).isdisjoint(inputs):
        return config
    return replace(config, output_dir=f"{default_folder}-{safe_name(inputs[0].parent.name)}")


def _check_free(run: Run, inputs: Sequence[Path]) -> None:
    """Raise a `ConfigError` if the output folder has the files of a graph, or the grades of other replies."""
    layout = run.layout
    if layout.graph_summary.exists():
        what = "holds the files of a graph, whose scores would be written over"
        raise ConfigError(what, where=layout.root, hint=_HINT)
    before = run.manifest.inputs_of("grade")
    if before and {path.resolve() for path in before}.isdisjoint(path.resolve() for path in inputs):
        more = f" and {len(before) - 1:,} more" if before[1:] else ""
        what = f"holds the grades of other replies, those of {before[0]}{more}"
        raise ConfigError(what, where=layout.root, hint=f"{_HINT}, or delete it")


def _sweep_claims(run: Run) -> list[SweepClaim]:
    """Return the claim that prevents jobs of a sweep from writing different grades to the same file."""
    hint = "give each a folder of its own with output_dir="
    return [SweepClaim(run.layout.answer_grades, "grades", run.settings(*REPLIES, *_RULE_SETTINGS), hint)]


def _lock_output(run: Run) -> list[Lock]:
    """Return the locks of the output folder after a check of the input, before the folder is created.

    Raises:
        ConfigError: There is no input, or it is in the output folder and has the name of an output of the step.
    """
    names = {*STEP.replaced_names()}
    for path in ReplyFiles.of(run.config).paths:
        if path.name in names and path.resolve().parent == run.layout.root.resolve():
            raise ConfigError("is called as a file that step=grade writes there", where=path, hint=_HINT)
    return exclusive_lock(run)


STEP = Step(
    run=grade,
    makes=(
        "grades.jsonl",
        *SCORES,
        *("agreement.csv", "agreement.json", "comparison.csv", "comparison.json", "differences.csv"),
        *("report.md", "report.html"),
        "judgments/<judge>/questions/answers.jsonl",
        "judgments/<judge>/<repeat>/answers.jsonl",
    ),
    settings=(*REPLIES, "labels", "models", "samples", "parquet", "breakdowns", "seed", *_RULE_SETTINGS, *CALLS),
    locks=_lock_output,
    sweep_claims=_sweep_claims,
)
