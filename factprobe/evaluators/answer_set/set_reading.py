"""Analysis of a reply to a question with several answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

from msgspec.structs import replace

from factprobe.evaluators.answer_set.items import unknown_items
from factprobe.evaluators.entities.attempt import AttemptReading
from factprobe.evaluators.reference.evaluator import ReferenceEvaluator
from factprobe.evaluators.reference.reference_reading import ReferenceReading
from factprobe.lazy import lazy
from factprobe.reading.answer_leak import own_text
from factprobe.reading.language import vocabulary
from factprobe.reading.names.forms import people
from factprobe.reading.names.fuzzy import misspelt
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.structure.cleaning import with_bullets
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.words import name_words
from factprobe.reading.values.number_words import CARDINALS
from factprobe.records import Answer

_UNSPACED_MARK = re.compile(
    r"(?<![\w.,])(?P<number>\d{1,3}(?:,\d{3})+)(?!\w|,\w)"
    r"|(?<=[\w%])(?:,(?=(?P<decimals>\d{1,2})(?![\d.,]))|[,;](?=[-−$€£]?\w))"
    r"|(?:(?<=\d{3})/(?=\d{3})|(?<=[^\W\d])/(?=[$€£]?\d))"
)
"""Pattern of a mark between two values without a space; it also matches a number with commas, to skip it."""


_FUNCTION, _LINKS = vocabulary("function"), vocabulary("link_and", "link_or")
_EITHER_SIGN = re.compile(r"(?<![\d)])(?<![\d)]\s)(?:±|\+\s?/\s?[-−])\s?(?P<number>(?:[\d.,]*\d)+)")
"""Pattern of two numbers that differ in their sign (±2); after a number, the sign is that of an uncertainty."""
_INITIALS = re.compile(r"(?<=[^\W\d_]{2}) (?:[^\W\d_]\.\s?)+(?=[^\W\d_]{2})")
"""Pattern of initials between two words of a name."""
_MAX_COMPARED = 100
"""Maximum number of pairs of an unknown item and a right answer that are compared; each takes a millisecond."""


class SetReading(AttemptReading, frozen=True):
    """Analysis of a reply to a question with several answers."""

    @lazy
    def text(self) -> Text:
        """Words of the reply, after all bullets are made alike and a space is added after each mark between values.

        Without a graph, initials that no right name has are left out (James D. Watson).
        """
        text = with_bullets(self.reply)
        if self._is_alone:
            names = " ".join(name for answer in answers_of(self.question) for name in answer.names())
            text = _INITIALS.sub(lambda match: match[0] if match[0].strip() in names else " ", text)
        if self.values:
            text = _EITHER_SIGN.sub(r"\g<number>, -\g<number>", text)
            decimal = any((value.number or 0) % 1 for values in self.values.values() for value in values)
            text = _UNSPACED_MARK.sub(
                lambda mark: (
                    mark[0] if mark["number"] or (decimal and mark["decimals"]) else f"{mark[0].replace(',', ', ')} "
                ),
                text,
            )
        return Text(text)

    @property
    def _is_alone(self) -> bool:
        """True if there is no graph, and the right answers are the only known entities."""
        return self.right.issuperset(self.side.entities)

    @lazy
    def given(self) -> list[NameMention]:
        """Affirmed mentions, except of entities that the reply negates later, or that only further facts make right."""
        last_negation = {
            uri: one.start
            for one, status in zip(self.mentions, self.statuses, strict=True)
            if status == "denied"
            for uri in one.uris
        }
        further = self.index.further_truths(self.question)
        affirmed = [one for one in self.affirmed if one.start not in self._restated] or self.affirmed
        mentions = [name for name in affirmed if not any(name.start < last_negation.get(uri, 0) for uri in name.uris)]
        return [name for name in mentions if further.isdisjoint(name.uris) or not self.right.isdisjoint(name.uris)]

    @lazy
    def _restated(self) -> frozenset[int]:
        """Indices of numbers that are no items.

        They belong to a phrase of the question ("below 10"), or are the number of right answers before a word of the
        question ("4 primes: …").
        """
        text, indices = self.text, set[int]()
        asked = frozenset(_word_pairs(Text(own_text(self.question)))) if self.values else frozenset()
        phrase = [0]
        for i, pair in enumerate(_word_pairs(text), 1) if asked else ():
            phrase = [*phrase, i] if pair in asked else [i]
            if any(text.words[k].isalpha() and text.words[k] not in _LINKS for k in phrase[:-1]):
                indices.add(i)
            number = CARDINALS.get(text.words[i - 1], text.words[i - 1])
            if not pair[1] and str(number) == str(len(self.right)) and text.words[i] in self.question_words - _FUNCTION:
                indices.add(i - 1)
        return frozenset(indices)

    @lazy
    def others(self) -> int:
        """Number of wrong answers that are entities of the graph, or values."""
        wrong = [mention for mention in self.given if self.right.isdisjoint(mention.uris)]
        return len({tuple(sorted(name.uris)) or tuple(self.text.words[name.start : name.end]) for name in wrong})

    @lazy
    def items(self) -> dict[str, str]:
        """Items of the answer list that are not in the graph, as written, by their normalised text."""
        return unknown_items(self)

    @lazy
    def spelt(self) -> dict[str, str]:
        """URIs of right answers, by the items that misspell them or, without a graph, name them in another way."""
        if not self.items:
            return {}
        names, terms = self.fuzzy_names
        right_names = {item: misspelt(item, names, self.side.names.uris, terms) for item in self.items}
        uris = {item: names[name] for item, name in right_names.items() if name is not None}
        rest = {*self.items} - uris.keys() if self._is_alone else ()
        missing = [a for a in answers_of(self.question) if a.uri not in self.matched_names.union(uris.values())]
        for item, answer in islice(product(sorted(rest), missing), _MAX_COMPARED):
            if item not in uris and answer.uri not in uris.values() and self._is_named(answer, self.items[item]):
                uris[item] = answer.uri
        return uris

    def _is_named(self, answer: Answer, item: str) -> bool:
        """Return whether an item is a right answer, as a reply to a question with this answer alone.

        Words that the answer lacks need a missing word with the same first letter (Timothy: Tim); only persons may have
        missing words besides.
        """
        words, own = name_words(item), name_words(answer.label)
        added, missing = [word for word in words if word not in own], [word for word in own if word not in words]
        is_person = people(self.side.entities)(answer.label)
        if len(added) > len(missing) or (len(added) < len(missing) and not is_person):
            return False
        if not {word[0] for word in added}.issubset(word[0] for word in missing):
            return False
        alone = ReferenceReading(self.index, replace(self.question, answers=(answer,)), item)
        return ReferenceEvaluator(self.index).decide(alone).verdict == "correct"

    @property
    def matched_names(self) -> frozenset[str]:
        """URIs of the right answers that the reply names without a misspelling."""
        return self.right.intersection([uri for mention in self.given for uri in mention.uris])

    @lazy
    def matched(self) -> tuple[str, ...]:
        """URIs of all right answers that the reply names, sorted."""
        return tuple(sorted(self.matched_names.union(self.spelt.values())))

    @lazy
    def wrong(self) -> int:
        """Number of wrong answers in the reply."""
        return self.others + len(self.items) - len(self.spelt)

    @property
    def answer(self) -> str:
        """Text of all answers in the reply."""
        return ", ".join([self.words(self.given), *sorted(self.items)]).strip(", ")


def _word_pairs(text: Text) -> Iterator[tuple[str, str, str]]:
    """Yield each two adjacent words of a text with the mark between them, which is empty if only a space is."""
    for i in range(1, len(text)):
        gap = text.source[text.span(i - 1)[1] : text.span(i)[0]]
        yield text.words[i - 1], gap.strip(), text.words[i]
