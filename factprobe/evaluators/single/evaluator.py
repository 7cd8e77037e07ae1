"""Evaluator of one answer in words."""

from __future__ import annotations

from typing import ClassVar

from factprobe.evaluators.base import Evaluator
from factprobe.evaluators.entities.rules import rules_of
from factprobe.evaluators.enumeration import lists_candidates
from factprobe.evaluators.rules import shared
from factprobe.evaluators.rules.base import Rule
from factprobe.evaluators.single import rules
from factprobe.evaluators.single.single_reading import SingleReading
from factprobe.reading.reading_base import Reading


class SingleEvaluator(Evaluator):
    """Evaluator of one answer: the reply must commit to the right entity and to no other."""

    reading_type: ClassVar[type[Reading]] = SingleReading
    rules: ClassVar[tuple[Rule, ...]] = (
        rules.judge_exact,
        lists_candidates,
        shared.only_declines,
        rules.misspells,
        rules.names_it,
        *rules_of("single", wrong=1),
        rules.names_several,
        rules.names_another,
        rules.only_rules_out,
        rules.names_nothing_known,
    )
