"""Analysis of a reply in words: entity names, their assertion status, and the remaining words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from factprobe.lazy import lazy
from factprobe.reading.assertion import Status, cues_in, status
from factprobe.reading.cue_tables import AssertionCue
from factprobe.reading.language import vocabulary
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.reading_base import Reading
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.tokens import Words, common_keys, key_of

_EMPTY = vocabulary("function", "hedge", "exclamation", "kind")
_BLANK = "__"


class EntityReading(Reading, frozen=True):
    """Analysis of a reply to a question that is answered in words."""

    @lazy
    def text(self) -> Text:
        """Words of the reply, without a cloze question (a line with `__`) that the model wrote after its answer."""
        text = Text(self.reply)
        blank = text.source.find(_BLANK)
        line = text.source.rfind("\n", 0, max(blank, 0))
        if line < 0:
            return text
        passed = _EMPTY | self.echoes
        before = Text(text.source[:line])
        is_answered = len(before) and before.sentences[-1] not in before.asks and not passed.issuperset(before.words)
        return before if is_answered else text

    @lazy
    def tokens(self) -> Words:
        """Words of the reply with their stems."""
        return self.text

    @lazy
    def inside(self) -> frozenset[int]:
        """Indices of the words that belong to mentions."""
        return frozenset([i for mention in self.mentions for i in range(mention.start, mention.end)])

    @lazy
    def starts_by_end(self) -> Mapping[int, int]:
        """Index of the first word of each mention, by the index after its last word."""
        return {mention.end: mention.start for mention in reversed(self.mentions)}

    @lazy
    def asked_keys(self) -> frozenset[str]:
        """Stems of the question's content words."""
        return frozenset(map(key_of, self.question_words)) - common_keys()

    @lazy
    def cues(self) -> list[AssertionCue]:
        """Assertion cues outside the mentions."""
        every = cues_in(self.tokens, self.asked_keys)
        return [cue for cue in every if self.inside.isdisjoint(range(cue.start, cue.end))]

    @lazy
    def statuses(self) -> list[Status]:
        """Assertion status of each mention."""
        return [status(self.tokens, (name.start, name.end), self.cues, self.asked_keys) for name in self.mentions]

    @lazy
    def affirmed(self) -> list[NameMention]:
        """Affirmed mentions."""
        return [name for name, status in zip(self.mentions, self.statuses, strict=True) if status == "affirmed"]

    @lazy
    def new(self) -> list[int]:
        """Indices of content words that are neither in a mention nor in the question."""
        echoes, inside = self.echoes, self.inside
        words = enumerate(self.text.words)
        return [i for i, word in words if not (word in _EMPTY or word in echoes or i in inside)]

    @lazy
    def capitals(self) -> list[int]:
        """Indices of the words in `new` that are capitalised or numbers."""
        text = self.text
        return [i for i in self.new if text.capital[i] or text.words[i].isdigit()]

    @lazy
    def right_mentions(self) -> list[NameMention]:
        """Mentions of right answers."""
        return [mention for mention in self.mentions if not self.right.isdisjoint(mention.uris)]

    @lazy
    def other_mentions(self) -> list[NameMention]:
        """Mentions of entities that are neither right answers nor the state or country after one (Ulm, Germany)."""
        places = {name.end for name in self.right_mentions if not self.is_region(name.start, name.end)}
        others = [name for name in self.mentions if self.right.isdisjoint(name.uris)]
        return [name for name in others if name.start not in places or not self.is_region(name.start, name.end)]

    def is_region(self, start: int, end: int) -> bool:
        """Return whether words of the reply are the name of a state or country."""
        return " ".join(self.text.words[start:end]) in vocabulary("region")

    @property
    def wrong(self) -> int:
        """Number of wrong answers in the reply."""
        return len({mention.uris or self.span(mention.start, mention.end) for mention in self.other_mentions})

    @lazy
    def asked_by_sentence(self) -> Mapping[int, set[str]]:
        """Stems of the question's content words in each sentence of the reply, by number of the sentence."""
        stems: dict[int, set[str]] = defaultdict(set)
        for key, sentence in zip(self.tokens.keys, self.text.sentences, strict=True):
            if key in self.asked_keys:
                stems[sentence].add(key)
        return stems
