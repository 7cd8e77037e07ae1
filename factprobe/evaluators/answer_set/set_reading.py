"""Analysis of a reply to a question with several answers."""

from __future__ import annotations

import re
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
    r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?!\w|,\w)|(?<=[\w%])[,;](?=[-−$€£]?\w)|(?<=\d{3})/(?=\d{3})"
)
"""Pattern of a mark between two values without a space; it also matches a number with commas, to skip it."""
_EITHER_SIGN = re.compile(r"(?<![\d)])(?<![\d)]\s)(?:±|\+\s?/\s?[-−])\s?(?P<number>(?:[\d.,]*\d)+)")
"""Pattern of two numbers that differ in their sign (±2); after a number, the sign is that of an uncertainty."""
_INITIALS = re.compile(r"(?<=[^\W\d_]{2}) (?:[^\W\d_]\.\s?)+(?=[^\W\d_]{2})")
"""Pattern of initials between two words of a name."""
_LINKS = vocabulary("link_and", "link_or")
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
            text = _UNSPACED_MARK.sub(lambda mark: mark[0] if mark[0][0].isdigit() else f"{mark[0]} ", text)
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
        return [
            one
            for one in [one for one in self.affirmed if not self._is_asked(one)] or self.affirmed
            if not any(one.start < last_negation.get(uri, 0) for uri in one.uris)
            and (further.isdisjoint(one.uris) or not self.right.isdisjoint(one.uris))
        ]

    def _is_asked(self, mention: NameMention) -> bool:
        """Return whether a value is in the words of the question ("below 10"), or counts the answers ("4 primes")."""
        if not self.values:
            return False
        text, words, start, end = self.text, self.text.words, mention.start, mention.end
        before = start - 1 - (start > 1 and words[start - 1] in _LINKS)
        is_word = len(words[before]) > 1 or words[before].isdigit()  # no x
        is_phrase = before >= 0 and is_word and not text.mark[start]
        following = words[end] if end < len(words) and not text.mark[end] else ""
        is_counted = following.isalpha() and following in self.question_words - vocabulary("function")
        is_count = str(CARDINALS.get(words[start], words[start])) == str(len(self.right))
        return (is_count and is_counted) or (is_phrase and f" {' '.join(words[before:end])} " in self._asked_words)

    @lazy
    def _asked_words(self) -> str:
        """Words of the question, with a space around each."""
        return f" {' '.join(name_words(own_text(self.question)))} "

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
        added = [word for word in words if word not in own]
        missing = [word for word in own if word not in words]
        is_whole = len(added) == len(missing) or (
            len(added) < len(missing) and people(self.side.entities)(answer.label)
        )
        if not is_whole or not {word[0] for word in added}.issubset(word[0] for word in missing):
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
