"""Ratios that benchmarks measure, collected by `benchmarks/bench.py` through a file that the environment names."""

from __future__ import annotations

import json
import os
from pathlib import Path

FILE = "FACTPROBE_FIGURES"
"""Environment variable with the file of figures; without it nothing is written."""


def record_ratio(name: str, ratio: float, *, is_cost: bool = True) -> None:
    """Append a ratio to the file of figures.

    Args:
        name: benchmark, case and what the ratio is to.
        ratio: the figure, measured against a peer or a floor in the same run.
        is_cost: True if lower is better.
    """
    if path := os.environ.get(FILE):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"name": name, "ratio": round(ratio, 3), "is_cost": is_cost}) + "\n")
