"""What the evaluators of answers in words share."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection
from functools import cache, lru_cache

from msgspec.structs import replace

from factprobe.evaluators.base import Evaluator
from factprobe.evaluators.rules.base import Judgment
from factprobe.reading.abstention import declines
from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.names.coordination import with_shared
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.tables import Mention
from factprobe.reading.names.variants import variants
from factprobe.reading.stance.clauses import stem
from factprobe.reading.stance.commitment import PLAIN, Stance, stance
from factprobe.reading.values import is_ordinal, values_in
from factprobe.reading.words import Text, name_words, words_in
from factprobe.records import Question
from factprobe.text import normalise

_OTHER_SCRIPT = re.compile(r"[\u0370-\u1dff\u3040-\ud7ff]")
"""Letters that are not Latin."""
_GUESSES = re.compile(phrases("short_guesses"))
_DECIDING = vocabulary("deciding")
"""Words that may rule out or qualify the name that they stand by."""
_SAME_SENSE = [frozenset(group.split()) for group in in_order("same_sense")]
"""Stems of words that say the same of a name: he was born in it, it is his birthplace."""


class ShortEvaluator(Evaluator):
    """What the evaluators of answers in words share."""

    def judge(self, question: Question, reply: str) -> Judgment:
        """See the base class; what is written in another script is read in Latin letters as well."""
        found = self.read(question, reply)
        if found.verdict == "incorrect" and _OTHER_SCRIPT.search(reply):
            from anyascii import anyascii

            latin = self.read(question, anyascii(reply))
            if latin.verdict == "correct":
                return replace(latin, rule="fuzzy" if latin.rule != "fuzzy_set" else latin.rule)
        return found

    @abstractmethod
    def read(self, question: Question, reply: str) -> Judgment:
        """The judgment on a reply as it is written."""

    def right(self, question: Question) -> dict[str, str]:
        """The normalised names of the right answers, with their URIs."""
        if isinstance(question.answers, str):
            raise TypeError("a short-answer question has answers")
        return {normalised_name(name): answer.uri for answer in question.answers for name in answer.names()}

    def asked(self, question: Question) -> tuple[str, ...]:
        """The words of the question."""
        return question_words(question.prompts[-1].content)

    def predicate(self, asked: tuple[str, ...]) -> frozenset[str]:
        """The stems of the words that the question turns on."""
        return stems(self.index.template, asked)

    def find(
        self, text: Text, question: Question, right: dict[str, str]
    ) -> tuple[list[Mention], Stance, frozenset[str]]:
        """The names in a reply, what it says of each, and those right ones that are misspelt in it."""
        asked = self.asked(question)
        mentions = self.index.mentions(text, question, f" {' '.join(asked)} ")
        if is_list_of(text, mentions):
            every = tuple(range(len(mentions)))
            return mentions, Stance(chosen=every, said=every), frozenset()
        uris = {answer.uri for answer in answers_of(question)}
        misspelt: list[Mention] = []
        forms = self.index.forms(question)
        typed = bool(self.index.values(question))
        if mentions and not typed:
            mentions = with_shared(text, mentions, forms.names, forms.bearers)
        plainly = any(mention.uris & uris and text.depth[mention.start] == text.depth[0] for mention in mentions)
        if not plainly and not typed:
            names = {" ".join(name_words(name)): uri for name, uri in right.items()}
            names |= {form: uri for uri in sorted(uris) for form in forms.of(uri)}
            misspelt = variants(text, names, forms.known, frozenset(asked), mentions)
            mentions = sorted([*mentions, *misspelt], key=lambda mention: mention.start)
        if len(mentions) == 1 and _is_plain(text, mentions[0], asked):
            return mentions, PLAIN, frozenset(uri for mention in misspelt for uri in mention.uris)
        subjects = self.index.subjects(text, question, mentions) if mentions else None
        said = stance(text, mentions, frozenset(asked), self.predicate(asked), subjects)
        return mentions, said, frozenset(uri for mention in misspelt for uri in mention.uris)

    def said_nothing(self, text: Text, question: Question) -> bool:
        """Whether a reply names nothing: it repeats the question, asks back, or only talks."""
        if not len(text):
            return True
        asked = {word for message in question.prompts for word in question_words(message.content)}
        empty = vocabulary("function", "hedge", "exclamation")
        rest = [i for i, word in enumerate(text.words) if word not in asked and word not in empty]
        repeats = len(rest) < len(text) and any(word in asked and word not in empty for word in text.words)
        if not rest or (repeats and all(text.words[i] in vocabulary("kind") for i in rest)):
            return True
        asks_back = text.sentences[-1] in text.asks and not _YOU.isdisjoint(text.words)
        if asks_back or (text.words[-1] in _BREAKS_OFF and len(text) > 1) or self.describes(text, question):
            return True
        if self.index.values(question):
            figures = any(character.isdigit() for i in rest for character in text.words[i])
            counts = all(is_ordinal(text.source[value.start : value.end]) for value in values_in(text.source))
            return (repeats or len(text) >= 2 * _TALK) and counts and not figures
        if len(rest) < _TALK and (repeats or len(text) < 2 * _TALK):
            return False
        named = any(text.capital[i] and not _is_adjective(text, i) for i in rest)
        return text.capital[0] and not self.index.lower_case(question) and not named

    def describes(self, text: Text, question: Question) -> bool:
        """Whether a reply says what the subject is, and nothing of what was asked: Mali is a country in Africa."""
        asked, predicate = self.asked(question), template_stems(self.index.template)
        copula = next((i for i, word in enumerate(text.words) if word in _COPULAS), 0)
        return (
            0 < copula < len(text) - 1
            and text.words[copula + 1] in _ARTICLES
            and all(word in asked or word in vocabulary("function") for word in text.words[:copula])
            and any(word in asked and word not in vocabulary("function") for word in text.words[:copula])
            and bool(predicate)
            and predicate.isdisjoint(stem(word) for word in text.words[copula:])
        )

    def guesses(self, text: Text, question: Question, outside: Collection[int] = ()) -> bool:
        """Whether a reply names something that the graph does not know: I am not sure, but I think it was Berlin.

        Args:
            text: the reply.
            question: what it answers.
            outside: words that are not looked at; then a country, which only says where something lies, is no guess.
        """
        asked = set(self.asked(question))
        common = vocabulary("function", "hedge", "kind")
        lower_case = self.index.lower_case(question)
        near = {stem(text.words[i]) for i in outside}
        spans: dict[tuple[int, int], list[int]] = {}
        for i, item in enumerate(text.items):
            spans.setdefault((item, text.depth[i]), []).append(i)
        for span in spans.values():
            if not set(span).isdisjoint(outside) or any(text.words[i] in _YOU for i in span):
                continue
            flat = " ".join(text.words[i] for i in span)
            new = [i for i in span if text.words[i] not in asked and text.words[i] not in common]
            new = [i for i in new if stem(text.words[i]) not in near]  # "German (Germany)"
            names = [i for i in new if (text.capital[i] and (i > span[0] or len(new) == len(span))) or lower_case]
            bare = len(new) == len(names) and len(span) <= 4 and not declines(flat)
            after = flat.rpartition(" but ")[2] if " but " in flat else flat
            if outside and " ".join(text.words[i] for i in names) in vocabulary("region"):
                continue
            if names and (bare or (_GUESSES.search(after) and not declines(after))):
                return True
        return False


_LIST_MARKS = frozenset(",;\n•")
"""What parts the names of a list."""
_TALK = 3
"""New words from which a reply without a name is talk rather than an answer that the graph does not know."""
_YOU = vocabulary("you")
_COPULAS = vocabulary("copula")
_ARTICLES = vocabulary("description_article")
_BREAKS_OFF = vocabulary("breaks_off")
"""A reply that ends in one of these was cut off."""
normalised_name = lru_cache(maxsize=1 << 16)(normalise)
"""`normalise` for names, which come again."""


@lru_cache(maxsize=1 << 12)
def question_words(content: str) -> tuple[str, ...]:
    """The words of a message."""
    return tuple(words_in(normalise(content)))


def stems(template: str, asked: tuple[str, ...]) -> frozenset[str]:
    """The stems of the words that a question turns on: those of its relation's template, or all of its own."""
    return template_stems(template) or frozenset(stem(word) for word in asked if len(word) > 3)


