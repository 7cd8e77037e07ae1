"""Evaluator of true/false questions."""

from __future__ import annotations

from typing import ClassVar

from factprobe.evaluators.base import Evaluator
from factprobe.evaluators.rules.base import Rule
from factprobe.evaluators.true_false import rules
from factprobe.evaluators.true_false.statement_reading import StatementReading
from factprobe.reading.reading_base import Reading


class BinaryEvaluator(Evaluator):
    """Evaluator of true/false questions; a conditional logit model decides which side a reply takes."""

    reading_type: ClassVar[type[Reading]] = StatementReading
    rules: ClassVar[tuple[Rule, ...]] = (rules.takes_side, rules.declines, rules.takes_both_sides, rules.takes_no_side)
