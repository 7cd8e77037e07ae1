"""Answers in words: a set."""

from __future__ import annotations

from collections.abc import Iterator

from factprobe.evaluators.rules.base import Judgment
from factprobe.evaluators.short import ShortEvaluator, is_list_of, question_words, without_address
from factprobe.reading.abstention import declines, only_declines
from factprobe.reading.cleaning import with_bullets
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.near import misspelt
from factprobe.reading.names.tables import Mention
from factprobe.reading.stance.commitment import Stance
from factprobe.reading.words import Text, name_words
from factprobe.records import Question
from factprobe.text import normalise

_LONGEST_ITEM = 6
_CONJUNCTIONS = vocabulary("list_conjunction") | {"&"}
_WITHIN_NAMES = vocabulary("within_item")
_COPULAS = vocabulary("list_copula")
_NEGATIONS = vocabulary("list_denial")
_TELLS = vocabulary("list_remark")
"""They begin a remark on the name before."""
_REMARK = ("–", "—")


class Segment:
    """Words between two separators."""

    __slots__ = ("bulleted", "introduces", "remark", "words")

    def __init__(self, *, bulleted: bool, remark: bool, introduces: bool) -> None:
        self.words: list[int] = []
        self.bulleted = bulleted
        """Whether it is the head of a bulleted or numbered line."""
        self.remark = remark
        """Whether it stands behind a dash or in brackets."""
        self.introduces = introduces


