"""Side that a reply takes on a statement, decided among those of its clauses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from factprobe.evaluators.true_false.judgments import (
    FURTHER,
    GIVEN,
    NAMES,
    OTHER,
    PARTICLES,
    SHOWN,
    STATEMENT,
    TRUTH,
    Clause,
    Label,
    keys_of,
)

How = Literal[
    "judged", "agrees", "answered", "short", "told", "truth", "other", "right_one", "unknown", "stray", "possible"
]
"""Way of taking a side: by a word for true or false, by one of agreement, by yes or no, by a verb alone, by the
statement's words, by the right name in place of the shown one, by another name, by what is called right, by an unknown
name, by a judgment among other words, by what is called possible."""
_RANK: dict[How, int] = {
    "judged": 5,
    "agrees": 4,
    "truth": 3,
    "answered": 2,
    "told": 2,
    "other": 2,
    "right_one": 2,
    "short": 2,
    "unknown": 1,
    "stray": 1,
    "possible": 0,
}
_EXPLICIT = ("judged", "agrees", "answered")
"""Ways that overrule an earlier side where they conclude."""
_SURE = 3
"""Rank from which a side is overruled by nothing else."""
_STRAY = 3
"""Number of words of its own from which a clause judges something else."""
_DOUBTS = ("open", "possible", "believed", "half")
"""Kinds of cues with which a statement that is repeated is neither affirmed nor denied."""
_HOW: dict[str, How] = {"true": "judged", "false": "judged", "right": "judged", "yes": "answered", "no": "answered"}


class Side(Struct, frozen=True):
    """Side that a clause takes."""

    side: int
    """1 if the statement is true, -1 if it is false."""
    how: How
    clause: Clause
    is_conclusion: bool = False
    """Whether it concludes, or takes back what was said before."""


class Sides:
    """Sides of the clauses of a reply.

    Args:
        clauses: of the reply.
        turn: -1 if the statement is the negation of another one, else 1.
        content: keys of the statement's content words, in order, where no graph tells its entities; then only the same
            words in the same order affirm or deny it. None where a graph does.
    """

    def __init__(self, clauses: Sequence[Clause], turn: int, content: tuple[str, ...] | None = None) -> None:
        self._turn, self._content = turn, content
        self.found: list[Side] = []
        self.possible: list[Side] = []
        self.open = self.halves = self.declines = self.offers = 0
        """Numbers of judgments that are left open or grant a part, and of clauses that decline or offer help."""
        self._concludes = self._corrects = self._is_of_passage = False
        self._has_more = any(clause.own or clause.kinds or clause.has_pronoun or clause.shared for clause in clauses)
        for clause in clauses:
            self._take(clause)
        again = [clause for clause in clauses if clause.has(STATEMENT)]
        goes_on = any(clause.own and not clause.is_question for clause in clauses)
        if again and goes_on and not (self.found or self.open or self.declines):
            self._add(1, "told", again[0])

    @property
    def decided(self) -> Side | None:
        """The side that the reply takes: the first of the surest, or one that concludes."""
        best: Side | None = None
        for one in self.found:
            if (
                best is None
                or self._rank(one) > self._rank(best)
                or (one.side != best.side and one.is_conclusion and (one.how in _EXPLICIT or self._rank(best) < _SURE))
            ):
                best = one
        if best is not None and best.how == "answered" and self.offers and len(self.found) == 1:
            return None
        if best is None and len({one.side for one in self.possible}) == 1:
            return self.possible[-1]
        if best is not None and self.halves and best.how != "judged":
            return None
        return best

    def _rank(self, side: Side) -> int:
        """Return how sure a side is; a mere yes to a negated statement may affirm what it denies."""
        return 1 if side.how == "answered" and self._turn < 0 else _RANK[side.how]

    def _take(self, clause: Clause) -> None:
        kinds = clause.kinds
        self._concludes = self._concludes or "concludes" in kinds
        self._corrects = self._corrects or ("corrects" in kinds and bool(self.found or self.possible))
        is_aside = self._is_aside(clause)
        self.declines += clause.is_declining
        self.offers += "offers" in kinds
        if "half" in kinds and clause.labels:
            self.halves += 1
            return
        told = 0 if is_aside else self._told(clause)
        for label in clause.labels:
            if label.is_open:
                self.open += 1
            elif label.is_half:
                self.halves += 1
            elif not (is_aside or (clause.is_declining and (label.kind != "unsound" or label.side < 0))):
                self._judge(clause, label, told)
        if is_aside or clause.is_declining or "open" in kinds:
            return
        if any(one.kind not in PARTICLES for one in clause.labels):
            return
        if told:
            self._add(told * self._turn, "told", clause)
        else:
            self._substitute(clause)

    def _judge(self, clause: Clause, label: Label, told: int) -> None:
        if label.is_attribute:
            if clause.has_auxiliary and label.side > 0:
                is_shown = clause.has(SHOWN, STATEMENT) or (not clause.names and not clause.own_names and clause.shared)
                self._add(self._turn if is_shown else -self._turn, "right_one", clause)
            elif label.side < 0:
                self._add(-1, "stray", clause)
            return
        tells = (told or clause.is_short) and label.kind not in PARTICLES
        side = label.side * (self._turn * (-1 if clause.is_denied_behind else 1) if tells else 1)
        how: How = "stray" if clause.own >= _STRAY else _HOW.get(label.kind, "agrees")
        if label.kind == "right" and clause.end - clause.start == 1:
            how = "answered"
        if not clause.kinds.isdisjoint(("possible", "believed")):
            self.possible.append(Side(side, "possible", clause))
        else:
            self._add(side, how, clause)

    def _substitute(self, clause: Clause) -> None:
        """Add the side of a clause by a name in the place of one of the statement's, or by a verb alone."""
        if clause.has(TRUTH) and (self._has_more or len(clause.keys) > len(clause.names)):
            self._add(-self._turn, "truth", clause)
        elif clause.has(OTHER, FURTHER) and not (clause.has(SHOWN) and clause.has(GIVEN)):
            is_other = clause.has(OTHER) and (clause.has_pronoun or bool(clause.labels or self.found))
            if is_other or clause.has(GIVEN, SHOWN) or clause.shared:
                self._add(-self._turn, "other", clause)
        elif self._names_unknown(clause):
            if clause.has(GIVEN) or clause.has_pronoun or clause.has_auxiliary:
                self._add(-self._turn, "unknown", clause)
        elif clause.is_short and clause.kinds.isdisjoint(("possible", "open")):
            self._add(-self._turn if clause.is_denied_behind else self._turn, "short", clause)

    def _told(self, clause: Clause) -> int:
        """Return the side that a clause takes by the statement's words: 1 if it affirms them, -1 if it denies them."""
        affirmed = int(keys_of("judgment_noun").isdisjoint(clause.keys) or bool(clause.labels))
        told = self._told_by_names(clause, affirmed) or self._told_by_words(clause, affirmed)
        return 0 if told > 0 and self._content is not None and not self._is_again(clause) else told

    def _is_again(self, clause: Clause) -> bool:
        """Return whether a clause has the statement's content words in their order, and no others but cues."""
        said = [key for key in clause.keys if key in NAMES or key in (self._content or ())]
        is_whole = said == [STATEMENT] or tuple(said) == self._content
        return is_whole and not clause.own and clause.kinds.isdisjoint(_DOUBTS)

    def _names_unknown(self, clause: Clause) -> bool:
        """Return whether a clause has an unknown name, perhaps in the place of one of the statement's."""
        if not clause.own_names or not (clause.has(GIVEN) or clause.shared) or clause.has(SHOWN, STATEMENT):
            return False
        return self._content is None or self._lacks_one_name(clause)

    def _lacks_one_name(self, clause: Clause) -> bool:
        """Return whether a clause has the statement's content words but for one run of them."""
        missing = [i for i, key in enumerate(self._content or ()) if key not in clause.keys]
        return bool(missing) and missing[-1] - missing[0] < len(missing) < len(self._content or ())

    def _told_by_names(self, clause: Clause, affirmed: int) -> int:
        """Return the side of a clause by the names in it; 0 if it takes none by these."""
        is_other_denied = any(denied and key in (OTHER, TRUTH, FURTHER) for key, denied in clause.names)
        if clause.is_denied and not is_other_denied and clause.has(SHOWN):
            affirmed = -1
        for key, denied in clause.names:
            if denied and (key in (SHOWN, STATEMENT) or (key == GIVEN and not (clause.own or clause.has(SHOWN)))):
                return -1
            if key == STATEMENT and (clause.labels or len(clause.keys) > 1 or self._turn < 0):
                return affirmed
            if key == SHOWN and not (clause.has(FURTHER, OTHER, TRUTH) and not clause.has(GIVEN)):
                has_verb = clause.own < 2 + clause.is_denied and clause.has_auxiliary
                has_verb = has_verb and (clause.is_denied or clause.keys[0] != SHOWN)
                is_shared = clause.shared and not clause.own_names
                if is_shared or clause.has_pronoun or clause.has(GIVEN) or has_verb:
                    return affirmed
        return 0

    def _told_by_words(self, clause: Clause, affirmed: int) -> int:
        """Return the side of a clause by the statement's other words; 0 if it takes none by these."""
        if clause.has(SHOWN, STATEMENT):
            return 0
        if clause.has(GIVEN) and clause.has_pronoun and clause.shared and not (clause.own or clause.has(OTHER, TRUTH)):
            return -1 if clause.is_denied else affirmed
        if not clause.has(OTHER, TRUTH, FURTHER, SHOWN) and not clause.own_names:
            if clause.is_denied and (clause.shared > 1 or (clause.shared and not clause.own)):
                return -1
            return affirmed if clause.shared > 2 else 0
        return 0

    def _is_aside(self, clause: Clause) -> bool:
        """Return whether the clause asks, or judges the passage before the statement."""
        keys, opening = clause.keys, clause.keys[:2]
        is_of_statement = not keys_of("judgment_statement").isdisjoint(keys)
        passage = next((i for i, key in enumerate(keys) if key in keys_of("judgment_passage")), len(keys))
        that = next((i for i, key in enumerate(keys) if i > passage and key in keys_of("judgment_that")), len(keys))
        judges_behind = any(label.start > clause.start + that for label in clause.labels)
        takes_up = self._is_of_passage and not clause.opens_sentence and "concludes" not in clause.kinds
        takes_up = takes_up and not keys_of("judgment_takes_up").isdisjoint(opening)
        is_of_passage = ("passage" in clause.kinds and not judges_behind) or takes_up
        self._is_of_passage = is_of_passage
        return clause.is_question or (is_of_passage and not is_of_statement)

    def _add(self, side: int, how: How, clause: Clause) -> None:
        self.found.append(Side(side, how, clause, self._concludes or self._corrects))
