"""Answers in words: one."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, lru_cache

from factprobe.evaluators.base import Evaluator, Judgment
from factprobe.evaluators.mentions import Mention, answers_of, name_words
from factprobe.evaluators.reading import declines, only_declines, without_abstentions
from factprobe.evaluators.stance import PLAIN, Stance, stance, stem
from factprobe.evaluators.variants import variants
from factprobe.evaluators.words import Text, listed, phrases, vocabulary, words_in
from factprobe.records import Question
from factprobe.text import normalise

_GUESSES = re.compile(phrases("short_guesses"))
_POINTS = re.compile(phrases("short_points"))
_DECIDING = listed(
    "not never neither nor isnt wasnt arent werent dont doesnt didnt cannot cant couldnt wouldnt shouldnt "
    "hasnt hadnt havent aint than instead other except without unlike as no far but all out false wrong "
    "incorrect doubt if whether about near between borders bordering border"
)
"""Words that may rule out or qualify the name that they stand by."""
_SAME_SENSE = [
    listed(group)
    for group in (
        "born birt nati",
        "died deat pass",
        "writ wrot auth penn",
        "made manu prod buil deve",
        "marr spou wife husb wedd",
        "spea lang tong moth",
        "foun esta crea",
        "work occu prof jobs care",
        "treat trea cure ther",
        "lies loca situ",
        "memb belo part",
        "flow empt tribut disc",
    )
]
"""Stems of words that say the same of a name: he was born in it, it is his birthplace."""
_VAGUE = listed("so thereabouts something somewhere nearby similar elsewhere around rather")


class ShortEvaluator(Evaluator):
    """What the evaluators of answers in words share."""

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
        uris = {answer.uri for answer in answers_of(question)}
        misspelt: list[Mention] = []
        if not any(mention.uris & uris for mention in mentions) and not self.index.values(question):
            names = {" ".join(name_words(name)): uri for name, uri in right.items()}
            passed = vocabulary("function").union(asked)
            misspelt = variants(text, names, self.index.names(question).uris, passed, mentions)
            mentions = sorted([*mentions, *misspelt], key=lambda mention: mention.start)
        if len(mentions) == 1 and _is_plain(text, mentions[0], asked):
            return mentions, PLAIN, frozenset(uri for mention in misspelt for uri in mention.uris)
        subjects = self.index.subjects(text, question, mentions) if mentions else None
        said = stance(text, mentions, frozenset(asked), self.predicate(asked), subjects)
        return mentions, said, frozenset(uri for mention in misspelt for uri in mention.uris)

    def said_nothing(self, text: Text, question: Question) -> bool:
        """Whether a reply only repeats words of the question and such as name nothing."""
        asked = {word for message in question.prompts for word in question_words(message.content)}
        empty = vocabulary("function") | vocabulary("hedge")
        rest = [word for word in text.words if word not in asked and word not in empty]
        repeats = len(rest) < len(text) and any(word in asked and word not in empty for word in text.words)
        return not rest or (repeats and all(word in vocabulary("kind") for word in rest))

    def guesses(self, text: Text, question: Question, outside: Collection[int] = ()) -> bool:
        """Whether a reply names something that the graph does not know: I am not sure, but I think it was Berlin.

        Args:
            text: the reply.
            question: what it answers.
            outside: words that are not looked at; then a country, which only says where something lies, is no guess.
        """
        asked = set(self.asked(question))
        common = vocabulary("function") | vocabulary("hedge") | vocabulary("kind")
        lower_case = self.index.lower_case(question)
        near = {stem(text.words[i]) for i in outside}
        spans: dict[tuple[int, int], list[int]] = {}
        for i, item in enumerate(text.items):
            spans.setdefault((item, text.depth[i]), []).append(i)
        for span in spans.values():
            if not set(span).isdisjoint(outside):
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


_SHORT_LIST = 12
"""Words of a reply that is nothing but a few names."""
normalised_name = lru_cache(maxsize=1 << 16)(normalise)
"""`normalise` for names, which come again."""


@lru_cache(maxsize=1 << 12)
def question_words(content: str) -> tuple[str, ...]:
    """The words of a message."""
    return tuple(words_in(normalise(content)))


def stems(template: str, asked: tuple[str, ...]) -> frozenset[str]:
    """The stems of the words that a question turns on: those of its relation's template, or all of its own."""
    return _stems_of(template) or frozenset(stem(word) for word in asked if len(word) > 3)


@lru_cache(maxsize=1 << 10)
def _stems_of(template: str) -> frozenset[str]:
    common = vocabulary("function") | vocabulary("hedge") | vocabulary("kind")
    words = Text(re.sub(r"\[\w+\]", " ", template)).words
    found = {stem(word) for word in words if len(word) > 3 and word not in common}
    return frozenset(found.union(*(group for group in _SAME_SENSE if not found.isdisjoint(group))))


class SingleEvaluator(ShortEvaluator):
    """What the reply commits to decides: it must name the right entity and no other."""

    def judge(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        right = self.right(question)
        whole = normalise(reply)
        if whole in right:
            is_label = any(normalised_name(answer.label) == whole for answer in answers_of(question))
            return Judgment("correct", "exact" if is_label else "alias", (right[whole],))
        if only_declines(whole):
            return Judgment("abstained", "abstention")
        text = Text(reply)
        mentions, said, misspelt = self.find(text, question, right)
        chosen = [mentions[i] for i in said.chosen]
        named = {i for mention in mentions for i in range(mention.start, mention.end)}
        if chosen and said.aside.issuperset(said.chosen) and self.guesses(text, question, named):
            return Judgment("incorrect", "no_match", wrong=1)
        if chosen and not (self._merely_told(said, whole) and self.declines(whole, text)):
            return self._of(chosen, text, question, misspelt)
        return self._of_none(whole, text, question, mentions, said)

    @staticmethod
    def _merely_told(said: Stance, whole: str) -> bool:
        """Whether what is said of the names is not what was asked, and nothing points to them as the answer."""
        return (said.told | said.aside).issuperset(said.chosen) and not _POINTS.search(without_abstentions(whole))

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
            or _is_list(text, set(self.asked(question)))
            or any(
                _is_one_of_several(text, mention, set(self.asked(question)), lower_case=self.index.lower_case(question))
                for mention in chosen
            )
        ):
            return Judgment("incorrect", "several_answers", wrong=max(len(others), 1))
        rule = "fuzzy" if hits <= misspelt else "value" if self.index.values(question) else "mention"
        return Judgment("correct", rule, tuple(sorted(hits)))


def _is_plain(text: Text, mention: Mention, asked: tuple[str, ...]) -> bool:
    """Whether only words that decide nothing stand around a name, so that its place need not be read."""
    plain = _plain_words()
    around = text.words[: mention.start] + text.words[mention.end :]
    return all(word in plain or (word in asked and word not in _DECIDING) for word in around)


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
    common = vocabulary("function") | vocabulary("hedge") | vocabulary("kind")

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
