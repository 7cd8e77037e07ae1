"""What commas, conjunctions and other marks part in a reply that lists its answers."""

from __future__ import annotations

from factprobe.reading.language import vocabulary
from factprobe.reading.words import Text

CONJUNCTIONS = vocabulary("list_conjunction") | {"&", "+"}
_LONG_CONJUNCTIONS = [phrase.split() for phrase in sorted(vocabulary("list_conjunction_long"))]
_BEGIN_LONG = frozenset(phrase[0] for phrase in _LONG_CONJUNCTIONS)
_REMARK = ("–", "—")


class Segment:
    """Words between two separators, from `start` to `end` (exclusive)."""

    __slots__ = ("bulleted", "end", "introduces", "remark", "start")

    def __init__(self, start: int, *, bulleted: bool, remark: bool, introduces: bool) -> None:
        self.start = start
        self.end = start + 1
        self.bulleted = bulleted
        """Whether it is the head of a bulleted or numbered line."""
        self.remark = remark
        """Whether it stands behind a dash or in brackets."""
        self.introduces = introduces


def segments_of(text: Text, joins: set[int]) -> list[Segment]:
    """The segments of a text, parted by marks and by the words that join items; a bracket's content and what follows a
    dash are remarks."""
    depth, sentences = text.depth, text.sentences
    base = min(depth, default=0)
    segments: list[Segment] = []
    segment: Segment | None = None
    remark = adds = False  # "(and Belgium)" adds an item
    bulleted = -1
    for i, mark in enumerate(text.mark):
        parts = mark not in ("", "-")
        if parts:
            bulleted = text.lines[i] if "•" in mark else bulleted
            remark = _is_remark(text, i, segment, remark=remark, bulleted=bulleted == text.lines[i])
        if i in joins:
            adds = adds or (depth[i] > base and "(" in mark)
            segment = None
        elif parts or segment is None:
            adds = adds and depth[i] > base
            bracketed = depth[i] > base and not adds
            introduces = sentences[i] in text.introduces
            segment = Segment(i, bulleted="•" in mark, remark=remark or bracketed, introduces=introduces)
            segments.append(segment)
        else:
            segment.end = i + 1
    return segments


def conjunctions(text: Text) -> set[int]:
    """The words that join items, alone or together: and, as well as."""
    words = text.words
    single = not CONJUNCTIONS.isdisjoint(words)
    found = {i for i, word in enumerate(words) if word in CONJUNCTIONS} if single else set()
    for phrase in () if _BEGIN_LONG.isdisjoint(words) else _LONG_CONJUNCTIONS:
        size = len(phrase)
        found.update(j for i in range(len(words)) if words[i : i + size] == phrase for j in range(i, i + size))
    return found


def _is_remark(text: Text, i: int, segment: Segment | None, *, remark: bool, bulleted: bool) -> bool:
    """Whether a word behind a mark is in a remark, which a dash or a bullet's colon opens, up to the next item; on a
    bulleted line that is the next bullet."""
    mark = text.mark[i]
    if "•" in mark or "\n" in mark or (i and text.sentences[i] != text.sentences[i - 1] and ":" not in mark):
        return False
    if segment is not None and (mark in _REMARK or (":" in mark and segment.bulleted)):
        return True
    return remark and (bulleted or mark not in (",", ";"))
