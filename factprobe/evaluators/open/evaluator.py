"""The evaluator of answers of which only the right ones are known."""

from __future__ import annotations

from typing import ClassVar

from factprobe.evaluators.open.reading import OpenReading
from factprobe.evaluators.rules import open as rules
from factprobe.evaluators.rules import shared, single
from factprobe.evaluators.rules.base import Rule
from factprobe.evaluators.short.evaluator import ShortEvaluator
from factprobe.reading.reading import Reading


class OpenEvaluator(ShortEvaluator):
    """What people take for a right answer counts: what else a reply tells is explanation."""

    reading_type: ClassVar[type[Reading]] = OpenReading
    rules: ClassVar[tuple[Rule, ...]] = (
        single.exact,
        single.alias,
        shared.only_declines,
        rules.names_several,
        rules.doubts,
        rules.gives_value,
        rules.names_it,
        rules.says_its_gist,
        rules.misspells,
        rules.rules_it_out,
        rules.declines,
        rules.gives_no_answer,
        rules.names_nothing_right,
    )
