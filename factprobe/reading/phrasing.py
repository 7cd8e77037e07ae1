"""Regular expressions of many phrases, which are tried only on a text that has a word with which one of them begins.

Nearly all texts have none, and to try hundreds of phrases at every word takes most of the time of a rule. A match of
`\\b(?:in error|wonder(?:ing)?)\\b` stands where "in" stands before a word with "erro", or where a word begins with
"wond": without them there is no match, and the answer is the same. What a pattern may begin with is read from the
pattern itself; where that is not plain, it is always tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from factprobe.reading.once import once

_LETTERS = 4
"""Letters of a word by which it is known."""
_NAME = "§"
"""Stands for a name in the texts of clauses."""
_WORD = re.compile(r"\w+")
_BEHIND_NAME = re.compile(rf"{_NAME}\d*\s+(\w{{1,{_LETTERS}}})")
_ATOM = re.compile(
    r"(?P<group>\((?:\?:|\?P<\w+>|(?P<ahead>\?=)|(?P<aside>\?!|\?<=|\?<!)|(?!\?)))|(?P<end>\)|\||\Z)"
    r"|(?P<edge>\\b|\^)|(?P<last>\$)|(?P<name>§(?:\\d\+)?)|(?P<letters>\w|\[\w+\])|(?P<any>\\[^s]|\[[^]]+\]|\.)"
    r"|(?P<blank>\\s| )|(?P<mark>[^\\()[\]|?*+{}])",
    re.DOTALL,
)
_QUANTIFIER = re.compile(r"(?:(?P<none>[?*]|\{0?,\d*\})|\+|\{\d[\d,]*\})[?+]?")


class Phrases:
    """A compiled pattern of phrases in normalised words."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @once
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    @once
    def heads(self) -> frozenset[str] | None:
        """With what a match begins, read when it is first asked for; None where that is not plain."""
        return heads_of_pattern(self.pattern)

    def may_be_in(self, text: str) -> bool:
        """Whether a match may begin somewhere in a text."""
        return self.heads is None or not self.heads.isdisjoint(_heads_of(text))

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first match from a place on."""
        return self._compiled.search(text, start) if self.may_be_in(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the beginning of a text."""
        return self._compiled.match(text) if self.may_be_in(text) else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match that is all of a text."""
        return self._compiled.fullmatch(text) if self.may_be_in(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """The matches, left to right."""
        return self._compiled.finditer(text) if self.may_be_in(text) else iter(())

    def sub(self, by: str, text: str) -> str:
        """The text with something in the place of every match."""
        return self._compiled.sub(by, text) if self.may_be_in(text) else text


@lru_cache(maxsize=1 << 10)
def _heads_of(text: str) -> frozenset[str]:
    """The beginnings of the words of a text; one clause is searched for many things."""
    plain = text.replace(_NAME, " ")
    words = plain.split() if plain.replace(" ", "").isalnum() else _WORD.findall(plain)
    heads = {word[:_LETTERS] for word in words}
    heads.update([f"{word} {then[:_LETTERS]}" for word, then in pairwise(words) if len(word) < _LETTERS])
    if _NAME in text:
        heads.add(_NAME)
        heads.update([f"{_NAME} {then}" for then in _BEHIND_NAME.findall(text)])
    if not plain.isascii():
        heads.update(letter for letter in plain if not letter.isascii())  # some phrases begin within a word
    return frozenset(heads)


def heads_of_pattern(pattern: str) -> frozenset[str] | None:
    """With what a match of a pattern begins; None where that is not plain.

    Each is the beginning of the first word, where that is a short one or a name with the beginning of the next behind
    it.
    """
    reader = _Reader(pattern)
    try:
        reader.close(reader.alternatives(frozenset({""})))
    except _NotPlainError:
        return None
    return frozenset(reader.heads) if reader.at == len(pattern) else None


class _NotPlainError(Exception):
    """How a match may begin cannot be read from its pattern."""


_Open = frozenset[str]
"""Beginnings of a match that may go on: letters, with a blank where a short first word ends; or a sign."""
_START = ""
_BORDER, _ANY = "^", "*"
"""Where a word begins; behind a first word that may be any, so that the next is looked at."""


class _Reader:
    """Reads how a match may begin, from left to right."""

    def __init__(self, pattern: str) -> None:
        self.at = 0
        self.heads: set[str] = set()
        self._pattern = pattern

    def alternatives(self, begun: _Open) -> _Open:
        """What is still open behind alternatives, which end with a bracket or with the pattern."""
        left: _Open = frozenset()
        while True:
            left |= self._sequence(begun)
            if self._pattern[self.at : self.at + 1] != "|":
                return left
            self.at += 1

    def close(self, begun: _Open) -> None:
        """Takes beginnings behind which anything may come."""
        for one in begun:
            first, blank, _ = one.partition(" ")
            if not (blank or one == _NAME):
                raise _NotPlainError
            self.heads.add(first)

    def _sequence(self, begun: _Open) -> _Open:
        while True:
            atom = _ATOM.match(self._pattern, self.at)
            if atom is None:
                raise _NotPlainError
            if atom["end"] is not None:
                return begun
            self.at = atom.end()
            left = self._group(atom, begun) if atom["group"] else self._single(atom, begun)
            quantifier = _QUANTIFIER.match(self._pattern, self.at)
            if quantifier:
                self.at = quantifier.end()
                if quantifier[0][0] != "?" and not atom["blank"]:
                    self.close(_words(left))
                    left -= _words(left)
                left = left | begun if quantifier["none"] else left
            begun = left

    def _group(self, atom: re.Match[str], begun: _Open) -> _Open:
        if atom["aside"]:
            start = self.at
            self.alternatives(frozenset())
            is_behind_blank = atom["aside"] == "?<=" and self._pattern[start : self.at].endswith(" ")
            left = frozenset({_BORDER}) if is_behind_blank else begun
        elif atom["ahead"]:
            left = self.alternatives(_words(begun))
            ended = {one for one in left if " " in one}
            self.close(frozenset(ended))
            left = begun if left - ended else begun - _words(begun)
        else:
            left = self.alternatives(begun)
        if self._pattern[self.at : self.at + 1] != ")":
            raise _NotPlainError
        self.at += 1
        return left

    def _single(self, atom: re.Match[str], begun: _Open) -> _Open:
        """What is open behind an atom that is no group."""
        words, others = _words(begun), begun - _words(begun)
        if atom["letters"]:
            return self._lengthened(begun, atom["letters"].strip("[]"))
        if atom["any"]:
            self.close(words)
            return frozenset({_ANY} if others else ())
        if atom["blank"]:
            self.heads.update(one for one in words if " " in one.rstrip())
            going = {f"{one} " for one in words if " " not in one} | {one for one in words if one.endswith(" ")}
            return frozenset(going | {_BORDER} if others else going)
        self.heads.update(one.rstrip() for one in words)
        if atom["name"]:
            return frozenset({_NAME} if others else ())
        if atom["last"]:
            return frozenset({_ANY} if others else ())
        return frozenset(_ANY if one == _ANY and atom["edge"] else _BORDER for one in others)

    def _lengthened(self, begun: _Open, letters: str) -> _Open:
        left = {_ANY} & begun
        if _NAME in begun:
            self.heads.add(_NAME)
        for one in begun - {_ANY, _NAME}:
            if one == _START and letters.isascii():
                raise _NotPlainError
            for letter in letters:
                longer = letter if one == _BORDER else one + letter
                if one == _START or len(longer.rpartition(" ")[2]) == _LETTERS:
                    self.heads.add(longer)
                else:
                    left.add(longer)
        return frozenset(left)


def _words(begun: _Open) -> _Open:
    """Those of which there are letters."""
    return begun - {_START, _BORDER, _ANY}
