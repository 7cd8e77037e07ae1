"""Evaluator of questions with options."""

from __future__ import annotations

import re
from typing import ClassVar

from msgspec.structs import replace

from factprobe.evaluators.base import Evaluator, graded
from factprobe.evaluators.options import rules
from factprobe.evaluators.options.options_reading import OptionsReading
from factprobe.evaluators.rules.base import Rule
from factprobe.reading.reading_base import Reading
from factprobe.reading.structure.cleaning import clean
from factprobe.records import Grade, Question, Response

_NEXT_TASK = re.compile(r"\n(?=(?:(?=[^\n]*(?:\?|__))[^\n]++\n){1,2}\n?\W{0,4}A[).:] *[^\n]+\n+\W{0,4}B[).:] )")
"""Pattern of the beginning of a further question with options that the model wrote."""
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")


class OptionsEvaluator(Evaluator):
    """Evaluator of multiple choice, by the options that a reply chooses; to choose two is incorrect."""

    reading_type: ClassVar[type[Reading]] = OptionsReading
    certain: ClassVar[tuple[Rule, ...]] = (rules.judge_text, rules.judge_letter, rules.judge_cut_in_list)
    """Rules for clear cases, in which the grading model is not asked."""
    rules: ClassVar[tuple[Rule, ...]] = (
        *certain,
        rules.chooses_several,
        rules.chooses_one,
        rules.says_none,
        rules.declines,
        rules.judge_similar,
        rules.names_none,
    )

    def grade(self, question: Question, response: Response) -> Grade:
        """Return the grade of a response; if it chooses no option and one phrase is bold, the grade of the phrase."""
        response = self.without_next_task(question, response)
        grade = super().grade(question, response)
        bold = _BOLD.findall(response.response or "") if grade.rule == rules.names_none.name else []
        chosen = self.judge(question, clean(bold[0][0] or bold[0][1])) if len(bold) == 1 else None
        return graded(question, response, chosen) if chosen and chosen.verdict != "unparsed" else grade

    def without_next_task(self, question: Question, response: Response) -> Response:
        """Return the response without a further question that the model wrote after it named an option."""
        reply = response.response or ""
        task = _NEXT_TASK.search(reply) if "\n" in reply else None
        if task is None:
            return response
        before = OptionsReading(self.index, question, clean(reply[: task.start()]))
        return replace(response, response=reply[: task.start()]) if before.option_mentions else response
