"""The evaluator of questions with options."""

from __future__ import annotations

import re
from typing import ClassVar

from msgspec.structs import replace

from factprobe.evaluators.base import Evaluator, graded
from factprobe.evaluators.choices.reading import OptionsReading
from factprobe.evaluators.rules import choices, shared
from factprobe.evaluators.rules.base import Rule
from factprobe.reading.cleaning import clean
from factprobe.reading.reading import Reading
from factprobe.records import Grade, Question, Response
from factprobe.text import normalise

_NEXT_TASK = re.compile(
    r"\n(?=(?:(?=[^\n]*(?:\?|__))[^\n]++\n){1,2}\n?"
    r"\W{0,4}A[).:] *(?P<first>[^\n]+)\n+\W{0,4}B[).:] *(?P<second>[^\n]+))"
)
"""Where a question with options begins that the model went on to write."""
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")


class ChoicesEvaluator(Evaluator):
    """An option is named by its letter, by its text, by its place, or by several of them; two named are no choice.

    What the reply commits to counts: options that it rules out, or tells of when it explains, are not chosen.
    """

    reading_type: ClassVar[type[Reading]] = OptionsReading
    rules: ClassVar[tuple[Rule, ...]] = (
        shared.only_declines,
        choices.is_cut_while_listing,
        choices.names_several,
        choices.names_by_text,
        choices.names_by_letter,
        choices.names_by_place,
        choices.misspells,
        choices.eliminates,
        choices.remarks_on_each,
        choices.says_in_other_words,
        choices.declines,
        choices.says_none,
        choices.names_none,
    )

    def grade(self, question: Question, response: Response) -> Grade:
        """See the base class; of options that are all repeated, the one in bold is chosen."""
        if response.response and "\n" in response.response:
            response = _without_next_task(response, question)
        found = super().grade(question, response)
        bold = _BOLD.findall(response.response or "") if found.rule == choices.names_none.name else []
        chosen = self.judge(question, clean(bold[0][0] or bold[0][1])) if len(bold) == 1 else None
        return graded(question, response, chosen) if chosen and chosen.verdict != "unparsed" else found


def _without_next_task(response: Response, question: Question) -> Response:
    """The response without a question with other options that the model went on to write, and what is behind it."""
    reply = response.response or ""
    task = _NEXT_TASK.search(reply)
    if task is None or not any(map(str.isalnum, reply[: task.start()])):
        return response
    own = set(map(normalise, question.choices))
    is_other = own.isdisjoint((normalise(task["first"]), normalise(task["second"])))
    return replace(response, response=reply[: task.start()]) if is_other else response
