"""Answers in words: one."""

from __future__ import annotations

import re

from factprobe.evaluators.rules.base import Judgment
from factprobe.evaluators.short import ShortEvaluator, normalised_name, without_address
from factprobe.reading.abstention import declines, only_declines, without_abstentions
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.tables import Mention
from factprobe.reading.stance.commitment import Stance
from factprobe.reading.words import Text
from factprobe.records import Question
from factprobe.text import normalise

_POINTS = re.compile(phrases("short_points"))
_VAGUE = vocabulary("vague")
_LONGEST_NAME = 4
"""Words of a name."""
_BUT = vocabulary("turns")
_FEW = 20
"""Mentions that are each read with the list around them; no reply of a person's has as many."""
_SHORT_LIST = 12
"""Words of a reply that is nothing but a few names."""


class SingleEvaluator(ShortEvaluator):
    """What the reply commits to decides: it must name the right entity and no other."""

    def read(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        whole = normalise(reply)
        for answer in answers_of(question):
            if whole == normalised_name(answer.label):
                return Judgment("correct", "exact", (answer.uri,))
            if any(whole == normalised_name(alias) for alias in answer.aliases):
                return Judgment("correct", "alias", (answer.uri,))
        if only_declines(whole):
            return Judgment("abstained", "abstention")
        text = Text(reply)
        mentions, said, misspelt = self.find(text, question, self.right(question))
        chosen = [mentions[i] for i in said.chosen]
        if not chosen or (self._merely_told(said, whole) and self._declines(whole, text, question, chosen)):
            return self._of_none(whole, text, question, mentions, said)
        if self._names_another(text, question, mentions, said):
            return Judgment("incorrect", "no_match", wrong=1)
        return self._of(chosen, text, question, misspelt)

    def _declines(self, whole: str, text: Text, question: Question, chosen: list[Mention]) -> bool:
        """Whether a reply declines, and not only before a "but": I can't give advice, but aspirin is for pain."""
        if not self.declines(whole, text):
            return False
        but = max((i for i, word in enumerate(text.words) if word in _BUT), default=len(text))
        asked = set(self.asked(question)) - vocabulary("function")
        speaks_of_it = not asked.isdisjoint(text.words[but + 1 : chosen[0].start])
        return not speaks_of_it or declines(" ".join(text.words[but + 1 :]))

    @staticmethod
    def _merely_told(said: Stance, whole: str) -> bool:
        """Whether what is said of the names is not what was asked, and nothing points to them as the answer."""
        by_the_way = said.told | said.aside | said.foreign
        return by_the_way.issuperset(said.chosen) and not _POINTS.search(without_abstentions(whole))

    def _names_another(self, text: Text, question: Question, mentions: list[Mention], said: Stance) -> bool:
        """Whether the reply answers with a name that the graph does not know, and names others by the way only."""
        if said.aside.issuperset(said.chosen):
            named = {i for mention in mentions for i in range(mention.start, mention.end)}
            glossed = all(_is_gloss(text, mentions[i]) for i in said.chosen)
            return not glossed and self.guesses(text, question, named)
        return said.told.issuperset(said.chosen) and self._begins_with_name(text, question, mentions)

    def _begins_with_name(self, text: Text, question: Question, mentions: list[Mention]) -> bool:
        """Whether the first sentence is an unknown name and nothing else: Istanbul. Ankara is the second largest."""
        sentence = text.sentences[0]
        first = [i for i in range(len(text)) if text.sentences[i] == sentence]
        common = {*self.asked(question), *vocabulary("function"), *vocabulary("hedge"), *vocabulary("exclamation")}
        return (
            len(first) <= _LONGEST_NAME
            and sentence not in text.asks | text.introduces
            and all(text.capital[i] and text.words[i] not in common for i in first)
            and mentions[0].start > first[-1]
        )

    def _of_none(self, whole: str, text: Text, question: Question, mentions: list[Mention], said: Stance) -> Judgment:
        """The judgment on a reply that gives no name as the answer."""
        if self.declines(whole, text) and (mentions or not self.guesses(text, question)):
            return Judgment("abstained", "abstention")
        if said.doubted and not said.ruled_out:
            return Judgment("abstained", "doubt")
        if self.said_nothing(text, question):
            return Judgment("unparsed", "no_answer", wrong=1)
        return Judgment("incorrect", "negated" if said.ruled_out else "near" if mentions else "no_match", wrong=1)

    def _of(self, chosen: list[Mention], text: Text, question: Question, misspelt: frozenset[str]) -> Judgment:
        uris = frozenset(answer.uri for answer in answers_of(question))
        chosen = without_address(chosen, text, uris)
        hits = {uri for mention in chosen for uri in mention.uris & uris}
        others = {
            tuple(sorted(mention.uris)) or (text.words[mention.start],) for mention in chosen if not mention.uris & uris
        }
        if not hits:
            return Judgment("incorrect", "other_entity", wrong=max(len(others), 1))
        if (
            others
            or (len(text.asks) > 1 and _asks_of_several(text))
            or _is_list(text, set(self.asked(question)))
            or any(
                _is_one_of_several(text, mention, set(self.asked(question)), lower_case=self.index.lower_case(question))
                for mention in chosen[:_FEW]
            )
        ):
            return Judgment("incorrect", "several_answers", wrong=max(len(others), 1))
        forms = self.index.forms(question).table.uris
        if hits <= misspelt:
            rule = "fuzzy"
        elif self.index.values(question):
            rule = "value"
        elif all(" ".join(text.words[m.start : m.end]) in forms for m in chosen if m.uris & uris):
            rule = "form"
        else:
            rule = "mention"
        return Judgment("correct", rule, tuple(sorted(hits)))


def _is_gloss(text: Text, mention: Mention) -> bool:
    """Whether a name alone in brackets says what stands before them in other words: Pa (protactinium)."""
    ends = mention.end >= len(text) or ")" in text.mark[mention.end]
    name = " ".join(text.words[mention.start : mention.end])
    return (
        0 < mention.start <= _LONGEST_NAME
        and text.mark[mention.start] == "("
        and ends
        and name not in vocabulary("region")
    )


def _asks_of_several(text: Text) -> bool:
    """Whether a reply is names with a question mark each, and takes none of them: Belgrade? Zagreb? Smiljan?"""
    sentences: dict[int, list[int]] = {}
    for i, sentence in enumerate(text.sentences):
        sentences.setdefault(sentence, []).append(i)
    asked = [words for sentence, words in sentences.items() if sentence in text.asks]
    told = [words for sentence, words in sentences.items() if sentence not in text.asks]
    bare = [words for words in asked if len(words) < _LONGEST_NAME and all(text.capital[i] for i in words)]
    common = vocabulary("function", "hedge")
    return len(bare) > 1 and all(text.words[i] in common for words in told for i in words)


def _is_list(text: Text, asked: set[str]) -> bool:
    """Whether a reply is a list of three or more names; not a place with what it lies in: Ulm, Swabia, Germany."""
    if len(text) > _SHORT_LIST:
        return False
    items: dict[int, list[int]] = {}
    for i, item in enumerate(text.items):
        items.setdefault(item, []).append(i)
    if len(items) < 3 or any(mark not in ("", ",", "-", ".", ";", "\n") for mark in text.mark):
        return False
    kinds, function = vocabulary("kind"), vocabulary("function")
    words = [text.words[i] for i in range(len(text))]
    last = " ".join(text.words[i] for i in list(items.values())[-1])
    return (
        all(text.capital[span[0]] and len(span) < 4 for span in items.values())
        and last not in vocabulary("region")
        and not any(word in kinds or word in function or word in asked or len(word) < 3 for word in words)
    )


def _is_one_of_several(text: Text, mention: Mention, asked: set[str], *, lower_case: bool) -> bool:
    """Whether "or" or "and" joins a name to one that the graph does not know: Ulm or Berlin."""
    common = vocabulary("function", "hedge", "kind")

    def is_name(i: int, link: str) -> bool:
        new = text.words[i] not in common and text.words[i] not in asked and text.words[i] not in _VAGUE
        return new and (text.capital[i] or lower_case or (link in ("or", "/") and not text.words[i].isdigit()))

    after = mention.end
    # A list may stand between: Ulm, Berlin or Hamburg.
    while after < len(text) and text.mark[after] == "," and text.capital[after] and text.words[after] not in common:
        after += 1
        while after < len(text) and text.capital[after] and not text.mark[after] and text.words[after] not in common:
            after += 1
    if after < len(text) and text.sentences[after] == text.sentences[mention.start]:
        mark, word = text.mark[after], text.words[after]
        link = word if word in ("or", "and") and mark in ("", ",") else "/" if mark == "/" else ""
        if link:
            i = after + (link != "/")
            while i < len(text) and text.words[i] in (
                "maybe",
                "perhaps",
                "possibly",
                "in",
                "the",
                "also",
                "even",
                "a",
                "at",
            ):
                i += 1
            end = i
            while end < len(text) and not text.mark[end] and text.sentences[end] == text.sentences[mention.start]:
                if text.words[end] in common and text.words[end] not in ("of", "the", "de"):
                    break
                end += 1
            stops = end >= len(text) or text.mark[end] or text.sentences[end] != text.sentences[mention.start]
            if i < len(text) and is_name(i, link) and (stops or link != "and"):
                return True
    before = mention.start - 1
    while (
        before >= 0
        and text.words[before] in ("in", "the", "maybe", "perhaps", "possibly", "a", "at")
        and not text.mark[before + 1]
    ):
        before -= 1
    if before > 0 and text.words[before] in ("or", "and") and text.sentences[before] == text.sentences[mention.start]:
        i = before - 1
        same = text.sentences[i] == text.sentences[mention.start] and text.depth[i] == text.depth[mention.start]
        starts = i == 0 or text.sentences[i - 1] != text.sentences[i]
        return same and is_name(i, text.words[before]) and (text.words[before] == "or" or not starts or before == 1)
    return text.mark[mention.start] == "/" and mention.start > 0 and is_name(mention.start - 1, "/")
