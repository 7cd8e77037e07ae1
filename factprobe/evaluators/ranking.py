"""The evaluator of ranked questions."""

from __future__ import annotations

from typing import ClassVar

from factprobe.evaluators.options.evaluator import OptionsEvaluator
from factprobe.evaluators.rules.base import Rule
from factprobe.evaluators.rules.ranked import has_rank
from factprobe.evaluators.rules.shared import SILENT, no_response


class RankedEvaluator(OptionsEvaluator):
    """The choice with the highest score; a reply in words is read as to any question with choices."""

    opening: ClassVar[tuple[Rule, ...]] = (no_response, has_rank, *SILENT)
