"""What a question asks, as the rules see it: by its own data, or for records without them by its last message."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from msgspec import Struct

from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import EntityIndex
from factprobe.reading.once import once
from factprobe.reading.words import name_words, words_in
from factprobe.records import Answer, Question, Statement
from factprobe.text import normalise, one_line


class Asked(Struct, frozen=True, dict=True, eq=False):
    """What one question asks; each part is found when it is first asked for."""

    index: EntityIndex
    """The relation's entities; its templates tell the statement of a record that does not hold it."""
    question: Question
    """From this version or an earlier one, or from elsewhere."""

    @once
    def words(self) -> tuple[str, ...]:
        """The normalised words of the question alone."""
        return _words(self._bare or self._message)

    @once
    def flat(self) -> str:
        """The same in one text, with a space around each."""
        return f" {' '.join(self.words)} "

    @once
    def echoes(self) -> frozenset[str]:
        """Words that say nothing when a reply repeats them: the question's, and those by which questions are put."""
        if self._bare:
            return vocabulary("task").union(self.words)
        return frozenset(word for message in self.question.prompts for word in _words(message.content))

    @once
    def statement(self) -> Statement | None:
        """The sentence with its names, or with the blank."""
        question = self.question
        if self._bare or question.question_type != "binary_answer":
            return question.statement
        return _statement_in(self._message, self.index, question)

    @property
    def _bare(self) -> str:
        """The question alone, as its data tell it; empty for a record without them."""
        question = self.question
        return question.bare or (question.statement.text if question.statement else "")

    @property
    def _message(self) -> str:
        return self.question.prompts[-1].content if self.question.prompts else ""


@lru_cache(maxsize=1 << 12)
def _words(text: str) -> tuple[str, ...]:
    return tuple(words_in(normalise(text)))


def _statement_in(content: str, index: EntityIndex, question: Question) -> Statement | None:
    """The statement that a true/false prompt shows; None where it follows no template of its relation."""
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
            if label := _between(one_line(line), before, after, index.sought(question).names.uris):
                return filled(frame, label)
    return None


def _frame(template: str) -> Statement:
    subject, object_ = (template.index(symbol) for symbol in ("[X]", "[Y]"))
    return Statement(template, (subject, subject + len("[X]")), (object_, object_ + len("[Y]")))


def _between(line: str, before: str, after: str, known: Collection[str]) -> str:
    """What stands between two texts: up to where it is a known name, or to the end of the line, or as little as can be.

    Where nothing stands before it, it begins behind the line's lead: "Statement: ".
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
    """The entity that a true/false statement shows at the end that is right or wrong; None without a statement.

    One that the graph does not know has no URI.
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
