"""A reply to a question of which only the right answers are known."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factprobe.evaluators.reference.features import Evidence, evidence
from factprobe.evaluators.reference.mentions import Asked, Name, Reply, asked_of, name_of
from factprobe.reading.asked import Asked as AskedText
from factprobe.reading.names.index import answers_of
from factprobe.reading.once import once
from factprobe.reading.reading import Reading
from factprobe.reading.tokens import Words, common_keys
from factprobe.reading.values import ROMAN, Value, values_in
from factprobe.text import normalise

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_DECIMAL_COMMA = re.compile(r"(?<![\d,.])(\d+),(\d{1,2})(?![\d,])")
_POWER = re.compile(r"(?<![\d.^×x*·⋅])(?<![×x*·⋅] )10\^(\d{1,2})(?!\d)")
_ARABIC_ARTICLE = "ال"
SHORT = 20
"""Words of a reply in which what stands beside a name tells how it is meant. Longer ones explain: of those that rules
on this would decide, people took most for right."""


class ReferenceReading(Reading, frozen=True):
    """What is read of a reply, each part when it is first asked for."""

    @once
    def right_names(self) -> dict[Name, str]:
        """The names of the right answers, with the URIs; also as they are spelled without umlauts."""
        found: dict[Name, str] = {}
        for answer in answers_of(self.question):
            for text in answer.names():
                for spelling in _spellings(text):
                    found.setdefault(name_of(spelling), answer.uri)
        return found

    @once
    def said(self) -> Reply:
        """The words of the reply, with decimal points for decimal commas."""
        text = _DECIMAL_COMMA.sub(r"\1.\2", self.reply) if "," in self.reply else self.reply
        return Reply(_POWER.sub(r"1e\1", text) if "10^" in text else text)

    @once
    def asks(self) -> Asked:
        """The words of the question."""
        question = self.question
        return asked_of(question.bare or " ".join(AskedText(self.index, question).words))

    @once
    def found(self) -> Evidence:
        """What the reply has of the right name that it has most of; the reply has at least one word."""
        return evidence(self.asks, self.names_in_order, self.said)

    @property
    def names_in_order(self) -> Sequence[Name]:
        """The names of the right answers."""
        return [*self.right_names]

    @once
    def bare_value(self) -> Value | None:
        """The date or number that it is, with nothing else but words of the question."""
        said = self.said
        if len(said) > SHORT or not any(name.value is not None for name in self.right_names):
            return None
        values = values_in(said.source)
        inside = {i for one in values for i in range(said.word_at(one.start), said.word_at(one.end))}
        empty = common_keys() | self.asks.keys
        rest = (key for i, key in enumerate(said.keys) if i not in inside)
        return values[0] if len(values) == 1 and empty.issuperset(rest) else None

    @once
    def said_names(self) -> list[Name]:
        """The right names that it says word for word."""
        padded = f" {self.said.flat} "
        return [name for name in self.right_names if f" {name.flat} " in padded]

    @property
    def words_of_answer(self) -> str:
        """The words of the right names that it says, else of the one that it has most of; else its beginning."""
        said = self.said
        spans = [said.mentions(name, name.keys)[0] for name in self.said_names] or self.found.mentions[:1]
        return ", ".join(dict.fromkeys(map(said.text_of, spans))) or self.excerpt

    @once
    def says_whole(self) -> bool:
        """Whether it has all words of a right name that the question lacks."""
        return bool(self.said) and all(key in self.said.at for key in self.found.wanted)

    @property
    def plain(self) -> str:
        """The reply as names are compared."""
        return normalise(self.reply)


def initials_of(words: Words) -> str:
    """The first letters of the words with a capital; a word all in capitals, or a figure for a numeral, is whole."""
    return "".join(
        ROMAN[int(raw) - 1].upper()
        if raw.isdigit() and 0 < int(raw) <= len(ROMAN)
        else raw
        if raw.isupper()
        else raw[0]
        for raw in words.raw
        if raw[0].isupper() or raw.isdigit()
    )


def _spellings(text: str) -> list[str]:
    """A name as it is written, and without umlauts or an attached article."""
    if text.isascii():
        return [text]
    return list(dict.fromkeys([text, text.translate(_UMLAUTS), text.removeprefix(_ARABIC_ARTICLE)]))
