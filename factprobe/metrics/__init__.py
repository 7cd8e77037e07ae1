"""Statistics of grades: score table, breakdowns, agreement, calibration and comparison of models.

Names in `__all__` are imported on first use, since they load numpy, which steps without grades do not need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from factprobe.metrics.base import Metric, metrics
    from factprobe.metrics.tallies import Tallies, Tally

__all__ = ["Metric", "Tallies", "Tally", "metrics"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'factprobe.metrics' has no attribute {name!r}")
    from factprobe.metrics import score_metrics, tallies  # registers factprobe's own metrics, before any other

    return getattr(tallies if name.startswith("Tall") else score_metrics, name)
