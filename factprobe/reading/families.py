"""Families of phrases: one line of a list stands for all the wordings of a thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from factprobe.text import normalise

_PART = re.compile(r"\(([^()]*)\)(\*?)|\[([^\[\]]*)\]|([^\s()\[\]]+)")
_DEFINED = re.compile(r"(\S+)\s*:=\s*(.+)")


class Families:
    """Phrases that are found in normalised texts as whole words.

    In a line `[a|b]` is one of several, `(a|b)` one of them or nothing, `(a|b)*` up to three of them; a word that
    a line `NAME := a|b` defines stands for any of those.

    Args:
        lines: the phrases, and the definitions, each behind those that it uses.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._defined: dict[str, tuple[str, set[str]]] = {}
        """For each defined word the pattern and the first words of what it stands for."""
        self._sources: dict[str, list[str]] = {}
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._unspaced: list[str] = []
        """Phrases of scripts that have no borders between words."""
        phrases = []
        for line in lines:
            defined = _DEFINED.fullmatch(line)
            if defined:
                self._defined[defined[1]] = self._one_of(defined[2]), self._firsts(defined[2])
            else:
                phrases.append(line)
        for phrase in sorted(phrases, key=lambda line: (-len(line), line)):
            self._add(phrase)

    def _add(self, phrase: str) -> None:
        normalised = normalise(phrase)
        if not (normalised.isascii() or " " in normalised):
            self._unspaced.append(normalised)
            return
        parts = list(_PART.finditer(phrase))
        source = "".join(self._part(part, leads=part is parts[0]) for part in parts)
        for first in self._firsts(parts[0][3] or parts[0][4]):
            self._sources.setdefault(first, []).append(source)

    def _part(self, part: re.Match[str], *, leads: bool) -> str:
        words = self._one_of(part[1] or part[3] or part[4])
        if part[1] is None:
            return words if leads else f" {words}"
        return f"(?: {words}){{0,3}}" if part[2] else f"(?: {words})?"

    def _one_of(self, alternatives: str) -> str:
        every = sorted(self._expanded(alternatives), key=lambda words: -len(words))
        return f"(?:{'|'.join(every)})" if len(every) > 1 else every[0]

    def _expanded(self, alternatives: str) -> Iterator[str]:
        for alternative in alternatives.split("|"):
            yield " ".join(
                self._defined[word][0] if word in self._defined else re.escape(normalise(word))
                for word in alternative.split()
            )

    def _firsts(self, alternatives: str) -> set[str]:
        found: set[str] = set()
        for alternative in alternatives.split("|"):
            first = alternative.split()[0]
            found |= self._defined[first][1] if first in self._defined else {normalise(first).split()[0]}
        return found

    def _pattern(self, first: str) -> re.Pattern[str]:
        if first not in self._patterns:
            self._patterns[first] = re.compile(rf"(?:{'|'.join(self._sources[first])})(?!\S)")
        return self._patterns[first]

    @property
    def firsts(self) -> frozenset[str]:
        """The words with which the phrases begin that are not of a script without borders between words."""
        return frozenset(self._sources)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where the phrases stand in a normalised text, left to right: start and end."""
        words = text.split(" ")
        if not self._sources.keys().isdisjoint(words):
            start = stop = 0
            for word in words:
                found = self._pattern(word).match(text, start) if start >= stop and word in self._sources else None
                if found:
                    stop = found.end()
                    yield start, stop
                start += len(word) + 1
        if not text.isascii():
            for phrase in self._unspaced:
                at = text.find(phrase)
                if at >= 0:
                    yield at, at + len(phrase)

    def within(self, text: str) -> bool:
        """Whether one of the phrases stands in a normalised text."""
        return next(self.spans(text), None) is not None

    def are_all_of(self, text: str) -> bool:
        """Whether a normalised text is one of the phrases and no more."""
        first = text.partition(" ")[0]
        if first in self._sources and self._pattern(first).fullmatch(text) is not None:
            return True
        return not text.isascii() and text in self._unspaced

    def taken_out(self, text: str) -> str:
        """A normalised text without the phrases."""
        for start, stop in sorted(self.spans(text), reverse=True):
            text = f"{text[:start]} {text[stop:]}"
        return text
