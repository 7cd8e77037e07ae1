"""Reading of a reply to a statement."""

from __future__ import annotations

from factprobe.evaluators.true_false.judgments import NAMES, Clause, clauses_of
from factprobe.evaluators.true_false.mentions import marked
from factprobe.evaluators.true_false.sides import Side, Sides
from factprobe.reading.language import vocabulary
from factprobe.reading.once import once
from factprobe.reading.quoting import CUT, as_written
from factprobe.reading.reading import Reading
from factprobe.reading.tokens import Words, key_of
from factprobe.reading.words import words_in
from factprobe.text import normalise


class StatementReading(Reading, frozen=True):
    """Lazily computed parts of a reply to the question whether a statement is correct."""

    @once
    def words(self) -> Words:
        """Words of the reply, with others in place of the statement and of entities."""
        return Words(marked(self))

    @once
    def clauses(self) -> list[Clause]:
        """Clauses of the reply."""
        denied = self.question.denied
        asked = words_in(normalise(denied.text)) if denied else self.asked.words
        return clauses_of(self.words, frozenset(map(key_of, asked)), has_passage=self.question.context is not None)

    @once
    def sides(self) -> Sides:
        """Sides that the clauses take."""
        return Sides(self.clauses, -1 if self.question.denied else 1)

    @once
    def side(self) -> Side | None:
        """Side that the reply takes; None if it takes none, or only repeats the statement."""
        statement = self.asked.statement
        told = statement.text if statement else self.question.bare
        return None if self.flat == normalise(told) else self.sides.decided

    @once
    def letter(self) -> int:
        """Side of a reply of one letter; 0 for others."""
        return (self.flat in vocabulary("judgment_letter_true")) - (self.flat in vocabulary("judgment_letter_false"))

    @once
    def is_label(self) -> bool:
        """Whether the reply has a word for true or false and nothing else."""
        return len(self.clauses) == 1 and bool(self.clauses[0].labels) and not (self.clauses[0].own or self.clauses[0].names)

    def quoted(self, clause: Clause) -> str:
        """Return a clause as it was written."""
        words = self.words
        keys = [CUT if key in NAMES else raw for key, raw in zip(clause.keys, words.raw[clause.start :], strict=False)]
        return as_written(self.reply, " ".join(keys)) or self.excerpt
