"""Tables of cues (phrases that change how a statement is meant) and the search for them in a text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.tokens import Words, common_keys


class AssertionCue(NamedTuple):
    """Cue in a text."""

    kind: str
    """Kind of the cue; of cues from a caller's own table, the kind in that table."""
    start: int
    """Index of the first word."""
    end: int
    """Index after the last word."""


CueTable = Mapping[str, tuple[Sequence[int], Mapping[tuple[str, ...], Sequence[str]]]]
"""Index of cues by the stem of their first word.

Each value has the lengths of these cues in words, longest first, and the kinds of each cue by the stems of its words.
"""


@cache
def keys_of(*names: str) -> frozenset[str]:
    """Return the stems of all words in some word lists."""
    return frozenset(key for phrase in vocabulary(*names) for key in Words(phrase).keys)


def cue_table(phrases: Mapping[str, Iterable[str]]) -> CueTable:
    """Build an index of cues from the phrases of each kind."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    for kind, of_kind in phrases.items():
        for phrase in of_kind:
            kinds.setdefault(tuple(Words(phrase).keys), []).append(kind)
    index: dict[str, dict[tuple[str, ...], Sequence[str]]] = {}
    for keys, cue_kinds in kinds.items():
        index.setdefault(keys[0], {})[keys] = tuple(dict.fromkeys(cue_kinds))
    return {key: (sorted({*map(len, cues)}, reverse=True), cues) for key, cues in index.items()}


def match_cues(words: Words, table: CueTable, asked: Collection[str] = ()) -> Iterator[AssertionCue]:
    """Yield the cues of a table that occur in a text, from left to right, the longest at each word, without overlaps.

    Args:
        words: Tokens of the text.
        table: Index of cues.
        asked: Stems of the question's words. A cue that consists of these and function words is ignored.
    """
    end, stems = 0, words.keys
    for i in [i for i, stem in enumerate(stems) if stem in table]:
        if i < end:
            continue
        lengths, cues = table[stems[i]]
        for length in lengths:
            cue_stems = tuple(stems[i : i + length])
            if (kinds := cues.get(cue_stems)) and not _is_asked(cue_stems, asked):
                end = i + len(cue_stems)
                yield from [AssertionCue(kind, i, end) for kind in kinds]
                break


def _is_asked(keys: Sequence[str], asked: Collection[str]) -> bool:
    """Return whether a question has all words of a cue; function words are ignored unless the cue has no others."""
    return bool(asked) and all(key in asked for key in [key for key in keys if key not in common_keys()] or keys)
