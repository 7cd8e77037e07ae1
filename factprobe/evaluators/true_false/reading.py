"""Reading of a reply to a statement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from factprobe.evaluators.true_false.judgments import NAMES, Clause, clauses_of, content_of
from factprobe.evaluators.true_false.mentions import with_entities, with_words_for_signs
from factprobe.evaluators.true_false.sides import Side, Sides
from factprobe.reading.language import vocabulary
from factprobe.reading.once import once
from factprobe.reading.quoting import CUT, as_written
from factprobe.reading.reading import Reading
from factprobe.reading.tokens import Words, key_of
from factprobe.reading.words import words_in
from factprobe.records import Statement
from factprobe.text import normalise

_TO_STOP = re.compile(r"[^.,;:!?()\n]*")
_SHORT = 80
"""Maximal number of characters of a reply that is likely to come again."""


class StatementReading(Reading, frozen=True):
    """Lazily computed parts of a reply to the question whether a statement is correct."""

    @once
    def asked_keys(self) -> frozenset[str]:
        """Keys of the words of the statement, or of the one that it denies."""
        statement = self.question.denied or self.asked.statement
        told = statement.text if statement else self.question.bare
        return frozenset(map(key_of, words_in(normalise(told)))) if told else frozenset()

    @once
    def clauses(self) -> Sequence[Clause]:
        """Clauses of the reply, with other words in place of the statement and of entities."""
        has_passage, text = self.question.context is not None, with_words_for_signs(self.reply)
        if len(text) <= _SHORT:
            clauses = _clauses_of_short(text, self.asked_keys.intersection(_words_of_short(text).keys), has_passage)
            if not any(clause.own or clause.shared for clause in clauses):
                return clauses  # it names nothing
        return clauses_of(Words(with_entities(self, text)), self.asked_keys, has_passage=has_passage)

    @once
    def sides(self) -> Sides:
        """Sides that the clauses take."""
        is_open = self.asked.statement is None
        content = content_of(Words(self.question.bare).keys) if is_open else None
        return Sides(self.clauses, -1 if self.question.denied else 1, content)

    @once
    def taken(self) -> Side | None:
        """Side that the reply takes; None if it takes none, or only repeats the statement."""
        statement = self.asked.statement
        told = statement.text if statement else self.question.bare
        return None if self.flat == normalise(told) else self.sides.decided

    @once
    def letter(self) -> int:
        """Side of a reply that is one letter or word which judges only by itself; 0 for others."""
        return (self.flat in vocabulary("judgment_alone_true")) - (self.flat in vocabulary("judgment_alone_false"))

    @once
    def is_label(self) -> bool:
        """Whether the reply has a word for true or false and nothing else."""
        return (
            len(self.clauses) == 1
            and bool(self.clauses[0].labels)
            and not (self.clauses[0].own or self.clauses[0].names)
        )

    def quoted(self, clause: Clause) -> str:
        """Return a clause as it was written."""
        words = (CUT if key in NAMES else raw for key, raw in zip(clause.keys, clause.raw, strict=True))
        found = as_written(self.reply, " ".join(words))
        if found and clause.keys[-1] in NAMES:
            rest = self.reply[self.reply.index(found) + len(found) :]
            found += (behind[0] if (behind := _TO_STOP.match(rest)) else "").rstrip()
        return found or self.excerpt

    @once
    def repeated(self) -> int:
        """Side of a reply that is the statement, or what it denies, with a pronoun for a name; 0 for others."""
        denied, statement = self.question.denied, self.asked.statement
        if statement is not None and self._has_pronoun_in(statement):
            return 1
        return -1 if denied is not None and self._has_pronoun_in(denied) else 0

    def _has_pronoun_in(self, statement: Statement) -> bool:
        given = statement.subject if self.question.sought == "object" else statement.object
        for start, end in {given, min(statement.subject, statement.object)} if self.question.denied else {given}:
            for word in vocabulary("judgment_pronoun").intersection(self.flat.split()):
                if self.flat == normalise(f"{statement.text[:start]}{word}{statement.text[end:]}"):
                    return True
        return False


_words_of_short = lru_cache(maxsize=1 << 13)(Words)


@lru_cache(maxsize=1 << 13)
def _clauses_of_short(text: str, asked: frozenset[str], has_passage: bool) -> Sequence[Clause]:
    """Return the clauses of a short reply, which comes again."""
    return clauses_of(_words_of_short(text), asked, has_passage=has_passage)
