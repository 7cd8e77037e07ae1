"""A reply to a statement, read as the answer to another question: which name belongs where the statement shows one?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial

from factprobe.evaluators.true_false.labels import EITHER
from factprobe.reading.asked import Asked, shown_in
from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.once import once
from factprobe.reading.reading import Reading
from factprobe.reading.values import Value, value_of, values_in
from factprobe.reading.words import Text, words_in
from factprobe.records import Entity, Question, Statement
from factprobe.text import normalise

_TITLE = re.compile(f"(?:{EITHER})", re.IGNORECASE)
_PRONOUNS = vocabulary("binary_pronoun")
"""What may stand for the name that a statement gives."""
_IT = in_order("binary_it")[0]
_POSSESSIVE = in_order("possessive_ending")[0]
_OPEN = re.compile(rf"\b(?:{phrases('binary_open')})\b")
"""A denial that leaves open whether the statement holds."""
_ROUND = 0.05
"""How far a rounded number may be from the one it stands for."""
_LONG = 40
"""Letters of a date in words."""


class Blank(Reading, frozen=True, kw_only=True):
    """A reply to a statement whose shown name is left out; the shown name is the right answer to its question."""

    parsed: Text
    """The reply in words."""
    truth: Entity | None
    """What the graph has in the place of the shown name; None where the statement shows it."""
    statement: Statement
    """The statement with the shown name."""

    @once
    def text(self) -> Text:
        """See the base class."""
        return self.parsed

    @once
    def is_shown(self) -> tuple[bool, ...]:
        """Of each mention, whether it is of the shown name, or of a value that may be a less exact form of it."""
        shown = [value for values in self.values.values() for value in values]
        may_be = cache(partial(self._may_be, shown))  # figures that no blank parts have all one word
        return tuple(bool(mention.uris & self.right) or may_be(*self._span(mention)) for mention in self.mentions)

    @once
    def frame(self) -> tuple[str, str]:
        """The sentence before the blank, and behind it."""
        blank = self.question.statement
        if not (blank and blank.blank):
            return "", ""
        start, end = getattr(blank, blank.blank)
        return blank.text[:start], blank.text[end:]

    def is_true(self, mention: Mention) -> bool:
        """Whether a mention is of what the graph has in the place of the shown name."""
        if self.truth is None or self.truth.uri in mention.uris:
            return self.truth is not None
        truth = value_of(self.truth.label)
        said = values_in(self.text.source[self.text.starts[mention.start] :][:_LONG]) if truth else []
        return truth is not None and any(value.start == 0 and value.answers(truth) for value in said)

    def _span(self, mention: Mention) -> tuple[int, int]:
        """Where the words of a mention stand, with all that no blank parts from them."""
        text = self.text
        return text.starts[mention.start], text.starts[mention.end - 1] + len(text.raw[mention.end - 1])

    def _may_be(self, shown: Sequence[Value], start: int, end: int) -> bool:
        """Whether what stands there may be a less exact form of a shown value."""
        told = values_in(self.text.source[start:end]) if shown else []
        return bool(shown) and (not told or any(_may_be(said, value) for said in told for value in shown))


def _may_be(said: Value, shown: Value) -> bool:
    if said.month is None and said.year is not None and shown.month is not None:
        return said.year == shown.year
    if said.number is None or shown.number is None or shown.number < 1000 or shown.year is not None:
        return said.answers(shown)
    return abs(said.number - shown.number) <= _ROUND * abs(shown.number)


def blank_of(reading: Reading, text: Text) -> Blank | None:
    """A reply to a statement with the shown name left out; None where there is no statement, or it is left open.

    Args:
        reading: of the reply.
        text: its words.
    """
    index, asked = reading.index, reading.asked
    question, statement, shown = asked.question, asked.statement, shown_in(index, asked)
    if statement is None or shown is None or _OPEN.search(text.source):
        return None
    sought = question.sought
    given = statement.at("subject" if sought == "object" else "object")
    frame = statement.with_ends(*((given, "____") if sought == "object" else ("____", given)), sought)
    identity = f"{question.question_id.rpartition(':')[0]}:ask_{sought}"
    ends = (question.relation, question.subject_uri, question.object_uri)
    blank = Question(identity, "single_answer", (), (shown,), *ends, statement=frame)
    right = question.object_uri if sought == "object" else question.subject_uri
    truth = None if question.answers == "correct" else index.sought(question).entities.get(right)
    entity = index.asked_about(blank)
    if entity is not None and _TITLE.fullmatch(entity.label):
        source = re.sub(rf"\b{entity.label}\b", _IT, text.source)
        text = text if source == text.source else Text(source)
    return Blank(index, blank, text.source, parsed=text, truth=truth, statement=statement)


def is_common(word: str) -> bool:
    """Whether a word with a capital tells no name of its own."""
    return word in vocabulary("function", "kind", "hedge", "title", "prefix")


def is_statement_again(asked: Asked, whole: str, *, opens: bool = False) -> bool:
    """Whether a normalised reply is the statement with a pronoun for the name that is given: He was born in Ulm.

    Args:
        asked: what the question asks.
        whole: the reply.
        opens: whether the pronoun may also stand for the name that the statement opens with, whichever is given.
    """
    if _PRONOUNS.isdisjoint(whole.split()):
        return False
    statement = asked.statement
    if statement is None:
        return False
    given = statement.subject if asked.question.sought == "object" else statement.object
    ends = {given, min(statement.subject, statement.object)} if opens else {given}
    return any(_is_with_pronoun(statement.text, end, _flat(whole)) for end in ends)


def _is_with_pronoun(text: str, end: tuple[int, int], whole: str) -> bool:
    """Whether the words of a reply are those of a statement with a pronoun for the name at one end."""
    before = _flat(normalise(text[: end[0]]))
    after = _flat(normalise(text[end[1] :].removeprefix(_POSSESSIVE)))
    if not (whole.startswith(before) and whole.endswith(after)):
        return False
    return whole[len(before) : len(whole) - len(after)].strip() in _PRONOUNS


def _flat(normalised: str) -> str:
    return " ".join(words_in(normalised))
