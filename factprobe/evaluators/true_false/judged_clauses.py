"""Clauses of a reply to a true/false question, with the words in them that judge the statement.

True is option 0 and false option 1, so that a statement is graded like a question with two options. The cues of each
language are data (`judgments.toml` in its pack).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from itertools import chain, pairwise
from operator import attrgetter
from typing import Literal

from factprobe.evaluators.places import EMPTY, OptionMention
from factprobe.evaluators.true_false.masking import OTHER, PLACEHOLDERS, TRUTH
from factprobe.lazy import lazy
from factprobe.reading.cue_tables import AssertionCue, cue_table, keys_of, match_cues
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.tokenisation.segments import CLAUSE_END, starts_of_parts
from factprobe.reading.tokenisation.tokens import Words, common_keys, key_of

TRUE, FALSE = frozenset((0,)), frozenset((1,))
By = Literal[
    "judged", "agrees", "answers", "particle", "stray", "lead_in", "open", "said", "words", "truth", "other", "unknown"
]
"""Kind of mention: a feature (`features.py`), `lead_in` ("the right answer is") or `open` (undecided)."""
_LABELS: dict[str, tuple[By, frozenset[int]]] = {
    "judgment_true": ("judged", TRUE),
    "judgment_right": ("judged", TRUE),
    "judgment_false": ("judged", FALSE),
    "judgment_sound": ("agrees", TRUE),
    "judgment_unsound": ("agrees", FALSE),
    "judgment_correction": ("agrees", FALSE),
    "judgment_yes": ("answers", TRUE),
    "judgment_no": ("answers", FALSE),
}
_OTHERS = ("judgment_neutral", "judgment_open", "judgment_half", "judgment_degree", "judgment_not")
_BREAK = re.compile(rf"{CLAUSE_END.pattern}|\|")
CUES = {name: in_order(name) for name in (*_LABELS, *_OTHERS)}


_JUDGMENTS = cue_table(CUES)
_EMPTY = frozenset(map(key_of, EMPTY)) | keys_of("judgment_frame", "judgment_noun", "judgment_judged", "auxiliary")
"""Stems of words that add no content to a judgment (the statement is)."""
_NO_NAMES = _EMPTY.union(PLACEHOLDERS, _JUDGMENTS)
"""Stems that cannot be from a name outside the statement: empty words and judgments."""


def is_label(word: str) -> bool:
    """Return whether a word judges a statement by itself (true, wrong, yes)."""
    key = key_of(word)
    return key in _JUDGMENTS and not _LABELS.keys().isdisjoint(_JUDGMENTS[key][1].get((key,), ()))


def may_name(keys: Sequence[str], statement: Collection[str]) -> bool:
    """Return whether any stem may be from a name: a content word that is in the statement, or is no judgment."""
    return not (_NO_NAMES.issuperset(keys) and common_keys().issuperset([key for key in keys if key in statement]))


def opposite(options: frozenset[int]) -> frozenset[int]:
    """Return the opposite of a side: `FALSE` for `TRUE`, `TRUE` for `FALSE`."""
    return FALSE if options == TRUE else TRUE


def clauses_of(words: Words, statement: Sequence[str], *, has_passage: bool) -> list[Clause]:
    """Return the clauses of a reply, which also end before "but" (not a planet but a dwarf planet).

    Args:
        words: Tokens of the reply, with placeholders for entities.
        statement: Stems of the statement's words, in order.
        has_passage: True if a passage precedes the statement; clauses about it do not judge the statement.
    """
    cues = [*match_cues(words, _JUDGMENTS)]
    buts = (i for i, key in enumerate(words.keys) if key in keys_of("but"))
    starts = starts_of_parts(words, _BREAK) if len(words) else ()
    clauses: list[Clause] = []
    for start, stop in pairwise(sorted({*starts, *buts, len(words)})):
        first, last = (bisect_left(cues, at, key=attrgetter("start")) for at in (start, stop))
        before = words.keys[clauses[-1].span.start : start] if clauses else ()
        is_of_passage = has_passage and _is_about_passage(words.keys[start:stop], before)
        own = [cue for cue in cues[first:last] if not (is_of_passage and cue.kind in _LABELS)]
        clauses.append(Clause(words, range(start, stop), own, statement))
    return clauses


def _is_about_passage(keys: Sequence[str], before: Sequence[str]) -> bool:
    """Return whether a clause is about the passage before the statement; `before` has the stems of the last clause."""
    if not keys_of("judgment_statement").isdisjoint(keys):
        return False
    passages = [i for i, key in enumerate(keys) if key in keys_of("judgment_passage")]
    if not passages:  # the passage says Kyiv, which is wrong
        return not (keys_of("judgment_passage").isdisjoint(before) or keys_of("judgment_takes_up").isdisjoint(keys[:2]))
    return keys_of("judgment_that").isdisjoint(keys[passages[-1] :])


def _is_within(cue: AssertionCue, words: Words, statement: Collection[str]) -> bool:
    """Return whether the statement has all words of a cue."""
    return all(key in statement for key in words.keys[cue.start : cue.end])


class Clause:
    """Clause of a reply.

    Args:
        words: Tokens of the reply.
        span: Indices of the words of the clause.
        cues: Cues of judgments in the clause.
        statement: Stems of the statement's words, in order.
    """

    def __init__(self, words: Words, span: range, cues: Sequence[AssertionCue], statement: Sequence[str]) -> None:
        self.words, self.keys, self.span, self.statement = words, words.keys, span, statement
        self._clause_keys = frozenset(words.keys[span.start : span.stop])
        asked = [cue for cue in cues if cue.kind == "judgment_not" and _is_within(cue, words, statement)]
        self.cues = [cue for cue in cues if cue not in asked]
        """Cues of judgments in the clause, without denials that the statement has (larger than)."""
        self._asked_denials = [cue.start for cue in asked]
        self.names = {self.keys[i]: i for i in span if self.keys[i] in PLACEHOLDERS}
        self.denied = self._covered("judgment_not", "judgment_no")
        """Indices of words that negate, and of "no"."""
        self.open = self._covered("judgment_open")
        """Indices of words after which a judgment is undecided, such as "whether"."""
        self._half, self._degrees = self._covered("judgment_half"), self._covered("judgment_degree")
        self._first_denied = min(self.denied, default=span.stop)
        content = [i for i in span if self.keys[i] not in PLACEHOLDERS and self.keys[i] not in _EMPTY]
        self.shared = [i for i in content if self.keys[i] in statement]
        """Indices of content words that are in the statement and judge nothing."""
        self.own = [i for i in content if self.keys[i] not in statement and i not in self.denied]
        """Indices of content words that are not in the statement, and neither judge nor negate."""
        self.labels = self._labels()
        judging = {i for label in self.labels for i in range(label.start, label.end)}
        self.own, self.shared = ([i for i in indices if i not in judging] for indices in (self.own, self.shared))
        self.rest = [i for i in span if i not in judging]
        """Indices of the words that are no judgment."""

    def has(self, *names: str) -> bool:
        """Return whether the clause has a word of the named lists."""
        return not keys_of(*names).isdisjoint(self._clause_keys)

    @property
    def is_asked(self) -> bool:
        """True if the clause ends in a question mark."""
        return any(mark in self.words.source[self.words.ends[self.span.stop - 1] :][:2] for mark in "?？")

    @lazy
    def capitals(self) -> list[int]:
        """Indices of the words in `own` that are capitalised or numbers; a capital at the beginning does not count."""
        return [i for i in self.own if self._is_name(i) and (i > self.span.start or self.words.raw[i][0].isdigit())]

    def _is_name(self, i: int) -> bool:
        """Return whether a word is capitalised or a number."""
        return self.words.raw[i][0].isupper() or self.words.raw[i][0].isdigit()

    def _covered(self, *kinds: str) -> frozenset[int]:
        return frozenset(i for cue in self.cues if cue.kind in kinds for i in range(cue.start, cue.end))

    def _labels(self) -> list[OptionMention]:
        """Return the judgments of the statement in the clause; their `start` and `end` are indices of words."""
        last: AssertionCue | None = None
        labels: list[OptionMention] = []
        for i, cue in enumerate(self.cues):
            if cue.kind not in _LABELS or self._is_no_label(cue):
                continue
            by, options = _LABELS[cue.kind]
            following = self.cues[i + 1 : i + 2]
            if by == "answers" and any(label.start == cue.end and label.kind in _LABELS for label in following):
                continue  # absolutely wrong
            if last and labels and self._governs(last, cue):
                denials = sum(one.kind == "judgment_not" and last.end <= one.start < cue.start for one in self.cues)
                if (denials + (options == FALSE)) % 2:  # I doubt that this is false
                    labels[-1] = labels[-1]._replace(options=opposite(labels[-1].options))
                continue
            last, end = cue, cue.end
            by = self._kind(cue)
            is_plain = keys_of("judgment_opposite").isdisjoint(self._clause_keys)
            if by in ("judged", "agrees") and is_plain == self._has_asked_denial(cue.start):
                options = opposite(options)
            if by in ("judged", "agrees", "lead_in") and self._is_about_other(cue):
                by, options = "other", FALSE
            if end + 1 == self.span.stop and end in self.denied:
                end, options = end + 1, opposite(options)  # das stimmt nicht
            labels.append(OptionMention(cue.start, end, options, by))
        return labels

    def _is_no_label(self, cue: AssertionCue) -> bool:
        """Return whether a cue of judgments does not judge the statement in this clause."""
        keys, raw = self.keys, self.words.raw[cue.end - 1].lower()
        if cue.kind == "judgment_no":  # may deny a noun
            return cue.end < self.span.stop and keys[cue.end] not in keys_of("judgment_pronoun", "article")
        if cue.kind == "judgment_yes":  # may stress something else, or leave it open: not clear whether
            return cue.start > self.span.start and (bool(self.own) or cue.end in self.open)
        is_other_form = raw in vocabulary("judgment_other_form") or raw.endswith(in_order("adverb_ending"))
        if is_other_form or (cue.kind == "judgment_correction" and not self._names_correction(cue.end)):
            return True
        knowing = keys[cue.start : cue.end] if cue.end - cue.start == 1 else []
        knowing = [*knowing, *(keys[cue.end : cue.end + 1] if self.has("speaker") else [])]
        if self._first_denied < cue.start and not keys_of("unknown_thing").isdisjoint(knowing):
            return True  # I cannot confirm it; I do not know the correct answer
        if not _is_within(cue, self.words, self.statement):
            return False
        return any(not cue.start <= i < cue.end for i in chain(self.own, self.shared, self.names.values()))

    def _has_asked_denial(self, i: int) -> bool:
        """Return whether a denial that the statement has denies the judgment at word `i` (that is not true)."""
        count = sum(denial < i for denial in self._asked_denials)
        return count % 2 == 1 and not any(shared < i for shared in self.shared)

    def _names_correction(self, start: int) -> bool:
        """Return whether a name or number stands from word `start` on, or the clause has a noun for the statement."""
        after = range(start, self.span.stop)
        return self.has("judgment_noun") or any(self.keys[i] in PLACEHOLDERS or self._is_name(i) for i in after)

    def _kind(self, cue: AssertionCue) -> By:
        """Return the kind of judgment that a cue is."""
        by, options = _LABELS[cue.kind]
        is_degree = cue.start - 1 in self._degrees and self._first_denied < cue.start
        is_open = min(*self.open, *self._half, cue.start, cue.start) < cue.start
        if is_open or (is_degree and options == FALSE):
            return "open"
        if self._is_attribute(cue.end):
            return "stray" if options == FALSE else "lead_in"
        return by

    def _governs(self, label: AssertionCue, cue: AssertionCue) -> bool:
        """Return whether a judgment is about a clause with a second judgment ("it is true that this is false")."""
        between = self.keys[label.end : cue.start]
        return not keys_of("judgment_that").isdisjoint(between[:3]) and keys_of("link_and").isdisjoint(between)

    def _is_attribute(self, end: int) -> bool:
        """Return whether a judgment that ends before word `end` only qualifies a noun ("the wrong city").

        A noun for a statement counts only if a verb follows it: "the correct statement would be that it is in Ulm".
        """
        i = end
        if self.words.source[self.words.ends[i - 1] :][:1] != " " or self.keys[end - 1] in keys_of("judgment_that"):
            return False  # evidence that vaccines cause autism
        while i < self.span.stop and self.keys[i] in keys_of("article"):
            i += 1
        if i == self.span.stop or (i > end and not self.words.raw[i][0].isupper()):
            return False
        if self.keys[i] in keys_of("judgment_noun", "judgment_judged"):
            return not keys_of("auxiliary").isdisjoint(self.keys[i + 1 : self.span.stop][:1])
        return self.keys[i] not in _NO_NAMES

    def _is_about_other(self, cue: AssertionCue) -> bool:
        """Return whether a judgment is about a name that is not in the statement, as in "correct is Paris"."""
        subjects = chain((i for name, i in self.names.items() if name in (OTHER, TRUTH)), self.capitals)
        verbs = keys_of("auxiliary")
        return any(
            i < cue.start or (_EMPTY.issuperset(between := self.keys[cue.end : i]) and not verbs.isdisjoint(between))
            for i in subjects
        )
