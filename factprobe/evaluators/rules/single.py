"""The rules on one answer in words: it must name the right entity and no other."""

from __future__ import annotations

from factprobe.evaluators.reference.reading import ReferenceReading
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.evaluators.rules.reference import turns_away
from factprobe.evaluators.rules.shared import outdated_among
from factprobe.evaluators.short.several import is_list, one_of_several
from factprobe.evaluators.short.single import SingleReading
from factprobe.evaluators.short.talk import fills_in
from factprobe.reading.assertion import retracting_words
from factprobe.reading.formulas import differs
from factprobe.reading.names.index import answers_of
from factprobe.records import Question
from factprobe.text import is_same


@rule("single.exact", "correct")
def exact(reading: SingleReading, question: Question) -> Judgment | None:
    """Is the label of the right answer."""
    for answer in answers_of(question):
        if is_same(reading.flat, answer.label) and not differs(reading.reply, answer.label):
            return Judgment("correct", matched=(answer.uri,), answer=reading.reply, why="is the label")
    return None


@rule("single.alias", "correct")
def alias(reading: SingleReading, question: Question) -> Judgment | None:
    """Is another name of the right answer."""
    for answer in answers_of(question):
        for name in answer.aliases:
            if is_same(reading.flat, name) and not differs(reading.reply, name):
                is_code = answer.uri != answer.label  # else it may be another answer that is right, too
                why = f"is another name of {answer.label}" if is_code else "is one of the right answers"
                return Judgment("correct", matched=(answer.uri,), answer=reading.reply, why=why)
    return None


def gives_none(reading: SingleReading) -> bool:
    """Whether a reply gives no name as the answer."""
    return reading.gives_none


@rule("single.declines", "abstained", when=gives_none)
def declines(reading: SingleReading, _: Question) -> Judgment | None:
    """Declines, and gives no answer."""
    if reading.declines and (reading.mentions or not reading.guesses):
        return Judgment("abstained", answer=reading.excerpt, why=reading.why("declines"))
    return None


@rule("single.hedged", "abstained", when=gives_none)
def doubts(reading: SingleReading, _: Question) -> Judgment | None:
    """Only wonders about a name."""
    if reading.stance.doubted and not reading.stance.ruled_out:
        return Judgment("abstained", why=reading.why("gives no answer"))
    return None


@rule("single.no_answer", "unparsed", when=gives_none)
def gives_no_answer(reading: SingleReading, _: Question) -> Judgment | None:
    """Gives no answer: repeats the question, asks back, or only talks."""
    if reading.says_nothing and not fills_in(reading):
        return Judgment("unparsed", wrong=1, why=reading.why("repeats the question, asks back or only talks"))
    return None


@rule("single.negated", "incorrect", when=gives_none)
def only_rules_out(reading: SingleReading, _: Question) -> Judgment | None:
    """Rules names out and gives none."""
    if reading.stance.ruled_out:
        return Judgment("incorrect", wrong=1, why=reading.why("gives no answer"))
    return None


@rule("single.passing_mention", "incorrect", when=gives_none)
def only_near(reading: SingleReading, _: Question) -> Judgment | None:
    """Only says what the answer lies near or is a part of, or names others by the way."""
    if reading.mentions:
        return Judgment("incorrect", wrong=1, why=reading.why("gives no answer"))
    return None


@rule("single.no_known_name", "incorrect", when=gives_none)
def names_nothing_known(reading: SingleReading, _: Question) -> Judgment | None:
    """Commits to something that the graph does not know."""
    return Judgment("incorrect", wrong=1, answer=reading.excerpt, why="holds no name that the graph knows")


@rule("single.unknown_answer", "incorrect")
def answers_with_another(reading: SingleReading, _: Question) -> Judgment | None:
    """Commits to something that the graph does not know, and names others by the way."""
    if reading.answers_with_another:
        why = reading.why("answers with a name that the graph does not know")
        return Judgment("incorrect", wrong=1, answer=reading.excerpt, why=why)
    return None


def misses(reading: SingleReading) -> bool:
    """Whether a reply gives no right answer."""
    return not reading.matched


@rule("single.outdated", "incorrect", when=misses)
def names_outdated(reading: SingleReading, question: Question) -> Judgment | None:
    """Commits to an answer that is right at another time than the one that is asked about."""
    if not (old := outdated_among(reading.given, question)):
        return None
    answer = reading.words(old)
    return Judgment(
        "incorrect", wrong=max(reading.wrong, 1), answer=answer, why=f"gives {answer}, right at another time"
    )


@rule("single.other_entity", "incorrect", when=misses)
def names_another(reading: SingleReading, _: Question) -> Judgment | None:
    """Commits to another answer that the graph knows, or to another value."""
    answer = reading.words(reading.given)
    return Judgment("incorrect", wrong=max(reading.wrong, 1), answer=answer, why=reading.why(f"gives {answer}"))


@rule("single.several", "incorrect")
def names_several(reading: SingleReading, _: Question) -> Judgment | None:
    """Gives two answers or more for one."""
    if reading.wrong:
        seen = "gives more than one"
    elif is_list(reading):
        seen = "is a list of names"
    elif (joined := one_of_several(reading, reading.given)) is not None:
        seen = f"joins {reading.words([joined])} to a name that the graph does not know"
    else:
        return None
    answer = reading.words(reading.given)
    return Judgment("incorrect", wrong=max(reading.wrong, 1), answer=answer, why=reading.why(seen))


@rule("single.retracted", "incorrect")
def turns_to_unknown(reading: SingleReading, question: Question) -> Judgment | None:
    """Says the right name, and then turns from it to one that the graph does not know."""
    if reading.values or (retracting_words().isdisjoint(reading.text.words) and not reading.text.asks):
        return None
    read = ReferenceReading(reading.index, question, reading.reply, reading.response)
    return turns_away(read, question) if read.reply_words else None


@rule("single.misspelt", "correct")
def misspells(reading: SingleReading, _: Question) -> Judgment | None:
    """Misspells or transliterates the name of the right answer."""
    return _right(reading, "nearly names it") if reading.misspelt.issuperset(reading.matched) else None


@rule("single.value", "correct")
def gives_value(reading: SingleReading, _: Question) -> Judgment | None:
    """Gives the right date, year or number."""
    return _right(reading, "gives its value") if reading.values else None


@rule("single.name_variant", "correct")
def names_by_form(reading: SingleReading, _: Question) -> Judgment | None:
    """Commits to the right answer by a surname or another form of its name, and to no other."""
    forms, words, right = reading.side.forms.table.uris, reading.text.words, reading.right
    others = [
        mention
        for mention in reading.given
        if " ".join(words[mention.start : mention.end]) not in forms and not right.isdisjoint(mention.uris)
    ]
    return None if others else _right(reading, "names it by another form of its name")


@rule("single.mention", "correct")
def names_it(reading: SingleReading, _: Question) -> Judgment | None:
    """Commits to the right answer and to no other."""
    return _right(reading, "names it")


def _right(reading: SingleReading, seen: str) -> Judgment:
    answer = reading.words(reading.given)
    return Judgment("correct", matched=reading.matched, answer=answer, why=reading.why(seen))
