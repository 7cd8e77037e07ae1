"""The rules on questions with options: which one a reply chooses."""

from __future__ import annotations

import re
from string import ascii_uppercase

from factprobe.endings import ending_of
from factprobe.evaluators.choices.reading import By, OptionsReading
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.evaluators.rules.shared import ends_oddly
from factprobe.reading.names.index import answers_of
from factprobe.records import Question


@rule("options.cut_in_list", "unparsed", when=ends_oddly)
def is_cut_while_listing(reading: OptionsReading, _: Question) -> Judgment | None:
    """Is cut off by the limit of tokens while it goes through the options in their order, and has named none before."""
    response, listed = reading.response, [*_LISTED.finditer(reading.reply)]
    if response is None or ending_of(response.finish_reason) != "cut" or len(listed) < _FEWEST_LISTED:
        return None
    if "".join(line["letter"] for line in listed) != ascii_uppercase[: len(listed)]:
        return None
    before = OptionsReading(reading.index, reading.question, reading.reply[: listed[0].start()])
    is_last = "\n" not in reading.reply[listed[-1].end() :].strip()
    if not is_last or before.choice.by == "letter":
        return None
    return Judgment("unparsed", wrong=1, answer=reading.excerpt, why="is cut off within a list of the options")


_LISTED = re.compile(r"^[ \t*(•-]*(?P<letter>[A-Z])[).:]", re.MULTILINE)
"""The line of an option."""
_FEWEST_LISTED = 2


@rule("options.several", "incorrect")
def names_several(reading: OptionsReading, _: Question) -> Judgment | None:
    """Names two options or more, or one by its letter with the name of something else."""
    numbers = reading.choice.numbers
    if reading.has_other_text:
        return Judgment("incorrect", wrong=1, answer=reading.answer, why="letter and text disagree")
    if len(numbers) < 2:
        return None
    beside = ": letter and text disagree" if reading.choice.disagrees else ""
    return Judgment("incorrect", wrong=1, answer=reading.answer, why=f"names {reading.labels(numbers)}{beside}")


@rule("options.text", "correct", "incorrect")
def names_by_text(reading: OptionsReading, question: Question) -> Judgment | None:
    """Names an option by its text, or by another name or form of it."""
    return _chosen(reading, question, "text", "names {}")


@rule("options.letter", "correct", "incorrect")
def names_by_letter(reading: OptionsReading, question: Question) -> Judgment | None:
    """Names an option by its letter, alone or with its text."""
    return _chosen(reading, question, "letter", "names {} by its letter")


@rule("options.position", "correct", "incorrect")
def names_by_place(reading: OptionsReading, question: Question) -> Judgment | None:
    """Names an option by its place: "the second"."""
    return _chosen(reading, question, "place", "names {} by its place")


@rule("options.misspelt", "correct", "incorrect")
def misspells(reading: OptionsReading, question: Question) -> Judgment | None:
    """Misspells the text of an option, and says nothing else."""
    return _chosen(reading, question, "slip", "nearly names {}")


@rule("options.elimination", "correct", "incorrect")
def eliminates(reading: OptionsReading, question: Question) -> Judgment | None:
    """Rules out all options but one."""
    return _chosen(reading, question, "rest", "leaves {}")


@rule("options.remarks", "correct", "incorrect")
def remarks_on_each(reading: OptionsReading, question: Question) -> Judgment | None:
    """Lists all options and says of each whether it is right."""
    return _chosen(reading, question, "remarks", "calls {} right")


@rule("options.paraphrase", "correct", "incorrect")
def says_in_other_words(reading: OptionsReading, question: Question) -> Judgment | None:
    """Says an option in other words: has nearly all the words that tell it from the others, and none of theirs."""
    return _chosen(reading, question, "words", "says {} in other words")


@rule("options.declines", "abstained")
def declines(reading: OptionsReading, _: Question) -> Judgment | None:
    """Declines, and names no option."""
    if reading.choice.numbers or not reading.declines:
        return None
    return Judgment("abstained", answer=reading.excerpt, why="declines and names no option")


@rule("options.none_right", "incorrect")
def says_none(reading: OptionsReading, _: Question) -> Judgment | None:
    """Says that no option is right, or rules all of them out."""
    if reading.choice.numbers or not reading.says_none:
        return None
    out = reading.choice.ruled_out
    why = f"rules out {reading.labels(out)}" if out else "says that no option is right"
    return Judgment("incorrect", wrong=1, answer=reading.excerpt, why=why)


@rule("options.no_choice", "unparsed")
def names_none(reading: OptionsReading, _: Question) -> Judgment | None:
    """Names no option, or repeats them all."""
    return Judgment("unparsed", wrong=1, answer=reading.excerpt, why="names no option, or only repeats them")


def _chosen(reading: OptionsReading, question: Question, by: By, seen: str) -> Judgment | None:
    """The judgment on a reply that chooses one option; None where something else than `by` tells which.

    Args:
        reading: of the reply.
        question: what it answers.
        by: what tells the option.
        seen: what the rule saw, with `{}` for the option.
    """
    choice = reading.choice
    if choice.by != by or not choice.numbers:
        return None
    number = min(choice.numbers)
    why = seen.format(reading.label(number))
    if choice.ruled_out:
        why = f"{why}; ruled out: {reading.labels(choice.ruled_out)}"
    for answer in answers_of(question):
        if answer.label == question.choices[number]:
            return Judgment("correct", matched=(answer.uri,), answer=reading.answer, why=why, option=number + 1)
    return Judgment("incorrect", wrong=1, answer=reading.answer, why=why, option=number + 1)
