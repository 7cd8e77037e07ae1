"""Clauses of a reply to a statement, and the judgments in each.

The side of a judgment is its sign (`correct`: 1, `wrong`: -1) times -1 for each denial before it in its clause. The
cues of each language are data (`judgments.toml` in its pack).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from factprobe.reading.assertion import Cue, CueTable, cue_table, match_cues
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.once import once
from factprobe.reading.tokens import Words, key_of

STATEMENT, SHOWN, GIVEN, OTHER, TRUTH, FURTHER = map(
    key_of, ("qstatement", "qshown", "qgiven", "qother", "qtruth", "qfurther")
)
"""Words that stand for the statement and for entities: the shown one, the one that is given, another one in the place
of the shown one, the right one, another one in the place of the given one."""
NAMES = frozenset((STATEMENT, SHOWN, GIVEN, OTHER, TRUTH, FURTHER))
SIGNS = {"true": 1, "right": 1, "yes": 1, "sound": 1, "false": -1, "no": -1, "unsound": -1}
"""Sign of each kind of judgment."""
PARTICLES = ("yes", "no")
_PHRASES = {
    "true": in_order("judgment_true"),
    "right": in_order("judgment_right"),
    "yes": in_order("judgment_yes"),
    "sound": in_order("judgment_sound"),
    "false": in_order("judgment_false"),
    "no": in_order("judgment_no"),
    "unsound": in_order("judgment_unsound"),
    "not": in_order("judgment_not"),
    "neutral": in_order("judgment_neutral"),
    "open": in_order("judgment_open"),
    "possible": in_order("judgment_possible"),
    "believed": in_order("judgment_believed"),
    "half": in_order("judgment_half"),
    "degree": in_order("judgment_degree"),
    "concludes": in_order("judgment_concludes"),
    "corrects": in_order("judgment_corrects"),
    "declines": in_order("judgment_declines"),
    "knows": in_order("judgment_knows"),
    "cuts": in_order("judgment_cuts"),
    "or": in_order("judgment_or"),
    "offers": in_order("judgment_offers"),
    "passage": in_order("judgment_passage"),
}
"""Cues of each kind; comments in the English pack explain them."""
_BREAK = re.compile(r"[,;:.!?()\[\]\n…—、。，；：！？।|\"“”]|\s[-–]\s|\s'|'\s")
_QUESTION = re.compile(r"[?？]")
_NEAR = 4
"""Maximal distance in words of a denial from what is not known."""
_SENTENCE = re.compile(r"[.!?;\n。！？।]")


@cache
def _table() -> CueTable:
    return cue_table(_PHRASES)


@cache
def keys_of(*names: str) -> frozenset[str]:
    """Return the keys of all words in some lists."""
    return frozenset(key for phrase in vocabulary(*names) for key in Words(phrase).keys)


def is_cue(key: str) -> bool:
    """Return whether a word judges a statement by itself."""
    return any(keys == (key,) and not SIGNS.keys().isdisjoint(kinds) for keys, kinds in _table().get(key, ()))


@cache
def _empty() -> frozenset[str]:
    words = vocabulary("hedge", "function", "exclamation") - vocabulary("judgment_pronoun")
    listed = keys_of("judgment_frame", "judgment_noun", "judgment_judged", "auxiliary")
    return frozenset(map(key_of, words)) | listed


def content_of(keys: Sequence[str]) -> tuple[str, ...]:
    """Return the keys that are no function words, in their order."""
    return tuple(key for key in keys if key not in _empty())


class Label(Struct, frozen=True, gc=False):
    """A judgment in a clause."""

    side: int
    """1 for true, -1 for false."""
    kind: str
    """Kind of its cue."""
    start: int
    end: int
    is_open: bool = False
    """Whether it is left open: behind "whether", or one of two that are offered."""
    is_attribute: bool = False
    """Whether it qualifies a noun that is none for a statement: the correct birthplace."""
    is_half: bool = False
    """Whether it grants a part: not entirely wrong."""


class Clause(Struct, frozen=True, dict=True):
    """A clause with its cues."""

    start: int
    end: int
    """Span of its words."""
    raw: Sequence[str]
    """Its words."""
    keys: Sequence[str]
    """Keys of its words."""
    labels: tuple[Label, ...]
    kinds: frozenset[str]
    """Kinds of its cues."""
    own: int
    """Number of words that are neither the statement's nor cues nor empty."""
    own_names: int
    """Number of these that are capitalised within a sentence, or numbers."""
    shared: int
    """Number of the statement's content words."""
    names: tuple[tuple[str, bool], ...]
    """Words for the statement and for entities, and whether each is denied."""
    is_denied: bool
    """Whether the number of its denials is odd."""
    is_denied_behind: bool
    """Whether the number of denials behind its last judgment is odd."""
    is_declining: bool
    """Whether it denies that the speaker knows or can tell."""
    is_short: bool
    """Whether a pronoun and a verb stand for the statement: it was; of course not; it is true that it is."""
    has_pronoun: bool
    is_question: bool = False
    is_last_line: bool = False
    """Whether it is in the last line of several."""
    opens_sentence: bool = False

    def has(self, *keys: str) -> bool:
        """Return whether it has one of some words for entities, not denied."""
        return not self._affirmed.isdisjoint(keys)

    @once
    def _affirmed(self) -> frozenset[str]:
        return frozenset(key for key, denied in self.names if not denied)

    @once
    def has_auxiliary(self) -> bool:
        """Whether one of its words is an auxiliary verb."""
        return not keys_of("auxiliary").isdisjoint(self.keys)