@lru_cache(maxsize=1 << 10)
def template_stems(template: str) -> frozenset[str]:
    """The stems of the words that a relation's template turns on, with those that say the same."""
    common = vocabulary("function", "hedge", "kind")
    words = Text(re.sub(r"\[\w+\]", " ", template)).words
    found = {stem(word) for word in words if len(word) > 3 and word not in common}
    return frozenset(found.union(*(group for group in _SAME_SENSE if not found.isdisjoint(group))))


def _is_adjective(text: Text, i: int) -> bool:
    """Whether a word in capitals goes with the one behind it: a German composer."""
    after = i + 1
    return (
        after < len(text)
        and not text.mark[after]
        and not text.capital[after]
        and text.words[after] not in vocabulary("function")
    )


def _is_plain(text: Text, mention: Mention, asked: tuple[str, ...]) -> bool:
    """Whether only words that decide nothing stand around a name, so that its place need not be read."""
    plain = _plain_words()
    around = text.words[: mention.start] + text.words[mention.end :]
    return all(word in plain or (word in asked and word not in _DECIDING) for word in around)


def is_list_of(text: Text, mentions: list[Mention]) -> bool:
    """Whether a reply is a list of the names and nothing else, which says of each that it is an answer."""
    named = sum(mention.end - mention.start for mention in mentions)
    links = text.words.count("and")
    inside = sum(text.words[mention.start : mention.end].count("and") for mention in mentions) if links else 0
    return (
        len(mentions) > 1
        and named + links - inside == len(text)
        and _LIST_MARKS.issuperset("".join(text.mark[mention.start] for mention in mentions))
        and text.sentences[-1] not in text.asks
    )


@cache
def _plain_words() -> frozenset[str]:
    return vocabulary("function") - _DECIDING


def without_address(
    chosen: list[Mention], text: Text, right: frozenset[str], *, several: bool = False
) -> list[Mention]:
    """The mentions without the country or state that says where the place before it lies: Ulm, Germany.

    Where the country is right and the place is not, the country stays: a town in Germany is in Germany.
    """
    regions = vocabulary("region")
    kept: list[Mention] = []
    for mention in chosen:
        is_region = " ".join(text.words[mention.start : mention.end]) in regions
        before = kept[-1] if kept else None
        gap = text.words[before.end : mention.start] if before else []
        after_place = before is not None and " ".join(text.words[before.start : before.end]) not in regions
        part = (gap == [] and text.mark[mention.start] in (",", "", "(", ",(")) or gap == ["in"]
        if before is not None and is_region and after_place and part:
            if mention.uris & right and several:
                kept.append(mention)
            elif mention.uris & right and not before.uris & right:
                kept[-1] = mention
            continue
        kept.append(mention)
    return kept
