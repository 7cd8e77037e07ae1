"""The step `compare`: paired comparison of graded models on the same questions."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from factprobe.collection.current import current, warn_of
from factprobe.collection.graph_grades import people_judgments
from factprobe.collection.vocabulary import GRAPH, ReportVocabulary, of_replies
from factprobe.errors import ConfigError, MissingStepError, UnknownNameError, format_list
from factprobe.inputs.labels import HumanJudgment, warn_of_labels
from factprobe.metrics.comparison import Comparison, comparisons
from factprobe.metrics.gate import ModelAccuracy, accuracies_of, accuracies_of_rows, checks
from factprobe.metrics.score_table import read_scores
from factprobe.progress import say
from factprobe.records import Grade
from factprobe.reports.comparison import comparison_table
from factprobe.reports.gate import github, junit
from factprobe.steps import GATES
from factprobe.steps.base import Run, Step, StepResult, shared_lock
from factprobe.steps.labels import labels_from_config, unused_labels_hint
from factprobe.steps.origins import grade_staleness
from factprobe.storage import GradedFolder, read_json, whole_file, write_csv, write_json
from factprobe.text import format_count

_TOTAL_ROW = ("total", "micro")
"""Level and average of the row of a system's total in the score table."""


def compare(run: Run) -> StepResult:
    """Compare the models in `models`, or all graded models, or the systems of replies in files."""
    return _compare_replies(run) if run.config.inputs else _compare_models(run)


def _compare_replies(run: Run) -> StepResult:
    """Grade the replies of files, and compare their systems."""
    layout, config = run.layout, run.config
    graded = run.perform("grade")
    if graded.counts is None:
        return graded
    rows = read_json(layout.comparison_json, list[Comparison]) if layout.comparison_json.exists() else []
    totals = [row for row in read_scores(layout.scores_json) if (row.level, row.average) == _TOTAL_ROW]
    systems = [row.model for row in totals]
    accuracies = accuracies_of_rows(row for row in totals if row.model in (config.compared_models or systems))
    if not rows and not _is_gated(run, accuracies):
        in_common = f"no two of {format_list(systems)} have answered a question in common"
        what = in_common if systems[1:] else f"all replies are of {systems[0]}"
        hint = "name a file for each system: input=[a.csv,b.csv], or the column of the systems: columns.system=NAME"
        raise ConfigError(what, where="input", hint=hint)
    _check_baseline(config.fail_if_worse, [*accuracies])
    failed = _apply_checks(run, accuracies, rows, of_replies())
    compared = _models_of_pairs(rows) or {*accuracies}
    counts = {"models": sorted(compared), "rows": len(rows)}
    message = f"{format_count(len(compared), 'system')} → {layout.comparison_json if rows else layout.checks}"
    return StepResult(message, graded.inputs, counts, unanswered=graded.unanswered, failed=failed)


def _compare_models(run: Run) -> StepResult:
    _check_no_replies(run)
    layout, generator = run.layout, run.config.generator["name"]
    relations = [relation.relation for relation in run.relations()]
    models = _models_to_compare(run, generator)
    graded: dict[str, dict[str, Grade]] = {model: {} for model in models}
    judgments: dict[str, dict[str, HumanJudgment]] = {model: {} for model in models}
    labels, files = labels_from_config(run.config)
    outdated: Counter[Path] = Counter()
    origins, in_sweep = run.manifest.origins("evaluate"), run.sweep_started is not None
    with grade_staleness(layout, origins, in_sweep=in_sweep) as is_left_out:
        for model, folder in models.items():
            for relation in relations:
                path = folder.grades(relation)
                if not is_left_out(folder, relation, path):
                    files += [path, *filter(Path.exists, [folder.questions(relation)])]
                    found = current(folder, relation, outdated)
                    graded[model].update((grade.question_id, grade) for grade, _ in found)
                    judgments[model] |= people_judgments(folder, relation, labels)
    warn_of(outdated)
    warn_of_labels(labels)
    rows = comparisons(graded, run.config.seed, judgments=judgments)
    if not rows and not (_is_gated(run, models) and any(graded.values())):
        raise _no_common_questions_error(graded)
    if rows:
        write_csv(layout.comparison_csv, rows)
        write_json(layout.comparison_json, rows)
    checked = {name: grades.values() for name, grades in graded.items() if grades or run.config.compared_models}
    accuracies = accuracies_of(checked, judgments)
    failed = _apply_checks(run, accuracies, rows, GRAPH, len(graded.get(run.config.fail_if_worse or "", ())))
    if unused := unused_labels_hint(run.config, layout.labels):
        say(unused)
    compared = _models_of_pairs(rows) or {*models}
    counts = {"models": [name for name in models if name in compared], "rows": len(rows)}
    message = f"{format_count(len(compared), 'model')} → {layout.comparison_json if rows else layout.checks}"
    message += "; step=report puts the comparison on the page" * bool(rows)
    return StepResult(message, files, counts, [layout.comparison_json] * bool(rows), failed=failed)


