"""What a reply chooses by contrast, where the question asks which option is not so: "The penguin is no mammal"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.stance.clauses import stem
from factprobe.reading.words import Text, singulars_of

_ASKS_NOT = re.compile(phrases("option_asks_not"))
_IS_NOT = re.compile(rf"(?:{phrases('option_is_not')})\b")
_DOES_NOT = re.compile(rf"\b(?:{phrases('option_is_not')})((?: \w+)+)$")
_ALL_BUT = re.compile(rf"\b(?:{phrases('option_all_but')})$")
_ARE = vocabulary("option_are")
_JOINS, _CUTS = vocabulary("joins"), vocabulary("cuts")
_PLAIN = vocabulary("function")


@lru_cache(maxsize=1 << 12)
def asks_not(question: str) -> bool:
    """Whether a question asks which option its predicate does not hold of: Which of these is NOT a mammal?"""
    return _ASKS_NOT.search(question) is not None


def by_contrast(
    text: Text, mentions: Sequence[Mention], chosen: Sequence[int], asked: Collection[str], count: int
) -> int | None:
    """The number of the option of which a reply denies what all others are; None where it does not say so of one.

    Args:
        text: the reply.
        mentions: of options, in their order.
        chosen: the mentions that the reply would give as the answer of a question without a "not".
        asked: the words of the question.
        count: how many options there are.
    """
    own = frozenset(stem(one) for word in asked for one in (word, *singulars_of(word)))
    named = [i for i, mention in enumerate(mentions) if len(mention.uris) == 1]
    denied = {mentions[i].uris for i in named if _is_denied(text, mentions, i, own)}
    others = [mentions[i] for i in chosen if mentions[i].uris not in denied]
    if len(denied) == 1 and (not others or _says_so(text, others, own)):
        return int(min(denied.pop()))
    left = frozenset(map(str, range(count))).difference(*(mention.uris for mention in others))
    is_rest = others and not denied and len(left) == 1 < count - 1 and _says_so(text, others, own)
    return int(min(left)) if is_rest else None


def _is_denied(text: Text, mentions: Sequence[Mention], number: int, own: frozenset[str]) -> bool:
    """Whether what the question asks for is denied of one mention: Coal isn't renewable, all but coal are."""
    mention = mentions[number]
    before = [word for i, word in enumerate(text.words[: mention.start]) if _beside(text, i, mention.start)]
    said = " ".join(before)
    does_not = _DOES_NOT.search(said)
    verb = does_not[1].split() if does_not else []
    if _ALL_BUT.search(said) or (not _PLAIN.issuperset(verb) and _asked(verb, own)):
        return True
    if number and before[-1:] and before[-1] in _JOINS and mentions[number - 1].end == mention.start - 1:
        return False
    clause = (i for i in range(mention.end, len(text)) if text.mark[i].strip("-") or text.words[i] in _CUTS)
    behind = " ".join(text.words[mention.end : next(clause, len(text))])
    is_not = _IS_NOT.match(behind)
    return is_not is not None and _asked(behind[is_not.end() :].split(), own)


def _asked(words: Sequence[str], own: frozenset[str]) -> bool:
    """Whether words say nothing but what the question asks for."""
    return all(word in _PLAIN or stem(word) in own for word in words)


def _says_so(text: Text, others: Sequence[Mention], own: frozenset[str]) -> bool:
    """Whether a reply says of several options that they are what the question asks for: Wind and sun are renewable."""
    behind = others[-1].end
    words = [word for i, word in enumerate(text.words[behind:], behind) if _beside(text, i, behind - 1)]
    turns_on = any(word not in _PLAIN and stem(word) in own for word in words)
    return not _ARE.isdisjoint(words[:1]) and (turns_on or _PLAIN.issuperset(words))


def _beside(text: Text, one: int, other: int) -> bool:
    return text.sentences[one] == text.sentences[other]
