"""The step `compare`: graded models two by two on the same questions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from factprobe.errors import ConfigError, MissingStepError, UnknownNameError, format_list
from factprobe.metrics.comparison import comparisons
from factprobe.metrics.gate import checks
from factprobe.progress import say
from factprobe.records import Grade
from factprobe.reports.collection.current import current, warn_of
from factprobe.reports.comparison import comparison_table
from factprobe.reports.gate import github, junit
from factprobe.steps.base import Run, Step, StepResult
from factprobe.steps.origins import evaluated
from factprobe.storage import GradedFolder, is_made, whole_file, write_csv, write_json


def compare(run: Run) -> StepResult:
    """Compare the models that `models` names, or all graded models.

    Raises:
        MissingStepError: fewer than two models have grades.
        ConfigError: fewer than two are named, or no two of them have a question in common.
    """
    layout, generator = run.layout, run.config.generator["name"]
    relations = [found.relation for found in run.relations()]
    models = _models(run, generator)
    graded: dict[str, dict[str, Grade]] = {model: {} for model in models}
    files = []
    outdated: Counter[Path] = Counter()
    with evaluated(layout, run.manifest.origins("evaluate")) as is_stale:
        for model, folder in models.items():
            for relation in relations:
                path = folder.grades(relation)
                if is_made(path) and not is_stale(folder, relation, path):
                    files += [path, *filter(is_made, [folder.questions(relation)])]
                    found = current(folder, relation, outdated)
                    graded[model].update((grade.question_id, grade) for grade, _ in found)
    warn_of(outdated)
    rows = comparisons(graded, run.config.seed)
    if not rows:
        what = f"no two of {format_list(models)} have answered a question in common"
        raise ConfigError(what, where="models", hint="run step=evaluate for the same relations with each of them")
    write_csv(layout.comparison_csv, rows)
    write_json(layout.comparison_json, rows)
    gate = checks(graded, rows, run.config.fail_below, run.config.fail_if_worse)
    layout.checks.unlink(missing_ok=True)
    if gate:
        with whole_file(layout.checks) as file:
            file.write(junit(gate))
    say(github(gate) if run.config.format == "github" else comparison_table(rows))
    return StepResult(
        f"{len(models)} models → {layout.comparison_json}",
        files,
        {"models": list(models), "rows": len(rows)},
        [layout.comparison_json],
        failed="; ".join(check.text for check in gate if check.has_failed),
    )


def _models(run: Run, generator: str) -> dict[str, GradedFolder]:
    """Return the models to compare, as named, else sorted by name."""
    of = run.layout.grades(generator, "", "").parents[1]
    known = {folder.model: folder for folder in run.layout.graded() if folder.folder.parent == of}
    picked = run.config.compared
    for name in picked or ():
        if name not in known:
            raise UnknownNameError("graded model", name, known)
    models = sorted(known) if picked is None else list(dict.fromkeys(picked))
    baseline = run.config.fail_if_worse
    if baseline is not None and baseline not in models:
        raise UnknownNameError("graded model", baseline, models, where="fail_if_worse")
    if len(models) < 2:
        found = f"only {models[0]} is" if models else "no model is"
        hint = "run step=evaluate for two or more models, or name two with models=[a,b]"
        kind = MissingStepError if picked is None else ConfigError
        raise kind(f"{found} there to compare", where=of, hint=hint)
    return {model: known[model] for model in models}


STEP = Step(
    run=compare,
    needs=("extract", "evaluate"),
    makes=("comparison.csv", "comparison.json", "checks.xml"),
    settings=("generator", "relations", "compose", "models", "fail_below", "fail_if_worse", "format", "seed"),
)
