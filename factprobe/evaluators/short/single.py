"""What a reply gives for one answer."""

from __future__ import annotations

from factprobe.evaluators.short.places import without_address
from factprobe.evaluators.short.reading import ShortReading
from factprobe.evaluators.short.talk import guesses
from factprobe.reading.abstention import declines, without_abstentions
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.once import once
from factprobe.reading.phrasing import Phrases

_POINTS = Phrases(phrases("short_points"))
_LONGEST_NAME = 4
"""Words of a name."""
_BUT = vocabulary("turns")


class SingleReading(ShortReading, frozen=True):
    """A reply to a question that has one answer."""

    @property
    def gives_none(self) -> bool:
        """Whether it gives no name as the answer: it names none, or declines and only tells of others."""
        return not self.stance.chosen or (self._merely_tells and self._declines_all)

    @once
    def given(self) -> list[Mention]:
        """The mentions that it commits to, without the countries that say where a town lies."""
        return without_address(self.chosen, self.text, self.right)

    @once
    def matched(self) -> tuple[str, ...]:
        """The URIs of the right answers among them."""
        return tuple(sorted(self.right.intersection([uri for mention in self.given for uri in mention.uris])))

    @once
    def wrong(self) -> int:
        """How many others are among them."""
        right = self.right
        others = [mention for mention in self.given if right.isdisjoint(mention.uris)]
        return len({tuple(sorted(other.uris)) or (self.text.words[other.start],) for other in others}) if others else 0

    @property
    def answers_with_another(self) -> bool:
        """Whether it answers with a name that the graph does not know, and names others by the way only."""
        stance, mentions = self.stance, self.mentions
        if not stance.aside.issuperset(stance.chosen):
            return stance.unasked.issuperset(stance.chosen) and self._begins_with_name
        if all(self._is_gloss(mention) for mention in self.chosen):
            return False
        return guesses(self, {i for mention in mentions for i in range(mention.start, mention.end)})

    @property
    def _merely_tells(self) -> bool:
        """Whether what is said of the names is not what was asked, and nothing points to them as the answer."""
        stance = self.stance
        unasked, aside, foreign = stance.unasked, stance.aside, stance.foreign
        if [i for i in stance.chosen if i not in unasked and i not in aside and i not in foreign]:
            return False
        return not _POINTS.search(without_abstentions(self.flat))

    @property
    def _declines_all(self) -> bool:
        """Whether it declines, and not only before a "but": I can't give advice, but aspirin is for pain."""
        if not self.declines:
            return False
        words = self.text.words
        but = max((i for i, word in enumerate(words) if word in _BUT), default=len(words))
        turns_on = self.question_words - vocabulary("function")
        speaks_of_it = not turns_on.isdisjoint(words[but + 1 : self.chosen[0].start])
        return not speaks_of_it or declines(" ".join(words[but + 1 :]))

    @property
    def _begins_with_name(self) -> bool:
        """Whether the first sentence is an unknown name and nothing else: Istanbul. Ankara is the second largest."""
        text, sentence = self.text, self.text.sentences[0]
        first = [i for i in range(len(text)) if text.sentences[i] == sentence]
        common = vocabulary("function", "hedge", "exclamation")
        return (
            len(first) <= _LONGEST_NAME
            and sentence not in text.asks | text.introduces
            and not any(text.words[i] in common or text.words[i] in self.question_words for i in first)
            and all(text.capital[i] for i in first)
            and self.mentions[0].start > first[-1]
        )

    def _is_gloss(self, mention: Mention) -> bool:
        """Whether a name alone in brackets says what stands before them in other words: Pa (protactinium)."""
        text = self.text
        ends = mention.end >= len(text) or ")" in text.mark[mention.end]
        name = " ".join(text.words[mention.start : mention.end])
        return (
            0 < mention.start <= _LONGEST_NAME
            and text.mark[mention.start] == "("
            and ends
            and name not in vocabulary("region")
        )
