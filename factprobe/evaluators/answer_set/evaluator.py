"""Evaluator of a set of answers in words."""

from __future__ import annotations

from typing import ClassVar

from factprobe.evaluators.answer_set import rules
from factprobe.evaluators.answer_set.set_reading import SetReading
from factprobe.evaluators.base import Evaluator
from factprobe.evaluators.entities.rules import rules_of
from factprobe.evaluators.rules import shared
from factprobe.evaluators.rules.base import Judgment, Rule
from factprobe.reading.names.index import answers_index
from factprobe.reading.reading_base import Reading


class MultipleEvaluator(Evaluator):
    """Evaluator that compares the items of a reply with the answer set; a reply is correct if both are equal."""

    reading_type: ClassVar[type[Reading]] = SetReading
    rules: ClassVar[tuple[Rule, ...]] = (
        shared.only_declines,
        rules.judge_misspelt_set,
        rules.judge_whole_set,
        rules.judge_partial_set,
        *rules_of("set", wrong=0),
        rules.names_none,
    )

    def decide(self, reading: Reading) -> Judgment:
        """Return the first judgment of the rules; without a graph, the right answers are the only known names."""
        if reading.side.entities:
            return super().decide(reading)
        index = answers_index(reading.question)
        return super().decide(SetReading(index, reading.question, reading.reply, reading.response))