def _models_of_pairs(rows: Sequence[Comparison]) -> set[str]:
    return {name for row in rows for name in (row.first, row.second)}


def _is_gated(run: Run, models: Collection[str]) -> bool:
    """Return whether a check is set for these models that can fail even if they have no question in common."""
    return run.config.fail_below is not None or (run.config.fail_if_worse is not None and len(models) > 1)


def _no_common_questions_error(graded: Mapping[str, Mapping[str, Grade]]) -> ConfigError:
    """Return the error for models that have no question in common."""
    if without := [model for model, grades in graded.items() if not grades]:
        what = f"there are no grades of {format_list(without)} for the questions that are there now"
        hint = "run step=all for these models again; output_dir= or kg.name= gives another graph a folder of its own"
        return ConfigError(what, where="models", hint=hint)
    what = f"no two of {format_list(graded)} have answered a question in common"
    return ConfigError(what, where="models", hint="run step=evaluate for the same relations with each of them")


def _check_no_replies(run: Run) -> None:
    """Raise a `ConfigError` if the folder has grades of replies from files, and no graph."""
    layout = run.layout
    if layout.answer_grades.exists() and not layout.graph_summary.exists():
        files = ",".join(map(str, run.manifest.inputs_of("grade")))
        hint = f"name them: step=compare {shlex.quote(f'input=[{files}]')}"
        raise ConfigError("holds the grades of replies from files", where=layout.root, hint=hint)


def _apply_checks(
    run: Run,
    accuracies: Mapping[str, ModelAccuracy],
    rows: Sequence[Comparison],
    words: ReportVocabulary,
    baseline_questions: int | None = None,
) -> str:
    """Print the comparison, write the results of the checks, and return the failed checks in one line."""
    gate = checks(accuracies, rows, run.config.fail_below, run.config.fail_if_worse, baseline_questions)
    run.layout.checks.unlink(missing_ok=True)
    if gate:
        with whole_file(run.layout.checks) as file:
            file.write(junit(gate))
    table = comparison_table(rows, words) if rows else "\n".join(check.text for check in gate)
    say(github(gate) if run.config.format == "github" else table)
    failed = [check.text for check in gate if check.has_failed]
    return f"{len(failed)} of {format_count(len(gate), 'check')} failed: {'; '.join(failed)}" if failed else ""


def _models_to_compare(run: Run, generator: str) -> dict[str, GradedFolder]:
    """Return the folders of grades by model: of the models in `models`, or of all models without repeats."""
    generator_folder = run.layout.grades(generator, "", "").parents[1]
    graded = run.layout.graded_folders()
    folders = {folder.model: folder for folder in graded if folder.folder.parent == generator_folder}
    selection = run.config.compared_models
    for name in selection or ():
        if name not in folders:
            raise UnknownNameError("graded model", name, folders)
    firsts = [name for name, folder in folders.items() if folder.examined == name or folder.examined not in folders]
    models = sorted(firsts) if selection is None else list(dict.fromkeys(selection))
    _check_baseline(run.config.fail_if_worse, models)
    if len(models) < (2 if run.config.fail_below is None else 1):
        state = f"only {models[0]} is" if models else "no model is"
        hint = "run step=evaluate for two or more models, or name two with models=[a,b]"
        kind = MissingStepError if selection is None else ConfigError
        raise kind(f"{state} there to compare", where=generator_folder, hint=hint)
    return {model: folders[model] for model in models}


def _check_baseline(name: str | None, models: Sequence[str]) -> None:
    if name is not None and name not in models:
        raise UnknownNameError("graded model", name, models, where="fail_if_worse")


STEP = Step(
    run=compare,
    needs=("extract", "evaluate"),
    makes=("comparison.csv", "comparison.json", "checks.xml"),
    settings=("input", "generator", "relations", "compose", "models", "labels", *GATES, "format", "seed"),
    locks=lambda run: [] if run.config.inputs else shared_lock(run),  # replies are graded under the locks of that step
)
