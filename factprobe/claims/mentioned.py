"""Which names of a sentence are whole names and mean one thing, and its letters and lines as they are read."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec.structs import replace

from factprobe.claims.facts import EntityMention
from factprobe.claims.pairs import Pair
from factprobe.claims.tokens import tokens
from factprobe.reading.language import vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.names.whole import is_whole
from factprobe.reading.words import Text
from factprobe.records import Span

_LONGEST = 40
"""Letters of a word before a name."""
_GOES_ON = re.compile(rf"(?:\s+(?:{'|'.join(sorted(vocabulary('name_goes_on')))})\b)+\s+[^\W\d_a-z]")
"""What makes another name of a place's: Frankfurt an der Oder, Stratford upon Avon."""
_LINE_END = re.compile(r"(?<=[\w,])[^\S\n]*\n[^\S\n]*(?=[^\W_])")
_OPENS = re.compile(r"\s*\(")
_LAST_WORD = re.compile(r"[^\W_]+\Z")
_NEXT_WORD = re.compile(r"\w+")
_WORD_BEFORE = re.compile(r"(\S+)[ -]\Z")


def with_other_names(text: str, mentions: list[EntityMention]) -> list[EntityMention]:
    """The names, with that in brackets behind one that is another of the same thing as a part of it: Warsaw
    (Warszawa)."""
    found = mentions[:1]
    for one in mentions[1:]:
        before = found[-1]
        both = tuple(uri for uri in before.uris if uri in one.uris)
        is_in_brackets = _OPENS.fullmatch(text, before.end, one.start) and text[one.end : one.end + 1] == ")"
        if both and is_in_brackets:
            found[-1] = EntityMention(before.start, one.end + 1, both, before.name or text[before.start : before.end])
        else:
            found.append(one)
    return found


def in_lines(text: str) -> str:
    """A text of the same length, without the ends of lines at which a sentence goes on."""
    return _LINE_END.sub(_spaced, text)


def is_part(mention: EntityMention, values: Sequence[Span], *, whole: bool) -> bool:
    """Whether a name is a part of a date or number, as March in 14 March 1879; or with `whole` all of it."""
    at = bisect_right(values, mention.start, key=lambda span: span[0]) - 1
    inside = at >= 0 and mention.end <= values[at][1]
    return inside and (whole or (mention.start, mention.end) != values[at])


def is_kind(text: str, subject: EntityMention) -> bool:
    """Whether a name in small letters is that of a kind of which the text has one: a racing game, this album."""
    if not text[subject.start].islower():
        return False
    before = _WORD_BEFORE.search(text, max(subject.start - _LONGEST, 0), subject.start)
    if before is None:
        return False
    return before[1].lower() in vocabulary("article_one") or any(word.says for word in tokens(before[1]))


def is_attribute(pair: Pair) -> bool:
    """Whether the second name belongs to a word behind it: the French mathematician, a Spanish version."""
    behind = pair.around[2][:1]
    return bool(behind) and behind[0].says and behind[0].span[0] == pair.second.end + 1


def whole(text: str, start: int, end: int, mentions: list[EntityMention]) -> list[EntityMention]:
    """The names that are no part of a longer one that the graph does not know: Hermann Einstein, Ulm University, Ulm
    an der Donau."""
    mentions = [one for one in mentions if not _GOES_ON.match(text, one.end, end)]
    if not any(_may_grow(text, one) for one in mentions):
        return mentions
    read = Text(text[start:end])
    if read.source != text[start:end]:
        return mentions
    places = [
        (bisect_left(read.starts, one.start - start), bisect_left(read.starts, one.end - start)) for one in mentions
    ]
    begins = {first for first, _ in places}
    return [
        one
        for one, (first, last) in zip(mentions, places, strict=True)
        if first == last or is_whole(read, Mention(first, last, frozenset()), begins)
    ]


def is_adjective(text: str, mention: EntityMention) -> bool:
    """Whether a name stands between an article and a word in small letters: a German physicist, a Paris hospital."""
    behind = text[mention.end : mention.end + 2]
    before = _WORD_BEFORE.search(text, max(mention.start - _LONGEST, 0), mention.start)
    return (
        len(behind) == 2
        and behind[0] == " "
        and behind[1].islower()
        and before is not None
        and _is_of_noun(before[1].lower(), _NEXT_WORD.findall(text, mention.end, mention.end + _LONGEST)[:2])
    )


def _is_of_noun(before: str, behind: Sequence[str]) -> bool:
    """Whether the words beside a name make it say what the noun behind it is: the German state of Bavaria."""
    if before in vocabulary("article_one"):
        return not vocabulary("function").issuperset(behind[:1])
    is_kind = len(behind) > 1 and behind[0] in vocabulary("kind_of") and behind[1] in vocabulary("of")
    return is_kind and before in vocabulary("article")


def _may_grow(text: str, mention: EntityMention) -> bool:
    """Whether the words beside a name are such as may belong to it."""
    behind = text[mention.end : mention.end + 2]
    if behind[:1] == "-" or (behind[:1] == " " and (behind[1:].isupper() or behind[1:].isdigit())):
        return True
    before = _WORD_BEFORE.search(text, max(mention.start - _LONGEST, 0), mention.start)
    if before is None or before[1] not in vocabulary("name_of"):
        return before is not None and before[1][0].isupper()
    head = _WORD_BEFORE.search(text, max(before.start() - _LONGEST, 0), before.start())
    return head is not None and (not head[1].islower() or head[1] in vocabulary("institution"))


def in_small_letters(
    text: str, start: int, end: int, mentions: Sequence[EntityMention]
) -> tuple[str, list[EntityMention]]:
    """A text with a sentence of capitals in small letters, but for those with which the words of its names begin."""
    letters = [small if len(small := letter.lower()) == 1 else letter for letter in text[start:end]]
    for one in mentions:
        letters[one.start - start : one.end - start] = text[one.start : one.end].title()
    plain = f"{text[:start]}{''.join(letters)}{text[end:]}"
    return plain, [replace(one, name=one.name or text[one.start : one.end]) for one in mentions]


def _spaced(found: re.Match[str]) -> str:
    """A line end as spaces where the sentence goes on: before a small letter, behind a comma or a word like "of"."""
    text, start, end = found.string, found.start(), found.end()
    word = _LAST_WORD.search(text, max(start - _LONGEST, 0), start)
    goes_on = text[end].islower() or word is None or word[0].lower() in vocabulary("function")
    return " " * (end - start) if goes_on else found[0]
