"""Detection of replies that decline to answer, by sentences that say that something is not known."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise

from factprobe.reading.cue_tables import keys_of
from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.tokens import key_of
from factprobe.reading.tokenisation.words import join_words
from factprobe.text import normalise, spelling

_IDIOM = re.compile(rf"(?<![a-z])(?:{phrases('abstention_idiom')})(?![a-z])")
_MAX_REFUSAL = 12
"""Maximum number of words of a reply that consists of a refusal in free wording."""
_MAX_LISTED_REFUSAL = 40
"""Maximum number of words of a refusal that is listed as a whole; in some scripts each character is a word."""


def says_unknown(keys: Collection[str], *, names_answer: bool = True) -> bool:
    """Return whether a sentence says that the answer is not known or cannot be given, no matter by whom.

    Such a sentence has a word for a lack (`no`) and one for knowledge or an answer (`information`), or
    one word for both (`unknown`).

    Args:
        keys: Stems of its words.
        names_answer: True if the text names an answer. Otherwise a word for a lack is enough if the sentence is about
            the speaker (`I cannot`), and so are words such as `pass`.
    """
    alone, others = ([], []) if names_answer else (["unknown_alone"], ["unknown_speaker"])
    if not keys_of("unknown", *alone).isdisjoint(keys):
        return True
    return not (keys_of("unknown_lack").isdisjoint(keys) or keys_of("unknown_thing", *others).isdisjoint(keys))


def only_declines(words: Sequence[str]) -> bool:
    """Return whether a reply, given as its words, is nothing but a refusal."""
    if len(words) == 1 and len(words[0]) == 2 and words[0].istitle():
        return False  # Na is sodium, NA is not available
    if len(words) <= _MAX_LISTED_REFUSAL and _listed_refusals().fullmatch(_letters("".join(words))):
        return True
    keys = [*map(key_of, words)] if len(words) <= _MAX_REFUSAL else []
    lists = keys_of("unknown", "unknown_lack", "unknown_thing", "unknown_speaker", "unknown_alone", "abstention_whole")
    fillers = keys_of("abstention_apology", "abstention_polite", "function", "exclamation", "hedge")
    return all(key in lists or key in fillers for key in keys) and says_unknown(keys)


def refusals_in(text: Text, named: Collection[int] = (), *, names_answer: bool = False) -> list[tuple[int, int]]:
    """Return the spans of the sentences that decline to answer.

    Args:
        text: Reply, split into words.
        named: Indices of words that belong to names, which are ignored.
        names_answer: True if the reply names an answer.
    """
    lists = "unknown", "unknown_alone", "unknown_lack"
    if keys_of(*lists).isdisjoint(text.keys) and not _IDIOM.search(join_words(text.words)):
        return []
    ignored = {*named, *_conditions(text)}
    return [
        (start, end)
        for start, end in _sentences(text)
        if _declines([text.words[i] for i in range(start, end) if i not in ignored], names_answer=names_answer)
    ]


def denies_existence(text: Text, name: str) -> bool:
    """Return whether a sentence says that an entity does not exist or is fictional; `name` is its normalised name."""
    name_keys = frozenset(map(key_of, name.split()))
    for start, end in _sentences(text):
        keys = frozenset(map(key_of, text.words[start:end])) - name_keys
        if not (keys_of("unknown_lack").isdisjoint(keys) or keys_of("existence").isdisjoint(keys)):
            return True
        rest = keys - keys_of("function", "kind", "hedge_of_fiction")
        if rest and keys_of("fictional").issuperset(rest):
            return True
    return False


def _declines(words: list[str], *, names_answer: bool) -> bool:
    alone, stems = vocabulary("unknown_alone"), keys_of("unknown_alone")
    keys = [key for word in words if (key := key_of(word)) not in stems or word in alone]  # "passed" is no "pass"
    if names_answer:  # "certainly not Ulm" negates a name
        lacks = keys_of("unknown_lack", "unknown")
        keys = keys[next((i for i, key in enumerate(keys) if key in lacks), len(keys)) :]
    return says_unknown(keys, names_answer=names_answer) or _IDIOM.search(join_words(words)) is not None


def _conditions(text: Text) -> Iterator[int]:
    """Yield the indices of the words of conditional clauses beside another (if I'm not mistaken, it is Ulm)."""
    for start, end in _sentences(text):
        i = start
        while i < end:
            clause = i
            i = next((k for k in range(clause + 1, end) if "," in text.mark[k]), end)
            if text.words[clause] in vocabulary("condition") and i - clause < end - start:
                yield from range(clause, i)


def _sentences(text: Text) -> Iterator[tuple[int, int]]:
    starts = [i for i, (last, next_) in enumerate(pairwise(text.sentences), 1) if last != next_]
    return pairwise((0, *starts, len(text)))


@cache
def _listed_refusals() -> re.Pattern[str]:
    """Return a pattern of whole replies that are refusals (`N/A`), without spaces and marks, even after an apology."""
    lists = in_order("abstention_apology"), in_order("abstention_whole")
    apologies, refusals = ("|".join(map(_letters, words)) for words in lists)
    return re.compile(rf"(?:{apologies})|(?:{apologies})?(?:{refusals})")


def _letters(text: str) -> str:
    """Return only the letters and digits of a normalised text, since spaces vary in some scripts."""
    if text.isascii() and text.isalnum():
        return spelling(text.lower())
    return "".join(filter(str.isalnum, normalise(text)))
