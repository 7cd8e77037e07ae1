"""Steps run from Python as on the command line."""

from __future__ import annotations

import logging
from typing import Any

from factprobe import pipeline
from factprobe.config import compose, from_omegaconf
from factprobe.errors import ConfigError

log = logging.getLogger(__name__)


def run(*overrides: str) -> None:
    """Run steps as the command line does: `run("step=all", "kg=trex", "model=scripted")`.

    Raises:
        NoAnswersError: No question has an answer.
        IncompleteError: Some questions have no answer, and `fail_on_missing` is set.
        FactprobeError: Another error that the user can fix, in one line.
    """
    for override in list[Any](overrides):
        if not isinstance(override, str):
            hint = 'give each setting as an argument: run("step=extract", "kg=trex")'
            raise ConfigError(f"{override!r} is no setting", hint=hint)
    missing = pipeline.run(from_omegaconf(compose(overrides)))
    if missing is not None:
        log.warning(missing)