def clauses_of(words: Words, asked: Collection[str], *, has_passage: bool) -> list[Clause]:
    """Return the clauses of a reply.

    Args:
        words: of the reply, with the words of `NAMES` for entities.
        asked: keys of the statement's words.
        has_passage: whether a passage stands before the statement.
    """
    left_out = frozenset() if has_passage else frozenset(("passage",))
    cues = [cue for cue in match_cues(words, _table(), asked) if _counts(words, cue, left_out)]
    cuts = {cue.start for cue in cues if cue.kind == "cuts" or (has_passage and cue.kind == "or")}
    size = len(words)
    marks = ["\n", *(words.source[words.ends[i - 1] : words.starts[i]] for i in range(1, size))]
    marks.append(words.source[words.ends[-1] :] if size else "")
    ends = [i for i in range(1, size) if i in cuts or (marks[i] != " " and _BREAK.search(marks[i]))]
    last_line = words.source.rstrip().rfind("\n")
    found, at = [], 0
    for start, end in zip([0, *ends], [*ends, size], strict=True):
        own: list[Cue] = []
        while at < len(cues) and cues[at].start < end:
            own.append(cues[at])
            at += 1
        if start < end:
            clause = _clause(words, start, end, own, asked)
            places = {
                "is_question": _QUESTION.search(marks[end]) is not None,
                "is_last_line": 0 <= last_line < words.starts[start],
                "opens_sentence": _SENTENCE.search(marks[start]) is not None,
            }
            found.append(replace(clause, **places))
    return found


def _counts(words: Words, cue: Cue, left_out: Collection[str]) -> bool:
    """Return whether a cue is of a kind that counts, and no other form of its word."""
    is_other = cue.end - cue.start == 1 and words.raw[cue.start].lower() in vocabulary("judgment_other_form")
    return cue.kind not in left_out and not is_other


def _clause(words: Words, start: int, end: int, cues: list[Cue], asked: Collection[str]) -> Clause:
    labels, denials = _labels(words, start, end, cues)
    keys, common, pronouns = words.keys, _empty(), keys_of("judgment_pronoun")
    covered = {i for cue in cues if cue.kind != "passage" for i in range(cue.start, cue.end)}
    names = [i for i in range(start, end) if keys[i] in NAMES]
    rest = [i for i in range(start, end) if i not in covered and keys[i] not in NAMES and keys[i] not in common]
    own = [i for i in rest if keys[i] not in asked and keys[i] not in pronouns]
    behind = next((one.end for one in reversed(labels) if one.kind not in PARTICLES), start)
    tail = keys[behind:end]
    is_bare = not (own or names or any(keys[i] in asked for i in rest))
    is_declining = _declines(words, start, end, cues, denials, any(not label.is_open for label in labels))
    is_denied_behind = sum(at >= behind for at in denials) % 2 == 1
    has_verb = tail[-1:] != [] and tail[-1] in keys_of("auxiliary") and not pronouns.isdisjoint(tail)
    return Clause(
        start,
        end,
        words.raw[start:end],
        keys[start:end],
        tuple(labels),
        frozenset([cue.kind for cue in cues]),
        len(own),
        sum((words.raw[i][0].isupper() and i > start) or words.raw[i][0].isdigit() for i in own),
        len({keys[i] for i in rest if keys[i] in asked}),
        tuple((keys[i], sum(at < i for at in denials) % 2 == 1) for i in names),
        len(denials) % 2 == 1,
        is_denied_behind,
        is_declining,
        is_bare and (has_verb or (is_denied_behind and (behind == start or not pronouns.isdisjoint(tail)))),
        not pronouns.isdisjoint(keys[start:end]),
    )


