"""One option of several."""

from __future__ import annotations

import re
from string import ascii_uppercase

from factprobe.evaluators.base import Evaluator, Judgment
from factprobe.evaluators.mentions import NameTable, find, words_of
from factprobe.evaluators.reading import declines
from factprobe.records import Question
from factprobe.text import normalise

_LETTER_FIRST = re.compile(r"^\(?([A-Za-z])(?:[).:\]]|\s*$|\s*[-–—]\s)")
_LETTER_NAMED = re.compile(r"\b(?:option|choice|answer|letter)\s*(?:is\s*)?:?\s*\(?([A-Z])\b(?!\s+[a-z])")
_LETTER_ALONE = re.compile(r"(?<![\w'’])([A-Z])\)")


class ChoicesEvaluator(Evaluator):
    """An option is named by its letter, by its text, or by both; two options named are no choice."""

    def judge(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        if isinstance(question.answers, str):
            raise TypeError("a multiple-choice question has answers")
        names = [normalise(choice) for choice in question.choices]
        whole = normalise(reply)
        if whole in names:
            named, rule = {names.index(whole)}, "choice_text"
        else:
            letters = _letters(reply, len(names))
            texts = _texts(reply, question.choices)
            named, rule = (texts, "choice_text") if not letters else (letters | texts, "choice_letter")
        if not named:
            return (
                Judgment("abstained", "abstention") if declines(whole) else Judgment("unparsed", "no_choice", wrong=1)
            )
        if len(named) > 1:
            return Judgment("incorrect", "several_choices", wrong=1)
        right = {normalise(answer.label): answer.uri for answer in question.answers}
        uri = right.get(names[named.pop()])
        return Judgment("correct", rule, (uri,)) if uri is not None else Judgment("incorrect", rule, wrong=1)


def _letters(reply: str, count: int) -> set[int]:
    shown = ascii_uppercase[:count]
    first = _LETTER_FIRST.match(reply)
    letters = [first[1].upper()] if first else []
    letters += _LETTER_NAMED.findall(reply) + _LETTER_ALONE.findall(reply)
    return {shown.index(letter) for letter in letters if letter in shown}


def _texts(reply: str, choices: tuple[str, ...]) -> set[int]:
    """The options whose text stands in the reply, the longest at each place."""
    table = NameTable((str(i), [choice]) for i, choice in enumerate(choices))
    return {int(uri) for _, _, uris in find([table], words_of(reply)) for uri in uris}
