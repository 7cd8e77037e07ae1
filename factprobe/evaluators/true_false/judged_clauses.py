"""Clauses of a reply to a true/false question, with the words in them that judge the statement.

True is option 0 and false option 1, so that a statement is graded like a question with two options. The cues of each
language are data (`judgments.toml` in its pack).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Literal

from factprobe.evaluators.places import EMPTY, OptionMention
from factprobe.evaluators.true_false.masking import OTHER, PLACEHOLDERS, TRUTH
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
    "judgment_false": ("judged", FALSE),
    "judgment_sound": ("agrees", TRUE),
    "judgment_unsound": ("agrees", FALSE),
    "judgment_correction": ("agrees", FALSE),
    "judgment_yes": ("answers", TRUE),
    "judgment_no": ("answers", FALSE),
}
_OTHERS = ("judgment_neutral", "judgment_open", "judgment_half", "judgment_degree", "judgment_not")
CUES = {name: in_order(name) for name in (*_LABELS, *_OTHERS)}
_JUDGMENTS = cue_table(CUES)
_BREAK = re.compile(rf"{CLAUSE_END.pattern}|\|")
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


def turned(mention: OptionMention, times: int) -> OptionMention:
    """Return a mention of the opposite side if it is turned round an odd number of times, else as it is."""
    return mention._replace(options=FALSE if mention.options == TRUE else TRUE) if times % 2 else mention


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
        is_of_passage = has_passage and _is_about_passage(words.keys[start:stop], clauses[-1].keys if clauses else ())
        own = [cue for cue in cues[first:last] if not (is_of_passage and cue.kind in _LABELS)]
        clauses.append(Clause(words, start, stop, own, statement))
    return clauses


def _is_about_passage(keys: Sequence[str], before: Sequence[str]) -> bool:
    """Return whether a clause is about the passage before the statement; `before` has the stems of the last clause."""
    passages = keys_of("judgment_passage")
    last = max((i for i, key in enumerate(keys) if key in passages), default=-1)
    if last < 0:  # the passage says Kyiv, which is wrong
        is_about = not (passages.isdisjoint(before) or keys_of("judgment_takes_up").isdisjoint(keys[:2]))
    else:
        is_about = keys_of("judgment_that").isdisjoint(keys[last:])
    return is_about and keys_of("judgment_statement").isdisjoint(keys)


class Clause:
    """Clause of a reply, whose words are numbered from its beginning.

    Args:
        words: Tokens of the reply.
        start: Index of the first word of the clause in the reply.
        stop: Index after the last word.
        cues: Cues of judgments in the clause.
        statement: Stems of the statement's words, in order.
    """

    def __init__(
        self, words: Words, start: int, stop: int, cues: Sequence[AssertionCue], statement: Sequence[str]
    ) -> None:
        self.words, self.start, self.statement = words, start, statement
        self.keys, self.raw = words.keys[start:stop], words.raw[start:stop]
        cues = [AssertionCue(cue.kind, cue.start - start, min(cue.end, stop) - start) for cue in cues]
        self._asked = [cue for cue in cues if cue.kind == "judgment_not" and self._is_of_statement(cue)]
        self.cues = [cue for cue in cues if cue not in self._asked]
        """Cues of judgments in the clause, without denials that the statement has (larger than)."""
        self.names = {key: i for i, key in enumerate(self.keys) if key in PLACEHOLDERS}
        self.denied = self._words_of("judgment_not", "judgment_no")
        """Indices of words that negate, and of "no"."""
        self.open = self._words_of("judgment_open")
        """Indices of words after which a judgment is undecided, such as "whether"."""
        content = [i for i, key in enumerate(self.keys) if key not in PLACEHOLDERS and key not in _EMPTY]
        self.shared = [i for i in content if self.keys[i] in statement]
        """Indices of content words that are in the statement and judge nothing."""
        self.own = [i for i in content if self.keys[i] not in statement and i not in self.denied]
        """Indices of content words that are not in the statement, and neither judge nor negate."""
        self.labels = self._labels()
        judging = {i for label in self.labels for i in range(label.start, label.end)}
        self.own, self.shared = ([i for i in indices if i not in judging] for indices in (self.own, self.shared))
        self.rest = [i for i in range(len(self.keys)) if i not in judging]
        """Indices of the words that are no judgment."""

    def has(self, *names: str) -> bool:
        """Return whether the clause has a word of the named lists."""
        return not keys_of(*names).isdisjoint(self.keys)

    @property
    def is_asked(self) -> bool:
        """True if the clause ends in a question mark."""
        end = self.words.ends[self.start + len(self.keys) - 1]
        return any(mark in self.words.source[end : end + 2] for mark in "?？")

    @property
    def capitals(self) -> list[int]:
        """Indices of the words in `own` that are capitalised or numbers; a capital at the beginning does not count."""
        return [i for i in self.own if self.raw[i][0].isdigit() or (i and self.raw[i][0].isupper())]

    def mention(self, start: int, end: int, options: frozenset[int], by: str) -> OptionMention:
        """Return a mention at some words of the clause."""
        first, last = self.start + start, self.start + end - 1
        return OptionMention(self.words.starts[first], self.words.ends[last], options, by)

    @property
    def _is_opposite(self) -> bool:
        return not keys_of("judgment_opposite").isdisjoint(self.keys)

    def _is_of_statement(self, cue: AssertionCue) -> bool:
        return all(key in self.statement for key in self.keys[cue.start : cue.end])

    def _words_of(self, *kinds: str) -> list[int]:
        return [i for cue in self.cues if cue.kind in kinds for i in range(cue.start, cue.end)]

    def _labels(self) -> list[OptionMention]:
        """Return the judgments of the statement in the clause; their `start` and `end` are indices of words."""
        labels: list[OptionMention] = []
        last = 0
        cues = [cue for cue in self.cues if cue.kind in _LABELS and not self._is_no_label(cue)]
        for cue in cues:
            (by, options), end = _LABELS[cue.kind], cue.end
            if by == "answers" and any(other.start == end for other in cues):
                continue  # absolutely wrong
            if labels and not keys_of("judgment_that").isdisjoint(self.keys[last : cue.start][:3]):
                denials = sum(one.kind == "judgment_not" and last <= one.start < cue.start for one in self.cues)
                labels[-1] = turned(labels[-1], denials + (options == FALSE))  # I doubt that it is false
                continue
            last, by, turns = end, self._kind(cue), 0
            if by in ("judged", "agrees"):  # that is not true; the opposite is true
                asked = () if any(i < cue.start for i in self.shared) else self._asked
                turns = sum(one.start < cue.start for one in asked) + self._is_opposite
            if by in ("judged", "agrees", "lead_in") and self._is_about_other(cue):
                by, options, turns = "other", FALSE, 0
            if end + 1 == len(self.keys) and end in self.denied:
                end, turns = end + 1, turns + 1  # das stimmt nicht
            labels.append(turned(OptionMention(cue.start, end, options, by), turns))
        return labels

    def _is_no_label(self, cue: AssertionCue) -> bool:
        """Return whether a cue of judgments does not judge the statement in this clause."""
        following, raw = self.keys[cue.end : cue.end + 1], self.raw[cue.end - 1].lower()
        if cue.kind == "judgment_no":  # may deny a noun
            return bool(following) and keys_of("judgment_pronoun", "article").isdisjoint(following)
        if cue.kind == "judgment_yes":  # may stress something else, or leave it open: not clear whether
            return cue.start > 0 and (bool(self.own) or cue.end in self.open)
        if raw in vocabulary("judgment_other_form") or raw.endswith(in_order("adverb_ending")):
            return True
        if cue.kind == "judgment_correction" and not (self.capitals or self.names or self.has("judgment_noun")):
            return True  # it should be avoided
        knowing = self.keys[cue.start : cue.end + self.has("speaker")] if cue.end - cue.start == 1 else ()
        if any(i < cue.start for i in self.denied) and not keys_of("unknown_thing").isdisjoint(knowing):
            return True  # I cannot confirm it; I do not know the correct answer
        others = {*self.own, *self.shared}.difference(range(cue.start, cue.end))
        return bool(others) and self._is_of_statement(cue)

    def _kind(self, cue: AssertionCue) -> By:
        """Return the kind of judgment that a cue is."""
        by, options = _LABELS[cue.kind]
        is_part = cue.start - 1 in self._words_of("judgment_degree") and any(i < cue.start for i in self.denied)
        if (is_part and options == FALSE) or any(i < cue.start for i in (*self.open, *self._words_of("judgment_half"))):
            return "open"
        if self._is_attribute(cue.end):
            return "stray" if options == FALSE else "lead_in"
        return by

    def _is_attribute(self, end: int) -> bool:
        """Return whether a judgment that ends before word `end` only qualifies a noun ("the wrong city").

        A noun for a statement counts only if a verb follows it: "the correct statement would be that it is in Ulm".
        """
        i = end
        is_apart = self.words.source[self.words.ends[self.start + i - 1] :][:1] != " "
        if is_apart or self.keys[end - 1] in keys_of("judgment_that"):
            return False  # evidence that vaccines cause autism
        while i < len(self.keys) and self.keys[i] in keys_of("article"):
            i += 1
        if i == len(self.keys) or (i > end and not self.raw[i][0].isupper()):
            return False
        if self.keys[i] in keys_of("judgment_noun", "judgment_judged"):
            return not keys_of("auxiliary").isdisjoint(self.keys[i + 1 : i + 2])
        return self.keys[i] not in _NO_NAMES

    def _is_about_other(self, cue: AssertionCue) -> bool:
        """Return whether a judgment is about a name that is not in the statement, as in "correct is Paris"."""
        subjects = [*(i for name, i in self.names.items() if name in (OTHER, TRUTH)), *self.capitals]
        verbs = keys_of("auxiliary")
        return any(
            i < cue.start or (_EMPTY.issuperset(between := self.keys[cue.end : i]) and not verbs.isdisjoint(between))
            for i in subjects
        )
