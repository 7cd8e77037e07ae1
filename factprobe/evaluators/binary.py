"""True or false."""

from __future__ import annotations

import re

from factprobe.evaluators.base import Evaluator
from factprobe.evaluators.labels import (
    ASIDE,
    LABEL,
    PARTLY,
    POSSIBLE,
    is_title,
    label_alone,
    label_in,
    pick,
    without_questions,
)
from factprobe.evaluators.rules.base import Judgment
from factprobe.evaluators.statement import retold, says_again
from factprobe.reading.abstention import declines
from factprobe.reading.asked import asked_of
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.tables import find
from factprobe.reading.words import Text
from factprobe.records import Question
from factprobe.text import normalise

_DENIES = re.compile(rf"\b(?:{phrases('binary_restates_not')})\b")
_CANNOT = re.compile(phrases("binary_declines"))
_MARKS = {"✓": "true", "✔": "true", "✅": "true", "☑": "true", "👍": "true"} | dict.fromkeys(
    ("✗", "✘", "❌", "✖", "👎", "❎"), "false"
)
_WIDE = re.compile(f"(?P<no>{phrases('binary_wide_false')})|(?:{phrases('binary_wide_true')})")


class BinaryEvaluator(Evaluator):
    """The reply's first clause that takes a side decides, or its conclusion; one that takes both sides says nothing.

    Where no clause has a word for a side, what the reply tells in the statement's place decides.
    """

    def judge(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        side, rule = self._side(question, reply)
        if side is None:
            whole = normalise(reply)
            if rule in ("no_label", "doubted", "asked_back") and (declines(whole) or _CANNOT.search(whole)):
                return Judgment("abstained", "abstention")
            return Judgment("unparsed", rule, wrong=1)
        right = side == question.answers
        return Judgment("correct" if right else "incorrect", rule, wrong=int(not right))

    def _side(self, question: Question, reply: str) -> tuple[str | None, str]:
        whole = normalise(reply)
        alone = label_alone(whole)
        if alone is not None:
            return alone
        asked = asked_of(self.index, question)
        if says_again(asked, reply):
            return "correct", "restated"
        for mark, word in _MARKS.items():
            reply = reply.replace(mark, f" {word} . ") if mark in reply else reply
        if not reply.isascii():
            reply = _WIDE.sub(lambda found: " false " if found["no"] else " true ", reply)
        words = vocabulary("task").union(asked.words)
        text = self._without_names(reply, asked.words) if len(whole) > 12 else reply
        side, rule, rank = label_in(without_questions(pick(text)), words)
        if rank != ASIDE or rule not in ("label", "no_label"):
            return side, rule
        told = retold(self.index, asked, reply)
        if told and (side, told) != ("incorrect", "correct"):
            return told, "restated"
        return (side, rule) if side else self._restated(words, reply)

    def _without_names(self, reply: str, words: tuple[str, ...]) -> str:
        """The reply without the names that the statement holds: the No of No Doubt takes no side."""
        asked = f" {' '.join(words)} "
        text = Text(reply)
        cut = [
            (start, end)
            for start, end, _ in find(self.index.tables(), text)
            if (end - start > 1 or is_title(text, start)) and f" {' '.join(text.words[start:end])} " in asked
        ]
        return text.replaced((text.starts[start], text.span(end - 1)[1], "§") for start, end in cut)

    def _restated(self, asked: frozenset[str], reply: str) -> tuple[str | None, str]:
        """The side of a reply that denies the statement in its own words: He was not born in Paris."""
        common = vocabulary("function")
        for sentence in re.split(r"[.!?\n]+(?:\s|$)", reply):
            words = normalise(sentence).split()
            told = [word for word in words if word not in common and not LABEL.fullmatch(word)]
            shared = sum(word in asked for word in told)
            flat = " ".join(words)
            denies = _DENIES.search(flat)
            if PARTLY.search(flat) or POSSIBLE.search(flat):
                return None, "no_label"
            if denies and shared > 1 and shared * 2 >= len(told) and not declines(flat):
                return "incorrect", "restated"
        return None, "no_label"
