"""Rules for clear cases, and for replies without an answer. The docstring of a rule completes "The reply …"."""

from __future__ import annotations

import re
from itertools import pairwise

from factprobe.evaluators.reference.reference_reading import MAX_SHORT_WORDS, ReferenceReading
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.reading.assertion import cues_in, denies
from factprobe.reading.language import vocabulary
from factprobe.reading.names.acronyms import acronym_of, initials_of
from factprobe.reading.tokenisation.tokens import Words, common_keys
from factprobe.reading.values.formulas import formula_of, in_line, is_in_words
from factprobe.records import Question
from factprobe.text import normalise

BY_GRADING_MODEL = "model"
"""Rule id of grades that the grading model decided."""
_MAX_INITIALS = 5
_JOINT = re.compile(r"(?<=\w)[\s-]+(?=\w)")
_MIN_JOINED = 6
"""Minimum number of letters of names that are compared without spaces and hyphens."""


@rule("reference.exact", "correct")
def judge_exact(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Is a right name, apart from case, punctuation, spaces and articles."""
    keys, letters = reading.reply_words.keys, _joined_letters(reading.reply)
    for name, uri in reading.right_names.items():
        is_alike = keys[len(keys) - len(name.keys) :] == [*name.keys] and normalise(name.text) == reading.flat
        is_alike = is_alike or (letters != "" and letters == _joined_letters(name.text))
        if name.text == reading.reply or (is_alike and name.value is None):
            return Judgment("correct", matched=(uri,), answer=reading.reply, why=f"is {name.text!r}")
    return None


def _joined_letters(text: str) -> str:
    """Return a text without spaces and hyphens (north-east: northeast); empty if it is short or has other signs."""
    letters = _JOINT.sub("", text.strip(" .!")).casefold()
    return letters if letters.isalpha() and len(letters) >= _MIN_JOINED else ""


@rule("reference.formula", "correct", "incorrect")
def judge_formula(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Has the right formula sign by sign, or lacks it."""
    names = (name for name in reading.right_names if name.value is None)
    patterns = {name: pattern for name in names if (pattern := formula_of(name.text)) is not None}
    text = in_line(reading.reply) if patterns else ""
    for name, pattern in patterns.items():
        match = pattern.search(text)
        if match and denies(text[: match.start()]):
            return None
        if match or text.strip(" .") == in_line(name.text).rpartition("=")[2].strip():
            uri, answer = reading.right_names[name], match[0] if match else text
            return Judgment("correct", matched=(uri,), answer=answer, why=f"has {name.text!r} sign by sign")
    if len(patterns) < len(reading.right_names) or not patterns:
        return None
    if any(is_in_words(name.text, reading.reply) for name in patterns):
        return None  # p less than 0.05
    return Judgment("incorrect", wrong=1, answer=reading.excerpt, why=f"lacks {next(iter(patterns)).text!r}")


@rule("reference.initials", "correct")
def judge_initials(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Has the initials of the right name, or spells them out: FBI, World War II for WWII."""
    reply, names = reading.reply_words, reading.right_names
    if len(reply) > MAX_SHORT_WORDS:
        return None
    capitals = {raw for raw in reply.raw if len(raw) > 1 and raw.isupper()}
    numbered = (Words(f"{one} {other}") for one, other in pairwise(reply.raw) if one in capitals and other.isdecimal())
    capitals.update(map(initials_of, numbered))  # WW II
    short_names = [name for name in names if 1 < len(name.text) <= _MAX_INITIALS and name.text.isupper()]
    if not (capitals or short_names) or any(cue.kind == "denies" for cue in cues_in(reply)):
        return None
    asked, same = reading.question_tokens.raw, vocabulary("country_of_states")
    for name, uri in names.items():
        if name.text.lower() in same and (found := {one for one in capitals if one.lower() in same.difference(asked)}):
            return Judgment("correct", matched=(uri,), answer=min(found), why=f"is short for {name.text!r}")
        short = "" if name.text.islower() else acronym_of(name.text).upper()
        if short in capitals and short.lower() not in asked:
            return Judgment("correct", matched=(uri,), answer=short, why=f"has the initials of {name.text!r}")
    spelled = initials_of(reply) if short_names else ""
    for name in short_names:
        if name.text in spelled and name.text not in reading.reply and name.text.lower() not in asked:
            return Judgment("correct", matched=(names[name],), answer=reading.reply, why=f"spells out {name.text!r}")
    return None


@rule("reference.declines", "abstained")
def declines(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Declines, and names no right answer."""
    return Judgment("abstained", answer=reading.excerpt, why="declines") if reading.declines else None


@rule("reference.no_answer", "unparsed")
def gives_no_answer(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Only repeats the question. If the question offers a right name, no word counts as repeated."""
    reply, asked = reading.reply_words, set(reading.question_tokens.keys)
    if any(asked.issuperset(name.keys) for name in reading.right_names):
        asked = set()
    is_letter = len(reply) == 1 and reply.raw[0].isupper() and len(reply.raw[0]) == 1
    empty = common_keys().difference(*[name.keys for name in reading.right_names])  # May 1945
    if is_letter or not empty.union(asked).issuperset(reply.keys) or reading.is_complete:
        return None
    return Judgment("unparsed", wrong=1, why="only repeats the question")


@rule("reference.asks_back", "unparsed", when=lambda reading: reading.reply.rstrip().endswith("?"))
def asks_back(_: ReferenceReading, __: Question) -> Judgment:
    """Ends in a question."""
    return Judgment("unparsed", wrong=1, why="asks back")
