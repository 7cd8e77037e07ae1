"""Analysis of questions: wording, statement and entities, from the record's data or else from its last message."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property, lru_cache

from msgspec import Struct

from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import EntityIndex
from factprobe.reading.tokenisation.words import name_words, words_in
from factprobe.records import Answer, Question, Statement
from factprobe.text import normalise, one_line


class Asked(Struct, frozen=True, dict=True, eq=False):
    """Lazily computed parts of a question."""

    index: EntityIndex
    """Entities of the relation; its templates recover the statement of a record without one."""
    question: Question
    """Question, which may be from an earlier version or another source."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Normalised words of the question without its instructions."""
        return _words(self.text)

    @property
    def text(self) -> str:
        """Question without its instructions, or the message where it is not known."""
        return self._bare or self._message

    @cached_property
    def echoes(self) -> frozenset[str]:
        """Words that carry no information when a reply repeats them, since question or instructions have them."""
        if self._bare:
            return vocabulary("task").union(self.words)
        return frozenset(word for message in self.question.prompts for word in _words(message.content))

    @cached_property
    def statement(self) -> Statement | None:
        """True/false statement, or the sentence with a blank; None if there is neither."""
        question = self.question
        if self._bare or question.question_type != "binary_answer":
            return question.statement
        return _statement_in(self._message, self.index, question)

    @property
    def _bare(self) -> str:
        """Text of the question without instructions; empty for a record that has no such text."""
        question = self.question
        return question.bare or (question.statement.text if question.statement else "")

    @property
    def _message(self) -> str:
        return self.question.prompts[-1].content if self.question.prompts else ""


@lru_cache(maxsize=1 << 12)
def _words(text: str) -> tuple[str, ...]:
    return tuple(words_in(normalise(text)))


def _statement_in(content: str, index: EntityIndex, question: Question) -> Statement | None:
    """Recover the statement in a true/false prompt; return None if it matches no template of its relation."""
    given = index.asked_about(question)
    if given is None:
        return None
    asks_object = question.sought == "object"

    def filled(frame: Statement, sought: str) -> Statement:
        name = one_line(given.label)
        return frame.with_ends(name, sought) if asks_object else frame.with_ends(sought, name)

    for frame in map(_frame, index.templates):
        before, after = map(one_line, filled(frame, "\0").text.split("\0"))
        for line in content.splitlines():
            if label := _text_between(one_line(line), before, after, index.sought(question).names.uris):
                return filled(frame, label)
    return None


def _frame(template: str) -> Statement:
    subject, object_ = (template.index(symbol) for symbol in ("[X]", "[Y]"))
    return Statement(template, (subject, subject + len("[X]")), (object_, object_ + len("[Y]")))


def _text_between(line: str, before: str, after: str, known: Collection[str]) -> str:
    """Return the text between two texts in a line.

    The longest known name is preferred, then the text up to the end of the line, then the shortest text. With an empty
    `before`, the text begins after the line's lead, such as "Statement: ".
    """
    start = line.find(before) + len(before) if before else line.find(": ") + len(": ")
    if start < max(len(before), len(": ")):
        return ""
    if not after:
        return line[start:].strip()
    ends = [found.start() for found in re.finditer(re.escape(after), line[start:])]
    labels = [line[start : start + end].strip() for end in reversed(ends)]
    named = (label for label in labels if " ".join(name_words(label)) in known)
    return next(named, labels[0 if line.endswith(after) else -1] if labels else "")


def shown_in(index: EntityIndex, asked: Asked) -> Answer | None:
    """Return the entity that a true/false statement shows at the sought end; None without a statement.

    An entity that is not in the graph has an empty URI.
    """
    if asked.statement is None:
        return None
    question, label = asked.question, asked.statement.at(asked.question.sought)
    known, uri = index.sought(question).entities, question.shown
    if not uri:
        right = question.object_uri if question.sought == "object" else question.subject_uri
        bearers = index.sought(question).names.bearers(" ".join(name_words(label)))
        uri = right if right in bearers else min(bearers, default="")
    entity = known.get(uri)
    return Answer(entity.uri, entity.label, entity.aliases) if entity else Answer("", label)