def _labels(words: Words, start: int, end: int, cues: list[Cue]) -> tuple[list[Label], list[int]]:
    """Return the judgments of a clause, and where its denials stand."""
    found: list[Label] = []
    denials: list[int] = []
    pending = carried = 0
    is_open = has_degree = False
    for i, cue in enumerate(cues):
        kind = cue.kind
        if kind == "open":
            if found and words.keys[cue.start] in keys_of("judgment_or"):
                found[-1] = replace(found[-1], is_open=True)  # true or not
            is_open = is_open or not (found and found[-1].kind == "unsound")
        elif kind == "degree":
            has_degree = pending > 0
        elif kind == "not" or (kind == "no" and not _answers(words, cue, end)):
            denials.append(cue.start)
            pending += 1
        elif kind in SIGNS and not (found and found[-1].start == cue.start):
            if pending % 2 and any(other.kind == "knows" and other.start == cue.start for other in cues[i : i + 2]):
                continue
            if found and found[-1].end == cue.start and _is_adverb(words, found[-1]):
                found.pop()
            is_joined = bool(found) and _is_joined(words, found[-1].end, cue.start)
            turns = pending if pending or not is_joined else carried
            side = SIGNS[kind] * (-1) ** turns
            if found and found[-1].kind not in PARTICLES and _governs(words, found[-1], cue):
                side *= found.pop().side  # I doubt that this is true
            is_other = is_joined and side != found[-1].side
            if is_other:
                found[-1] = replace(found[-1], is_open=True)
            is_attribute = kind in ("true", "false", "right") and _is_attribute(words, cue, start, end)
            is_half = has_degree and turns > 0 and side > 0
            found.append(Label(side, kind, cue.start, cue.end, is_open or is_other, is_attribute, is_half))
            carried, pending, has_degree = turns, 0, False
    behind = {*words.keys[found[-1].end : end]} if found else set()
    is_tail = _empty().issuperset(behind - keys_of("judgment_not")) and keys_of("judgment_pronoun").isdisjoint(behind)
    if pending % 2 and found and is_tail:
        found[-1] = replace(found[-1], side=-found[-1].side)  # das stimmt nicht
        denials.pop()
    return found, denials


def _is_adverb(words: Words, label: Label) -> bool:
    """Return whether a judgment only stresses the next one: absolutely wrong, factually correct."""
    return label.kind == "yes" or words.raw[label.end - 1].endswith(in_order("adverb_ending"))


def _governs(words: Words, label: Label, cue: Cue) -> bool:
    """Return whether a judgment is about a clause that has the next one: I doubt that this is true."""
    between = words.keys[label.end : cue.start]
    return between[:1] != [] and between[0] in keys_of("judgment_that") and keys_of("judgment_or").isdisjoint(between)


def _declines(words: Words, start: int, end: int, cues: list[Cue], denials: list[int], has_labels: bool) -> bool:
    """Return whether a clause denies that the speaker knows or can tell."""
    if any(cue.kind == "declines" for cue in cues):
        return True
    known = [cue.start for cue in cues if cue.kind == "knows"]
    if not known or not denials or denials[0] > known[-1]:
        return False
    is_verb = known[-1] > start and words.keys[known[-1] - 1] in keys_of("judgment_able")
    if not is_verb and not keys_of("refusal_judges").isdisjoint(words.keys[start:end]):
        return False
    is_own = not keys_of("speaker", "judgment_gives").isdisjoint(words.keys[start : known[-1]])
    return is_own or (not has_labels and known[0] - denials[0] <= _NEAR)


def _answers(words: Words, cue: Cue, end: int) -> bool:
    """Return whether a "no" answers, and denies no noun behind it."""
    return cue.end == end or words.keys[cue.end] in keys_of("judgment_pronoun", "article")


def _is_joined(words: Words, end: int, start: int) -> bool:
    """Return whether only "or" and empty words stand between two judgments."""
    between = words.keys[end:start]
    if not between:
        return True
    links, passed = keys_of("judgment_or"), keys_of("judgment_or", "judgment_not")
    return not links.isdisjoint(between) and all(key in passed or key in _empty() for key in between)


def _is_attribute(words: Words, cue: Cue, start: int, end: int) -> bool:
    """Return whether a judgment qualifies a noun of which more is said."""
    behind = words.keys[cue.end : end]
    if not behind or behind[0] in keys_of("judgment_pronoun"):
        return False
    if behind[0] in keys_of("auxiliary"):
        return cue.start == start
    if behind[0] in _empty() or behind[0] in NAMES:
        is_definite = cue.start > start and words.keys[cue.start - 1] in keys_of("judgment_definite")
        return is_definite and not keys_of("auxiliary").isdisjoint(behind)
    return behind[0] not in keys_of("judgment_or", "judgment_not", "judgment_cuts") and behind[0] not in _table()
