"""Detection of replies that decline to answer, by sentences that combine a word for a lack with one for knowledge."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.tokens import key_of
from factprobe.reading.tokenisation.words import joined
from factprobe.text import normalise, spelling

_LACK, _THING = vocabulary("unknown_lack"), vocabulary("unknown_thing")
_LACK_OR_BOTH = vocabulary("unknown_lack", "unknown")
_BOTH, _ALONE, _OWN = vocabulary("unknown"), vocabulary("unknown_alone"), vocabulary("unknown_speaker")
_IDIOM = re.compile(rf"(?<![a-z])(?:{phrases('abstention_idiom')})(?![a-z])")
_TURNS = vocabulary("but", "guess")
_PLAIN = vocabulary("function", "exclamation", "hedge", "abstention_polite")
_FEW = 12
"""Maximum number of words of a reply that is nothing but a refusal."""
_LONGEST = 40
"""Maximum number of words of a refusal that is known as a whole; each of its characters may be a word."""
_SYMBOL = 2
"""Length of the symbol of a chemical element."""


def says_unknown(keys: Collection[str], *, names_answer: bool = True) -> bool:
    """Return whether the keys of a sentence's words say that an answer is not known or cannot be given.

    Such a sentence has a word for a lack and one for knowledge or an answer, or one word for both. It does not matter
    who lacks the knowledge.

    Args:
        keys: Keys of the words.
        names_answer: True if the text names an answer; otherwise a lack of the speaker, or a guess, is enough.
    """
    is_open = not names_answer
    if not _keys(_BOTH).isdisjoint(keys) or (is_open and not _keys(_ALONE).isdisjoint(keys)):
        return True
    is_of_speaker = is_open and not _keys(_OWN).isdisjoint(keys)
    return not _keys(_LACK).isdisjoint(keys) and (is_of_speaker or not _keys(_THING).isdisjoint(keys))


def only_declines(words: Sequence[str]) -> bool:
    """Return whether the words of a reply are nothing but a refusal."""
    if len(words) == 1 and len(words[0]) == _SYMBOL and words[0].istitle():
        return False  # Na is sodium, NA is not available
    if len(words) <= _LONGEST and _whole().fullmatch(_letters("".join(words))):
        return True
    if not words or len(words) > _FEW or key_of(words[0]) not in _refusal_keys():
        return False
    keys = [*map(key_of, words)]
    return _refusal_keys().issuperset(keys) and says_unknown(keys)


def refusals_in(text: Text, named: Collection[int] = (), *, names_answer: bool = False) -> list[tuple[int, int]]:
    """Return the spans of the sentences that decline to answer.

    Args:
        text: Reply in words.
        named: Indices of words that belong to names.
        names_answer: True if the reply names an answer.
    """
    return [
        (start, end)
        for start, end in _sentences(text)
        if _declines([text.words[i] for i in range(start, end) if i not in named], names_answer=names_answer)
    ]


def is_only_refusal(text: Text, span: tuple[int, int]) -> bool:
    """Return whether a sentence that declines has neither a guess nor a "but"."""
    return _TURNS.isdisjoint(text.words[slice(*span)])


def denies_existence(text: Text, name: str) -> bool:
    """Return whether a sentence denies the existence of an entity with a normalised name."""
    own = frozenset(map(key_of, name.split()))
    for start, end in _sentences(text):
        keys = frozenset(map(key_of, text.words[start:end])) - own
        if not _keys(_LACK).isdisjoint(keys) and not _keys(vocabulary("existence")).isdisjoint(keys):
            return True
        rest = keys - _keys(vocabulary("function", "kind", "hedge_of_fiction"))
        if rest and _keys(vocabulary("fictional")).issuperset(rest):
            return True
    return False


def _declines(words: list[str], *, names_answer: bool) -> bool:
    alone = _keys(_ALONE)
    keys = [key for word in words if (key := key_of(word)) not in alone or word in _ALONE]  # "passed" is no "pass"
    if names_answer:  # "certainly not Ulm" negates a name
        keys = keys[next((i for i, key in enumerate(keys) if key in _keys(_LACK_OR_BOTH)), len(keys)) :]
    return says_unknown(keys, names_answer=names_answer) or _IDIOM.search(joined(words)) is not None


def _sentences(text: Text) -> Iterator[tuple[int, int]]:
    start, of = 0, text.sentences
    while start < len(of):
        end = bisect_right(of, of[start], start)
        yield start, end
        start = end


@cache
def _keys(words: frozenset[str]) -> frozenset[str]:
    return frozenset(map(key_of, words))


@cache
def _whole() -> re.Pattern[str]:
    """Return the pattern of replies that are refusals only as a whole, in letters, some after an apology."""
    lists = in_order("abstention_apology"), in_order("abstention_whole")
    apologies, refusals = ("|".join(map(_letters, some)) for some in lists)
    return re.compile(rf"(?:{apologies})|(?:{apologies})?(?:{refusals})")


def _letters(text: str) -> str:
    """Return the letters and digits of a normalised text, since words of some scripts are split in several ways."""
    if text.isascii() and text.isalnum():
        return spelling(text.lower())
    return "".join(filter(str.isalnum, normalise(text)))


@cache
def _refusal_keys() -> frozenset[str]:
    """Return the keys that occur in replies that are nothing but a refusal."""
    whole = vocabulary("abstention_whole", "abstention_apology")
    words = frozenset(word for phrase in whole for word in normalise(phrase).split())
    return _keys(words | _LACK | _THING | _BOTH | _OWN | _ALONE | _PLAIN)
