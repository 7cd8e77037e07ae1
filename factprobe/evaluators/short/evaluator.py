"""The evaluators of answers in words."""

from __future__ import annotations

import re
from typing import ClassVar

from msgspec.structs import replace

from factprobe.evaluators.base import Evaluator
from factprobe.evaluators.rules import lists, shared, single
from factprobe.evaluators.rules.base import Judgment, Rule
from factprobe.evaluators.short.lists import ListReading
from factprobe.evaluators.short.single import SingleReading
from factprobe.reading.names.index import answers_of
from factprobe.reading.reading import Reading
from factprobe.reading.values import value_of

_OTHER_SCRIPT = re.compile(r"[\u0370-\u1dff\u3040-\ud7ff]")
"""Letters that are not Latin."""


class ShortEvaluator(Evaluator):
    """What the evaluators of answers in words share."""

    misspelt: ClassVar[Rule]
    """The rule on a right answer that is misspelt or transliterated."""

    def decide(self, reading: Reading) -> Judgment:
        """See the base class; what is written in another script is read in Latin letters as well."""
        found = super().decide(reading)
        if found.verdict != "incorrect" or reading.reply.isascii() or not _OTHER_SCRIPT.search(reading.reply):
            return found
        names = (name for answer in answers_of(reading.question) for name in answer.names())
        if any(value_of(name) is None for name in names):  # a value is read as it stands
            from anyascii import anyascii

            latin = super().decide(self.reading_type(self.index, reading.question, anyascii(reading.reply)))
            if latin.verdict == "correct":
                return replace(latin, rule=self.misspelt.name)
        return found


class SingleEvaluator(ShortEvaluator):
    """What the reply commits to decides: it must name the right entity and no other."""

    misspelt: ClassVar[Rule] = single.misspells
    reading_type: ClassVar[type[Reading]] = SingleReading
    rules: ClassVar[tuple[Rule, ...]] = (
        single.exact,
        single.alias,
        shared.only_declines,
        single.declines,
        single.doubts,
        single.gives_no_answer,
        single.only_rules_out,
        single.only_near,
        single.names_nothing_known,
        single.answers_with_another,
        single.names_outdated,
        single.names_another,
        single.names_several,
        single.turns_to_unknown,
        single.misspells,
        single.gives_value,
        single.names_by_form,
        single.names_it,
    )


class MultipleEvaluator(ShortEvaluator):
    """The reply's items against the answer set; correct when they are the same set."""

    misspelt: ClassVar[Rule] = lists.is_the_set_misspelt
    reading_type: ClassVar[type[Reading]] = ListReading
    rules: ClassVar[tuple[Rule, ...]] = (
        shared.only_declines,
        lists.declines,
        lists.only_rules_out,
        lists.doubts,
        lists.gives_no_answer,
        lists.is_the_set_misspelt,
        lists.is_the_set,
        lists.is_part_of_the_set,
        lists.names_outdated,
        lists.names_none,
    )
