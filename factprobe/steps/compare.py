"""The step `compare`: graded models two by two on the same questions."""

from __future__ import annotations

from factprobe.errors import ConfigError, MissingStepError, UnknownNameError, listed
from factprobe.metrics.comparison import comparisons
from factprobe.records import Grade
from factprobe.reports.comparison import comparison_table
from factprobe.steps.base import Done, Run, Step
from factprobe.storage import Lines, Problems, made, write_csv, write_json


def compare(this: Run) -> Done:
    """Compares the models that `models` names, or all that have grades.

    Raises:
        MissingStepError: fewer than two models have grades.
        ConfigError: fewer than two are named, or no two of them have a question in common.
    """
    layout, generator = this.layout, this.config.generator["name"]
    relations = [found.relation for found in this.relations()]
    models = _models(this, generator)
    graded: dict[str, dict[str, Grade]] = {model: {} for model in models}
    files = []
    for model in models:
        for path in (layout.grades(generator, model, relation) for relation in relations):
            if made(path):
                files.append(path)
                graded[model].update((grade.question_id, grade) for grade in Lines(path, Grade, Problems()))
    rows = comparisons(graded, this.config.seed)
    if not rows:
        what = f"no two of {listed(models)} have answered a question in common"
        raise ConfigError(what, where="models", mend="run step=evaluate for the same relations with each of them")
    write_csv(layout.comparison_csv, rows)
    write_json(layout.comparison_json, rows)
    print(comparison_table(rows))
    return Done(f"{len(models)} models → {layout.comparison_json}", files, {"models": models, "rows": len(rows)})


def _models(this: Run, generator: str) -> list[str]:
    """Those to compare, in the order in which they are named, else that of their names."""
    known = this.layout.graded_models(generator)
    picked = this.config.compared
    for name in picked or ():
        if name not in known:
            raise UnknownNameError("graded model", name, known)
    models = known if picked is None else list(dict.fromkeys(picked))
    if len(models) < 2:
        found = f"only {models[0]} is" if models else "no model is"
        mend = "run step=evaluate for two or more models, or name two with models=[a,b]"
        kind = MissingStepError if picked is None else ConfigError
        folder = this.layout.grades(generator, "", "").parents[1]
        raise kind(f"{found} there to compare", where=folder, mend=mend)
    return models


STEP = Step(
    run=compare,
    needs=("extract", "evaluate"),
    makes=("comparison.csv", "comparison.json"),
    settings=("generator", "relations", "models", "seed"),
)
