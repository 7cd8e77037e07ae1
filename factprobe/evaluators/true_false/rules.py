"""Rules on true/false questions: the side that a reply takes on the statement."""

from __future__ import annotations

from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.evaluators.true_false.reading import StatementReading
from factprobe.evaluators.true_false.sides import How
from factprobe.reading.names.near import Known, misspelt
from factprobe.records import Question

_SIDE = {1: "correct", -1: "incorrect"}
_LABELS: tuple[How, ...] = ("judged", "answered")
_OTHER_WORDS: tuple[How, ...] = ("agrees", "stray", "possible")


@rule("true_false.label_alone", "correct", "incorrect")
def is_label(reading: StatementReading, question: Question) -> Judgment | None:
    """Is a word, letter or sign for true or false, and nothing else."""
    if reading.letter:
        return _by(reading.letter, question, reading.reply, f"is a letter for {_SIDE[reading.letter]}")
    side = reading.taken if reading.is_label else None
    return _by(side.side, question, reading.reply, f"is a word for {_SIDE[side.side]}") if side else None


@rule("true_false.misspelt_label", "correct", "incorrect")
def is_misspelt_label(reading: StatementReading, question: Question) -> Judgment | None:
    """Misspells "correct" or "incorrect", and says nothing else."""
    whole = reading.flat
    if not whole.isalpha() or not misspelt(whole, (*_SIDE.values(),), Known(())):
        return None
    side = -1 if _SIDE[-1].startswith(whole[:2]) else 1
    return _by(side, question, reading.reply, f"nearly is {_SIDE[side]}")


@rule("true_false.restated_with_pronoun", "correct", "incorrect")
def says_it_again(reading: StatementReading, question: Question) -> Judgment | None:
    """Is the statement, or what it denies, with a pronoun for the name that it is about."""
    if not reading.repeated:
        return None
    return _by(reading.repeated, question, reading.reply, "has a pronoun for a name")


@rule("true_false.conclusion", "correct", "incorrect")
def concludes(reading: StatementReading, question: Question) -> Judgment | None:
    """Judges the statement at the end of its reasoning, or where it corrects itself."""
    side = reading.taken
    return _decided(reading, question, _LABELS, "concludes that it is") if side and side.is_conclusion else None


@rule("true_false.label", "correct", "incorrect")
def has_label(reading: StatementReading, question: Question) -> Judgment | None:
    """Judges the statement by a word for true or false, or by yes or no."""
    return _decided(reading, question, _LABELS, "says that it is")


@rule("true_false.label_beside_other_words", "correct", "incorrect")
def judges_otherwise(reading: StatementReading, question: Question) -> Judgment | None:
    """Judges the statement in other words, or beside something else."""
    return _decided(reading, question, _OTHER_WORDS, "says in other words that it is")


@rule("true_false.entailment", "correct", "incorrect")
def tells_in_its_place(reading: StatementReading, question: Question) -> Judgment | None:
    """Affirms or denies what the statement says, or names another entity in the place of one of the statement's."""
    side = reading.taken
    return _decided(reading, question, (side.how,), "says what makes it") if side else None


@rule("true_false.declines", "abstained")
def declines(reading: StatementReading, _: Question) -> Judgment | None:
    """Declines to judge, and takes no side."""
    if not reading.sides.declines:
        return None
    return Judgment("abstained", answer=reading.excerpt, why="declines, and takes no side")


@rule("true_false.both_labels", "unparsed")
def takes_both_sides(reading: StatementReading, _: Question) -> Judgment | None:
    """Takes both sides, or grants the statement in part only."""
    if not (reading.sides.open or reading.sides.halves):
        return None
    return Judgment("unparsed", wrong=1, answer=reading.excerpt, why="takes both sides, or grants a part")


@rule("true_false.no_label", "unparsed")
def takes_no_side(reading: StatementReading, _: Question) -> Judgment | None:
    """Takes no side: repeats the statement, asks back, or talks of something else."""
    return Judgment("unparsed", wrong=1, answer=reading.excerpt, why="takes no side")


def _decided(reading: StatementReading, question: Question, hows: tuple[How, ...], says: str) -> Judgment | None:
    """Return the judgment on a reply that takes a side in one of some ways."""
    side = reading.taken
    if side is None or side.how not in hows:
        return None
    return _by(side.side, question, reading.quoted(side.clause), f"{says} {_SIDE[side.side]}")


def _by(side: int, question: Question, answer: str, why: str) -> Judgment:
    """Return the judgment on a reply that takes a side."""
    if _SIDE[side] == question.answers:
        return Judgment("correct", answer=answer, why=why)
    return Judgment("incorrect", wrong=1, answer=answer, why=why)
