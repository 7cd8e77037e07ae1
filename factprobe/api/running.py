"""Steps run from Python as on the command line."""

from __future__ import annotations

import logging

from factprobe import pipeline
from factprobe.config import compose, from_omegaconf

log = logging.getLogger(__name__)


def run(*overrides: str) -> None:
    """Run steps as the command line does: `run("step=all", "kg=trex", "model=scripted")`.

    Raises:
        NoAnswersError: No question has an answer.
        IncompleteError: Some questions have no answer, and `fail_on_missing` is set.
        FactprobeError: Another error that the user can fix, in one line.
    """
    missing = pipeline.run(from_omegaconf(compose(overrides)))
    if missing is not None:
        log.warning(missing)
