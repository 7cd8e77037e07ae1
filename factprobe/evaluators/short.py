"""Answers in words: one."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection
from functools import cache, lru_cache

from msgspec.structs import replace

from factprobe.evaluators.base import Evaluator, Judgment
from factprobe.evaluators.coordination import with_shared
from factprobe.evaluators.mentions import Mention, answers_of
from factprobe.evaluators.reading import declines, only_declines, without_abstentions
from factprobe.evaluators.stance import PLAIN, Stance, stance, stem
from factprobe.evaluators.values import is_ordinal, values_in
from factprobe.evaluators.variants import variants
from factprobe.evaluators.words import Text, listed, name_words, phrases, vocabulary, words_in
from factprobe.records import Question
from factprobe.text import normalise

_OTHER_SCRIPT = re.compile(r"[\u0370-\u1dff\u3040-\ud7ff]")
"""Letters that are not Latin."""
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
        "rele publ",
        "succ foll repl",
        "educ stud atte grad alma",
        "head base seat",
        "citi nati",
        "star feat appe",
    )
]
"""Stems of words that say the same of a name: he was born in it, it is his birthplace."""
_VAGUE = listed("so thereabouts something somewhere nearby similar elsewhere around rather")


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
        uris = {answer.uri for answer in answers_of(question)}
        misspelt: list[Mention] = []
        forms = self.index.forms(question)
        if not self.index.values(question):
            mentions = with_shared(text, mentions, forms.names, forms.bearers)
        if not any(mention.uris & uris for mention in mentions) and not self.index.values(question):
            names = {" ".join(name_words(name)): uri for name, uri in right.items()}
            names |= {form: uri for uri in uris for form in forms.of(uri)}
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
        empty = vocabulary("function") | vocabulary("hedge") | vocabulary("exclamation")
        rest = [i for i, word in enumerate(text.words) if word not in asked and word not in empty]
        repeats = len(rest) < len(text) and any(word in asked and word not in empty for word in text.words)
        if not rest or (repeats and all(text.words[i] in vocabulary("kind") for i in rest)):
            return True
        asks_back = text.sentences[-1] in text.asks and not _YOU.isdisjoint(text.words)
        if asks_back or (text.words[-1] in _BREAKS_OFF and len(text) > 1) or self._describes(text, question):
            return True
        if self.index.values(question):
            figures = any(character.isdigit() for i in rest for character in text.words[i])
            counts = all(is_ordinal(text.source[value.start : value.end]) for value in values_in(text.source))
            return (repeats or len(text) >= 2 * _TALK) and counts and not figures
        if len(rest) < _TALK and (repeats or len(text) < 2 * _TALK):
            return False
        named = any(text.capital[i] and not _is_adjective(text, i) for i in rest)
        return text.capital[0] and not self.index.lower_case(question) and not named

    def _describes(self, text: Text, question: Question) -> bool:
        """Whether a reply says what the subject is, and nothing of what was asked: Mali is a country in Africa."""
        asked, predicate = self.asked(question), template_stems(self.index.template)
        copula = next((i for i, word in enumerate(text.words) if word in _COPULAS), 0)
        return (
            0 < copula < len(text) - 1
            and text.words[copula + 1] in _ARTICLES
            and all(word in asked or word in vocabulary("function") for word in text.words[:copula])
            and bool(predicate)
            and predicate.isdisjoint(stem(word) for word in text.words)
        )

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


_TALK = 3
"""New words from which a reply without a name is talk rather than an answer that the graph does not know."""
_YOU = frozenset({"you", "your"})
_COPULAS = frozenset({"is", "was", "are", "were"})
_ARTICLES = frozenset({"a", "an", "one"})
_BREAKS_OFF = listed("is was are were in of by the a an to at and or from for with who which that as")
"""A reply that ends in one of these was cut off."""
_LONGEST_NAME = 4
"""Words of a name."""
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
    return template_stems(template) or frozenset(stem(word) for word in asked if len(word) > 3)


@lru_cache(maxsize=1 << 10)
def template_stems(template: str) -> frozenset[str]:
    """The stems of the words that a relation's template turns on, with those that say the same."""
    common = vocabulary("function") | vocabulary("hedge") | vocabulary("kind")
    words = Text(re.sub(r"\[\w+\]", " ", template)).words
    found = {stem(word) for word in words if len(word) > 3 and word not in common}
    return frozenset(found.union(*(group for group in _SAME_SENSE if not found.isdisjoint(group))))


class SingleEvaluator(ShortEvaluator):
    """What the reply commits to decides: it must name the right entity and no other."""

    def read(self, question: Question, reply: str) -> Judgment:
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
        if not chosen or (self._merely_told(said, whole) and self.declines(whole, text)):
            return self._of_none(whole, text, question, mentions, said)
        if self._names_another(text, question, mentions, said):
            return Judgment("incorrect", "no_match", wrong=1)
        return self._of(chosen, text, question, misspelt)

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
            or _is_list(text, set(self.asked(question)))
            or any(
                _is_one_of_several(text, mention, set(self.asked(question)), lower_case=self.index.lower_case(question))
                for mention in chosen
            )
        ):
            return Judgment("incorrect", "several_answers", wrong=max(len(others), 1))
        rule = "fuzzy" if hits <= misspelt else "value" if self.index.values(question) else "mention"
        return Judgment("correct", rule, tuple(sorted(hits)))


def _is_adjective(text: Text, i: int) -> bool:
    """Whether a word in capitals goes with the one behind it: a German composer."""
    after = i + 1
    return (
        after < len(text)
        and not text.mark[after]
        and not text.capital[after]
        and text.words[after] not in vocabulary("function")
    )


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
