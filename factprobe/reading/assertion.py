"""Assertion status of mentions: affirmed, negated, attributed to others, doubted, related.

Cues have a direction and a scope, as in NegEx (Chapman et al., 2001) and ConText (Harkema et al., 2009): the scope is
the clause, up to a contrasting word. The cues of each language are data (`assertion.toml` in its pack).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from operator import attrgetter
from typing import Literal, NamedTuple, get_args

from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.tokenisation.tokens import Words, common_keys, key_of

Status = Literal["affirmed", "denied", "believed", "doubted", "related"]
"""Assertion status of a mention: `believed` if others assert it, `related` if it only identifies another entity."""

Kind = Literal[
    "neutral",
    "denies",
    "denied",
    "label",
    "sure",
    "contrast",
    "concedes",
    "corrects",
    "belief",
    "doubts",
    "kin",
    "concludes",
    "answers",
    "bounds",
    "hedge",
    "frame",
    "fact",
    "past",
    "was",
]
"""Kind of cue; comments in the English pack explain each."""


def _believers() -> Iterator[str]:
    """Yield phrases such as "people think" and "many people often believe"."""
    for who, verb in product(in_order("assertion_believer"), in_order("assertion_believes")):
        yield f"{who} {verb}"
        yield from (f"{who} {adverb} {verb}" for adverb in in_order("assertion_how_often"))


PHRASES: dict[Kind, tuple[str, ...]] = {kind: in_order(f"assertion_{kind}") for kind in get_args(Kind)}
PHRASES["belief"] += tuple(_believers())
OF_RELATIONS: dict[Kind, tuple[str, ...]] = {
    kind: PHRASES.pop(kind) for kind in ("hedge", "frame", "fact", "past", "was")
}
"""Kinds of cue of a relation, most of which leave it open; they do not change the status of a mention."""
_ENDS_SCOPE = frozenset(("contrast", "concedes", "answers"))
CLAUSE_END = re.compile(r"[,;:.!?()\[\]\n…—、。，；：！？।]|\s[-–]\s")
SENTENCE_END = re.compile(r"[.!?\n。！？।]")
_STATEMENT_END = re.compile(r"[.:;!?\n。！？।—]|\s[-–]\s")
LACKS = frozenset(map(key_of, vocabulary("unknown_lack")))
_PROFORMS = frozenset(map(key_of, vocabulary("preposition", "assertion_proform")))
"""Keys of words that only point back to the question's predicate, as in "is not one" and "are not among them"."""
REACH = 8
"""Maximum distance in words of a cue before a mention."""
REACH_AFTER = 3
"""Maximum distance in words of a cue after a mention."""
_MOST_CUES = 50
"""Maximum number of cues in the sentence of a mention that affect its status, so that lists take linear time."""


class AssertionCue(NamedTuple):
    """Cue in a text."""

    kind: str
    """Kind of the cue, or a key of the caller's table."""
    start: int
    """Index of the first word."""
    end: int
    """Index after the last word."""


CueTable = Mapping[str, tuple[Sequence[int], Mapping[tuple[str, ...], Sequence[str]]]]
"""Lengths of the cues, longest first, and their kinds, by the key of the first word."""


