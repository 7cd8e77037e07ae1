"""Right names, questions and replies, tokenised for matching without a graph."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from factprobe.lazy import lazy
from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.frequency import rarity
from factprobe.reading.tokenisation.tokens import Words, bare_keys, common_keys
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import value_of, values_in
from factprobe.text import fold

_MIDNIGHT = re.compile(r"(?<=\d)[T ]00:00(?::00(?:\.0+)?)?Z?$")

Span = tuple[int, int]
"""Index of the first word, and index after the last word."""


class Name:
    """Name of a right answer.

    Attributes:
        text: Name as the question has it.
        words: Tokens of the name.
        keys: Stems of its words, with numbers as digits, without leading articles.
        flat: These stems, separated by spaces.
        telling: Rarity of each identifying (content) word, by stem; of all words if none is identifying.
        value: Date or number that the name is; None for other names.
    """

    __slots__ = ("flat", "keys", "telling", "text", "value", "words")

    def __init__(self, text: str) -> None:
        bare = _MIDNIGHT.sub("", text) if "00:00" in text else text
        self.text = text
        self.words = Words(bare, is_name=True)
        self.keys = tuple(bare_keys(self.words)) or (fold(bare).strip() or "?",)
        self.flat = " ".join(self.keys)
        first, common = len(self.words) - len(self.keys), common_keys()
        raw = self.words.raw[max(first, 0) :] or [bare]
        words, own = [*zip(self.keys, raw, strict=True)], self._own(bare)
        telling = [(key, word) for key, word in words if (key not in common or _is_letter(word, words)) and key in own]
        self.telling: dict[str, float] = {key: rarity(fold(word)) for key, word in telling or words}
        self.value: Value | None = value_of(bare)

    def _own(self, text: str) -> Sequence[str]:
        """Return the stems of the words that identify a name; a state or country after a place does not."""
        place, _, region = text.rpartition(", ")
        is_region = place and fold(region) in vocabulary("region")
        return Words(place, is_name=True).keys if is_region else self.keys


def _is_letter(word: str, words: Sequence[object]) -> bool:
    """Return whether a word is a capital letter within a longer name, as in "hepatitis A"."""
    return len(word) == 1 and word.isupper() and len(words) > 1


name_of = lru_cache(maxsize=1 << 14)(Name)


class QuestionTokens:
    """Tokens of a question (`words`): `raw` in lower case, `keys` as stems, `fixed` as stems without number words."""

    __slots__ = ("fixed", "keys", "raw", "words")

    def __init__(self, text: str) -> None:
        words = Words(text)
        self.raw = [word.lower() for word in words.raw]
        self.keys = frozenset(words.keys)
        self.fixed = frozenset(
            key for key, raw in zip(words.keys, self.raw, strict=True) if not (key[0].isdigit() and raw.isalpha())
        )
        self.words = words


question_tokens_of = lru_cache(maxsize=1 << 12)(QuestionTokens)


class ReplyWords(Words):
    """Tokens of a reply; `at` has the indices of the words with each stem, and `flat` all stems in one text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        at: dict[str, list[int]] = {}
        for i, key in enumerate(self.keys):
            at.setdefault(key, []).append(i)
        self.at: Mapping[str, list[int]] = at
        self.flat = " ".join(self.keys)

    @lazy
    def values(self) -> list[Value]:
        """Dates and numbers in the reply."""
        return values_in(self.source)

    @lazy
    def capitals(self) -> list[int]:
        """Indices of capitalised content words."""
        common = common_keys()
        return [i for i, raw in enumerate(self.raw) if raw[0].isupper() and self.keys[i] not in common]

    def gap(self, i: int) -> str:
        """Return the text between word `i` and the one before it."""
        return self.source[self.ends[i - 1] : self.starts[i]]

    def text_of(self, span: Span) -> str:
        """Return the text of a span of words."""
        start, end = span
        return self.source[self.starts[start] : self.ends[end - 1]] if start < end else ""

    def without(self, value: Value) -> str:
        """Return the text around a value."""
        return self.source[: value.start] + self.source[value.end :]

    def mentions(self, name: Name, wanted: Collection[str]) -> list[Span]:
        """Return the spans with the stems of a name in order; without any, the shortest spans with all wanted stems.

        Args:
            name: Name of a right answer.
            wanted: Stems to look for if the name is not mentioned; stems that the reply lacks are ignored.
        """
        size = len(name.keys)
        starts = self.at.get(name.keys[0], ())
        return [(i, i + size) for i in starts if tuple(self.keys[i : i + size]) == name.keys] or self._windows(wanted)

    def _windows(self, keys: Collection[str]) -> list[Span]:
        """Return the shortest spans that contain each of the stems, apart from those that the reply lacks."""
        keys = [key for key in keys if key in self.at]
        last: dict[str, int] = {}
        windows: list[Span] = []
        for i, key in sorted((i, stem) for stem in keys for i in self.at[stem]):
            last.pop(key, None)  # the first item is the earliest word
            last[key] = i
            if len(last) == len(keys):
                windows.append((next(iter(last.values())), i + 1))
        least = min((end - start for start, end in windows), default=0)
        return [(start, end) for start, end in windows if end - start == least]

    def word_at(self, offset: int) -> int:
        """Return the index of the first word that starts at or after an offset of the source."""
        return bisect_left(self.starts, offset)
