"""Steps of a run: files and settings that several steps declare.

Each step is a module in one of the packages here. It declares itself as `STEP`; `factprobe.step_table` lists all steps.
"""

from __future__ import annotations

BREAKDOWN = "<breakdown>.json"
"""File of each breakdown that a step with a score table writes."""

SCORES = ("scores.csv", "scores.json", "scores.parquet", BREAKDOWN, "calibration.json")
"""Files that a step with a score table writes."""

EXAM = ("generator", "model", "relations", "compose")
"""Settings of a step on a model's answers to an exam."""

REPLIES = ("input", "columns", "match", "input_format", "limit")
"""Settings of a step on replies from files."""

GATES = ("fail_below", "fail_if_worse")
"""Settings that make a step fail if the accuracy of a model is too low."""

CALLS = ("cache", "cache_dir", "dry_run", "max_cost_usd")
"""Settings of a step that asks a model."""