def cue_table(phrases: Mapping[str, Iterable[str]]) -> CueTable:
    """Make a table of cues from the phrases of each kind."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    for kind, every in phrases.items():
        for phrase in every:
            kinds.setdefault(tuple(Words(phrase).keys), []).append(kind)
    found: dict[str, dict[tuple[str, ...], Sequence[str]]] = {}
    for keys, of_keys in kinds.items():
        found.setdefault(keys[0], {})[keys] = tuple(dict.fromkeys(of_keys))
    return {key: (sorted({*map(len, cues)}, reverse=True), cues) for key, cues in found.items()}


@cache
def _cues(*, of_relation: bool = False) -> CueTable:
    every = {**PHRASES, **OF_RELATIONS} if of_relation else PHRASES
    return cue_table({str(kind): phrases for kind, phrases in every.items()})


def cues_in(words: Words, asked: Collection[str] = (), *, of_relation: bool = False) -> list[AssertionCue]:
    """Return the cues of a text from left to right, preferring longer ones.

    Args:
        words: Text.
        asked: Keys of the question's words; a cue of only these and function words belongs to its subject.
        of_relation: True to include cues that only leave a relation open.
    """
    found = match_cues(words, _cues(of_relation=of_relation), asked, is_of_title=_is_of_title)
    return [cue for cue in found if not _is_prefix(words, cue.end)]


def match_cues(
    words: Words,
    table: CueTable,
    asked: Collection[str] = (),
    is_of_title: Callable[[Words, int], bool] | None = None,
) -> Iterator[AssertionCue]:
    """Yield the cues of a table in a text, in the way of `cues_in`.

    Args:
        words: Text.
        table: Cues by their first key.
        asked: Keys of the question's words.
        is_of_title: Function that returns whether a word belongs to a title, in which cues are ignored.
    """
    end, every = 0, words.keys
    for i in [i for i, key in enumerate(every) if key in table]:
        if i < end or (is_of_title and is_of_title(words, i)):
            continue
        lengths, cues = table[every[i]]
        for length in lengths:
            keys = tuple(every[i : i + length])
            if (kinds := cues.get(keys)) and not _is_asked(keys, asked):
                end = i + len(keys)
                yield from [AssertionCue(kind, i, end) for kind in kinds]
                break


def _is_prefix(words: Words, end: int) -> bool:
    """Return whether a hyphen joins a word to the next one (non-fiction, not-for-profit)."""
    return end < len(words) and words.source[words.ends[end - 1] : words.starts[end]] == "-"


def _is_asked(keys: Sequence[str], asked: Collection[str]) -> bool:
    """Return whether a question has the words of a cue; function words count only if the cue has no others."""
    return bool(asked) and all(key in asked for key in [key for key in keys if key not in common_keys()] or keys)


def _is_of_title(words: Words, i: int) -> bool:
    """Return whether a word is capitalised within a sentence, as in a title (Can't Help Falling in Love)."""
    raw = words.raw[i]
    if not raw[0].isupper() or (len(raw) > 1 and raw.isupper()) or i == 0:
        return False
    return not CLAUSE_END.search(words.source, words.ends[i - 1], words.starts[i])


def status(words: Words, span: tuple[int, int], cues: Sequence[AssertionCue], asked: Collection[str] = ()) -> Status:
    """Return the assertion status of a mention.

    Args:
        words: Text.
        span: Index of the first word of the name, and index after the last.
        cues: Cues of the text, from `cues_in`.
        asked: Keys of the question's words: a name is denied if a negation of one of them follows it, unless the
            question itself has a negation.
    """
    start, end = span
    if not cues:
        return "affirmed"
    first, last = bounds_of(words, start, end, CLAUSE_END)
    scope = max(first, start - REACH)
    sentence, _ = bounds_of(words, start, end, SENTENCE_END)
    statement, _ = bounds_of(words, start, end, _STATEMENT_END)
    found: Status = "affirmed"
    place = attrgetter("start")
    stop = bisect_right(cues, end + REACH_AFTER, key=place)
    for cue in cues[max(bisect_left(cues, sentence, key=place), stop - _MOST_CUES) : stop]:
        if cue.kind in _ENDS_SCOPE and sentence <= cue.start < start:
            found = "affirmed"
        elif (cue.kind == "denies" or _is_of_clause(words, cue)) and scope <= cue.start and cue.end <= start:
            found = "denied"
        elif cue.kind == "sure" and scope <= cue.start and cue.end <= start:
            found = "affirmed"
        elif _is_beside(words, cue, start, end) or _is_denied_behind(words, cue, range(end, last), asked):
            return "denied"
        elif cue.kind == "belief" and statement <= cue.start and cue.end <= start:
            found = "believed"
        elif cue.kind == "doubts" and scope <= cue.start and cue.end <= start:
            found = "doubted"
        elif cue.kind == "kin" and first <= cue.start and start - 2 <= cue.end <= start:
            found = "related"
    return found


def _is_of_clause(words: Words, cue: AssertionCue) -> bool:
    """Return whether a cue that can deny what precedes it denies the clause after it, as in "it is false that"."""
    return cue.kind == "denied" and words.keys[cue.end : cue.end + 1] != [] and words.keys[cue.end] in that_keys()


@cache
def that_keys() -> frozenset[str]:
    """Return the keys of the words that open a clause: that, whether."""
    return frozenset(map(key_of, in_order("judgment_that")))


def _is_denied_behind(words: Words, cue: AssertionCue, behind: range, asked: Collection[str]) -> bool:
    """Return whether a cue in the rest of the clause denies a mention, by a verb alone or a word of the question."""
    if cue.kind == "denied":
        return cue.start in behind[:REACH_AFTER]
    if cue.kind != "denies" or cue.start not in behind[:2] or not LACKS.isdisjoint(asked):
        return False
    keys = words.keys[cue.end : behind.stop]
    predicate = next((key for key in keys if key not in common_keys() and key not in _PROFORMS), "")
    return bool(asked) and (not predicate or predicate in asked)


def is_possessor(words: Words, end: int, asked: Collection[str] = ()) -> bool:
    """Return whether a mention that ends at a word is the possessor of a relative (Austen's sister)."""
    is_possessive = 0 < end < len(words) and "'" in words.raw[end - 1]
    return is_possessive and words.keys[end] in kin_keys() and words.keys[end] not in asked


@cache
def kin_keys() -> frozenset[str]:
    """Return the keys of the words for relatives."""
    phrases = (phrase.split() for phrase in in_order("assertion_kin"))
    return frozenset(key_of(words[0]) for words in phrases if len(words) == 2 and words[1] in vocabulary("function"))


def _is_beside(words: Words, cue: AssertionCue, start: int, end: int) -> bool:
    """Return whether only a colon separates a label cue from a mention."""
    if cue.kind != "label":
        return False
    if cue.end == start:
        return ":" in words.source[words.ends[start - 1] : words.starts[start]]
    return cue.start == end and ":" in words.source[words.ends[end - 1] : words.starts[end]]


def bounds_of(words: Words, start: int, end: int, parts: re.Pattern[str]) -> tuple[int, int]:
    """Return the span of the clause or sentence around a mention."""
    starts = starts_of_parts(words, parts)
    behind = bisect_left(starts, end)
    return starts[bisect_right(starts, start) - 1], starts[behind] if behind < len(starts) else len(words)


@lru_cache(maxsize=8)
def starts_of_parts(words: Words, parts: re.Pattern[str]) -> list[int]:
    """Return the indices of the first words of clauses or sentences.

    The result is cached, since it is needed for each mention in a text.
    """
    source, gaps = words.source, enumerate(zip(words.ends, words.starts[1:], strict=False), 1)
    return [0, *[i for i, (start, end) in gaps if source[start:end] != " " and parts.search(source, start, end)]]


def denies(text: str) -> bool:
    """Return whether a text has a negation cue."""
    return any(cue.kind in ("denies", "denied", "label") for cue in cues_in(Words(text)))
