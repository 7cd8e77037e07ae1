"""True or false."""

from __future__ import annotations

import re

from factprobe.evaluators.base import Evaluator, Judgment
from factprobe.evaluators.mentions import find
from factprobe.evaluators.reading import declines, without_abstentions
from factprobe.evaluators.short import question_words
from factprobe.evaluators.words import Text, phrases, vocabulary
from factprobe.records import Question
from factprobe.text import normalise

_TRUE = phrases("binary_true")
_FALSE = phrases("binary_false")
_BOTH = re.compile(
    rf"\b(?:{_TRUE}|{_FALSE})(?: (?:or|and or) | ?/ ?)(?:(?:is it|it is|a|is) )?(?:not |in)?(?:{_TRUE}|{_FALSE}|not)\b"
)
_NOT = phrases("binary_not")
_DEGREE = (
    r"(?:entirely|quite|completely|fully|wholly|totally|necessarily|strictly|exactly|really|actually|in fact|at all)"
)
_SMALL = phrases("binary_small")
_LABEL = re.compile(
    rf"(?P<half>\b(?:partly|partially|half|semi|somewhat|mostly|largely|both|kind of|sort of|in part|"
    r"to some extent)\s+)?"
    rf"(?:\b(?P<negated>{_NOT})\s+(?:{_SMALL}\s+)*)?\b(?:(?P<yes>{_TRUE})|(?P<no>{_FALSE}))\b"
)
_EMPHASIS = re.compile(r"\b(?:definitely|certainly|absolutely|indeed|exactly|factually)\b")
"""They say yes where they stand alone."""
_PARTLY = re.compile(rf"\bnot\s+{_DEGREE}\s+(?:{_FALSE})\b")
_SURELY = re.compile(phrases("binary_surely"))
_NOUN = re.compile(phrases("binary_noun"))
_NO_OF_SOMETHING = re.compile(phrases("binary_no_of"))
_MENDED = re.compile(phrases("binary_mended"))
_CLAUSE = re.compile(
    r"[.!?\n;:]+(?=\s|$|[\"'*)])|,\s|\s[-–—]\s|\n|\(|[。！？，]|\s(?=(?:but|because|since|as|however|although|though)\s)"
)
_CONCLUDES = re.compile(
    r"\b(?:so|therefore|thus|hence|in conclusion|overall|conclusion|final answer|ultimately|in summary|"
    r"to conclude)\b"
)
_MENDS = re.compile(
    r"\b(?:wait|scratch that|correction|on second thoughts?|let me correct|i stand corrected|i meant)\b"
)
_ASKED = re.compile(r"(?:^|(?<=[.!?\n]))\s*(?:is|was|are|were|does|did)\b[^.!?\n]*\?", re.IGNORECASE)
"""A question that takes no side."""
_BELIEVED = re.compile(r"\b(?:at first|initially|i thought|(?:may|might) (?:seem|appear|sound))\b")
_POSSIBLE = re.compile(r"\b(?:possible|possibly|may|might|could)\b")
_WHETHER = re.compile(r"\b(?:if|whether)\b")
_MARKS = {"✓": "true", "✔": "true", "✅": "true", "☑": "true", "👍": "true"} | dict.fromkeys(
    ("✗", "✘", "❌", "✖", "👎", "❎"), "false"
)
_LETTERS = {"t": "correct", "f": "incorrect", "y": "correct", "n": "incorrect"}


