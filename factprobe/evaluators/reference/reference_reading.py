"""Analysis of a reply that is graded without a graph, against right answers in words; helpers of its rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from factprobe.evaluators.reference.features import NameEvidence, evidence
from factprobe.evaluators.reference.prepared_texts import (
    Name,
    QuestionTokens,
    ReplyWords,
    name_of,
    question_tokens_of,
)
from factprobe.evaluators.reference.value_matching import is_right_value
from factprobe.evaluators.rules.base import Condition, Judgment, Rule, rule
from factprobe.lazy import lazy
from factprobe.reading.abstention import says_unknown
from factprobe.reading.answer_leak import own_text
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.reading_base import Reading
from factprobe.reading.tokenisation.tokens import UMLAUTS, common_keys
from factprobe.reading.values.value import Value
from factprobe.records import Question

_ARABIC_ARTICLE = "ال"
MAX_SHORT_WORDS = 20
"""Maximum number of words of a short reply.

Only short replies are judged by their initials, by a bare value, or by the context of a right name. Longer ones are
explanations, most of which people judged correct.
"""


class ReferenceReading(Reading, frozen=True):
    """Analysis of a reply that is graded without a graph, against right answers in words."""

    @lazy
    def right_names(self) -> dict[Name, str]:
        """URIs of the right answers by name, also by spellings without umlauts or an attached article."""
        uri_by_name: dict[Name, str] = {}
        for answer in answers_of(self.question):
            for text in answer.names():
                for spelling in _spellings(text):
                    uri_by_name.setdefault(name_of(spelling), answer.uri)
        return uri_by_name

    @lazy
    def reply_tokens(self) -> ReplyWords:
        """Tokens of the reply."""
        return ReplyWords(self.reply)

    @lazy
    def reply_words(self) -> ReplyWords:
        """Tokens of the reply, in which a value that equals a right one is written like it: 8,849 m for 29,032 feet."""
        words = self.reply_tokens
        if not any(name.value is not None for name in self.right_names):
            return words
        parts: list[str] = []
        end = 0
        for value in words.values:
            written = words.source[value.start : value.end]
            if name := self._written_otherwise(value, written):
                parts += words.source[end : value.start], name.words.source
                end = value.end
        return ReplyWords("".join([*parts, words.source[end:]])) if parts else words

    def _written_otherwise(self, value: Value, written: str) -> Name | None:
        """Return the right name that a value equals, of several the one with most of its words.

        None if there is none, or the value has its words already.
        """
        equal = [name for name in self.right_names if is_right_value(value, name, self.question_tokens)]
        keys = {*ReplyWords(written).keys} if equal else set()
        nearest = max(equal, key=lambda name: len(keys.intersection(name.keys)), default=None)
        return None if nearest is None or keys.issuperset(nearest.keys) else nearest

    @property
    def declines(self) -> bool:
        """True if the reply declines to answer, without a new name or number in a sentence that does something else.

        A sentence only declines if it says that something is unknown, refers the asker elsewhere, or is a refusal ("as
        an AI") without words of the question.
        """
        if not super().declines:
            return False
        text, asked = self.text, self.question_tokens.keys - common_keys()
        spans = ((span, text.keys[slice(*span)]) for span in self.refusals)
        idle = {i for span, keys in spans if says_unknown(keys) or asked.isdisjoint(keys) for i in range(*span)}
        elsewhere = {
            text.sentences[i] for i, word in enumerate(text.words) if word in vocabulary("abstention_referral")
        }
        others = [i for i in range(len(text)) if i not in idle and text.sentences[i] not in elsewhere]
        is_named = any(self._is_new_name(i) for i in others if i and not text.raw[i].isupper())
        numbers = {text.words[i] for i in others if text.words[i][0].isdigit()}
        return not is_named and numbers <= self.question_words

    @lazy
    def question_tokens(self) -> QuestionTokens:
        """Words of the question."""
        return question_tokens_of(own_text(self.question))

    @lazy
    def evidence(self) -> NameEvidence:
        """Right name that matches best, with its mentions and features; the reply needs at least one word."""
        return evidence(self.question_tokens, [*self.right_names], self.reply_words)

    @lazy
    def verbatim_names(self) -> list[Name]:
        """Right names that the reply contains verbatim."""
        padded = f" {self.reply_words.flat} "
        return [name for name in self.right_names if f" {name.flat} " in padded]

    @property
    def answer_text(self) -> str:
        """Text of the right names that occur verbatim; if none does, of the best match; without one, an excerpt."""
        reply = self.reply_words
        spans = [reply.mentions(name, name.keys)[0] for name in self.verbatim_names] or self.evidence.mentions[:1]
        return ", ".join(dict.fromkeys(map(reply.text_of, spans))) or self.excerpt

    @lazy
    def is_complete(self) -> bool:
        """True if the reply has all identifying words of the best match that are not in the question."""
        return bool(self.reply_words) and all(key in self.reply_words.at for key in self.evidence.wanted)


def _spellings(text: str) -> list[str]:
    """Return spellings of a name: itself, without umlauts, and without an attached Arabic article."""
    if text.isascii():
        return [text]
    return list(dict.fromkeys([text, text.translate(UMLAUTS), text.removeprefix(_ARABIC_ARTICLE)]))


def is_short_and_complete(reading: ReferenceReading) -> bool:
    """Return whether a reply is short, and has all identifying words of the best match that are not in the question."""
    return len(reading.reply_words) <= MAX_SHORT_WORDS and reading.is_complete


def reject(reading: ReferenceReading, why: str) -> Judgment | None:
    """Return the judgment `incorrect` for a reason; None if the reason is empty."""
    return Judgment("incorrect", wrong=1, answer=reading.excerpt, why=why) if why else None


def rejection_rule(name: str, when: Condition | None = None) -> Callable[[Callable[[NameEvidence], str]], Rule]:
    """Return a decorator that makes a rule of a check; the check returns why a reply is wrong, or an empty text.

    Args:
        name: Id of the rule, without `reference.`.
        when: Condition under which the rule applies; by default it applies to any reply.
    """

    def make(check: Callable[[NameEvidence], str]) -> Rule:
        @wraps(check)
        def decide(reading: ReferenceReading, _: Question) -> Judgment | None:
            return reject(reading, check(reading.evidence))

        return rule(f"reference.{name}", "incorrect", when=when)(decide)

    return make
