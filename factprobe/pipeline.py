"""Execution of a run's steps, in order.

Each step finds the files of the steps before it under `output_dir`, uses the relations of `triplets/summary.json`, and
records its work in `manifest.json`. Its module declares what it needs and makes.
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
from factprobe.steps import ALIASES, ALL, CALLS, GATES, STEPS
from factprobe.steps.base import Run, StepResult, load_step
from factprobe.storage import copy_folder, read_json, remove_temporary_files

log = logging.getLogger(__name__)

_LINKED = ("triplets", "questions", "grades")
"""Folders with most of the data, whose files are replaced and never changed in place."""
_OF_EVERY_RUN = {"step", "output_dir", "strict", "workers", "fail_on_missing", "plugins", "debug"}
_SHARED = {"relations", "compose", "compose_middle", "limit", "seed", "shard", "with_kg", *CALLS}
"""Settings that the steps of one exam share, and that commands therefore often repeat."""
_SAFEGUARDS = (*GATES, "dry_run", "max_cost_usd")
"""Settings that have to work: a step that does not use them does not run."""
_ASKING_NOTHING = ("evaluate", "report", "grade", "compare")
"""Steps that count the questions that earlier steps, or other tools, left unanswered."""


def run(config: RunConfig, sweep: float | None = None) -> str | None:
    """Run the step that the settings name, or all steps.

    Args:
        config: Settings of the run.
        sweep: Start, in seconds since 1970, of the sweep that this run is a job of.

    Returns:
        The questions without an answer in one line, or None if all have one.

    Raises:
        NoAnswersError: No question has an answer; later steps are not run.
        IncompleteError: Most questions have no answer, or some and `fail_on_missing` is set, or no claim could be
            extracted, or none has a clean verdict; all steps have run.
        GateError: A model fails `fail_below` or `fail_if_worse`; the files of the comparison are written.
        FactprobeError: Another error that the user can fix, in one line.
    """
    load_plugins(config.plugins)
    if config.step in ("grade", "compare") and config.inputs:
        from factprobe.steps.replies.grade import with_own_folder  # what it uses takes a while to load

        config = with_own_folder(config)
    if not config.dry_run or config.step == "app":
        return _run(config, sweep)
    with _discarded_output(config) as dry:
        return _run(dry, sweep)


def _run(config: RunConfig, sweep: float | None) -> str | None:
    """Run the steps, with the results of `run`."""
    step = ALIASES.get(config.step, config.step)
    if step not in STEPS and step != "all":
        raise UnknownNameError("step", config.step, [*STEPS, "all", *ALIASES])
    run = Run(config, sweep)
    remove_temporary_files(run.layout.folders())
    steps = ALL if step == "all" else (step,)
    _check(run, steps)
    if step == "all":
        say(f"{run.model.name} on {config.kg.name}: {' → '.join(steps)}")
    missing: dict[str, str] = {}
    is_incomplete = False
    for name in steps:
        ended = _perform(run, name, alone=step != "all")
        if name == "report" and step == "all":  # what it adds is of other models
            continue
        asked = _sum_unanswered(ended)
        missing = {**missing, **_count_unanswered(asked, ended, missing)}
        is_incomplete |= name not in _ASKING_NOTHING and any(found.lacks_most() for found in asked)
        is_incomplete |= any(done.warning for done in ended)
        if asked and all(found.has_no_answers() for found in asked):
            raise NoAnswersError("; ".join(missing.values()))
        if failed := "; ".join(done.failed for done in ended if done.failed):
            raise GateError(failed)
        if any(done.is_dry for done in ended):
            break
    else:
        if config.dry_run:
            say("dry_run=true: nothing is left to ask, and nothing was written")
    line = "; ".join(missing.values())
    if line and (is_incomplete or config.fail_on_missing):
        raise IncompleteError(line)
    return line or None


def _perform(run: Run, name: str, *, alone: bool) -> list[StepResult]:
    """Run a step for each of its templates, and print the results.

    A dry run keeps no results, and only prints what it would ask.
    """
    ended = []
    for one in _expand_templates(run, name):
        done = one.perform(name)
        ended.append(done)
        if not run.config.dry_run or done.counts is None:
            say(f"{name}: {done.message}")
            for note in done.notes if alone else ():
                say(note)
    return ended


class _Described(Struct, frozen=True):
    """Fields of a relation summary that the pipeline reads."""

    relation_info: Relation


def _expand_templates(run: Run, step: str) -> Iterator[Run]:
    """Yield the runs of a step, one for each template of the relations with `generator.template=all`.

    The first run keeps the generator's name, later ones are called `<name>-1`, `<name>-2`. They share the model and the
    cost limit.
    """
    declaration = load_step(step)
    if run.config.generator.get("template") != "all" or not declaration.is_apart_by("generator"):
        yield run
        return
    if declaration.is_apart_by("model"):
        _ = run.model  # loaded once for all
    for number in range(_most(run)):
        one = copy(run)
        own = run.config.generator
        name = f"{own['name']}-{number}" if number else own["name"]
        one.config = replace(run.config, generator={**own, "template": number, "name": name})
        yield one
        run.usd = one.usd


def _most(run: Run) -> int:
    """Return the largest number of templates of a relation, or 1 before extraction, which the step itself reports."""
    from factprobe.factories import build_generator
    from factprobe.generators.fact_generator import FactGenerator  # what most steps need not load

    generator = build_generator(run.config.generator)
    if not (isinstance(generator, FactGenerator) and run.layout.graph_summary.exists()):
        return 1
    found = read_json(run.layout.graph_summary, GraphSummary).relations
    picked = run.config.selected_relations
    names = [
        one.relation
        for one in found
        if picked is None or one.relation in picked or is_composed(run.config, one.relation, one)
    ]
    paths = [path for path in map(run.layout.summary, names) if path.exists()]
    return max((len(generator.templates(read_json(path, _Described).relation_info)) for path in paths), default=1)


def _count_unanswered(
    asked: Iterable[UnansweredQuestions], ended: Iterable[StepResult], known: Collection[str]
) -> dict[str, str]:
    """Return the step's warnings, and a line for each model that lacks answers and is not in `known`."""
    lines = {
        found.respondent: f"{found}; {found.hint}" for found in asked if found.count and found.respondent not in known
    }
    return lines | {done.warning: done.warning for done in ended if done.warning}