class BinaryEvaluator(Evaluator):
    """The reply's first clause that takes a side decides, or its conclusion; one that takes both sides says nothing."""

    def judge(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        side, rule = self._side(question, reply)
        if side is None:
            if rule in ("no_label", "asked_back") and declines(normalise(reply)):
                return Judgment("abstained", "abstention")
            return Judgment("unparsed", rule, wrong=1)
        right = side == question.answers
        return Judgment("correct" if right else "incorrect", rule, wrong=int(not right))

    def _side(self, question: Question, reply: str) -> tuple[str | None, str]:
        whole = normalise(reply)
        if whole in _LETTERS:
            return _LETTERS[whole], "label"
        for mark, word in _MARKS.items():
            reply = reply.replace(mark, f" {word} . ") if mark in reply else reply
        prompt = question.prompts[-1].content
        text = self._without_names(reply, prompt) if len(whole) > 12 else reply
        asked = set(question_words(prompt))
        first: tuple[str | None, str] | None = None
        doubted = False
        announced = turns = False
        for piece in _pieces(_ASKED.sub(" ", text)):
            clause = normalise(piece)
            both = _BOTH.search(clause)
            if both:
                clause = _BOTH.sub(" ", clause)
                if not _LABEL.search(clause):
                    doubted = True
                    continue
            concludes = bool(_CONCLUDES.search(clause) or _MENDS.search(clause))
            only_announces = concludes and len(clause.split()) < 3 and not _LABEL.search(clause)
            concludes = concludes or announced
            announced = only_announces
            if first is not None and turns and _sides(clause, asked)[0] - {first[0]}:
                return None, "both_labels"
            turns = clause == "however"
            if only_announces or _BELIEVED.search(clause) or (first is not None and not concludes):
                continue
            said = _verdict(*_sides(clause, asked), concludes=first is not None)
            if said == (None, "both_labels") and not concludes:
                return said
            first = said or first
        if first is not None:
            return first
        if doubted:
            return None, "asked_back" if declines(whole) else "both_labels"
        return self._restated(question, reply)

    def _without_names(self, reply: str, prompt: str) -> str:
        """The reply without the names that the statement holds: the No of No Doubt takes no side."""
        asked = f" {' '.join(question_words(prompt))} "
        text = Text(reply)
        cut = [
            (start, end)
            for start, end, _ in find(self.index.tables(), text)
            if end - start > 1 and f" {' '.join(text.words[start:end])} " in asked
        ]
        for start, end in reversed(cut):
            last = text.source.find(text.raw[end - 1], text.starts[end - 1])
            stop = last + len(text.raw[end - 1]) if last >= 0 else text.starts[end - 1]
            text.source = f"{text.source[: text.starts[start]]}…{text.source[stop:]}"
        return text.source

    def _restated(self, question: Question, reply: str) -> tuple[str | None, str]:
        """The side of a reply that denies the statement in its own words: He was not born in Paris."""
        asked = set(question_words(question.prompts[-1].content))
        common = vocabulary("function")
        for sentence in re.split(r"[.!?\n]+(?:\s|$)", reply):
            words = normalise(sentence).split()
            told = [word for word in words if word not in common and not _LABEL.fullmatch(word)]
            shared = sum(word in asked for word in told)
            flat = " ".join(words)
            denies = re.search(r"\b(?:not|never|isnt|wasnt|arent|werent|didnt|doesnt)\b", flat)
            if _PARTLY.search(flat) or _POSSIBLE.search(flat):
                return None, "no_label"
            if denies and shared > 1 and shared * 2 >= len(told) and not declines(flat):
                return "incorrect", "restated"
        return None, "no_label"


def _verdict(sides: set[str], half: bool, *, concludes: bool) -> tuple[str | None, str] | None:
    """The side that a clause decides on, and the rule; None where it says nothing of it."""
    if half and not concludes:
        return None, "half_true"
    if len(sides) == 2:
        return None, "both_labels"
    return (min(sides), "conclusion" if concludes else "label") if sides else None


def _pieces(text: str) -> list[str]:
    return [piece for piece in _CLAUSE.split(text) if piece.strip()]


def _sides(clause: str, asked: set[str]) -> tuple[set[str], bool]:
    """The sides that a normalised clause takes, and whether it grants the statement in part only."""
    if declines(clause) and _WHETHER.search(clause):
        return set(), False
    decided = _PARTLY.sub(" ", without_abstentions(_SURELY.sub(" ", clause)))
    mended = _MENDED.search(decided)
    if mended:
        if not _LABEL.search(mended["rest"]):
            return {"correct" if asked.issuperset(mended["rest"].split()) else "incorrect"}, False
        decided = mended["rest"]
    noun = _NOUN.search(decided)
    if noun:
        if noun["noun"]:
            return ({"incorrect"} if noun["noun"] in ("truth", "basis", "way") else set()), False
        decided = decided[: noun.start()]
    plain = _EMPHASIS.sub(" ", decided)
    decided = plain if _LABEL.search(plain) else decided
    found = list(_LABEL.finditer(_NO_OF_SOMETHING.sub(" ", decided)))
    sides = {"correct" if (one["yes"] is not None) != (one["negated"] is not None) else "incorrect" for one in found}
    return (set(), True) if any(one["half"] for one in found) else (sides, False)
