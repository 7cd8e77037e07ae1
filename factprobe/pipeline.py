"""The steps of a run, in order.

Each step finds the files of those before it under `output_dir`, goes by the relations of `triplets/summary.json`, and
enters what it did into `manifest.json`; what it needs and makes, it declares in its module.
"""

from __future__ import annotations

from collections.abc import Collection

from factprobe.config import RunConfig, load_plugins
from factprobe.errors import IncompleteError, NoAnswersError, UnknownNameError
from factprobe.progress import say
from factprobe.steps import ALIASES, ALL, STEPS
from factprobe.steps.base import Run
from factprobe.storage import remove_left


def run(config: RunConfig, sweep: float | None = None) -> str | None:
    """Runs the step that the settings name, or all of them.

    Args:
        config: the settings.
        sweep: when the sweep began that this is a job of, in seconds since 1970.

    Returns:
        Which questions have no answer, in one line, or None where all have one.

    Raises:
        NoAnswersError: no question has an answer; the steps behind are not run.
        IncompleteError: some have none, and `fail_on_missing` is set; all steps have run.
        FactprobeError: what else the user can mend, in one line.
    """
    load_plugins(config.plugins)
    step = ALIASES.get(config.step, config.step)
    if step not in STEPS and step != "all":
        raise UnknownNameError("step", config.step, [*STEPS, "all", *ALIASES])
    this = Run(config, sweep)
    remove_left(this.layout.folders())
    steps = ALL if step == "all" else (step,)
    _check(this, steps)
    missing: dict[str, str] = {}
    for name in steps:
        done = this.perform(name)
        say(f"{name}: {done.message}")
        if name == "report" and step == "all":  # what it adds is of other models
            continue
        asked = [found for found in done.unanswered if found.of]
        for found in asked:
            if found.count:
                missing.setdefault(found.whom, f"{found}; {found.mend}")
        if asked and all(found.are_all() for found in asked):
            raise NoAnswersError("; ".join(missing.values()))
        if name == "answer" and config.dry_run:
            break
    line = "; ".join(missing.values())
    if line and config.fail_on_missing:
        raise IncompleteError(line)
    return line or None


def _check(this: Run, steps: Collection[str]) -> None:
    """Builds what the steps use, so that a wrong setting is known before the first one."""
    from factprobe import build

    config = this.config
    if "generate" in steps:
        build.build_generator(config.generator, config.seed, config.limit)
    if "answer" in steps:
        if config.shard:
            from factprobe.asking.log import Shard

            Shard.parse(config.shard)
        build.check_calls(this.model, config)
    if not {"evaluate", "grade"}.isdisjoint(steps):
        build.build_judges(config)
