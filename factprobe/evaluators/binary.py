"""True or false."""

from __future__ import annotations

import re

from factprobe.evaluators.base import Evaluator, Judgment
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
from factprobe.evaluators.short import question_words
from factprobe.evaluators.statement import retold
from factprobe.reading.abstention import declines
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
        for mark, word in _MARKS.items():
            reply = reply.replace(mark, f" {word} . ") if mark in reply else reply
        if not reply.isascii():
            reply = _WIDE.sub(lambda found: " false " if found["no"] else " true ", reply)
        prompt = question.prompts[-1].content
        text = self._without_names(reply, prompt) if len(whole) > 12 else reply
        side, rule, rank = label_in(without_questions(pick(text)), set(question_words(prompt)))
        if rank != ASIDE or rule not in ("label", "no_label"):
            return side, rule
        told = retold(self.index, question, reply)
        if told and (side, told) != ("incorrect", "correct"):
            return told, "restated"
        return (side, rule) if side else self._restated(question, reply)

    def _without_names(self, reply: str, prompt: str) -> str:
        """The reply without the names that the statement holds: the No of No Doubt takes no side."""
        asked = f" {' '.join(question_words(prompt))} "
        text = Text(reply)
        cut = [
            (start, end)
            for start, end, _ in find(self.index.tables(), text)
            if (end - start > 1 or is_title(text, start)) and f" {' '.join(text.words[start:end])} " in asked
        ]
        return text.replaced((text.starts[start], text.span(end - 1)[1], "§") for start, end in cut)

    def _restated(self, question: Question, reply: str) -> tuple[str | None, str]:
        """The side of a reply that denies the statement in its own words: He was not born in Paris."""
        asked = set(question_words(question.prompts[-1].content))
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
