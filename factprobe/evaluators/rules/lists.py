"""The rules on a set of answers in words: the reply must name all of them and nothing else."""

from __future__ import annotations

from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.evaluators.rules.shared import outdated_among
from factprobe.evaluators.short.lists import ListReading
from factprobe.evaluators.short.talk import fills_in
from factprobe.records import Question


@rule("set.declines", "abstained")
def declines(reading: ListReading, _: Question) -> Judgment | None:
    """Declines, and gives no answer."""
    if reading.names_none and reading.declines and not reading.guesses:
        return Judgment("abstained", answer=reading.excerpt, why=reading.why("declines"))
    return None


@rule("set.negated", "incorrect")
def only_rules_out(reading: ListReading, _: Question) -> Judgment | None:
    """Rules names out and gives none."""
    if reading.gives_none and reading.stance.ruled_out:
        return Judgment("incorrect", why=reading.why("gives no answer"))
    return None


@rule("set.hedged", "abstained")
def doubts(reading: ListReading, _: Question) -> Judgment | None:
    """Only wonders about a name."""
    if reading.gives_none and reading.stance.doubted:
        return Judgment("abstained", why=reading.why("gives no answer"))
    return None


@rule("set.no_answer", "unparsed")
def gives_no_answer(reading: ListReading, _: Question) -> Judgment | None:
    """Gives no answer: repeats the question, asks back, or only talks."""
    if reading.gives_none and not fills_in(reading):
        return Judgment("unparsed", why=reading.why("repeats the question, asks back or only talks"))
    return None


@rule("set.misspelt", "correct")
def is_the_set_misspelt(reading: ListReading, _: Question) -> Judgment | None:
    """Names all the right answers and nothing else, with slips."""
    return _whole_set(reading, "names all of them, some nearly") if reading.spelt else None


@rule("set.exact", "correct")
def is_the_set(reading: ListReading, _: Question) -> Judgment | None:
    """Names all the right answers and nothing else."""
    return _whole_set(reading, "names all of them and nothing else")


@rule("set.partial", "incorrect")
def is_part_of_the_set(reading: ListReading, _: Question) -> Judgment | None:
    """Names some of the right answers, or more than these."""
    if not reading.matched:
        return None
    seen = f"names {len(reading.matched)} of {len(reading.right)}{_wrong_ones(reading)}"
    return Judgment("incorrect", "", reading.matched, reading.wrong, reading.answer, reading.why(seen))


@rule("set.outdated", "incorrect")
def names_outdated(reading: ListReading, question: Question) -> Judgment | None:
    """Commits to answers that are right at another time than the one that is asked about, and to none that is then."""
    old = outdated_among(reading.given, question)
    if not old:
        return None
    answer = reading.words(old)
    return Judgment("incorrect", wrong=reading.wrong, answer=answer, why=f"gives {answer}, right at another time")


@rule("set.no_match", "incorrect")
def names_none(reading: ListReading, _: Question) -> Judgment | None:
    """Commits to something that the graph does not know, or to none of the right answers."""
    seen = f"names none of {len(reading.right)}{_wrong_ones(reading)}"
    return Judgment("incorrect", "", (), reading.wrong, reading.answer or reading.excerpt, reading.why(seen))


def _whole_set(reading: ListReading, seen: str) -> Judgment | None:
    if reading.wrong or len(reading.matched) != len(reading.right):
        return None
    return Judgment("correct", matched=reading.matched, answer=reading.answer, why=reading.why(seen))


def _wrong_ones(reading: ListReading) -> str:
    others = f"; {reading.others} that are wrong" if reading.others else ""
    unknown = f"; not known names: {', '.join(sorted(reading.unknown))}" if reading.unknown else ""
    return others + unknown
