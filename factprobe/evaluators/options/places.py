"""Assertion status of each mention of an option, read from the reply with its mentions masked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from factprobe.evaluators.options.mentions import Mention
from factprobe.reading.assertion import bounds_of, cues_in, status
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.refusal import says_unknown
from factprobe.reading.tokens import Words, common_keys, key_of

MASK = "ꔀ"
"""Letter that stands for a mention, so that no word of an option's name is read as a cue."""
_RIGHT = frozenset(map(key_of, vocabulary("option_right")))
_WRONG = frozenset(map(key_of, vocabulary("option_wrong")))
_NOT = frozenset(map(key_of, vocabulary("option_not")))
_LINKS = frozenset(map(key_of, vocabulary("option_link")))
EMPTY = vocabulary("function", "hedge", "exclamation", "task", "task_options")
"""Words that name nothing."""
_ANNOUNCES = re.compile(rf"\b(?:{phrases('option_called')})\W*(?:(?:{phrases('option_noun')})\W*)?$", re.IGNORECASE)
_FITS = re.compile(rf"\W*(?:{phrases('option_fits')})\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:.!?()\[\]\n…—、。，；：！？।]|\s[-–]\s")
_SENTENCE = re.compile(r"[.!?\n。！？।]")
_CONCLUDES = frozenset(("concludes", "answers"))
_JOINS = ("", ",", "/", "&", "+", "、")
_REMARK = 4
"""Maximal distance in words of a remark from the mention that it is on."""
_NEAR = 120
"""Number of characters around a mention that are searched for words which call it the answer."""
_FEWEST_LISTED = 2
"""Minimal number of options in a list that is cut off."""


class Place(NamedTuple):
    """A mention, with what the text says of it."""

    mention: Mention
    word: int
    """Index of its word."""
    sentence: tuple[int, int]
    is_denied: bool
    """Whether it, or one that it is joined to, is denied or called wrong."""
    is_believed: bool
    """Whether it is attributed to others."""
    is_doubted: bool
    """Whether the words before it, or one that it is joined to, in the clause say that the answer is not known."""
    is_asked: bool
    """Whether a question mark follows it, and nothing calls it right."""
    is_right: bool
    """Whether the words behind it call it right."""
    is_bare: bool
    """Whether its sentence has no other words of content."""
    is_bare_clause: bool
    """Whether its clause has no other words of content, and begins or ends its sentence."""
    opens: bool
    """Whether no words of content precede it in the reply."""
    is_announced: bool
    """Whether the words around it call it the answer."""
    is_concluded: bool
    """Whether a word that concludes precedes it in its sentence."""
    is_conceded: bool
    """Whether a word that concedes precedes it in its clause."""
    is_contrasted: bool
    """Whether a contrast precedes it in its sentence."""
    precedes_contrast: bool
    in_brackets: bool
    is_listed: bool
    """Whether it belongs to a list of all options in their order."""
    question_share: float
    """Share of the question's words in its clause."""

    @property
    def is_affirmed(self) -> bool:
        """Whether the reply itself states it."""
        return not (self.is_denied or self.is_asked or self.is_believed or self.is_doubted)


