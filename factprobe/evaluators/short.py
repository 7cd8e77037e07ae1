"""Answers in words: one, or a set."""

from __future__ import annotations

from itertools import groupby

from factprobe.evaluators.base import Evaluator, Judgment
from factprobe.evaluators.mentions import Mention, Word, words_of
from factprobe.evaluators.reading import declines
from factprobe.records import Question
from factprobe.text import normalise

_FUZZY_SCORE = 90
_FUZZY_LENGTH = 5
_LONGEST_ITEM = 6
_CONJUNCTIONS = frozenset({"and", "or", "also", "plus", "&"})
_FILLERS = frozenset({"etc", "others", "more", "so", "on", "as", "well", "many", "other", "sure", "here", "are", "is"})


class _ShortEvaluator(Evaluator):
    """What the evaluators of short answers share."""

    def _right(self, question: Question) -> dict[str, str]:
        """The normalised names of the right answers, with their URIs."""
        if isinstance(question.answers, str):
            raise TypeError("a short-answer question has answers")
        return {normalise(name): answer.uri for answer in question.answers for name in answer.names()}

    def _said_nothing(self, words: list[Word], question: Question) -> bool:
        """Whether the reply only repeats words of the question."""
        asked = {word.text for message in question.prompts for word in words_of(message.content)}
        return all(word.text in asked for word in words)


class SingleEvaluator(_ShortEvaluator):
    """The first sentence that names an entity decides; it must name the right one and no other."""

    def judge(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        right = self._right(question)
        whole = normalise(reply)
        if whole in right:
            label = {normalise(answer.label) for answer in question.answers if not isinstance(answer, str)}
            return Judgment("correct", "exact" if whole in label else "alias", (right[whole],))
        words = words_of(reply)
        mentions = self.index.mentions(words, question)
        named = [mention for mention in mentions if not mention.negated]
        if named:
            return _of_first_sentence(named, words, frozenset(right.values()))
        if declines(whole):
            return Judgment("abstained", "abstention")
        if self._said_nothing(words, question):
            return Judgment("unparsed", "no_answer", wrong=1)
        near = _near(whole, right)
        if near is not None and not mentions:
            return Judgment("correct", "fuzzy", (near,))
        return Judgment("incorrect", "negated" if mentions else "no_match", wrong=1)


def _of_first_sentence(named: list[Mention], words: list[Word], right: frozenset[str]) -> Judgment:
    sentence = words[named[0].start].sentence
    first = [mention for mention in named if words[mention.start].sentence == sentence]
    hits = {uri for mention in first for uri in mention.uris & right}
    others = sum(not mention.uris & right for mention in first)
    if hits and not others:
        return Judgment("correct", "mention", tuple(sorted(hits)))
    if hits:
        return Judgment("incorrect", "several_answers", wrong=others)
    return Judgment("incorrect", "other_entity", wrong=others)


def _near(whole: str, right: dict[str, str]) -> str | None:
    """The right answer that a reply of the same length misspells."""
    from rapidfuzz import fuzz, process

    found = process.extractOne(whole, list(right), scorer=fuzz.ratio, score_cutoff=_FUZZY_SCORE)
    return right[found[0]] if found and len(whole) >= _FUZZY_LENGTH and not any(c.isdigit() for c in whole) else None


class MultipleEvaluator(_ShortEvaluator):
    """The reply's items against the answer set; correct when they are the same set."""

    def judge(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        right = frozenset(answer.uri for answer in question.answers if not isinstance(answer, str))
        words = words_of(reply)
        named = [mention for mention in self.index.mentions(words, question) if not mention.negated]
        hits = {uri for mention in named for uri in mention.uris & right}
        others = {tuple(sorted(mention.uris)) for mention in named if not mention.uris & right}
        unknown = _unknown_items(words, named, question)
        if not named:
            if declines(normalise(reply)):
                return Judgment("abstained", "abstention")
            if not unknown:
                return Judgment("unparsed", "no_answer")
        wrong = len(others) + len(unknown)
        matched = tuple(sorted(hits))
        if hits == right and not wrong:
            return Judgment("correct", "exact_set", matched)
        return Judgment("incorrect", "partial_set" if hits else "no_match", matched, wrong)


def _unknown_items(words: list[Word], named: list[Mention], question: Question) -> set[str]:
    """The items of the list that the graph does not know, as normalised texts."""
    inside = {i for mention in named for i in range(mention.start, mention.end)}
    asked = {word.text for message in question.prompts for word in words_of(message.content)}
    told: dict[int, set[int]] = {}
    for i in inside:
        told.setdefault(words[i].line, set()).add(words[i].sentence)
    part, items = 0, []
    for i, word in enumerate(words):
        if i not in inside and word.text in _CONJUNCTIONS:
            part += 1
        else:
            items.append((word.item, part, i))
    unknown = set()
    for _, group in groupby(items, key=lambda item: item[:2]):
        positions = [i for *_, i in group]
        first, texts = words[positions[0]], [words[i].text for i in positions]
        # Beside a sentence of answers on the same line, a sentence without any is prose.
        aside = first.line in told and first.sentence not in told[first.line] and len(texts) > 2
        if not (inside.intersection(positions) or first.introduces or aside or _is_prose(texts, asked)):
            unknown.add(" ".join(texts))
    return unknown


def _is_prose(texts: list[str], asked: set[str]) -> bool:
    """Whether an item is too long for a name, says nothing new, numbers the next one, or declines."""
    is_number = len(texts) == 1 and texts[0].isdigit() and len(texts[0]) <= 2
    says_nothing = all(text in asked or text in _FILLERS for text in texts)
    return is_number or says_nothing or len(texts) > _LONGEST_ITEM or declines(" ".join(texts))
