"""Evaluator of true/false questions."""

from __future__ import annotations

from typing import ClassVar

from factprobe.evaluators.base import Evaluator
from factprobe.evaluators.enumeration import only_lists
from factprobe.evaluators.rules.base import Rule
from factprobe.evaluators.true_false import rules
from factprobe.evaluators.true_false.reading import StatementReading
from factprobe.reading.reading import Reading


class BinaryEvaluator(Evaluator):
    """Grade by the side of the clause that judges the statement most surely, or that concludes."""

    reading_type: ClassVar[type[Reading]] = StatementReading
    rules: ClassVar[tuple[Rule, ...]] = (
        rules.is_label,
        rules.is_misspelt_label,
        only_lists,
        rules.says_it_again,
        rules.concludes,
        rules.has_label,
        rules.judges_otherwise,
        rules.tells_in_its_place,
        rules.declines,
        rules.takes_both_sides,
        rules.takes_no_side,
    )
