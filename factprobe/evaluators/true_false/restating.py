"""The side that a reply takes by what it tells in a statement's place: that another date holds, or just this one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec import Struct

from factprobe.evaluators.true_false.blank import Blank, is_common
from factprobe.reading.abstention import declines
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.phrasing import Phrases
from factprobe.reading.words import Text, name_words
from factprobe.records.graded import Side
from factprobe.text import normalise

_CITES = Phrases(phrases("binary_cites"))
_SUBJECTS = vocabulary("binary_subject")
_PRONOUNS = _SUBJECTS & vocabulary("binary_pronoun")
_NOTS = vocabulary("binary_bare_not")
_POINTS = vocabulary("binary_given", "binary_there")
_IS = vocabulary("telling_is")
_DENIES = Phrases(rf"\b(?:{phrases('binary_denial')}|{phrases('binary_denial_of_name')})\b")
_STOP = re.compile(r"(?<![.!\n])[.!\n]+(?:\s|$)")
_LINKS = vocabulary("article") | vocabulary("link_and", "link_or")
_BY = vocabulary("binary_by")
_HEADS = vocabulary("binary_head")
_FEW = 10
"""Names of one reply that are each read with the words around them."""


class Restated(Struct, frozen=True):
    """What a reply tells in the statement's place."""

    side: Side
    words: str
    """The names that it tells, as the reply has them; empty where it names none."""
    why: str


def restated_in(blank: Blank) -> Restated | None:
    """The side that a reply takes on a statement by what it tells in its place; None where it takes none."""
    mentions, said, is_shown = blank.mentions, blank.stance, blank.is_shown
    also = (
        frozenset[str]() if blank.truth else blank.index.truths(blank.question)
    )  # what holds beside it denies nothing
    others = [i for i in said.chosen if not is_shown[i] and also.isdisjoint(mentions[i].uris)]
    affirmed = any(mentions[i].uris & blank.right for i in said.chosen)
    is_sure = not declines(" ".join(blank.text.words))
    if others and not (affirmed and is_shown[said.chosen[-1]]):
        is_restated = blank.is_true(mentions[said.chosen[-1]]) if affirmed else _is_said_of(blank, others)
        words = blank.words(mentions[i] for i in others)
        return Restated("incorrect", words, f"gives {words} in the place of the shown name") if is_restated else None
    if not affirmed and is_sure:
        return _denied(blank)
    if others or not is_sure or not _has_more(blank):
        return None
    states = not said.unasked.issuperset(said.chosen) or _shares_a_word(blank.text, blank.asked.template)
    states = states or (bool(blank.values) and blank.text.words[0] in _SUBJECTS)
    if not (states and _affirms(blank)):
        return None
    words = blank.words(blank.chosen)
    return Restated("correct", words, f"says of {words} what the statement says")


def _denied(blank: Blank) -> Restated | None:
    """What a reply tells that rules the shown name out and gives no other."""
    ruled_out = [mention for i, mention in enumerate(blank.mentions) if i in blank.stance.ruled_out]
    shown = [mention for i, mention in enumerate(blank.mentions) if mention in ruled_out and blank.is_shown[i]]
    if shown:
        return Restated("incorrect", blank.words(shown), f"rules out {blank.words(shown)}")
    if not blank.mentions and _puts_another(blank):
        return Restated("incorrect", "", "puts a name that the graph does not know in the place of the shown one")
    return None


def _is_said_of(blank: Blank, others: Collection[int]) -> bool:
    """Whether a reply says of another name that it is the one; a name alone says nothing of the statement."""
    said = blank.stance
    return _has_more(blank) and any(i not in said.unasked or blank.is_true(blank.mentions[i]) for i in others)


