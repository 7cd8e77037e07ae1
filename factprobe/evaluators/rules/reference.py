"""Rules for answers of which only the right ones are known."""

from __future__ import annotations

from factprobe.evaluators.reference import conflicts, identity, value_conflicts
from factprobe.evaluators.reference.reading import SHORT, ReferenceReading, initials_of
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.reading.abstention import only_declines as is_only_refusal
from factprobe.reading.assertion import cues_in
from factprobe.reading.formulas import formula_of, in_line
from factprobe.reading.language import vocabulary
from factprobe.reading.quantities import quantities_of
from factprobe.reading.tokens import common_keys, key_of
from factprobe.reading.values import is_ordinal
from factprobe.records import Question
from factprobe.text import normalise

MODEL = "model"
"""Rule id of grades decided by the model."""
_EMPTY = frozenset(map(key_of, vocabulary("hedge", "exclamation")))
"""Keys of hedges and exclamations, which are no answer."""
_MOST_INITIALS = 5
_LONGEST_PERSON = 6
"""Maximal number of words of a reply that is only a person's name."""


def is_short(reading: ReferenceReading) -> bool:
    """Return whether a reply is short and contains a right name but for words of the question."""
    return len(reading.reply_words) <= SHORT and reading.is_complete


@rule("reference.declines_only", "abstained")
def only_declines(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Declines, and says nothing else."""
    is_phrase = is_only_refusal(reading.reply_words.keys)
    return Judgment("abstained", answer=reading.excerpt, why="only declines") if is_phrase else None


@rule("reference.same_text", "correct")
def same_text(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Is a right name character by character."""
    for name, uri in reading.right_names.items():
        if reading.reply == name.text:
            return Judgment("correct", matched=(uri,), answer=reading.reply, why=f"is {name.text!r}")
    return None


@rule("reference.exact", "correct")
def exact(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Is a right name, but for case, punctuation and articles."""
    keys = reading.reply_words.keys
    likely = [name for name in reading.right_names if len(keys) - len(name.keys) in (0, 1)]
    plain = reading.flat if likely else ""
    for name in likely:
        if normalise(name.text) == plain and keys[len(keys) - len(name.keys) :] == [*name.keys]:
            uri = reading.right_names[name]
            return Judgment("correct", matched=(uri,), answer=reading.reply, why=f"is {name.text!r}")
    return None


@rule("reference.formula", "correct", "incorrect")
def formula(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Has the formula, ratio or code that is the right answer sign by sign, or has it not."""
    patterns = {name: pattern for name in reading.right_names if (pattern := formula_of(name.text)) is not None}
    text = in_line(reading.reply) if patterns else ""
    for name, pattern in patterns.items():
        if found := pattern.search(text):
            uri = reading.right_names[name]
            return Judgment("correct", matched=(uri,), answer=found[0], why=f"has {name.text!r} sign by sign")
    if len(patterns) < len(reading.right_names) or not patterns:
        return None
    return Judgment("incorrect", wrong=1, answer=reading.excerpt, why=f"lacks {next(iter(patterns)).text!r}")


@rule("reference.value", "correct")
def value(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Is the right date or number, as exact or rounded to a decimal, and nothing else but words of the question."""
    said = reading.bare_value
    for name, uri in reading.right_names.items() if said is not None else ():
        right = name.value
        if said is None or right is None:
            continue
        answer = reading.reply_words.source[said.start : said.end]
        is_same = said.answers(right) and right.answers(said) and is_ordinal(answer) == is_ordinal(name.text)
        if is_same or said.rounds(right):
            return Judgment("correct", matched=(uri,), answer=answer, why=f"is {name.text!r}")
    return None


@rule("reference.initials", "correct")
def initials(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Has the initials of the right name, or the words that it is the initials of: FBI, World War II for WWII."""
    said, names = reading.reply_words, reading.right_names
    if len(said) > SHORT:
        return None
    capitals = {raw for raw in said.raw if len(raw) > 1 and raw.isupper()}
    short_names = [name for name in names if 1 < len(name.text) <= _MOST_INITIALS and name.text.isupper()]
    if not (capitals or short_names) or any(cue.kind == "denies" for cue in cues_in(said)):
        return None
    asked = reading.question_tokens.raw
    for name, uri in names.items():
        short = initials_of(name.words) if capitals and len(name.words) > 1 else ""
        if len(short) > 1 and short in capitals and short.lower() not in asked:
            return Judgment("correct", matched=(uri,), answer=short, why=f"has the initials of {name.text!r}")
    spelled = initials_of(said) if short_names else ""
    for name in short_names:
        if name.text in spelled and name.text not in reading.reply and name.text.lower() not in asked:
            return Judgment("correct", matched=(names[name],), answer=reading.reply, why=f"spells out {name.text!r}")
    return None


@rule("reference.quantity", "correct", "incorrect")
def quantity(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Is a quantity in several units or a time, as the right answer is: the same or another one."""
    rights = {name: found for name in reading.right_names if (found := quantities_of(name.text))}
    said = quantities_of(reading.reply) if rights else frozenset()
    for name, found in rights.items():
        if not found.isdisjoint(said):
            uri = reading.right_names[name]
            return Judgment("correct", matched=(uri,), answer=reading.reply, why=f"is as much as {name.text!r}")
    if not said or len(rights) < len(reading.right_names):
        return None
    return _against(reading, f"is another quantity than {next(iter(rights)).text!r}")


@rule("reference.not_value", "incorrect")
def not_value(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Is another date or number than the right one, and nothing else but words of the question."""
    said, rights = reading.bare_value, [name.value for name in reading.right_names]
    if said is None or any(right is None or said.may_be(right) for right in rights):
        return None
    return _against(reading, f"is not {reading.evidence.name.text!r}")


@rule("reference.other_name", "incorrect")
def other_name(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Says a name with another number, letter or sign, or is nothing but a longer name."""
    return _against(
        reading,
        identity.check_identity(reading.evidence),
    )


@rule("reference.other_word", "incorrect")
def other_word(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Has one word that resembles the right one and is another."""
    return _against(reading, identity.check_word(reading.evidence))


@rule("reference.other_person", "incorrect")
def other_person(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Has another first name or surname in the place of the right person's."""
    is_bare = len(reading.reply_words) <= _LONGEST_PERSON
    return _against(reading, identity.check_person(reading.evidence)) if is_bare else None


@rule("reference.denied", "incorrect", when=is_short)
def denied(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Says the right name only to deny it, as what others believe, or as that of a relative of another."""
    return _against(reading, conflicts.check_assertion(reading.evidence))


@rule("reference.turns_away", "incorrect", when=is_short)
def turns_away(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Says the right name and then turns to another one: "but", "no, wait", "the correct answer is"."""
    return _against(reading, conflicts.check_retraction(reading.evidence))


@rule("reference.beyond", "incorrect", when=is_short)
def beyond(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Says that a number is more or less than the right one, or gives the decade of a year."""
    return _against(reading, value_conflicts.check_bounds(reading.evidence))


@rule("reference.list", "incorrect", when=is_short)
def several(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Is only a list of two to five names that are not all right."""
    return _against(reading, conflicts.check_list(reading.evidence))


@rule("reference.less_exact", "incorrect")
def less_exact(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Gives a less precise date than the question asks for."""
    return _against(reading, value_conflicts.check_precision(reading.evidence))


@rule("reference.other_value", "incorrect", when=is_short)
def other_value(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Gives another value in the words of the question, and the right one in others."""
    return _against(reading, value_conflicts.check_values(reading.evidence))


@rule("reference.concludes", "incorrect", when=is_short)
def concludes(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Gives another answer in a line of its own, or concludes with one."""
    return _against(reading, conflicts.check_final_answer(reading.evidence))


def _against(reading: ReferenceReading, why: str) -> Judgment | None:
    return Judgment("incorrect", wrong=1, answer=reading.excerpt, why=why) if why else None


@rule("reference.declines", "abstained")
def declines(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Declines, and says no right name."""
    return Judgment("abstained", answer=reading.excerpt, why="declines") if reading.declines else None


@rule("reference.no_answer", "unparsed")
def gives_no_answer(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Repeats the question or asks back, and says nothing else."""
    said, asked = reading.reply_words, reading.question_tokens.keys
    is_letter = len(said) == 1 and said.raw[0].isupper() and len(said.raw[0]) == 1
    is_empty = not is_letter and all(key in asked or key in _EMPTY or key in common_keys() for key in said.keys)
    if not is_empty and not reading.reply.rstrip().endswith("?"):
        return None
    return Judgment("unparsed", wrong=1, why="only repeats the question or asks back")
