"""True or false."""

from __future__ import annotations

import re

from factprobe.evaluators.base import Evaluator, Judgment
from factprobe.evaluators.reading import declines, without_abstentions
from factprobe.records import Question
from factprobe.text import normalise

_DEGREE = r"entirely|quite|completely|fully|wholly|totally|necessarily"
_NOT = rf"(?:not|isnt|wasnt|arent|never)\s+(?:(?:really|{_DEGREE}|a|the)\s+)*"
_YES = r"correct|true|yes|right|accurate|yeah|yep"
_NO = r"incorrect|false|no|wrong|untrue|inaccurate|nope"
_PARTLY = re.compile(rf"\bnot\s+(?:{_DEGREE})\s+(?:{_NO})\b")
_LABEL = re.compile(rf"\b(?P<negated>{_NOT})?(?:(?P<yes>{_YES})|(?P<no>{_NO}))\b")
_WHETHER = re.compile(r"\b(?:if|whether)\b")
_CLAUSE = re.compile(r"[.!?\n;]+|,\s")


class BinaryEvaluator(Evaluator):
    """The reply's first clause that takes a side decides; one that takes both sides says nothing."""

    def judge(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        for clause in map(normalise, _CLAUSE.split(reply)):
            sides = set(_sides(clause))
            if len(sides) == 2:
                return Judgment("unparsed", "both_labels", wrong=1)
            if sides:
                right = sides == {question.answers}
                return Judgment("correct" if right else "incorrect", "label", wrong=int(not right))
        if declines(normalise(reply)):
            return Judgment("abstained", "abstention")
        return Judgment("unparsed", "no_label", wrong=1)


def _sides(clause: str) -> list[str]:
    """The sides that a normalised clause takes. One that doubts whether something holds takes none."""
    if declines(clause) and _WHETHER.search(clause):
        return []
    # "not entirely incorrect" takes no side; "not entirely correct" does.
    decided = _PARTLY.sub(" ", without_abstentions(clause))
    return [
        "correct" if (found["yes"] is not None) != (found["negated"] is not None) else "incorrect"
        for found in _LABEL.finditer(decided)
    ]
