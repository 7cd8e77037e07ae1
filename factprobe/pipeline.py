"""The steps of a run, in order.

    extract   kg's files          → triplets/<relation>.jsonl, <relation>.summary.json, summary.json
    generate  triplets, summaries → questions/<generator>/<relation>.jsonl
    answer    questions           → responses/<generator>/<model>/<relation>.jsonl
    evaluate  responses           → grades/<generator>/<model>/<relation>.jsonl
    report    grades              → scores.csv, scores.json, report.html

and two that `step=all` leaves out:

    compare   grades              → comparison.csv, comparison.json
    agree     labels              → agreement.csv, agreement.json

Each step finds the files of those before it under `output_dir`, goes by the relations of `triplets/summary.json`, and
enters what it did into `manifest.json`.
"""

from __future__ import annotations

from factprobe.build import build_judges, build_model
from factprobe.config import RunConfig, load_plugins, plain
from factprobe.errors import UnknownNameError
from factprobe.steps import ALL, STEPS, Run

ALIASES = {"question_generate": "generate", "answer_sampling": "answer"}
"""LLM-facteval's names of the steps."""


def run(config: RunConfig, sweep: float | None = None) -> None:
    """Runs the step that the settings name, or all of them.

    Args:
        config: the settings.
        sweep: when the sweep began that this is a job of, in seconds since 1970.

    Raises:
        FactprobeError: what the user can mend, in one line.
    """
    load_plugins(config.plugins)
    step = ALIASES.get(config.step, config.step)
    if step not in STEPS and step != "all":
        raise UnknownNameError("step", config.step, [*STEPS, "all", *ALIASES])
    this = Run(config, sweep)
    if step == "all":
        build_model(config.model)  # so that a wrong setting is known before the first step
        build_judges(config)
    for name in ALL if step == "all" else (step,):
        this.manifest.start()
        done = STEPS[name](this)
        if done.counts is not None:
            this.manifest.add(name, plain(config), done.inputs, done.counts)
        print(f"{name}: {done.message}", flush=True)
        if name == "answer" and config.dry_run:
            return
