"""Analysis of a reply to a question with options."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from string import ascii_uppercase

from factprobe.evaluators.conditional_logit import ChosenAlternative, choose
from factprobe.evaluators.options.features import FEATURES, alternatives
from factprobe.evaluators.options.option_mentions import mentions_in
from factprobe.evaluators.options.signs import in_plain_words
from factprobe.evaluators.places import EMPTY, MaskedReply, OptionMention, masked_words
from factprobe.lazy import lazy
from factprobe.reading.cue_tables import cue_table, keys_of
from factprobe.reading.language import in_order
from factprobe.reading.names.index import answers_of
from factprobe.reading.reading_base import Reading
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.tokens import Words, common_keys, key_of
from factprobe.reading.tokenisation.words import name_words
from factprobe.text import one_line

_CUES = cue_table({"concludes": in_order("option_remains")})
"""Cues that are only used in questions with options."""
_FIGURES = re.compile(r"\d+")
_EXPONENT = re.compile(r"(?<=\d)(?=[⁰¹²³⁴-⁹])")
"""Pattern of the place before a superscript digit, which normalisation would make a digit of the number (3³, 33)."""
_MIN_SIMILARITY, _MARGIN = 0.75, 0.05
"""Minimum similarity of the most similar option, and of its difference to that of the second."""


class OptionsReading(Reading, frozen=True):
    """Analysis of a reply to a question with options; options are numbered from 0."""

    @lazy
    def shown(self) -> tuple[str, ...]:
        """Options in one line each, as the prompt shows them."""
        return tuple(map(one_line, self.question.choices))

    @lazy
    def line(self) -> str:
        """Reply in one line."""
        return one_line(self.reply)

    @lazy
    def plain(self) -> Text:
        """Reply with words in place of signs such as ticks, and a caret before an exponent unless an option has one."""
        reply = in_plain_words(self.reply)
        return Text(reply if reply.isascii() or any(map(_EXPONENT.search, self.shown)) else _EXPONENT.sub("^", reply))

    @lazy
    def option_mentions(self) -> list[OptionMention]:
        """Mentions of options."""
        return mentions_in(self.plain, self.index, self.question, self.shown)

    @lazy
    def masked(self) -> MaskedReply:
        """Reply with a mask for each mention of an option; a mention's `start` is its index in `option_mentions`."""
        words = masked_words(self.plain.source, self.option_mentions)
        kept = keys_of("unknown_lack").union(words.keys)  # other words of the question change no status
        asked = frozenset(map(key_of, self.question_words)) - common_keys()
        asked = frozenset([key if key in kept else "?" for key in asked])
        mentions = [OptionMention(i, i + min(x.end - x.start, 3), *x[2:]) for i, x in enumerate(self.option_mentions)]
        return _mask(words, (*mentions,), asked, len(self.shown))

    @lazy
    def choice(self) -> ChosenAlternative:
        """Alternative that the reply chooses, by the grading model."""
        return _choice(self.masked)

    @lazy
    def right_options(self) -> frozenset[int]:
        """Numbers of the right options: one, or several if options have the same text."""
        right = {answer.label for answer in answers_of(self.question)}
        return frozenset(i for i, choice in enumerate(self.question.choices) if choice in right)

    @property
    def right_probability(self) -> float:
        """Probability that the reply chooses the right option and no other."""
        probabilities = self.choice.probabilities.items()
        return sum(share for options, share in probabilities if options and options <= self.right_options)

    @lazy
    def denied(self) -> frozenset[int]:
        """Numbers of the options that the reply denies and affirms nowhere."""
        places = self.masked.places
        stated = {i for place in places if not place.is_denied for i in place.mention.options}
        return frozenset(i for place in places for i in place.mention.options if i >= 0) - stated

    @lazy
    def similar(self) -> int | None:
        """Number of the option that the reply resembles most.

        None if it resembles none clearly, has other numbers than the options, or is the name of an entity.
        """
        content = [word for word in self.plain.words if word not in EMPTY and word not in self.question_words]
        text = " ".join(content)
        figures = {figure for choice in self.shown for figure in _FIGURES.findall(choice)}
        if not text or not figures.issuperset(_FIGURES.findall(text)) or self.side.names.bearers(text):  # 70 is not 7
            return None
        scores = [_similarity(content, name_words(choice)) for choice in self.question.choices]
        second, best = sorted((0.0, *scores))[-2:]
        return scores.index(best) if best >= _MIN_SIMILARITY and best - second >= _MARGIN else None

    def labels(self, numbers: Iterable[int]) -> str:
        """Return the letters (after Z, numbers) and texts of options: "A) Munich, B) Ulm"."""
        signs = {i: ascii_uppercase[i : i + 1] or str(i + 1) for i in sorted(numbers) if i >= 0}
        return ", ".join(f"{sign}) {self.shown[i]}" for i, sign in signs.items())

    def words_for(self, numbers: Collection[int]) -> str:
        """Return the text of the last mention of some options that is not denied; without one, an excerpt."""
        chosen = frozenset(numbers)
        stated = [place.mention for place in self.masked.places if place.mention.options & chosen and place.is_stated]
        last_mention = self.option_mentions[stated[-1].start] if stated else None
        return self.plain.source[last_mention.start : last_mention.end] if last_mention else self.excerpt


def _similarity(content: Sequence[str], words: Sequence[str]) -> float:
    """Return the similarity in letters of words to an option; 1 if it has them all (People's Republic of China)."""
    from rapidfuzz.distance import JaroWinkler

    keys, option_keys = (set(map(key_of, some)) - common_keys() for some in (content, words))
    return 1.0 if keys and keys <= option_keys else JaroWinkler.similarity(" ".join(content), " ".join(words))


@lru_cache(maxsize=1 << 9)
def _mask(words: Words, mentions: tuple[OptionMention, ...], asked: frozenset[str], count: int) -> MaskedReply:
    return MaskedReply(words, mentions, asked, count, _CUES)


_choice = lru_cache(maxsize=1 << 9)(lambda reply: choose(alternatives(reply), __package__, FEATURES))
