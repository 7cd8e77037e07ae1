"""The evaluator of true/false questions."""

from __future__ import annotations

from typing import ClassVar

from factprobe.evaluators.base import Evaluator
from factprobe.evaluators.rules import shared, true_false
from factprobe.evaluators.rules.base import Rule
from factprobe.evaluators.true_false.reading import StatementReading
from factprobe.reading.reading import Reading


class BinaryEvaluator(Evaluator):
    """The reply's first clause that takes a side decides, or its conclusion; one that takes both sides says nothing.

    Where no clause has a word for a side, what the reply tells in the statement's place decides.
    """

    reading_type: ClassVar[type[Reading]] = StatementReading
    rules: ClassVar[tuple[Rule, ...]] = (
        true_false.is_label,
        shared.only_declines,
        true_false.is_misspelt_label,
        true_false.says_it_again,
        true_false.judges_it_within,
        true_false.refuses,
        true_false.takes_both_sides,
        true_false.grants_half,
        true_false.concludes,
        true_false.has_plain_label,
        true_false.tells_in_its_place,
        true_false.has_label,
        true_false.denies_it,
        true_false.declines,
        true_false.wavers,
        true_false.takes_no_side,
    )
