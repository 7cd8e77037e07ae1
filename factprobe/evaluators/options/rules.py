"""Rules on questions with options: which option a reply chooses. The docstring of a rule completes "The reply …"."""

from __future__ import annotations

import re
from collections.abc import Set
from string import ascii_uppercase

from factprobe.evaluators.options.option_mentions import ALL_RIGHT, NONE_RIGHT
from factprobe.evaluators.options.options_reading import OptionsReading
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.evaluators.rules.shared import has_ending
from factprobe.reading.names.index import answers_of
from factprobe.records import Question

_LETTERED = re.compile(r"\(?([A-Z])(?:[).:]+|$)(?: ?(.+))?")


@rule("options.text", "correct", "incorrect")
def judge_text(reading: OptionsReading, _: Question) -> Judgment | None:
    """Is the text of an option, and nothing else."""
    if reading.shown.count(reading.line) != 1:
        return None
    return _choose(reading, {reading.shown.index(reading.line)}, "names {}", reading.line)


@rule("options.letter", "correct", "incorrect")
def judge_letter(reading: OptionsReading, _: Question) -> Judgment | None:
    """Is the letter of an option, with or without its text, and nothing else."""
    match = _LETTERED.fullmatch(reading.line)
    number = ascii_uppercase.find(match[1]) if match else len(reading.shown)
    if match is None or number >= len(reading.shown) or (match[2] or "").rstrip(".") not in ("", reading.shown[number]):
        return None
    return _choose(reading, {number}, "names {} by its letter", reading.line)


@rule("options.cut_in_list", "unparsed", when=lambda reading: has_ending(reading, "cut"))
def judge_cut_in_list(reading: OptionsReading, _: Question) -> Judgment | None:
    """Is cut off by the limit of tokens within a list of all options, before which no sentence is only an option."""
    why = "is cut off within a list of the options"
    return Judgment("unparsed", wrong=1, answer=reading.excerpt, why=why) if reading.masked.is_within_list else None


@rule("options.several", "correct", "incorrect")
def chooses_several(reading: OptionsReading, _: Question) -> Judgment | None:
    """Chooses several options or a letter with another's text, as the grading model reads it; right if all are."""
    options = reading.choice.options
    if len(options) < 2 and options != {ALL_RIGHT}:
        return None
    why = f"names {{}}; {reading.choice.why}"
    return _choose(reading, options, why, reading.words_for(options), reading.right_probability)


@rule("options.model", "correct", "incorrect")
def chooses_one(reading: OptionsReading, _: Question) -> Judgment | None:
    """Chooses one option, as the grading model reads it."""
    options = reading.choice.options
    if len(options) != 1 or min(options) < 0:
        return None
    ruled_out = reading.labels(reading.denied - options)
    why = f"names {{}}; {f'ruled out: {ruled_out}; ' if ruled_out else ''}{reading.choice.why}"
    return _choose(reading, options, why, reading.words_for(options), reading.right_probability)


@rule("options.none_right", "incorrect")
def says_none(reading: OptionsReading, _: Question) -> Judgment | None:
    """Says that no option is right, or rules out those that it mentions."""
    if NONE_RIGHT not in reading.choice.options and not reading.denied:
        return None
    why = f"rules out {reading.labels(reading.denied)}" if reading.denied else "says that no option is right"
    return Judgment("incorrect", wrong=1, answer=reading.excerpt, why=why)


@rule("options.declines", "abstained")
def declines(reading: OptionsReading, _: Question) -> Judgment | None:
    """Says that the answer is not known, and chooses no option."""
    is_doubted = any(place.is_doubted for place in reading.masked.places)
    if not (is_doubted or reading.declines or reading.only_declines):
        return None
    return Judgment("abstained", answer=reading.excerpt, why="declines and names no option")


@rule("options.similar", "correct", "incorrect")
def judge_similar(reading: OptionsReading, _: Question) -> Judgment | None:
    """Mentions no option, and resembles one of them clearly more than the others."""
    if reading.option_mentions or reading.similar is None:
        return None
    return _choose(reading, {reading.similar}, "resembles {}", reading.excerpt)


@rule("options.no_choice", "unparsed")
def names_none(reading: OptionsReading, _: Question) -> Judgment | None:
    """Names no option, or only repeats them."""
    return Judgment("unparsed", wrong=1, answer=reading.excerpt, why="names no option, or only repeats them")


def _choose(
    reading: OptionsReading, options: Set[int], why: str, answer: str, probability: float | None = None
) -> Judgment:
    """Return the judgment on a reply that chooses some options; in the reason, their letters and texts replace `{}`."""
    is_right = options <= reading.right_options
    chosen = {reading.question.choices[number] for number in options if number >= 0}
    return Judgment(
        "correct" if is_right else "incorrect",
        matched=tuple(one.uri for one in answers_of(reading.question) if one.label in chosen) if is_right else (),
        wrong=int(not is_right),
        answer=answer,
        why=why.replace("{}", reading.labels(options) or "all options", 1),
        option=min(options) + 1 if len(options) == 1 and chosen else 0,
        probability=probability,
    )
