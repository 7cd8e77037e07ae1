"""What the rules on true/false questions ask of a reply."""

from __future__ import annotations

import re

from msgspec.structs import replace

from factprobe.evaluators.true_false.blank import blank_of, is_statement_again
from factprobe.evaluators.true_false.denying import denial_in
from factprobe.evaluators.true_false.labels import WORD_OF, label_alone
from factprobe.evaluators.true_false.negations import is_short, labels_of_negated, restated_of_negated
from factprobe.evaluators.true_false.passages import without_passage
from factprobe.evaluators.true_false.restating import Restated, restated_in
from factprobe.evaluators.true_false.sides import LabelReading, labels_in
from factprobe.reading.abstention import declines
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.tables import find
from factprobe.reading.once import once
from factprobe.reading.phrasing import Phrases
from factprobe.reading.quoting import CUT, as_written
from factprobe.reading.reading import Reading
from factprobe.reading.words import Text
from factprobe.records.graded import Side

_CANNOT = Phrases(phrases("binary_declines"))
_SIGNS = dict.fromkeys("✓✔✅☑👍", WORD_OF["correct"]) | dict.fromkeys("✗✘❌✖👎❎", WORD_OF["incorrect"])
_WIDE = re.compile(f"(?P<no>{phrases('binary_wide_false')})|(?:{phrases('binary_wide_true')})")
_BRIEF = 12
"""Letters of a reply that has no room for a name and a label."""


class StatementReading(Reading, frozen=True):
    """A reply to the question whether a statement is correct."""

    @once
    def denied(self) -> StatementReading | None:
        """The reply to a negated statement, read as one to the statement that is denied; None where none is."""
        question = self.question
        if question.denied is None:
            return None
        right: Side = "incorrect" if question.answers == "correct" else "correct"
        plain = replace(question, statement=question.denied, denied=None, answers=right)
        return StatementReading(self.index, plain, self.reply, self.response)

    @once
    def label_alone(self) -> Side | None:
        """The side of a reply that is nothing but a label; "it is indeed" affirms what a negated statement denies."""
        return None if self.denied is not None and is_short(self.flat) else label_alone(self.flat)

    @once
    def says_it_again(self) -> bool:
        """Whether it is the statement with a pronoun for the name that the question gives: He was born in Ulm."""
        return is_statement_again(self.asked, self.flat)

    @once
    def echoes(self) -> frozenset[str]:
        """The words of the question and of such questions in general."""
        return vocabulary("task", "task_statement").union(self.asked.words)

    @once
    def worded(self) -> str:
        """What is read of the reply: with a word for each sign of true or false, without what judges the passage."""
        worded = self._in_words
        if self.question.context is None:
            return worded
        text = self.text if worded is self.reply else Text(worded)
        names = worded
        for start, end, _ in find(self.index.tables(), text):
            if end - start > 1:
                first, last = text.starts[start], text.span(end - 1)[1]
                names = f"{names[:first]}{'x' * (last - first)}{names[last:]}"
        return without_passage(worded, names)

    @once
    def _in_words(self) -> str:
        """The reply with a word for each sign that stands for true or false."""
        worded = self.reply
        if worded.isascii():
            return worded
        for sign, word in _SIGNS.items():
            worded = worded.replace(sign, f" {word} . ") if sign in worded else worded
        return _WIDE.sub(lambda found: f" {WORD_OF['incorrect' if found['no'] else 'correct']} ", worded)

    @once
    def labels(self) -> LabelReading:
        """The side that its labels take."""
        labels = labels_in(self.worded if len(self.flat) <= _BRIEF else self._without_names, self.echoes)
        return labels if self.denied is None else labels_of_negated(labels, self, self.denied)

    @once
    def rest_of_refusal(self) -> LabelReading:
        """The side that it takes beside the sentences in which it declines to answer."""
        text, cut = self.text, self.refusals
        spans = [(text.starts[start], text.span(end - 1)[1], CUT) for start, end in cut]
        return labels_in(text.replaced(spans), self.echoes)

    @once
    def restated(self) -> Restated | None:
        """What it tells in the statement's place, and the side that it takes by that."""
        if self.denied is not None:
            return restated_of_negated(self, self.denied)
        blank = blank_of(self, self._text)
        return restated_in(blank) if blank is not None else None

    @once
    def denial(self) -> str:
        """The sentence that denies the statement in its own words; empty where none does: He was not born in Paris."""
        return denial_in(self.worded, self.asked, self.echoes)

    @once
    def declines_to_judge(self) -> bool:
        """Whether it takes no side and says that it cannot."""
        if self.labels.how not in ("doubted", "none"):
            return False
        return declines(self.flat) or _CANNOT.search(self.flat) is not None

    @property
    def label_clause(self) -> str:
        """The clause by whose label it takes a side, as it was written."""
        return self.quoted(self.labels.clause)

    def quoted(self, passage: str) -> str:
        """A passage as it was written; the beginning of the reply where it was not written so."""
        return as_written(self.reply, passage) or self.excerpt

    @once
    def _text(self) -> Text:
        """What is read for labels and names, in words: the reply, unless it has signs for words."""
        return self.text if self.worded is self.reply else Text(self.worded)

    @once
    def _without_names(self) -> str:
        """The reply without the statement's names: No Doubt takes no side."""
        text, asked = self._text, self.asked.flat
        if self.question_words.isdisjoint(text.words):  # no name of the statement's is there
            return text.source
        cut = [
            (start, end)
            for start, end, _ in find(self.index.tables(), text)
            if end - start > 1 and f" {' '.join(text.words[start:end])} " in asked
        ]
        names = [(text.starts[start], text.span(end - 1)[1]) for start, end in cut]
        return text.replaced((start, end, CUT) for start, end in names)
