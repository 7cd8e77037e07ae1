"""Assertion status of the mentions of options, or of true and false, in a reply whose mentions are masked."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import Literal, NamedTuple

from factprobe.reading.abstention import says_unknown
from factprobe.reading.assertion import cues_in, status
from factprobe.reading.cue_tables import AssertionCue, CueTable, keys_of, match_cues
from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.segments import CLAUSE_END, SENTENCE_END, bounds_of
from factprobe.reading.tokenisation.tokens import Words, common_keys

EMPTY = vocabulary("function", "hedge", "exclamation", "task", "task_options")
"""Words without content: function words, hedges, exclamations and words of the task."""
MASK = "ꔀ"
"""Letter that replaces each mention, so that no word in the text of an option is taken for a cue."""
_QUESTION_END = re.compile(r"[ )*\"'”]{0,3}[?？]")
_JOINS = ("", ",", "/", "&", "+", "、")
_MAX_REMARK_DISTANCE = 4
"""Maximum distance, in words, between a mention and a remark about it (`is wrong`)."""
_MAX_CUES, _MAX_WORDS = 50, 100
"""Maximum number of cues near a mention, and of words before it, that affect its status; keeps long lists fast."""
Span = tuple[int, int]


class OptionMention(NamedTuple):
    """Mention of one or more options in a reply; in true/false questions, of true (option 0) or false (option 1)."""

    start: int
    """Index of the first character."""
    end: int
    """Index after the last character."""
    options: frozenset[int]
    """Numbers of the options, from 0; there are several if they have the same text, or if letter and text disagree."""
    by: str
    """Form of the mention: `letter`, `text`, `position` or `none`; in true/false questions, a kind such as `judged`."""


class Place(NamedTuple):
    """Mention of an option with its assertion status and context."""

    mention: OptionMention
    word: int
    """Index of the masked word of the mention."""
    sentence_end: int
    """Index after the last word of its sentence."""
    is_denied: bool
    """True if the mention, or another of its group ("A or B"), is negated or called wrong."""
    is_doubted: bool
    """True if the clause before the mention, or before its group ("A or B"), says that the answer is not known."""
    is_weak: bool
    """True if the mention is attributed to others, or a question mark follows it and no word calls it right."""
    is_right: bool
    """True if the words after the mention call it right."""
    is_bare: bool
    """True if its sentence has no other content words, and it is in no list of all options."""
    is_bare_clause: bool
    """True if its clause has no other content words, and begins or ends the sentence."""
    is_conceded: bool
    """True if a word of concession or a hedge precedes the mention in its clause."""
    precedes_contrast: bool
    """True if a word of contrast follows the mention in its sentence."""

    @property
    def is_stated(self) -> bool:
        """True if the mention is neither denied nor doubted."""
        return not (self.is_denied or self.is_doubted)


words_of = lru_cache(maxsize=1 << 10)(Words)


def masked_words(source: str, mentions: Sequence[OptionMention]) -> Words:
    """Return the tokens of a reply with a mask for each mention; cached, since many replies differ only in names."""
    starts, ends = [*[mention.start for mention in mentions], len(source)], [0, *[mention.end for mention in mentions]]
    return words_of(f" {MASK} ".join([source[end:start] for end, start in zip(ends, starts, strict=True)]))


class MaskedReply:
    """Reply with a mask for each mention of an option, and with their assertion statuses.

    Mentions in a list of all options without remarks are left out, since it only repeats the options.

    Args:
        words: Tokens of the reply with a mask for each mention, from `masked_words`.
        mentions: Mentions from left to right.
        asked: Stems of words of the question, which are no cues.
        count: Number of options; 0 for a true/false question, in which mentions form no lists.
        cues: Cues of the question type, besides those of assertion; they replace the kind `denied` for true/false.
    """

    def __init__(
        self, words: Words, mentions: Sequence[OptionMention], asked: frozenset[str], count: int, cues: CueTable
    ) -> None:
        self.words = words
        general = (cue for cue in cues_in(words, asked) if count or cue.kind != "denied")
        self.cues = sorted([*general, *match_cues(words, cues, asked)], key=attrgetter("start"))
        self._asked = asked - common_keys()
        self._mentions = mentions
        self._count = count
        self._masks = [i for i, raw in enumerate(words.raw) if raw == MASK][: len(mentions)]
        self._sentences = [bounds_of(self.words, i, i + 1, SENTENCE_END) for i in self._masks]
        self._clauses = [bounds_of(self.words, i, i + 1, CLAUSE_END) for i in self._masks]
        filled = [raw != MASK and raw.lower().replace("'", "") not in EMPTY for raw in self.words.raw]
        self._filled = [0, *accumulate(filled)]
        self._listed: set[int] = set()
        restated = self._find_lists(count)
        self.groups: list[list[Place]] = []
        """Places in groups of coordinated mentions, such as "A or B"."""
        group: list[int] = []
        for k in range(len(self._masks)):
            if k in restated:
                continue
            if group and (k in self._listed or not self._is_joined(group[-1], k)):
                self.groups.append(self._places(group))
                group = []
            group.append(k)
        self.groups += [self._places(group)] if group else []
        self.places = [place for places in self.groups for place in places]

    @property
    def is_within_list(self) -> bool:
        """True if the reply ends within a list of all options, before which no sentence is only an option."""
        if len(self._run) < 2 or self._run[-1] != len(self._masks) - 1:
            return False
        before = [place for place in self.places if place.word < self._masks[self._run[0]]]
        return not any(place.is_bare for place in before)

    def _find_lists(self, count: int) -> set[int]:
        """Find the lists of all options in their order; return the mentions in lists without remarks."""
        restated: set[int] = set()
        self._run: list[int] = []
        for k, mention in enumerate(self._mentions[: len(self._masks)]):
            run = [] if len(self._run) >= count else self._run
            if self._begins_item(k) and mention.options in ({len(run)}, {0}):
                run = [*run, k] if mention.options == {len(run)} else [k]
            self._run = run
            if run and len(run) == count and k == run[-1]:
                self._listed.update(run)
                links = (
                    keys_of("option_link") if count > 2 else frozenset[str]()
                )  # of two options "A and B" is an answer
                gaps = [(self._masks[i] + 1, self._masks[i + 1] if i < k else self._sentences[k][1]) for i in run]
                if all(links.issuperset(self.words.keys[slice(*gap)]) for gap in gaps):
                    restated.update(run)
        return restated

    def _begins_item(self, k: int) -> bool:
        """Return whether a mention begins a line, or is a letter with a bracket or with the text of its option."""
        i, one = self._masks[k], self._mentions[k]
        gap = self.words.source[self.words.ends[i - 1] if i else 0 : self.words.starts[i]]
        return i == 0 or "\n" in gap or "•" in gap or (one.by == "letter" and one.end - one.start > 1)

    def _is_joined(self, k: int, later: int) -> bool:
        """Return whether only commas, articles and words such as "or" join two mentions, or each has its own line."""
        start, end = self._masks[k], self._masks[later]
        between = [key for key in self.words.keys[start + 1 : end] if key not in keys_of("article")]
        gap = self.words.source[self.words.ends[start] : self.words.starts[end]]
        if between:
            return keys_of("option_link").issuperset(between) and not SENTENCE_END.search(gap)
        is_near = "\n" not in gap or self._is_bare(self._sentences[later])
        gap = self.words.source[self.words.ends[start] : self.words.starts[start + 1]]
        return gap.strip() in (_JOINS if self._count else ("", "/")) and is_near

    def _places(self, group: Sequence[int]) -> list[Place]:
        words, first = self.words, self._masks[group[0]]
        clause = self._clauses[group[0]][0], self._clauses[group[-1]][1]
        is_bare_clause = self._is_bare(clause)
        cues = self._cues_in(self._sentences[group[0]][0], self._masks[group[-1]] + _MAX_REMARK_DISTANCE, first)
        asked = self._asked if self._count else ()
        states = [status(words, (self._masks[k], self._masks[k] + 1), cues, asked) for k in group]
        judgments = [self._judgment(k) if self._count else "" for k in group]
        is_denied = "denied" in states
        if "wrong" in judgments:  # all but B are wrong
            is_denied = not any(cue.kind == "denies" and clause[0] <= cue.start < first for cue in cues)
        is_doubted = says_unknown(words.keys[max(clause[0], first - _MAX_WORDS) : first])
        places = []
        for k, state, judgment in zip(group, states, judgments, strict=True):
            i, sentence, is_free, is_right = (
                self._masks[k],
                self._sentences[k],
                k not in self._listed,
                judgment == "right",
            )
            is_asked = _QUESTION_END.match(words.source, words.ends[self._clauses[k][1] - 1]) is not None
            place = Place(
                self._mentions[k],
                i,
                sentence[1],
                is_denied,
                is_doubted,
                state in ("believed", "related") or (not is_right and is_asked),
                is_right and not is_denied,
                is_free and self._is_bare(sentence),
                is_free and is_bare_clause and (clause[0] == sentence[0] or clause[1] == sentence[1]),
                any(cue.kind in ("concedes", "hedge") for cue in self._cues_in(clause[0], i, i)),
                any(cue.kind == "contrast" for cue in self._cues_in(i + 1, sentence[1], i)),
            )
            places.append(place)
        return places

    def _cues_in(self, start: int, stop: int, at: int) -> Sequence[AssertionCue]:
        """Return the cues that begin from `start` to `stop`; before and after word `at`, at most the 50 nearest."""
        if not self.cues:
            return self.cues
        first, word, last = (bisect_left(self.cues, i, key=attrgetter("start")) for i in (start, at, stop))
        return self.cues[max(first, word - _MAX_CUES) : min(last, word + _MAX_CUES)]

    def _judgment(self, k: int) -> Literal["right", "wrong", ""]:
        """Return whether the next words after a mention call it right or wrong; empty if they do neither."""
        words, i = self.words, self._masks[k]
        later = self._masks[k + 1] if k + 1 < len(self._masks) else len(words)
        remark = {*words.keys[i + 1 : min(later, i + 1 + _MAX_REMARK_DISTANCE)]}
        if keys_of("option_right") & remark:
            return "wrong" if keys_of("option_not") & remark else "right"
        return "wrong" if keys_of("option_wrong") & remark else ""

    def _is_bare(self, span: Span) -> bool:
        return self._filled[span[0]] == self._filled[span[1]]
