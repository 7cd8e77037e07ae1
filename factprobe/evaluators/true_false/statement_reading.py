"""Analysis of a reply to a true/false question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from factprobe.evaluators.conditional_logit import ChosenAlternative, choose
from factprobe.evaluators.options.signs import in_plain_words
from factprobe.evaluators.places import MaskedReply, masked_words, words_of
from factprobe.evaluators.true_false.features import FEATURES, alternatives
from factprobe.evaluators.true_false.judged_clauses import is_label, may_name
from factprobe.evaluators.true_false.masking import mask_names, placeholder_of
from factprobe.evaluators.true_false.statement_mentions import mentions_in
from factprobe.lazy import lazy
from factprobe.reading.cue_tables import cue_table
from factprobe.reading.language import in_order, table, vocabulary
from factprobe.reading.names.fuzzy import misspelt
from factprobe.reading.reading_base import Reading
from factprobe.reading.tokenisation.tokens import Words, common_keys

_AND = re.compile(rf" (?=(?:{'|'.join(in_order('link_and'))}) )")
_CONCESSION = re.compile(rf"\A\s*(?:{'|'.join(in_order('judgment_concedes'))})\s[^.!?;\n]*,\s+(?=\w)", re.IGNORECASE)
"""Pattern of a concession at the beginning: "Although many doubt it, it is true"."""
_VERBS = table("contracted_verb")
_CONTRACTION = re.compile(rf"\b({'|'.join(in_order('judgment_pronoun'))})['’]({'|'.join(_VERBS)})\b", re.IGNORECASE)
"""Pattern of a pronoun with a contracted verb (it's)."""
_LABELS = ("correct", "incorrect")
_ALONE = dict.fromkeys(vocabulary("judgment_alone_false"), _LABELS[1]) | dict.fromkeys(
    vocabulary("judgment_alone_true"), _LABELS[0]
)
"""Labels for what judges a statement only as the whole of a reply (T)."""
_CUES = cue_table(
    {
        "neutral": in_order("judgment_neutral"),
        "denies": (*in_order("judgment_not"), "no"),
        "hedge": in_order("judgment_possible"),
        "corrects": in_order("judgment_corrects"),
        "concludes": in_order("judgment_concludes"),
    }
)
"""Cues that are only used in true/false questions."""


class StatementReading(Reading, frozen=True):
    """Analysis of a reply to the question whether a statement is correct; sides are 0 for true and 1 for false."""

    @lazy
    def marked(self) -> Words:
        """Tokens of the reply, with placeholders for the statement and entities."""
        if alone := _ALONE.get(self.flat) or misspelt(self.flat, _LABELS, ()) or placeholder_of(self):
            return words_of(alone)
        text = in_plain_words(self.reply)
        has_passage = self.question.context is not None  # one part of a sentence may judge it
        text = _AND.sub(", ", text) if has_passage else _CONCESSION.sub("", text, count=1)
        if may_name(words_of(text).keys, self.statement_keys):
            text = mask_names(self, text, is_label)
        return words_of(_CONTRACTION.sub(lambda match: f"{match[1]} {_VERBS[match[2].lower()][0]}", text))

    @lazy
    def statement_keys(self) -> Sequence[str]:
        """Stems of the words of the statement; of a negated statement, without the negation."""
        statement = self.question.denied or self.question.statement
        return words_of(statement.text if statement else self.question.bare).keys

    @lazy
    def masked(self) -> MaskedReply:
        """Reply with a mask for each mention of true or false."""
        statement, reply_keys = self.statement_keys, {*self.marked.keys}
        if common_keys().issuperset(reply_keys.intersection(statement)):
            statement = [key for key in statement if key in reply_keys]  # words that the reply lacks change no status
        is_negated, has_passage = self.question.denied is not None, self.question.context is not None
        return _mask(self.marked, tuple(statement), is_negated, has_passage)

    @lazy
    def choice(self) -> ChosenAlternative:
        """Side that the reply takes, by the grading model."""
        return _choice(self.masked)

    @property
    def right_options(self) -> frozenset[int]:
        """Side that is right, as a set of one."""
        return frozenset((_LABELS.index(str(self.question.answers)),))


@lru_cache(maxsize=1 << 12)
def _mask(words: Words, statement: tuple[str, ...], is_negated: bool, has_passage: bool) -> MaskedReply:
    """Return a reply with its mentions masked; cached, since many replies differ only in names."""
    mentions = mentions_in(words, statement, is_negated=is_negated, has_passage=has_passage)
    return MaskedReply(masked_words(words.source, mentions), mentions, frozenset(statement), 0, _CUES)


_choice = lru_cache(maxsize=1 << 12)(lambda reply: choose(alternatives(reply), __package__, FEATURES))
