"""Analysis of a reply to a question with several answers."""

from __future__ import annotations

import re

from factprobe.evaluators.answer_set.items import unknown_items
from factprobe.evaluators.entities.attempt import AttemptReading
from factprobe.lazy import lazy
from factprobe.reading.names.fuzzy import misspelt
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.structure.cleaning import with_bullets
from factprobe.reading.tokenisation.tokenised_text import Text

_UNSPACED_MARK = re.compile(
    r"(?<![\w.,])(?P<number>\d{1,3}(?:,\d{3})+)(?!\w|,\w)"
    r"|(?<=[\w%])(?:,(?=(?P<decimals>\d{1,2})(?![\d.,]))|[,;](?=[-−$€£]?\w))"
    r"|(?:(?<=\d{3})/(?=\d{3})|(?<=[^\W\d])/(?=[$€£]?\d))"
)
"""Pattern of a mark between two values without a space; it also matches a number with commas, to skip it."""


class SetReading(AttemptReading, frozen=True):
    """Analysis of a reply to a question with several answers."""

    @lazy
    def text(self) -> Text:
        """Words of the reply, after all bullets are made alike and a space is added after each mark between values."""
        text = with_bullets(self.reply)
        if self.values:
            decimal = any((value.number or 0) % 1 for values in self.values.values() for value in values)
            text = _UNSPACED_MARK.sub(
                lambda mark: (
                    mark[0]
                    if (mark["number"] and not self._is_list(mark[0])) or (decimal and mark["decimals"])
                    else f"{mark[0].replace(',', ', ')} "
                ),
                text,
            )
        return Text(text)

    def _is_list(self, figures: str) -> bool:
        """Return whether figures with commas are several right numbers, and not one right number: 100,200,300."""
        right = {value.number for values in self.values.values() for value in values}
        return int(figures.replace(",", "")) not in right and right.issuperset(map(int, figures.split(",")))

    @lazy
    def given(self) -> list[NameMention]:
        """Affirmed mentions, without entities that the reply negates later and right answers that are not asked for."""
        last_negation = {
            uri: one.start
            for one, status in zip(self.mentions, self.statuses, strict=True)
            if status == "denied"
            for uri in one.uris
        }
        further = self.index.further_truths(self.question)
        given = [one for one in self.affirmed if not any(one.start < last_negation.get(uri, 0) for uri in one.uris)]
        return [one for one in given if further.isdisjoint(one.uris) or not self.right.isdisjoint(one.uris)]

    @lazy
    def others(self) -> int:
        """Number of wrong answers that are entities of the graph, or values."""
        wrong = [one for one in self.given if self.right.isdisjoint(one.uris)]
        return len({tuple(sorted(one.uris)) or tuple(self.text.words[one.start : one.end]) for one in wrong})

    @lazy
    def items(self) -> list[str]:
        """Items of the answer list that are not in the graph, normalised."""
        return unknown_items(self)

    @lazy
    def spelt(self) -> dict[str, str]:
        """URIs of right answers, by the items that misspell them."""
        if not self.items:
            return {}
        names, terms = self.fuzzy_names
        found = {item: misspelt(item, names, self.side.names.uris, terms) for item in self.items}
        return {item: names[name] for item, name in found.items() if name is not None}

    @property
    def matched_names(self) -> frozenset[str]:
        """URIs of the right answers that the reply names without a misspelling."""
        return self.right.intersection([uri for one in self.given for uri in one.uris])

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