class MaskedReply:
    """Reply with a mask for each mention of an option.

    A list of all options without remarks only repeats them; its mentions are left out.

    Args:
        source: the reply.
        mentions: from left to right.
        asked: words of the question.
        count: number of options.
    """

    def __init__(self, source: str, mentions: Sequence[Mention], asked: Collection[str], count: int) -> None:
        parts, end = [], 0
        for one in mentions:
            parts += [source[end : one.start], f" {MASK} "]
            end = one.end
        self.words = Words("".join((*parts, source[end:])))
        self.cues = cues_in(self.words)
        self._asked = frozenset(map(key_of, asked)) - common_keys()
        self._at = [i for i, raw in enumerate(self.words.raw) if raw == MASK][: len(mentions)]
        self._mentions = mentions
        self._listed, restated, self._open_list = self._lists(count)
        kept = [k for k in range(len(self._at)) if k not in restated]
        self.restated_end = max((mentions[k].end for k in restated), default=0)
        """Index of the character behind the last list that only repeats the options; 0 without one."""
        self.groups = [self._places(group) for group in self._joined(kept)]
        self.places = [place for group in self.groups for place in group]

    @property
    def is_within_list(self) -> bool:
        """Whether the reply ends within a list of the options, and calls none the answer before."""
        listed, last = self._open_list, len(self._at) - 1
        if len(listed) < _FEWEST_LISTED or listed[-1] != last:
            return False
        first = self._at[listed[0]]
        return not any(place.is_announced or place.is_bare for place in self.places if place.word < first)

    @property
    def says_unknown(self) -> bool:
        """Whether words after all options that are stated say that the answer is not known."""
        stated = (place.sentence[1] for place in self.places if place.is_affirmed and place.mention.by != "none")
        start = max(stated, default=0)
        for end in range(start + 1, len(self.words) + 1):
            if end < len(self.words) and not _SENTENCE.search(self.words.source, *self._gap(end)):
                continue
            keys = self.words.keys[start:end]
            behind = frozenset(keys[_last_mask(keys) + 1 :]) - self._asked
            if says_unknown(behind, names_answer=bool(self.places)):
                return True
            start = end
        return False

    def _lists(self, count: int) -> tuple[set[int], set[int], list[int]]:
        """Return the mentions in lists of all options in their order, those without remarks, and the last list."""
        listed: set[int] = set()
        restated: set[int] = set()
        run: list[int] = []
        for k, one in enumerate(self._mentions[: len(self._at)]):
            if len(run) == count:
                run = []
            if one.options == {len(run)} and self._begins_item(k):
                run.append(k)
            elif one.options == {0} and self._begins_item(k):
                run = [k]
            if len(run) == count:
                listed.update(run)
                links = _LINKS if count > _FEWEST_LISTED else frozenset[str]()  # of two, "A and B" is both
                if all(links.issuperset(self._behind(k, is_last=k == run[-1])) for k in run):
                    restated.update(run)
        return listed, restated, run

    def _begins_item(self, k: int) -> bool:
        """Return whether a mention begins a line, or has a letter and text after a mark or a joining word."""
        i, one = self._at[k], self._mentions[k]
        gap = self.words.source[slice(*self._gap(i))]
        if i == 0 or "\n" in gap or "•" in gap:
            return True
        is_marked = not gap.strip() or any(mark in gap for mark in ".;,:!?") or self.words.keys[i - 1] in _LINKS
        return is_marked and one.by == "letter" and one.end - one.start > _FEWEST_LISTED

    def _joined(self, kept: Iterable[int]) -> list[list[int]]:
        """Return the mentions in coordinated groups."""
        groups: list[list[int]] = []
        for k in kept:
            if groups and k not in self._listed and self._is_joined(groups[-1][-1], k):
                groups[-1].append(k)
            else:
                groups.append([k])
        return groups

    def _is_joined(self, k: int, later: int) -> bool:
        """Return whether only commas and words for "and" or "or" separate two mentions, or two lines are nothing else."""
        start, end = self._at[k], self._at[later]
        between = self.words.keys[start + 1 : end]
        gap = self.words.source[self.words.ends[start] : self.words.starts[end]]
        if not between:
            spans = (bounds_of(self.words, *self._span(one), _SENTENCE) for one in (k, later))
            return gap.strip() in _JOINS and ("\n" not in gap or all(map(self._is_bare, spans)))
        return len(between) < 3 and _LINKS.issuperset(between) and not _SENTENCE.search(gap)

    def _places(self, group: Sequence[int]) -> list[Place]:
        is_denied = any(status(self.words, self._span(k), self.cues) == "denied" for k in group)
        is_wrong = any(self._judges(k) == "wrong" for k in group)
        start, _ = bounds_of(self.words, *self._span(group[0]), _CLAUSE)
        is_doubted = says_unknown(self.words.keys[start : self._at[group[0]]])
        return [self._place(k, is_denied=is_denied or is_wrong, is_doubted=is_doubted) for k in group]

    def _place(self, k: int, *, is_denied: bool, is_doubted: bool) -> Place:
        words, i = self.words, self._at[k]
        sentence, clause = bounds_of(words, *self._span(k), _SENTENCE), bounds_of(words, *self._span(k), _CLAUSE)
        before = words.source[max(words.starts[i] - _NEAR, 0) : words.starts[i]]
        before = before[max(before.rfind(mark) for mark in ".!?\n") + 1 :]
        behind = words.source[words.ends[i] : words.ends[i] + _NEAR]
        is_right = self._judges(k) == "right"
        kinds_before = {cue.kind for cue in self.cues if sentence[0] <= cue.start < i}
        return Place(
            self._mentions[k],
            i,
            sentence,
            is_denied,
            status(words, self._span(k), self.cues) in ("believed", "related"),
            is_doubted,
            self._is_asked(k) and not is_right,
            is_right and not is_denied,
            self._is_bare(sentence),
            self._is_bare(clause) and (clause[0] == sentence[0] or clause[1] == sentence[1]),
            self._is_bare((0, i)),
            _ANNOUNCES.search(before) is not None or _FITS.match(behind) is not None,
            not _CONCLUDES.isdisjoint(kinds_before),
            any(cue.kind == "concedes" and clause[0] <= cue.start < i for cue in self.cues),
            "contrast" in kinds_before,
            any(cue.kind == "contrast" and i < cue.start < sentence[1] for cue in self.cues),
            before.count("(") > before.count(")") and ")" in behind,
            k in self._listed,
            len(self._asked.intersection(words.keys[slice(*clause)])) / max(len(self._asked), 1),
        )

    def _gap(self, i: int) -> tuple[int, int]:
        """Return the span of what separates a word from the one before it."""
        return self.words.ends[i - 1] if i else 0, self.words.starts[i]

    def _span(self, k: int) -> tuple[int, int]:
        return self._at[k], self._at[k] + 1

    def _is_bare(self, sentence: tuple[int, int]) -> bool:
        raw = self.words.raw
        return all(raw[k] == MASK or raw[k].lower() in EMPTY for k in range(*sentence))

    def _is_asked(self, k: int) -> bool:
        end = self.words.ends[self._at[k]]
        return self.words.source[end : end + _REMARK].lstrip(" )*\"'”").startswith(("?", "？"))

    def _judges(self, k: int) -> Literal["right", "wrong", ""]:
        """Return what the words behind a mention call it."""
        remark = self._remark(k)
        negated = not _NOT.isdisjoint(remark)
        if not _RIGHT.isdisjoint(remark):
            return "wrong" if negated else "right"
        return "" if _WRONG.isdisjoint(remark) or negated else "wrong"

    def _remark(self, k: int) -> list[str]:
        """Return the keys of the words on a mention: in its sentence, or in the next one if it has one of its own."""
        words, i = self.words, self._at[k]
        later = self._at[k + 1] if k + 1 < len(self._at) else len(words)
        start, end = bounds_of(words, *self._span(k), _SENTENCE)
        is_open = self._is_asked(k) or self._is_bare((start, end))
        turns = (cue.start for cue in self.cues if cue.kind in ("contrast", "concedes") and cue.start > i)
        stop = min(later, i + 1 + _REMARK, next(turns, later), later if is_open else end)
        is_of_next = stop == later < end and words.keys[stop - 1] in _WRONG | _NOT  # not B
        return words.keys[i + 1 : stop - is_of_next]

    def _behind(self, k: int, *, is_last: bool) -> list[str]:
        """Return the keys of the words between a mention and the next one; of the last one to the end of its sentence."""
        later = self._at[k + 1] if k + 1 < len(self._at) else len(self.words)
        _, end = bounds_of(self.words, *self._span(k), _SENTENCE)
        return self.words.keys[self._at[k] + 1 : min(later, end) if is_last else later]


def _last_mask(keys: Sequence[str]) -> int:
    """Return the index of the last mask; -1 without one."""
    return max((i for i, key in enumerate(keys) if key == MASK), default=-1)
