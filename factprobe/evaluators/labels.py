"""The side that a reply takes on a statement by the words for true and false."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from factprobe.reading.abstention import declines, only_declines, without_abstentions
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.names.near import misspelt
from factprobe.reading.words import Text
from factprobe.text import normalise

_TRUE = phrases("binary_true")
_FALSE = phrases("binary_false")
_BARE_NOT = phrases("binary_bare_not")
_LABEL = f"{_TRUE}|{_FALSE}"
_BOTH = re.compile(
    rf"\b(?:{_LABEL})(?: (?:{phrases('binary_or')}) | ?/ ?)(?:(?:{phrases('binary_again')}) )?"
    rf"(?:{phrases('binary_turned')})?(?:{_LABEL}|{_BARE_NOT})\b|"
    rf"\b(?:{phrases('binary_between')}) (?:{_LABEL}) (?:{phrases('link_and')}) (?:{_LABEL})\b"
)
_NOT = phrases("binary_not")
_DEGREE = phrases("binary_degree")
_SMALL = phrases("binary_small")
LABEL = re.compile(
    rf"(?P<half>\b(?:{phrases('binary_half')})\s+)?"
    rf"(?:\b(?P<negated>{_NOT})\s+(?:(?:{_SMALL})\s+)*)?\b(?:(?P<yes>{_TRUE})|(?P<no>{_FALSE}))\b"
)
_ALONE = re.compile(rf"(?:(?:{phrases('binary_lead')}) )?(?:(?P<yes>{_TRUE})|(?P<no>{_FALSE}))")
_WHOLE = re.compile(f"(?P<yes>{phrases('binary_whole_yes')})|(?P<no>{phrases('binary_whole_no')})")
_PARTICLE = re.compile(phrases("binary_particle"))
_EMPHASIS = re.compile(rf"\b(?:{phrases('binary_emphasis')})\b")
"""They say yes where they stand alone."""
PARTLY = re.compile(rf"\b(?:{_BARE_NOT})\s+(?:{_DEGREE})\s+(?:{_FALSE})\b")
_SURELY = re.compile(phrases("binary_surely"))
_SOUND = re.compile(phrases("binary_sound"))
_UNSOUND = re.compile(phrases("binary_unsound"))
_NOUN = re.compile(phrases("binary_noun"))
_NO_OF_SOMETHING = re.compile(phrases("binary_no_of"))
_RIGHT_ONE = re.compile(phrases("binary_right_one"))
_VERSION = re.compile(phrases("binary_version"))
_MENDED = re.compile(phrases("binary_mended"))
_CLAUSE = re.compile(
    r"[.!?\n;:]+(?=\s|$|[\"'*)])|,\s|\s[-–—]\s|\n|\(|[—…。！？，；：]|"
    rf"\s(?=(?:{phrases('binary_cuts')})\s)"
)
_SENTENCE = re.compile(r"(?:[^.!?\n;。！？…]|[.!?;](?!\s|$|[\"'*)]))+[.!?;。！？…\n\"')]*")
_CONCLUDES = re.compile(rf"\b(?:{phrases('binary_concludes')})\b")
_MENDS = re.compile(phrases("binary_mends"))
_GOES_BACK = re.compile(f"{_CONCLUDES.pattern}|{_MENDS.pattern}")
_ASKED = re.compile(rf"\s*(?:{phrases('binary_asks')})\b", re.IGNORECASE)
_BELIEVED = re.compile(phrases("binary_believed"))
_IF = re.compile(phrases("binary_if").replace("§", _LABEL))
POSSIBLE = re.compile(rf"\b(?:{phrases('binary_possible')})\b")
_WHETHER = re.compile(rf"\b(?:{phrases('binary_whether')})\b")
_CONDITION = re.compile(rf"(?:{phrases('binary_condition')})\b")
_CHOSEN = re.compile(
    rf"\b(?:{phrases('option_the')}) (?:(?P<first>{phrases('binary_first')})|{phrases('binary_second')})"
    rf"(?: (?:{phrases('binary_one')}))?(?=\W*(?:$|[.!\n]))",
    re.IGNORECASE,
)
_OF_TWO = vocabulary("binary_first", "binary_second")
_JOKE = vocabulary("binary_joke")
_LETTERS = {letter: side for side, letters in table("binary_letter").items() for letter in letters}
_FRAME = vocabulary("binary_frame")


class _Said(Struct, frozen=True):
    """What a clause says of the statement."""

    sides: frozenset[str]
    half: bool = False
    """Whether it grants the statement in part only."""
    rank: int = 0
    """How surely it speaks of the statement: beside other words, with a mere yes or no, in a judgement of its own."""


ASIDE, _BRIEF, _PLAIN = range(3)


def label_alone(whole: str) -> tuple[str | None, str] | None:
    """The side of a normalised reply that is nothing but a label or an abstention; None where it is more."""
    if whole in _LETTERS:
        return _LETTERS[whole], "label"
    label = _ALONE.fullmatch(whole) or _WHOLE.fullmatch(whole)
    if label:
        return "correct" if label["yes"] else "incorrect", "label"
    if only_declines(whole):
        return None, "no_label"
    if whole.isalpha() and misspelt(whole, ("correct", "incorrect"), ()):
        return "incorrect" if whole.startswith("in") else "correct", "fuzzy"
    return None


def is_title(text: Text, i: int) -> bool:
    """Whether a word that could be a label is used as a name: Wrong is by Nomeansno, the album True."""
    if not text.capital[i] or not LABEL.fullmatch(text.words[i]):
        return False
    after = text.words[i + 1] if i + 1 < len(text) and not text.mark[i + 1] else ""
    before = text.words[i - 1] if i and not text.mark[i] else ""
    quoted = text.raw[i][:1] in "\"'“‘«" and len(text) > 3
    return quoted or after in _AFTER_TITLE or (before in _BEFORE_TITLE and text.raw[i][:1].isupper())


_AFTER_TITLE = vocabulary("binary_title_behind")
_BEFORE_TITLE = vocabulary("binary_title_before")


def pick(text: str) -> str:
    """The text with the label that its last words point at: Correct or incorrect? The latter."""
    if not any(word in text for word in _OF_TWO):
        return text
    both = _BOTH.search(normalise(text))
    turned = both is not None and re.match(_FALSE, both[0]) is not None
    return _CHOSEN.sub(lambda found: "true" if bool(found["first"]) != turned else "false", text)


def without_questions(text: str) -> str:
    """The text without the questions in it; one that asks for a mistake turns the yes or no behind it round."""
    if "?" not in text:
        return text
    kept: list[str] = []
    turns = False
    for found in _SENTENCE.finditer(text):
        sentence = found[0]
        clause = normalise(sentence)
        if "?" not in sentence[-4:]:
            kept.append(_turned(sentence) if turns else sentence)
            turns = False
            continue
        said = _read(clause, frozenset())
        turns = said.sides == {"incorrect"} or not _JOKE.isdisjoint(clause.split())
        if not (said.sides or _ASKED.match(clause) or _BOTH.search(clause) or turns):
            kept.append(sentence)
    rest = " ".join(kept)
    return rest if any(c.isalnum() for c in rest) or _ASKED.match(text) or _BOTH.search(normalise(text)) else text


def _turned(sentence: str) -> str:
    return _ANSWERS.sub(lambda found: "correct" if found["no"] else "incorrect", sentence, count=1)


_ANSWERS = re.compile(
    rf"^\s*\W*(?:(?P<no>{phrases('binary_answers_no')})|{phrases('binary_answers_yes')})\b", re.IGNORECASE
)


def label_in(text: str, asked: frozenset[str]) -> tuple[str | None, str, int]:
    """The side that the labels in a text take, the rule that found it, and how surely."""
    first: tuple[str | None, str] | None = None
    rank = ASIDE
    doubted = announced = turns = False
    possible: set[str] = set()
    for piece, mark in _pieces(_without_conditions(text)):
        clause = normalise(piece)
        if rank == _PLAIN and not (turns or announced) and not _GOES_BACK.search(clause):
            turns = clause == "however"
            continue
        both = _BOTH.search(clause)
        if both:
            clause = _BOTH.sub(" ", clause)
            if not LABEL.search(clause):
                doubted = True
                continue
        said = _read(clause, asked) if ":" not in mark or not _VERSION.search(clause) else _Said(frozenset())
        mends = bool(_MENDS.search(clause)) and (said.rank == _PLAIN or first is None)
        concludes = bool(_CONCLUDES.search(clause)) or mends
        only_announces = (concludes or bool(_MENDS.search(clause))) and len(clause.split()) < 5 and not said.sides
        concludes = concludes or announced
        announced = only_announces
        if first is not None and turns and said.sides - {first[0]}:
            return None, "both_labels", _PLAIN
        turns = clause == "however"
        if only_announces or _BELIEVED.search(clause) or _is_of_other(piece, asked):
            continue
        if POSSIBLE.search(clause) and said.sides and not said.half:
            possible |= said.sides
            continue
        stronger = said.rank == _PLAIN and rank < _PLAIN and ":" not in mark
        if first is not None and not concludes and not (stronger and len(said.sides) == 1):
            continue
        found = _verdict(said, concludes=first is not None)
        if found == (None, "both_labels") and not concludes:
            return *found, _PLAIN
        if found is not None:
            if first is not None and stronger and not concludes:
                found = (found[0], "label")
            first, rank = found, said.rank if said.sides else rank
    if first is None and possible:
        first = (min(possible), "label") if len(possible) == 1 else None
        doubted = doubted or first is None
    return (*first, rank) if first else (None, "doubted" if doubted else "no_label", ASIDE)


def _is_of_other(piece: str, asked: frozenset[str]) -> bool:
    """Whether a clause judges what another name stands for: true for Romania."""
    found = _OF_OTHER.search(piece)
    return found is not None and asked.isdisjoint(normalise(found["name"]).split())


_OF_OTHER = re.compile(rf"\b(?i:{_LABEL}) (?:{phrases('binary_of')}) (?P<name>[A-Z]\w+)")


def _without_conditions(text: str) -> str:
    """The text with the side that it takes for each sentence that says when the statement would hold."""
    if not any(would in text for would in (" would ", "'d ", "’d ")):
        return text
    return _SENTENCE.sub(lambda found: f" {side}. " if (side := _supposed(normalise(found[0]))) else found[0], text)


def _supposed(sentence: str) -> str | None:
    """The side of a sentence that says when the statement would be right: If it said 1900, it would be correct."""
    plain = " ".join(_in_labels(sentence).split())
    found = _IF.search(plain)
    if not found:
        return None
    label = LABEL.search(
        plain,
        max(found.start("label"), found.start("called")) if found["label"] or found["called"] else found.end() - 2,
    )
    if label is None:
        return None
    return "incorrect" if (label["yes"] is not None) != (label["negated"] is not None) else "correct"


def _verdict(said: _Said, *, concludes: bool) -> tuple[str | None, str] | None:
    """The side that a clause decides on, and the rule; None where it says nothing of it."""
    if said.half and not concludes:
        return None, "half_true"
    if len(said.sides) == 2:
        return None, "both_labels"
    return (min(said.sides), "conclusion" if concludes else "label") if said.sides else None


_NO_WAIT = re.compile(rf"\bno,?\s+(?=(?:{phrases('binary_no_wait')})\b\W*\w)", re.IGNORECASE)
"""The no of a correction, which takes no side."""


def _pieces(text: str) -> list[tuple[str, str]]:
    """The clauses of a text, each with the mark that ends it."""
    text = _NO_WAIT.sub(" ", text)
    found, start = [], 0
    for mark in _CLAUSE.finditer(text):
        found.append((text[start : mark.start()], mark[0]))
        start = mark.end()
    return [(piece, mark) for piece, mark in [*found, (text[start:], "")] if piece.strip()]


def _read(clause: str, asked: frozenset[str]) -> _Said:
    """What a normalised clause says of the statement."""
    if declines(clause) and _WHETHER.search(clause):
        return _Said(frozenset())
    decided = PARTLY.sub(" ", without_abstentions(_in_labels(clause)))
    condition = _CONDITION.search(decided)
    decided = decided[: condition.start()] if condition else decided
    one = _RIGHT_ONE.search(decided)
    if one:
        is_shown = all(word in asked or word in vocabulary("function") for word in one["lead"].split())
        return _Said(frozenset({"correct" if is_shown else "incorrect"}))
    mended = _MENDED.search(decided)
    if mended and not mended["rest"]:
        return _Said(frozenset())
    if mended:
        if not LABEL.search(mended["rest"]):
            return _Said(frozenset({"correct" if asked.issuperset(mended["rest"].split()) else "incorrect"}))
        decided = mended["rest"]
    noun = _NOUN.search(decided)
    if noun:
        if noun["noun"]:
            return _Said(frozenset({"incorrect"} if noun["noun"] in vocabulary("binary_no_denies") else ()))
        decided = decided[: noun.start()]
    plain = _EMPHASIS.sub(" ", decided)
    decided = plain if LABEL.search(plain) else decided
    return _weighed(decided, asked)


def _in_labels(clause: str) -> str:
    """A clause with a label for each phrase that finds a fault in the statement, or finds none."""
    return _THAN.sub(" ", _UNSOUND.sub(" false ", _SURELY.sub(" ", _SOUND.sub(" true ", clause))))


def _weighed(decided: str, asked: frozenset[str]) -> _Said:
    found = list(LABEL.finditer(_NO_OF_SOMETHING.sub(" ", decided)))
    if any(one["half"] for one in found):
        return _Said(frozenset(), half=True)
    sides = {
        "correct" if (one["yes"] is not None) != (one["negated"] is not None) else "incorrect"
        for one in found
        if not (len(found) > 1 and _PARTICLE.fullmatch(one[0]))
    } or {"incorrect" if _FALSE_WORD.fullmatch(one[0]) else "correct" for one in found}
    brief = bool(found) and all(_PARTICLE.fullmatch(one[0]) for one in found)
    rest = LABEL.sub(" ", decided).split()
    framed = _frame()
    rank = (
        _BRIEF
        if brief or decided == "right"
        else _PLAIN
        if all(word in framed or word in asked for word in rest)
        else ASIDE
    )
    return _Said(frozenset(sides), rank=rank)


_THAN = re.compile(rf"\b(?:{phrases('binary_than')}) (?:{_LABEL})\b")
_FALSE_WORD = re.compile(_FALSE)


@cache
def _frame() -> frozenset[str]:
    return vocabulary("function", "hedge") | _FRAME