def _puts_another(blank: Blank) -> bool:
    """Whether a reply puts a name that the graph does not know into the statement: It was written by Thomas Hardy."""
    text, (lead, tail) = blank.text, (Text(part).words for part in blank.frame)
    if not (lead or (tail and f" {' '.join(tail[:2])}" in " ".join(text.words))):
        return False  # any word opens a reply: Exactly
    lead = lead[-1:] if _BY.issuperset(lead[-1:]) else lead[-2:]
    shown = {word for answer in answers_of(blank.question) for name in answer.names() for word in name_words(name)}
    for i in range(len(lead), len(text)):
        if text.words[i - len(lead) : i] == lead and text.capital[i] and text.words[i] not in shown:
            sentence = [word for word, of in zip(text.words, text.sentences, strict=True) if of == text.sentences[i]]
            is_place = text.words[i] in vocabulary("region", "function")
            return not is_place and not _CITES.search(" ".join(sentence))
    return False


def _shares_a_word(text: Text, template: str) -> bool:
    """Whether a text has a word that its relation turns on: that album, its capital."""
    common = vocabulary("function", "hedge")
    return any(len(word) > 3 and word in text.words and word not in common for word in Text(template).words)


def _has_more(blank: Blank) -> bool:
    """Whether there is more in a reply than names."""
    return any(blank.text.words[i] not in _LINKS for i in _beside_names(blank))


def _beside_names(blank: Blank) -> list[int]:
    """The words of a reply that belong to no name in it."""
    named = {i for mention in blank.mentions for i in range(mention.start, mention.end)}
    return [i for i in range(len(blank.text)) if i not in named]


def _affirms(blank: Blank) -> bool:
    """Whether a reply says what the statement says, and does not merely repeat it."""
    text, echo = blank.text, normalise(blank.statement.text)
    heads = {echo, *(f"{head} {echo}" for head in _HEADS)}
    sentences = {normalise(sentence) for sentence in _STOP.split(text.source)} - {""}
    if text.asks or normalise(text.source) in heads or sentences == {echo}:
        return False
    rest = _beside_names(blank)
    shown = [mention for mention in blank.mentions if mention.uris][:_FEW]
    behind = (i for one in shown for i in rest if i >= one.end and text.items[i] == text.items[one.start])
    if any(_DENIES.fullmatch(text.words[i]) and text.depth[i] == text.depth[shown[0].start] for i in behind):
        return False
    if blank.question.sought == "subject" and not _has_object(blank):
        return False
    return not (_CITES.search(" ".join(text.words[i] for i in rest)) or _is_of_unknown(blank, rest))


def _has_object(blank: Blank) -> bool:
    """Whether a reply that names the subject has the statement's object too, or a word for it, or may leave it out."""
    text, start, end = blank.text, *blank.statement.object
    given = blank.index.asked_about(blank.question)
    names = [blank.statement.text[start:end], *(given.names() if given is not None else ())]
    own = {word for name in names for word in name_words(name) if not is_common(word)}
    places = [i for i, word in enumerate(text.words) if word in own or word.removesuffix("s") in own]
    if places:
        return any(_NOTS.isdisjoint(text.words[max(i - 2, 0) : i]) for i in places)
    last = blank.mentions[-1]
    is_left_out = last.end == len(text) and last.start > 0 and text.words[last.start - 1] in _IS
    points = _POINTS if text.sentences[-1] else _POINTS | _PRONOUNS
    return is_left_out or not points.isdisjoint(text.words)


def _is_of_unknown(blank: Blank, rest: Sequence[int]) -> bool:
    """Whether a reply speaks of a name that is none of the statement's, and not of what the statement is about.

    Args:
        blank: the reply.
        rest: its words that belong to no known name.
    """
    text, asked = blank.text, set(name_words(blank.statement.text))
    if (
        text.words[0] in _SUBJECTS
        or not _PRONOUNS.isdisjoint(text.words)
        or any(text.capital[i] and (text.words[i] in asked or text.words[i].removesuffix("s") in asked) for i in rest)
    ):
        return False
    dated = {i for i in rest if i + 1 < len(text) and text.words[i + 1].isdigit()}
    return any(text.capital[i] and i and i not in dated and not is_common(text.words[i]) for i in rest)
