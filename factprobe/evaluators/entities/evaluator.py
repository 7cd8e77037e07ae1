"""Base class of the evaluators of answers in words."""

from __future__ import annotations

import re
from typing import ClassVar

from msgspec.structs import replace

from factprobe.evaluators.base import Evaluator
from factprobe.evaluators.rules.base import Judgment, Rule
from factprobe.reading.names.index import answers_of
from factprobe.reading.reading import Reading
from factprobe.reading.values import value_of

_OTHER_SCRIPT = re.compile(r"[\u0370-\u1dff\u3040-\ud7ff]")
"""Pattern of non-Latin letters."""


class EntityEvaluator(Evaluator):
    """Evaluator of answers in words; a wrong reply in another script is transliterated and graded again."""

    misspelt: ClassVar[Rule]
    """Rule on misspelt or transliterated right answers."""

    def decide(self, reading: Reading) -> Judgment:
        """See the base class."""
        found = super().decide(reading)
        if found.verdict != "incorrect" or reading.reply.isascii() or not _OTHER_SCRIPT.search(reading.reply):
            return found
        names = (name for answer in answers_of(reading.question) for name in answer.names())
        if any(value_of(name) is None for name in names):  # values are not transliterated
            from anyascii import anyascii

            latin = super().decide(self.reading_type(self.index, reading.question, anyascii(reading.reply)))
            if latin.verdict == "correct":
                return replace(latin, rule=self.misspelt.name)
        return found
