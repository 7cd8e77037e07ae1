"""The option that a reply commits to among others: by its letter beside working, or as what it calls the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factprobe.reading.language import phrases
from factprobe.reading.names.tables import Mention
from factprobe.reading.stance.commitment import Stance
from factprobe.reading.words import Text

_MARKS = frozenset(".):")
_NOUN = re.compile(phrases("option_noun"))
_CALLED = re.compile(phrases("option_called"))
_BEFORE = 12
"""Words before an option in which it is called the answer."""


def committed_by_letter(text: Text, mentions: Sequence[Mention], letters: set[int], said: Stance) -> int | None:
    """The number of the mention by whose letter a reply opens or ends; None where it does neither, or needs none.

    Args:
        text: the reply.
        mentions: of options, in their order.
        letters: the words that are a letter of an option.
        said: what the reply says of the mentions.
    """
    named = {mention.uris for mention in mentions if mention.start in letters}
    first, last = mentions[0], mentions[-1]
    if named != {last.uris} or len(last.uris) > 1 or len(mentions) - 1 not in said.said:
        return None
    others = {i for i, mention in enumerate(mentions) if mention.uris != last.uris}
    final = (*said.mended, *(said.concluded if said.firm else ()))
    if (
        others.isdisjoint(said.chosen)
        or not others.isdisjoint(final)
        or any(_is_alone(text, mentions[i]) for i in others)
    ):
        return None
    if first.start in letters and (_is_alone(text, first) or _opens(text, first)) and 0 in said.said:
        return 0
    return len(mentions) - 1 if _ends(text, mentions, letters) else None


def called_answer(text: Text, mentions: Sequence[Mention], said: Stance) -> Sequence[int]:
    """The mentions that a reply chooses, without an option given alone before another one is called the answer.

    "A) Ghana" and then "The correct answer is D) Japan" is what small models write, who begin with the first option
    whatever they go on to say: the last plain word counts. Two that are called the answer remain two.

    Args:
        text: the reply.
        mentions: of options, in their order.
        said: what the reply says of the mentions.
    """
    chosen = said.chosen
    if len(chosen) < 2 or not said.firm or chosen[0] in said.concluded or said.mended:
        return chosen
    called = [i for i in said.said if _is_called(text, mentions[i])]
    is_one = len({mentions[i].uris for i in called}) == 1 and chosen[1] in called
    is_other = mentions[chosen[0]].uris.isdisjoint(mentions[chosen[1]].uris)
    return chosen[1:] if is_one and is_other else chosen


def _is_called(text: Text, mention: Mention) -> bool:
    """Whether the words right before an option call it the answer."""
    start, sentence = mention.start, text.sentences[mention.start]
    first = next((i for i in range(max(start - _BEFORE, 0), start) if text.sentences[i] == sentence), start)
    return _CALLED.search(" ".join(text.words[first:start])) is not None


def _ends(text: Text, mentions: Sequence[Mention], letters: set[int]) -> bool:
    """Whether a text ends in an option that is named by its letter, and by its text there or before."""
    last = mentions[-1]
    if last.start not in letters or last.end < len(text) or text.sentences[last.start] in text.asks:
        return False
    if last.end - last.start > 1:
        return _is_alone(text, last)
    is_named = any(mention.uris == last.uris for mention in mentions[:-1])
    return is_named and (_is_alone(text, last) or _NOUN.fullmatch(text.words[last.start - 1]) is not None)


def _is_alone(text: Text, mention: Mention) -> bool:
    """Whether a sentence or line is nothing but a mention."""
    begins = not mention.start or text.sentences[mention.start - 1] != text.sentences[mention.start]
    return begins and (mention.end == len(text) or text.sentences[mention.end - 1] != text.sentences[mention.end])


def _opens(text: Text, letter: Mention) -> bool:
    """Whether a letter opens a text before a mark: B. The middle one is 5."""
    return letter.end == 1 and text.source[text.span(0)[1] :][:1] in _MARKS
