"""Execution of the steps of a run, in order.

Each step reads the files of earlier steps under `output_dir`, uses the relations in `triplets/summary.json`, and
records its inputs and outputs in `manifest.json`. The module of a step declares what it needs and makes.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.config import RunConfig, load_plugins, path_of, plain_settings
from factprobe.config.defaults import DEFAULT_CHOICES, MISSING, defaults
from factprobe.errors import (
    ConfigError,
    FactprobeError,
    GateError,
    IncompleteError,
    NoAnswersError,
    UnknownNameError,
    format_list,
)
from factprobe.progress import say
from factprobe.records import GraphSummary, Relation
from factprobe.relations import is_composed
from factprobe.step_table import ALIASES, ALL, STEPS
from factprobe.steps import CALLS, GATES
from factprobe.steps.base import Run, StepResult, load_step
from factprobe.storage import copy_folder, read_summary, remove_temporary_files

log = logging.getLogger(__name__)

_SETTINGS_OF_EVERY_RUN = {"step", "output_dir", "strict", "workers", "fail_on_missing", "plugins", "debug"}
_SHARED_SETTINGS = {"relations", "compose", "compose_middle", "limit", "seed", "shard", "with_kg", *CALLS}
"""Settings that commands for one exam often repeat; no warning is given if a step does not use them."""
_SAFEGUARDS = (*GATES, "dry_run", "max_cost_usd")
"""Settings that check or limit a run: if the steps do not use them, they are an error."""
_STEPS_WITHOUT_CALLS = ("evaluate", "report", "grade", "compare")
"""Steps that ask no model; the unanswered questions in their results come from earlier steps or other tools."""


def run(config: RunConfig, sweep_started: float | None = None) -> str | None:
    """Run the step that the settings name, or all steps.

    Args:
        config: Settings of the run.
        sweep_started: Start of the sweep of which this run is a job, in seconds since 1970; None for a single run.

    Returns:
        A line on unanswered questions; None if all questions have an answer.

    Raises:
        NoAnswersError: No question has an answer; later steps are not run.
        IncompleteError: Most questions have no answer (or any, with `fail_on_missing`), or no claim could be extracted,
            or none could be decided; all steps have run.
        GateError: A model fails `fail_below` or `fail_if_worse`; the files of the comparison are written.
        FactprobeError: Another error that the user can fix, in one line.
    """
    load_plugins(config.plugins)
    if config.step in ("grade", "compare") and config.inputs:
        from factprobe.steps.replies.grade import with_own_folder  # loads slowly

        config = with_own_folder(config)
    if not config.dry_run or config.step == "app":
        return _run(config, sweep_started)
    with _discarded_output(config) as dry:
        return _run(dry, sweep_started)


def _run(config: RunConfig, sweep_started: float | None) -> str | None:
    """Run the steps after a check of the settings."""
    step = ALIASES.get(config.step, config.step)
    if step not in STEPS and step != "all":
        raise UnknownNameError("step", config.step, [*STEPS, "all", *ALIASES])
    run = Run(config, sweep_started)
    remove_temporary_files(run.layout.folders())
    steps = ALL if step == "all" else (step,)
    _check(run, steps)
    if step == "all":
        for name in steps:  # before a model is asked
            run.check_free(name)
        say(f"{run.model.name} on {config.kg.name}: {' → '.join(steps)}")
    missing: dict[str, str] = {}
    is_incomplete = False
    for name in steps:
        results = _perform(run, name, alone=step != "all")
        if name == "report" and step == "all":  # it counts other models too
            continue
        all_unanswered = _sum_unanswered(results)
        missing = {**missing, **_count_unanswered(all_unanswered, results, missing)}
        is_incomplete |= name not in _STEPS_WITHOUT_CALLS and any(
            unanswered.is_mostly_unanswered() for unanswered in all_unanswered
        )
        is_incomplete |= any(result.warning for result in results)
        if all_unanswered and all(unanswered.has_no_answers() for unanswered in all_unanswered):
            raise NoAnswersError("; ".join(missing.values()))
        if failed := "; ".join(result.failed for result in results if result.failed):
            raise GateError(failed)
        if any(result.is_dry for result in results):
            break
    else:
        if config.dry_run:
            say("dry_run=true: nothing is left to ask, and nothing was written")
    line = "; ".join(missing.values())
    if line and (is_incomplete or config.fail_on_missing):
        raise IncompleteError(line)
    return line or None


def _perform(run: Run, name: str, *, alone: bool) -> list[StepResult]:
    """Run a step, once for each template with `generator.template=all`, and print the results.

    A dry run prints only what it would ask.
    """
    results = []
    for template_run in _expand_templates(run, name):
        result = template_run.perform(name)
        results.append(result)
        if not run.config.dry_run or result.counts is None:
            say(f"{name}: {result.message}")
            for note in result.notes if alone else ():
                say(note)
    return results


class _Described(Struct, frozen=True):
    """Part of a relation summary that the pipeline reads."""

    relation_info: Relation


def _expand_templates(run: Run, step: str) -> Iterator[Run]:
    """Yield the runs of a step: one, or with `generator.template=all` one for each template of the relations.

    The generator keeps its name in the first run and is called `<name>-1`, `<name>-2` in later ones. All share the
    model and the cost limit.
    """
    declaration = load_step(step)
    if run.config.generator.get("template") != "all" or not declaration.is_apart_by("generator"):
        yield run
        return
    if declaration.is_apart_by("model"):
        _ = run.model  # loaded once for all
    for number in range(_max_templates(run)):
        template_run = copy(run)
        settings = run.config.generator
        name = f"{settings['name']}-{number}" if number else settings["name"]
        template_run.config = replace(run.config, generator={**settings, "template": number, "name": name})
        yield template_run
        run.usd = template_run.usd


def _max_templates(run: Run) -> int:
    """Return the largest number of templates that a relation has; 1 if nothing was extracted yet."""
    from factprobe.factories import build_generator
    from factprobe.generators.fact_generator import FactGenerator  # loads slowly

    generator = build_generator(run.config.generator)
    if not (isinstance(generator, FactGenerator) and run.layout.graph_summary.exists()):
        return 1
    relations = read_summary(run.layout.graph_summary, GraphSummary).relations
    selection = run.config.selected_relations
    names = [
        counts.relation
        for counts in relations
        if selection is None or counts.relation in selection or is_composed(run.config, counts.relation, counts)
    ]
    paths = [path for path in map(run.layout.summary, names) if path.exists()]
    return max((len(generator.templates(read_summary(path, _Described).relation_info)) for path in paths), default=1)


def _count_unanswered(
    all_unanswered: Iterable[UnansweredQuestions], results: Iterable[StepResult], known: Collection[str]
) -> dict[str, str]:
    """Return lines by key: a step's warnings, and a line on the unanswered questions of each model not in `known`."""
    lines = {
        unanswered.respondent: f"{unanswered}; {unanswered.hint}"
        for unanswered in all_unanswered
        if unanswered.count and unanswered.respondent not in known
    }
    return lines | {result.warning: result.warning for result in results if result.warning}


