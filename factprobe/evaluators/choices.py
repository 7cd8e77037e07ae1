"""One option of several."""

from __future__ import annotations

import re
from string import ascii_uppercase

from factprobe.evaluators.base import Evaluator, Judgment
from factprobe.evaluators.mentions import NameTable, find, words_of
from factprobe.evaluators.reading import declines
from factprobe.records import Entity, Question
from factprobe.text import normalise, one_line

_FIRST = re.compile(r"^[\[(]?([A-Za-z])(?:[\]).:,]|\s*$|\s*[-–—]\s)")
_LED = re.compile(r"\b(?i:option|choice|answer|letter)\s*(?:(?i:is)\b)?\s*:?\s*[\[(]?([A-Za-z])\b(?!['’]|\s+[a-z])")
_BRACKETED = re.compile(r"(?<![\w'’])([A-Z])[\])]")
_ALONE = re.compile(r"(?<![\w'’&-])([A-HJ-Z])(?=\s*(?:[.,;!?/&]|$)|\s+(?:is|or|and)\b)", re.MULTILINE)


class ChoicesEvaluator(Evaluator):
    """An option is named by its letter, by its text, or by both; two options named are no choice.

    Of the texts, those of the first sentence that names one count: what follows explains.
    """

    def judge(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        named, rule = self._named(question, reply)
        if not named and declines(normalise(reply)):
            return Judgment("abstained", "abstention")
        if not named:
            return Judgment("unparsed", "no_choice", wrong=1)
        if len(named) > 1:
            return Judgment("incorrect", "several_choices", wrong=1)
        chosen = question.choices[min(named)]
        for answer in question.answers:
            if not isinstance(answer, str) and answer.label == chosen:
                return Judgment("correct", rule, (answer.uri,))
        return Judgment("incorrect", rule, wrong=1)

    def _named(self, question: Question, reply: str) -> tuple[set[int], str]:
        """The options that a reply names, by their number, and the rule that found them."""
        shown = [one_line(choice) for choice in question.choices]
        whole = one_line(reply)
        if shown.count(whole) == 1:
            return {shown.index(whole)}, "choice_text"
        given = self.index.asked_about(question)
        letters = _letters(_without([*shown, *(given.names() if given else ())], reply), len(shown))
        texts = _texts(reply, question.choices, given)
        if letters and letters < texts:  # texts that differ in form only; the letter tells them apart
            texts = letters
        return (letters | texts, "choice_letter") if letters else (texts, "choice_text")


def _without(names: list[str], reply: str) -> str:
    """The reply without these names: the B of Vitamin B is no letter of an option."""
    longer = sorted((re.escape(name) for name in names if len(name) > 1), key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(longer)})(?!\w)", "…", reply) if longer else reply


def _letters(reply: str, count: int) -> set[int]:
    letters = [letter for pattern in (_FIRST, _LED, _BRACKETED, _ALONE) for letter in pattern.findall(reply)]
    return {ascii_uppercase.index(letter.upper()) for letter in letters if letter.upper() in ascii_uppercase[:count]}


def _texts(reply: str, choices: tuple[str, ...], given: Entity | None) -> set[int]:
    """The options whose text stands in the first sentence that has any, the longest at each place.

    The name that the question gives is passed over: to repeat it is no choice.
    """
    options = NameTable((str(i), [choice]) for i, choice in enumerate(choices))
    echo = NameTable([("", given.names())] if given else [])
    words = words_of(reply)
    found = [(words[start].sentence, uris - {""}) for start, _, uris in find([options, echo], words) if uris != {""}]
    return {int(uri) for sentence, uris in found if sentence == found[0][0] for uri in uris}
