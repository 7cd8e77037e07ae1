"""The step `report`: scores of all grades."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.collection.graph_grades import GraphGrades, collect, tables, unequal_exams
from factprobe.collection.leaks import leak_lines
from factprobe.errors import MissingStepError, UnknownNameError, format_list
from factprobe.inputs.labels import ReplyLabels, warn_of_labels
from factprobe.kgs.sources import as_names
from factprobe.metrics.breakdowns.base import BreakdownTable, join_tables
from factprobe.metrics.score_table import overall, scores
from factprobe.progress import say
from factprobe.records import GraphSummary, Score
from factprobe.relations import is_composed
from factprobe.reports.agreement import corrected_of, corrected_table
from factprobe.reports.frame import write_parquet
from factprobe.reports.report_files import report_data, write_report, write_scores
from factprobe.reports.table import MORE_TABLES_NOTE, score_table, summary_table
from factprobe.steps import SCORES
from factprobe.steps.base import ASK_AGAIN, Lock, Run, Step, StepResult, load_step
from factprobe.steps.commands import format_command, unextracted_error
from factprobe.steps.labels import labels_from_config, unused_labels_hint
from factprobe.steps.manifest import Manifest
from factprobe.steps.origins import UNFINISHED, grade_staleness
from factprobe.storage import Layout, is_unfinished, read_summary
from factprobe.text import format_count

log = logging.getLogger(__name__)

_MAX_WAIT = 60.0
"""Seconds to wait for another process that writes the report."""


def report(run: Run) -> StepResult:
    """Score the grades of every generator and model.

    The output folder is that of one graph, or it contains the folders of several graphs, as after a sweep.

    Raises:
        MissingStepError: Nothing has been extracted or graded yet.
        UnknownNameError: A selected relation was not extracted.
    """
    labels, label_files = labels_from_config(run.config)
    graphs = _read_graphs(run, _find_layouts(run), labels)
    settings = _question_settings(graphs[0])
    rows = [row for one in graphs for row in scores(one.tallies.cells, one.relations, one.kg, one.tallies.strata)]
    if len(graphs) > 1:
        rows += overall((graded.tallies, graded.relations) for graded in graphs)
        settings_by_kg = ((graded.kg, _question_settings(graded)[1:]) for graded in graphs)
        settings = [(kg, ", ".join(f"{name} {value}" for name, value in pairs)) for kg, pairs in settings_by_kg]
    breakdowns = join_tables([tables(graded) for graded in graphs])
    write_scores(run.layout, rows, breakdowns)
    if run.config.parquet:
        write_parquet(run.layout.scores_parquet, rows)
    write_report(run.layout, report_data(graphs, rows, breakdowns, run.config, settings))
    if run.sweep_started is None:  # the tables of many jobs at once are hard to read
        _print_scores(run, rows, breakdowns, graphs, is_labelled=labels is not None)
    warn_of_labels(labels)
    files = [*(file for graded in graphs for file in graded.files), *label_files]
    unanswered = _count_unanswered(graphs)
    count = sum(graded.tallies.questions for graded in graphs)
    failed = sum(tally.verdicts["failed"] for graded in graphs for _, tally in graded.tallies.all_cells)
    message = format_count(count, "grade") + (f", {failed:,} of them failed" if failed else "")
    return StepResult(f"{message} → {run.layout.report}", files, {"grades": count}, unanswered=unanswered)


def _no_grades_error(run: Run, layouts: list[Layout], relations: Collection[str]) -> MissingStepError:
    """Return the error for a report without grades of these relations, since there are none, or all are left out."""
    folders = [folder for layout in layouts for folder in layout.graded_folders()]
    if not any(folder.grades(relation).exists() for folder in folders for relation in relations):
        return run.missing("evaluate", run.layout.root / "grades")
    again = format_command("all", load_step("evaluate").settings, run.config, has_model=True)
    what = "all grades are out of date or unfinished, and are left out"
    return MissingStepError(what, where=run.layout.root / "grades", hint=f"run {again} again with each model")


def _print_scores(
    run: Run, rows: list[Score], breakdowns: list[BreakdownTable], graphs: list[GraphGrades], *, is_labelled: bool
) -> None:
    """Print the score tables, with notes."""
    notes = [note for graded in graphs for note in graded.notes()]
    unequal = unequal_exams(graphs)
    if run.config.breakdowns:
        parts = [score_table(rows, breakdowns, notes), unequal, "\n".join(leak_lines(breakdowns))]
    else:
        new = [note for note in notes if (note.model, note.text) not in run.warned_of]
        parts = ["\n".join(filter(None, [summary_table(rows, breakdowns, new), unequal, MORE_TABLES_NOTE]))]
    corrected = corrected_table(corrected_of(breakdowns))
    if corrected and not is_labelled:  # one line below the others
        parts[-1] = f"{parts[-1]}\n{corrected}"
    else:
        parts.append(corrected)
    parts.append(unused_labels_hint(run.config, run.layout.labels))
    before = "\n" if run.config.step == "all" else ""  # an empty line below those of the other steps
    say(before + "\n\n".join(filter(None, parts)))


def _count_unanswered(graphs: list[GraphGrades]) -> list[UnansweredQuestions]:
    """Count the questions of each model that have no graded answer, also about relations without any grades."""
    counted: dict[str, UnansweredQuestions] = {}
    for graded in graphs:
        counts = [(cell.model, len(tally), tally.verdicts["failed"]) for cell, tally in graded.tallies.all_cells]
        counts += [(model, count, count) for model, count in graded.ungraded.items()]
        counts += [(model, count, 0) for model, count in graded.unevaluated.items()]
        for model, total, count in counts:
            of_model = counted.setdefault(model, UnansweredQuestions(model, again=ASK_AGAIN))
            of_model.total += total
            of_model.count += count
        for model, count in graded.unevaluated.items():
            counted[model].add("not graded", count, "run step=evaluate with this model")
    return list(counted.values())


def _find_layouts(run: Run) -> list[Layout]:
    """Return the layouts of the graphs below the output folder; raise a `MissingStepError` without any."""
    layouts = run.layout.graphs()
    if not layouts:
        raise run.missing("extract", run.layout.graph_summary)
    return layouts


def _read_graphs(run: Run, layouts: list[Layout], labels: ReplyLabels | None) -> list[GraphGrades]:
    """Return the graphs that have grades; if graphs share a name, they are named after their folders.

    Raises:
        MissingStepError: The extraction of a graph has not finished, or there are no grades that are up to date.
        UnknownNameError: A selected relation was not extracted.
    """
    for layout in layouts:
        if layout.root == run.layout.root:
            run.need("extract", layout.graph_summary)
        elif is_unfinished(layout.graph_summary):
            hint = f"run step=extract of this graph with output_dir={layout.root} first"
            raise MissingStepError(UNFINISHED.format(step="extract"), where=layout.graph_summary.parent, hint=hint)
    summaries = [read_summary(layout.graph_summary, GraphSummary) for layout in layouts]
    named = Counter(summary.kg for summary in summaries)
    relations = {relation.relation: relation for summary in summaries for relation in summary.relations}
    names = set(relations)
    selection = names if run.config.selected_relations is None else set(run.config.selected_relations)
    selection |= {name for name, relation in relations.items() if is_composed(run.config, name, relation)}
    for name in sorted(selection - names):
        if layouts[0].root == run.layout.root:
            raise unextracted_error(run.config, name, summaries[0], load_step("extract").settings)
        raise UnknownNameError(f"relation of {format_list(named)}", name, names)
    graphs = []
    for layout, summary in zip(layouts, summaries, strict=True):
        folder = str(layout.root.relative_to(run.layout.root))
        name = summary.kg if named[summary.kg] == 1 else folder
        manifest, in_sweep = Manifest(layout.manifest), run.sweep_started is not None
        with grade_staleness(layout, manifest.origins("evaluate"), in_sweep=in_sweep) as is_left_out:
            graded = collect(name, layout, summary, selection, is_left_out, labels)
        graded.comparison = _current_path(layout.comparison_json, manifest, "compare")
        graded.quality = _current_path(layout.quality, manifest, "quality")
        graded.inspection = _current_path(layout.inspection, manifest, "inspect")
        if graded.files:
            graphs.append(graded)
    if not graphs:
        raise _no_grades_error(run, layouts, selection)
    return graphs


def _current_path(path: Path, manifest: Manifest, step: str) -> Path | None:
    """Return the path of a file that another step has made; None if it is missing or stale."""
    if not path.exists():
        return None
    if manifest.origins(step).has_changed(path):
        what = f"its inputs have changed since step={step}, and it is left out; run step={step} again"
        log.warning("%s: %s", path, what)
        return None
    return path


def _question_settings(graded: GraphGrades) -> list[tuple[str, str]]:
    """Return name and value of the settings with which the questions of a graph were made."""
    manifest = Manifest(graded.layout.manifest)
    settings_used = [("kg", graded.summary.kg)]
    if settings := manifest.settings("generate") or manifest.settings("extract"):
        if settings.kg is not None:
            source = ", ".join(as_names(settings.kg.source) or ())
            settings_used.append(("source", source) if source else ("data_dir", settings.kg.data_dir or "bundled"))
        if settings.seed is not None:
            settings_used.append(("seed", str(settings.seed)))
    return settings_used


STEP = Step(
    run=report,
    needs=("extract", "evaluate"),
    makes=(*SCORES, "report.md", "report.html"),
    settings=("relations", "compose", "labels", "samples", "seed", "parquet", "breakdowns"),
    locks=lambda run: [  # so that the last report of a sweep has all grades
        *(Lock(layout.lock, "read") for layout in _find_layouts(run)),
        Lock(run.layout.root / ".report.lock", "write", _MAX_WAIT),
    ],
)
