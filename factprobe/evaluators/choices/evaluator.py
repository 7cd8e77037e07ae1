"""The evaluator of questions with options."""

from __future__ import annotations

import re
from typing import ClassVar

from factprobe.evaluators.base import Evaluator, graded
from factprobe.evaluators.choices.reading import OptionsReading
from factprobe.evaluators.rules import choices, shared
from factprobe.evaluators.rules.base import Rule
from factprobe.reading.cleaning import clean
from factprobe.reading.reading import Reading
from factprobe.records import Grade, Question, Response

_BOLD = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")


class ChoicesEvaluator(Evaluator):
    """An option is named by its letter, by its text, by its place, or by several of them; two named are no choice.

    What the reply commits to counts: options that it rules out, or tells of when it explains, are not chosen.
    """

    reading_type: ClassVar[type[Reading]] = OptionsReading
    rules: ClassVar[tuple[Rule, ...]] = (
        shared.only_declines,
        choices.names_several,
        choices.names_by_text,
        choices.names_by_letter,
        choices.names_by_place,
        choices.misspells,
        choices.eliminates,
        choices.remarks_on_each,
        choices.declines,
        choices.says_none,
        choices.names_none,
    )

    def grade(self, question: Question, response: Response) -> Grade:
        """See the base class; of options that are all repeated, the one in bold is chosen."""
        found = super().grade(question, response)
        bold = _BOLD.findall(response.response or "") if found.rule == "no_choice" else []
        chosen = self.judge(question, clean(bold[0][0] or bold[0][1])) if len(bold) == 1 else None
        return graded(question, response, chosen) if chosen and chosen.verdict != "unparsed" else found