def _sum_unanswered(ended: Iterable[StepResult]) -> list[UnansweredQuestions]:
    """Sum the unanswered questions of each model over all templates."""
    found: dict[str, UnansweredQuestions] = {}
    for unanswered in (unanswered for done in ended for unanswered in done.unanswered if unanswered.total):
        if unanswered.respondent in found:
            found[unanswered.respondent].join(unanswered)
        else:
            found[unanswered.respondent] = unanswered
    return list(found.values())


def _check(run: Run, steps: Collection[str]) -> None:
    """Build the components of the steps, so that a wrong setting is found before the first step runs."""
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
    """Yield the settings of a run whose output folder is a temporary copy.

    Errors name the original folder.
    """
    with TemporaryDirectory(prefix="factprobe-") as folder:
        copy = Path(folder) / path_of(config.output_dir).name
        copy_folder(path_of(config.output_dir), copy, _LINKED)
        try:
            yield replace(config, output_dir=str(copy))
        except FactprobeError as error:
            error.reword(lambda text: text.replace(str(copy), config.output_dir))
            raise


def _check_unused(config: RunConfig, steps: Collection[str]) -> None:
    """Warn about settings that differ from their defaults but are used by none of the steps.

    Raises:
        ConfigError: The unused setting is a check or a limit that would not work.
    """
    performed = [*steps, *(["grade"] if config.inputs and "compare" in steps else [])]
    used = {setting for step in performed for setting in load_step(step).settings} | _OF_EVERY_RUN
    used |= _SHARED if {*ALL, "app"}.intersection(steps) else _SHARED.difference(_SAFEGUARDS)
    given, step = plain_settings(config), f"step={config.step}"
    for setting, default in defaults(RunConfig).items():
        if setting in used or default == MISSING or given[setting] == default:
            continue
        users = [f"step={name}" for name in STEPS if setting in load_step(name).settings]
        hint = f"it is a setting of {format_list(users)}"
        if setting in _SAFEGUARDS:
            raise ConfigError(f"is not used by {step}", where=setting, hint=hint)
        log.warning("%s: is not used by %s; %s", setting, step, hint)
    if config.relations and "grade" in performed and not config.with_kg:
        log.warning("relations: is not used without a graph; name one with kg=")
