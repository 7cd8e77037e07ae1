"""Analysis of a reply to a true/false question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from factprobe.evaluators.conditional_logit import Alternatives, ChosenAlternative, choose
from factprobe.evaluators.options.signs import in_plain_words
from factprobe.evaluators.places import MaskedReply, masked_words, words_of
from factprobe.evaluators.true_false.features import FEATURES, alternatives
from factprobe.evaluators.true_false.judged_clauses import is_label, may_name
from factprobe.evaluators.true_false.masking import mask_entities, mask_statement
from factprobe.evaluators.true_false.statement_mentions import mentions_in
from factprobe.lazy import lazy
from factprobe.reading.cue_tables import cue_table
from factprobe.reading.language import in_order, table, vocabulary
from factprobe.reading.names.fuzzy import misspelt
from factprobe.reading.reading_base import Reading
from factprobe.reading.tokenisation.tokens import Words, common_keys, key_of
from factprobe.text import normalise

_AND = re.compile(rf" (?=(?:{'|'.join(in_order('link_and'))}) )")
_CONCESSION = re.compile(
    rf"\s*(?:{'|'.join((*in_order('assertion_concedes'), *in_order('judgment_concedes')))})\s[^.!?;\n]*,\s+(?=\w)",
    re.IGNORECASE,
)
"""Pattern of a concession at the beginning: "Although many doubt it, it is true"."""
_CONTRACTION = re.compile(
    rf"\b({'|'.join(in_order('judgment_pronoun'))})['’]({'|'.join(table('contracted_verb'))})\b", re.IGNORECASE
)
"""Pattern of a pronoun with a contracted verb (it's)."""
_LABELS = ("correct", "incorrect")
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
        text = _CONTRACTION.sub(self._expand, in_plain_words(self.reply))
        concession = None if self.question.context else _CONCESSION.match(text)
        text = mask_statement(text[concession.end() :] if concession else text, self.statement)
        if self.question.context is not None:
            text = _AND.sub(", ", text)  # one part may judge the passage
        words = words_of(text)
        return words_of(mask_entities(self, text, is_label)) if may_name(words.keys, self.statement_keys) else words

    def _expand(self, contraction: re.Match[str]) -> str:
        """Return a contraction as pronoun and verb; of several verbs (is, has), the one that the statement has."""
        verbs = table("contracted_verb")[contraction[2].lower()]
        return f"{contraction[1]} {next((verb for verb in verbs if key_of(verb) in self.statement_keys), verbs[0])}"

    @lazy
    def statement(self) -> str:
        """Statement of the question; for a negated statement, the one that it negates."""
        statement = self.question.denied or self.question.statement
        return (statement.text if statement else self.question.bare).strip().rstrip(".?")

    @lazy
    def statement_keys(self) -> Sequence[str]:
        """Stems of the words of the statement; of a negated statement, without the negation."""
        return words_of(self.statement).keys

    @lazy
    def masked(self) -> MaskedReply:
        """Reply with a mask for each mention of true or false."""
        question, statement, reply_keys = self.question, self.statement_keys, {*self.marked.keys}
        if common_keys().issuperset(reply_keys.intersection(statement)):
            statement = [key for key in statement if key in reply_keys]  # words that the reply lacks change no status
        repeats = self.flat == normalise(question.statement.text if question.statement else question.bare)
        flags = repeats, question.denied is not None, question.context is not None
        return _mask(self.marked, tuple(statement), *flags)

    @lazy
    def alternatives(self) -> Alternatives:
        """Features of each side that the reply may take."""
        return alternatives(self.masked)

    @lazy
    def choice(self) -> ChosenAlternative:
        """Side that the reply takes, by the grading model."""
        return _choice(self.masked)

    @property
    def right_options(self) -> frozenset[int]:
        """Side that is right, as a set of one."""
        return frozenset((_LABELS.index(str(self.question.answers)),))

    @lazy
    def letter(self) -> int:
        """Side of a reply that is only a letter (`T`) or a label, perhaps misspelt; -1 for any other reply."""
        for side, name in enumerate(("judgment_alone_true", "judgment_alone_false")):
            if self.flat in vocabulary(name):
                return side
        is_slip = self.flat.isalpha() and self.flat not in _LABELS and misspelt(self.flat, _LABELS, ())
        return int(self.flat.startswith(_LABELS[1][:2])) if is_slip else -1

    @lazy
    def restated(self) -> int:
        """Side of a reply that is the statement, or its opposite, with a pronoun for a name; -1 for any other reply."""
        pronouns = vocabulary("judgment_pronoun").intersection(self.flat.split())
        for side, statement in enumerate((self.question.statement, self.question.denied)):
            if statement is None:
                continue
            for start, end in (statement.subject, statement.object):
                again = (f"{statement.text[:start]}{word}{statement.text[end:]}" for word in pronouns)
                if self.flat in map(normalise, again):
                    return side
        return -1


@lru_cache(maxsize=1 << 12)
def _mask(words: Words, statement: tuple[str, ...], repeats: bool, is_negated: bool, has_passage: bool) -> MaskedReply:
    """Return a reply with its mentions masked; cached, since many replies differ only in names."""
    mentions = [] if repeats else mentions_in(words, statement, is_negated=is_negated, has_passage=has_passage)
    return MaskedReply(masked_words(words.source, mentions), mentions, frozenset(statement), 0, _CUES)


_choice = lru_cache(maxsize=1 << 12)(lambda reply: choose(alternatives(reply), __package__, FEATURES))
