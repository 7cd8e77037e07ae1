"""The words for true and false, and what one clause says of a statement with them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from factprobe.reading.abstention import declines, without_abstentions
from factprobe.reading.language import in_order, phrases, table, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.records.graded import Side

TRUE = phrases("binary_true")
FALSE = phrases("binary_false")
WORD_OF = {side: words[0] for side, words in table("binary_word").items()}
"""The label that is read for a phrase or a sign that takes a side."""
EITHER = f"{TRUE}|{FALSE}"
NOT = phrases("binary_bare_not")
LABEL = Phrases(
    rf"(?P<half>\b(?:{phrases('binary_half')})\s+)?"
    rf"(?:\b(?P<negated>{phrases('binary_not')})\s+(?:(?:{phrases('binary_small')})\s+)*)?"
    rf"\b(?:(?P<yes>{TRUE})|(?P<no>{FALSE}))\b"
)
_PARTLY = rf"\b(?:{NOT})\s+(?:{phrases('binary_degree')})\s+"
PARTLY = Phrases(rf"{_PARTLY}(?:{FALSE})\b")
_PARTLY_NOT = Phrases(rf"{_PARTLY}(?:{TRUE})\b")
_HALF_TRUE = f" {in_order('binary_half')[0]} {WORD_OF['correct']} "
_ALONE = re.compile(rf"(?:(?:{phrases('binary_lead')}) )?(?:(?P<yes>{TRUE})|(?P<no>{FALSE}))")
_WHOLE = re.compile(f"(?P<yes>{phrases('binary_whole_yes')})|(?P<no>{phrases('binary_whole_no')})")
_LETTERS = {letter: side for side, letters in table("binary_letter").items() for letter in letters}
_PARTICLE = re.compile(phrases("binary_particle"))
_EMPHASIS = Phrases(rf"\b(?:{phrases('binary_emphasis')})\b")
"""They say yes where they stand alone."""
_SURELY = Phrases(phrases("binary_surely"))
_SOUND = Phrases(phrases("binary_sound"))
_UNSOUND = Phrases(phrases("binary_unsound"))
_THAN = Phrases(rf"\b(?:{phrases('binary_than')}) (?:{EITHER})\b")
_NOUN = Phrases(phrases("binary_noun"))
_NO_OF_SOMETHING = Phrases(phrases("binary_no_of"))
_RIGHT_ONE = Phrases(phrases("binary_right_one"))
_MENDED = Phrases(phrases("binary_mended"))
_WHETHER = Phrases(rf"\b(?:{phrases('binary_whether')})\b")
_CONDITION = Phrases(rf"(?:{phrases('binary_condition')})\b")
_FALSE_WORD = re.compile(FALSE)
_JUDGES = re.compile(phrases("binary_judges").replace("§", EITHER))
"""A clause that speaks of the statement, or ends with a label."""
_NOTS = [[word] for word in in_order("binary_bare_not")]
_LY = in_order("adverb_ending")[0]
_BRIEF_ALONE = vocabulary("binary_brief")
_FRAME = vocabulary("binary_frame")


class Said(Struct, frozen=True):
    """What a clause says of the statement."""

    sides: frozenset[Side] = frozenset()
    half: bool = False
    """Whether it grants the statement in part only; beside a side, whether it denies it in part only."""
    rank: int = 0
    """How surely it speaks of the statement: beside other words, with a mere yes or no, in a judgement of its own."""


ASIDE, BRIEF, PLAIN = range(3)


def label_alone(whole: str) -> Side | None:
    """The side of a normalised reply that is nothing but a label; None where it is more."""
    if whole in _LETTERS:
        return "correct" if _LETTERS[whole] == "correct" else "incorrect"
    label = _ALONE.fullmatch(whole) or _WHOLE.fullmatch(whole)
    if label is None:
        return None
    return "correct" if label["yes"] else "incorrect"


def side_of(label: re.Match[str]) -> Side:
    """The side of a match of `LABEL`."""
    return "correct" if (label["yes"] is not None) != (label["negated"] is not None) else "incorrect"


def in_labels(clause: str) -> str:
    """A clause with a label for each phrase that finds a fault in the statement, or finds none."""
    sound = _SURELY.sub(" ", _SOUND.sub(f" {WORD_OF['correct']} ", clause))
    return _THAN.sub(" ", _UNSOUND.sub(f" {WORD_OF['incorrect']} ", sound))


def said_in(clause: str, asked: frozenset[str]) -> Said:
    """What a normalised clause says of the statement.

    Args:
        clause: without a repeat of both labels.
        asked: the words of the question, which say nothing of their own.
    """
    read = _short_read(clause) if len(clause) < _OFTEN else _read(clause)
    return read.said if asked.issuperset(read.words) else read.otherwise


_OFTEN = 80
"""Letters of a clause that may well come again."""


class _Read(NamedTuple):
    """What a clause says of any statement."""

    said: Said
    """Where the question has all the words."""
    words: frozenset[str]
    """On which it hangs; those that the question has say nothing of their own."""
    otherwise: Said


def _read(clause: str) -> _Read:
    """What a normalised clause says of a statement, whatever the question is."""
    if declines(clause) and _WHETHER.search(clause):
        return _whatever(Said())
    decided = PARTLY.sub(_HALF_TRUE, without_abstentions(in_labels(clause)))
    condition = _CONDITION.search(decided)
    decided = decided[: condition.start()] if condition else decided
    one = _RIGHT_ONE.search(decided)
    if one:
        return _of_words(frozenset(one["lead"].split()) - vocabulary("function"))
    mended = _MENDED.search(decided)
    if mended and not mended["rest"]:
        return _whatever(Said())
    if mended:
        if not LABEL.search(mended["rest"]):
            return _of_words(frozenset(mended["rest"].split()))
        decided = mended["rest"]
    noun = _NOUN.search(decided)
    if noun:
        if noun["noun"]:
            is_denial = noun["noun"] in vocabulary("binary_no_denies")
            return _whatever(Said(frozenset({"incorrect"} if is_denial else ())))
        decided = decided[: noun.start()]
    plain = _EMPHASIS.sub(" ", decided)
    return _weighed(plain if LABEL.search(plain) else decided)


_short_read = lru_cache(maxsize=1 << 13)(_read)


def _whatever(said: Said) -> _Read:
    return _Read(said, frozenset(), said)


def _of_words(words: frozenset[str]) -> _Read:
    """Of a clause that gives the words for the right ones."""
    return _Read(Said(frozenset({"correct"})), words, Said(frozenset({"incorrect"})))


def _weighed(decided: str) -> _Read:
    found = list(LABEL.finditer(_NO_OF_SOMETHING.sub(" ", decided)))
    if any(label["half"] for label in found):
        return _whatever(Said(half=True))
    sides = {side_of(label) for label in found if not (len(found) > 1 and _PARTICLE.fullmatch(label[0]))}
    if not sides:
        sides = {"incorrect" if _FALSE_WORD.fullmatch(label[0]) else "correct" for label in found}
    words = frozenset(LABEL.sub(" ", decided).split()) - _frame()
    is_brief = bool(found) and all(_PARTICLE.fullmatch(label[0]) for label in found)
    is_brief = is_brief and (found[0].start() == 0 or found[-1].end() == len(decided.rstrip()))
    if decided in _BRIEF_ALONE or (is_brief and not (words and _only_stresses(decided))):
        return _whatever(Said(frozenset(sides), rank=BRIEF))
    said = Said(frozenset(sides), _PARTLY_NOT.search(decided) is not None, BRIEF if is_brief else PLAIN)
    return _Read(said, words, replace(said, rank=ASIDE))


def is_stray(clause: str, asked: frozenset[str]) -> bool:
    """Whether a label beside words of a clause's own judges no statement: in his own right, negative side effects.

    It judges the statement where it stands alone with a word or two, where the clause speaks of the statement or ends
    with the label, and where a noun behind it is one for what is said.

    Args:
        clause: normalised; with a label, and with words that the question lacks.
        asked: the words of the question.
    """
    decided = PARTLY.sub(_HALF_TRUE, without_abstentions(in_labels(clause)))
    noun = _NOUN.search(decided)
    if _RIGHT_ONE.search(decided) or (noun and noun["noun"]):
        return False
    mended = _MENDED.search(decided)
    if mended:
        rest = frozenset(mended["rest"].split()) - vocabulary("function")
        is_denied = mended["rest"].split()[:1] in _NOTS
        return not rest <= asked and is_denied == rest.isdisjoint(asked)
    own = frozenset(LABEL.sub(" ", decided).split()) - _frame() - vocabulary("binary_judged") - asked
    if _only_stresses(decided):
        return len(own) > 1
    found = [*LABEL.finditer(clause)]
    is_as_written = bool(found) and not (_SOUND.search(clause) or _UNSOUND.search(clause))
    if is_as_written and all(_is_of_noun(clause[label.end() :], asked) for label in found):
        return len(own) > _FEW_OWN or found[0].start() > 0
    return len(own) > _FEW_OWN and not _JUDGES.search(decided)


_FEW_OWN = 2
"""Words of its own that a clause may have that only judges."""


def _is_of_noun(behind: str, asked: frozenset[str]) -> bool:
    """Whether a label is an adjective of the word behind it, which is none for a statement."""
    word = behind.split(maxsplit=1)[:1]
    return (
        bool(word)
        and word[0].isascii()
        and word[0] not in asked | vocabulary("function", "binary_frame", "binary_judged")
        and not word[0].endswith(_LY)
    )


def _only_stresses(decided: str) -> bool:
    """Whether the labels of a clause only stress what it says."""
    return not LABEL.search(_EMPHASIS.sub(" ", decided))


@cache
def _frame() -> frozenset[str]:
    return vocabulary("function", "hedge") | _FRAME
