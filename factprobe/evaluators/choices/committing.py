"""The option that a reply commits to by its letter, beside working that names other options by their text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factprobe.reading.language import phrases
from factprobe.reading.names.tables import Mention
from factprobe.reading.stance.commitment import Stance
from factprobe.reading.words import Text

_MARKS = frozenset(".):")
_NOUN = re.compile(phrases("option_noun"))


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