def _sum_unanswered(results: Iterable[StepResult]) -> list[UnansweredQuestions]:
    """Sum the unanswered questions of each model over the results of a step for all templates."""
    by_model: dict[str, UnansweredQuestions] = {}
    for unanswered in (unanswered for result in results for unanswered in result.unanswered if unanswered.total):
        if unanswered.respondent in by_model:
            by_model[unanswered.respondent].join(unanswered)
        else:
            by_model[unanswered.respondent] = unanswered
    return list(by_model.values())


def _check(run: Run, steps: Collection[str]) -> None:
    """Check the settings of the steps by building their components, so that errors come before the first step runs."""
    from factprobe import factories

    config = run.config
    _check_unused(config, steps)
    if "generate" in steps:
        factories.check_generator(config)
    if "answer" in steps and config.shard:
        from factprobe.asking.log import Shard

        Shard.parse(config.shard)
    if not {"answer", "collect", "paraphrase"}.isdisjoint(steps):
        factories.check_calls(run.model, config)
    if not {"evaluate", "grade"}.isdisjoint(steps):
        factories.check_judge_rules(config)
        for judge in factories.build_judges(config)[:1]:
            factories.warn_if_tiny(factories.JUDGE, judge)
    for step in filter(DEFAULT_CHOICES.__contains__, steps):
        if config.shard:
            raise ConfigError(
                f"step={step} has no parts", where="shard", hint="leave it out; limit= takes the first texts"
            )
        from factprobe.steps.components import check_components

        check_components(config, load_step(step).settings)


@contextmanager
def _discarded_output(config: RunConfig) -> Iterator[RunConfig]:
    """Yield the settings of a run with a temporary copy of the output folder in place of the original.

    The copy is removed at the end of the block. Errors name the original folder.
    """
    with TemporaryDirectory(prefix="factprobe-") as folder:
        copy = Path(folder) / "output"
        copy_folder(path_of(config.output_dir), copy)
        try:
            yield replace(config, output_dir=str(copy))
        except FactprobeError as error:
            error.reword(lambda text: text.replace(str(copy), config.output_dir))
            raise


def _check_unused(config: RunConfig, steps: Collection[str]) -> None:
    """Warn about changed settings that no step uses; raise a `ConfigError` for unused checks and limits."""
    performed = [*steps, *(["grade"] if config.inputs and "compare" in steps else [])]
    used = {setting for step in performed for setting in load_step(step).settings} | _SETTINGS_OF_EVERY_RUN
    used |= _SHARED_SETTINGS if {*ALL, "app"}.intersection(steps) else _SHARED_SETTINGS.difference(_SAFEGUARDS)
    values, step = plain_settings(config), f"step={config.step}"
    for setting, default in defaults(RunConfig).items():
        if setting in used or default == MISSING or values[setting] == default:
            continue
        users = [f"step={name}" for name in STEPS if setting in load_step(name).settings]
        hint = f"it is a setting of {format_list(users)}"
        if setting in _SAFEGUARDS:
            raise ConfigError(f"is not used by {step}", where=setting, hint=hint)
        log.warning("%s: is not used by %s; %s", setting, step, hint)
    if config.relations and "grade" in performed and not config.with_kg:
        log.warning("relations: is not used without a graph; name one with kg=")