class MultipleEvaluator(ShortEvaluator):
    """The reply's items against the answer set; correct when they are the same set."""

    def read(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        names = self.right(question)
        right = frozenset(answer.uri for answer in answers_of(question))
        whole = normalise(reply)
        if only_declines(whole):
            return Judgment("abstained", "abstention")
        text = Text(with_bullets(reply))
        mentions, said, _ = self.find(text, question, names)
        counted = [mentions[i] for i in said.concluded or self._said(text, mentions, said.said, said.aside)]
        restated = _restated(mentions, said)
        counted = [mention for mention in counted if mention.start >= restated]
        denied = {uri: mention.start for i in said.ruled_out for mention in (mentions[i],) for uri in mention.uris}
        counted = [m for m in counted if not any(m.start < denied.get(uri, 0) for uri in m.uris)]
        counted = without_address(counted, text, right, several=True)
        hits = {uri for mention in counted for uri in mention.uris & right}
        others = {
            tuple(sorted(mention.uris)) or tuple(text.words[mention.start : mention.end])
            for mention in counted
            if not mention.uris & right
        }
        complete = said.concluded or is_list_of(text, mentions)
        unknown = set() if complete else self._unknown_items(text, mentions, question, restated)
        spelt = {item: name for item in unknown if (name := misspelt(item, names, self.index.names(question).uris))}
        hits |= {names[name] for name in spelt.values()}
        unknown -= spelt.keys()
        if not hits and not others:
            if self.declines(whole, text) and not self.guesses(text, question):
                return Judgment("abstained", "abstention")
            if not unknown or self.describes(text, question):
                if said.doubted or said.ruled_out:
                    doubted = not said.ruled_out
                    return Judgment("abstained" if doubted else "incorrect", "doubt" if doubted else "negated")
                return Judgment("unparsed", "no_answer")
        wrong = len(others) + len(unknown)
        matched = tuple(sorted(hits))
        if hits == right and not wrong:
            return Judgment("correct", "fuzzy_set" if spelt else "exact_set", matched)
        return Judgment("incorrect", "partial_set" if hits else "no_match", matched, wrong)

    @staticmethod
    def _said(text: Text, mentions: list[Mention], said: tuple[int, ...], aside: frozenset[int]) -> list[int]:
        """The mentions that count: also those that a bullet stands before."""
        heads = {i for i in aside if "•" in text.mark[mentions[i].start]}
        return sorted({*said} | heads)

    def _unknown_items(self, text: Text, mentions: list[Mention], question: Question, first: int = 0) -> set[str]:
        """The items of the list that the graph does not know, from a word on, as normalised texts."""
        inside = {i for mention in mentions for i in range(mention.start, mention.end)}
        asked = {word for message in question.prompts for word in question_words(message.content)}
        told: dict[int, set[int]] = {}
        for i in inside:
            told.setdefault(text.lines[i], set()).add(text.sentences[i])
        small = any(not text.capital[m.start] and text.words[m.start].isalpha() for m in mentions)
        lower_case = small or self.index.lower_case(question) or not any(text.capital)
        segments = [segment for segment in _segments(text) if segment.words[-1] >= first]
        unknown, ruled_out = set(), set()
        named_before = denied = False
        places = [" ".join(name_words(answer.label)) in vocabulary("region") for answer in answers_of(question)]
        address = 2 * sum(places) <= len(places)
        for number, segment in enumerate(segments):
            positions = segment.words
            if inside.intersection(positions):
                named_before = True
                continue
            first = positions[0]
            line = text.lines[first]
            if segment.remark or (segment.introduces and not (segment.bulleted and line not in told)):
                continue
            # Beside a sentence of answers on the same line, a sentence without any is prose.
            if line in told and text.sentences[first] not in told[line] and len(positions) > 2:
                continue
            link = text.words[first - 1] if first else ""
            denied = _denies(text, positions) or (denied and link in ("and", "or", "nor"))
            small = lower_case or segment.bulleted
            if denied:
                ruled_out.add(_name(text, _denied(text, positions), asked, lower_case=small, follows=False))
                continue
            name = _name(text, positions, asked, lower_case=small, follows=named_before)
            if name and not (
                named_before and address and _says_where(text, positions, segments[number - 1].words, name)
            ):
                unknown.add(name)
            named_before = named_before or bool(name)
        return unknown - ruled_out


def _restated(mentions: list[Mention], said: Stance) -> int:
    """The word from which a reply gives a list anew that it takes back: Zinc and tin. No, sorry: copper and tin."""
    if not said.mended:
        return 0
    before = {uri for i in said.said if i < said.mended[0] for uri in mentions[i].uris}
    again = any(before & mentions[i].uris for i in said.mended)
    return mentions[said.mended[0]].start if again else 0


def _segments(text: Text) -> Iterator[Segment]:
    """The segments of a text; a bracket's content and what follows a dash are remarks."""
    base = min(text.depth, default=0)
    segment: Segment | None = None
    remark = adds = False  # "(and Belgium)" adds an item
    for i, word in enumerate(text.words):
        mark = text.mark[i]
        glued = mark == "-"
        if "•" in mark or "\n" in mark or (i and text.sentences[i] != text.sentences[i - 1] and ":" not in mark):
            remark = False
        elif not glued and segment is not None and (mark in _REMARK or (":" in mark and segment.bulleted)):
            remark = True
        elif mark in (",", ";") and not (segment is not None and segment.bulleted):
            remark = False
        if segment is not None and ((mark and not glued) or word in _CONJUNCTIONS):
            yield segment
            segment = None
        if word in _CONJUNCTIONS:
            adds = adds or (text.depth[i] > base and "(" in mark)
            continue
        if segment is None:
            adds = adds and text.depth[i] > base
            bracketed = text.depth[i] > base and not adds
            introduces = text.sentences[i] in text.introduces
            segment = Segment(bulleted="•" in mark, remark=remark or bracketed, introduces=introduces)
        segment.words.append(i)
    if segment is not None:
        yield segment


def _name(text: Text, positions: list[int], asked: set[str], *, lower_case: bool, follows: bool) -> str:
    """The name that a segment without a known one is, normalised; empty where it is prose, a number or says nothing."""
    function, hedge = vocabulary("function"), vocabulary("hedge")
    copula = next((i for i in positions[:-1] if text.words[i] in _COPULAS), None)
    if (follows and (copula == positions[0] or text.words[positions[0]] in _TELLS)) or any(
        text.words[i] in ("you", "your") for i in positions
    ):
        return ""  # "French, a Romance language", "let me know if you need more"
    if copula is not None:
        positions = positions[positions.index(copula) + 1 :]
    while positions and (text.words[positions[0]] in function or text.words[positions[0]] in hedge):
        positions = positions[1:]
    while positions and text.words[positions[-1]] in function:
        positions = positions[:-1]
    words = [text.words[i] for i in positions]
    if not words or len(words) > _LONGEST_ITEM or all(w in asked or w in hedge or w in function for w in words):
        return ""
    is_number = all(word.rstrip("%").isdigit() or word == "%" for word in words)
    small_words = function - _WITHIN_NAMES
    is_prose = any(text.words[i] in small_words and not text.capital[i] for i in positions)
    is_capital = text.capital[positions[0]] or words[0].isdigit()
    may_be_small = lower_case and _WITHIN_NAMES.isdisjoint({*words} - {"of"})
    if is_number or is_prose or not (is_capital or may_be_small):
        return ""
    return "" if declines(" ".join(words)) else " ".join(words)


def _denied(text: Text, positions: list[int]) -> list[int]:
    """What a segment rules out: the words behind its denial."""
    last = max((k for k, i in enumerate(positions) if text.words[i] in _NEGATIONS), default=-1)
    return positions[last + 1 :] or positions


def _denies(text: Text, positions: list[int]) -> bool:
    """Whether a segment rules out what it names: but not Spain."""
    return not _NEGATIONS.isdisjoint(text.words[i] for i in positions)


def _says_where(text: Text, positions: list[int], before: list[int], name: str) -> bool:
    """Whether a segment is the country or state behind a town: Springfield, Illinois."""
    regions = vocabulary("region")
    return (
        name in regions
        and text.mark[positions[0]] == ","
        and " ".join(text.words[i] for i in before) not in regions
        and text.lines[before[0]] == text.lines[positions[0]]
    )
