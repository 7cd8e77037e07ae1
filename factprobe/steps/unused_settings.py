"""Settings of a run that none of its steps uses."""

from __future__ import annotations

import logging
from collections.abc import Collection

from factprobe.config import RunConfig, plain_settings
from factprobe.config.defaults import MISSING, defaults
from factprobe.errors import ConfigError, format_list
from factprobe.steps import STEPS
from factprobe.steps.base import CALLS, GATES, load_step

log = logging.getLogger(__name__)

_OF_EVERY_RUN = {"step", "output_dir", "strict", "workers", "fail_on_missing", "plugins", "debug"}
_SHARED = {"relations", "compose", "compose_middle", "limit", "seed", "shard", "with_kg", *CALLS}
"""Settings of the steps of one exam, whose commands often repeat them."""


def check_unused(config: RunConfig, steps: Collection[str]) -> None:
    """Warn of settings that differ from their defaults and that none of the steps uses.

    Raises:
        ConfigError: It is a check that would not be made.
    """
    performed = [*steps, *(["grade"] if config.inputs and "compare" in steps else [])]
    used = {setting for step in performed for setting in load_step(step).settings} | _OF_EVERY_RUN | _SHARED
    given, step = plain_settings(config), f"step={config.step}"
    for setting, usual in defaults(RunConfig).items():
        if setting in used or usual == MISSING or given[setting] == usual:
            continue
        users = [f"step={name}" for name in STEPS if setting in load_step(name).settings]
        hint = f"it is a setting of {format_list(users)}"
        if setting in GATES:
            raise ConfigError(f"is not checked by {step}", where=setting, hint=hint)
        log.warning("%s: is not used by %s; %s", setting, step, hint)
    if config.relations and "grade" in performed and not config.with_kg:
        log.warning("relations: is not used without a graph; name one with kg=")
