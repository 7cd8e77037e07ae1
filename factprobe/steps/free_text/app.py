"""The step `app`: the web app, which is served until Ctrl-C."""

from __future__ import annotations

from factprobe.errors import require
from factprobe.steps.base import Run, Step, StepResult
from factprobe.steps.claim_steps import CHECKING, EXTRACTING


def app(run: Run) -> StepResult:
    """Serve the app."""
    require("nicegui", extra="app", where="step=app", called="NiceGUI")
    from factprobe.app.server import add_check_and_probe, serve

    serve(run.config, "app", lambda: add_check_and_probe(run.config))
    return StepResult("closed", [], None)


_SETTINGS = ("app", "generator", "model", "evaluator", "seed", "cache", "cache_dir", "max_cost_usd", "relations")
STEP = Step(run=app, makes=(), settings=(*_SETTINGS, *EXTRACTING, *CHECKING), locks=lambda _: [])
