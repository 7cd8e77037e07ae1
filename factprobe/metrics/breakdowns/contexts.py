"""Breakdown of questions with a passage, compared with the same questions without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import ArrayLike

from factprobe.metrics.breakdowns.base import Breakdown, headers
from factprobe.metrics.breakdowns.question_pairs import IntegerColumns, number_labels, question_hash
from factprobe.metrics.statistics.intervals import Clusters, Interval, codes_of, renumber, share_among
from factprobe.metrics.statistics.paired import paired_difference
from factprobe.metrics.strata import ALL
from factprobe.question_types import question_types
from factprobe.records import Grade, Question


class ContextEffect(Struct, frozen=True):
    """Effect of one kind of passage on a model's replies; shares in [0, 1].

    Of the questions answered correctly without the passage, `robust` are correct with it, `misled` get the planted
    answer, and `changed` any other reply. Of the other questions, `helped` are correct with it. A share of no questions
    is None. `misled` and `planted` are None if the passages plant no answer. All shares except `accuracy_with` and
    `planted` are None if there are no replies without a passage.
    """

    questions: int
    """Number of questions with replies with and without the passage, or with it if `against` is empty."""
    known: int
    """Number of questions answered correctly without the passage."""
    accuracy_without: Interval | None
    accuracy_with: Interval | None
    difference: Interval | None
    robust: Interval | None
    misled: Interval | None
    changed: Interval | None
    helped: Interval | None
    planted: Interval | None
    """Share of all questions with the passage to which the reply is the planted answer; lower is better."""
    kg: str = ""
    generator: str = ""
    model: str = ""
    against: str = ""
    """Generator of the questions without passages that are compared; empty if there is none."""
    kind: str = ""
    """Kind of the passages: `relevance`, `irrelevance`, `antifactual`."""
    question_type: str = ALL


def context_effect(
    without: ArrayLike | None, with_passage: ArrayLike, planted: ArrayLike | None = None, clusters: Clusters = None
) -> ContextEffect:
    """Compute the effect of passages on replies to the same questions.

    `without` and `with_passage` are whether each question is answered correctly without and with the passage, and
    `planted` is whether the reply gives the planted answer. `without` is None if no question was asked without a
    passage, and `planted` if no answer is planted. The design follows Longpre et al. 2021, *Entity-Based Knowledge
    Conflicts in Question Answering* (EMNLP), section 3: if a question is known without the passage, the model keeps its
    answer or adopts the passage's. Their memorization ratio is `robust / (robust + misled)`.
    """
    after = np.asarray(with_passage, bool)
    before = np.zeros_like(after) if without is None else np.asarray(without, bool)
    gives_planted = np.zeros_like(after) if planted is None else np.asarray(planted, bool)
    codes, all_, wrong = renumber(codes_of(clusters, len(after))), np.ones_like(after), gives_planted & ~after
    return ContextEffect(
        questions=len(after),
        known=int(before.sum()),
        accuracy_without=None if without is None else share_among(before, all_, codes),
        accuracy_with=share_among(after, all_, codes),
        difference=None if without is None else paired_difference(after, before, codes),
        robust=share_among(after, before, codes),
        misled=None if planted is None else share_among(wrong, before, codes),
        changed=share_among(~after & ~gives_planted, before, codes),
        helped=None if without is None else share_among(after, ~before, codes),
        planted=None if planted is None else share_among(wrong, all_, codes),
    )


class ByContext(Breakdown):
    """Breakdown of questions with passages, paired with the same questions without them."""

    title = "Passages before the questions"
    note = (
        "Paired with the same questions without a passage. Over questions answered correctly without it: robust, still "
        "correct with it; misled, changed to the wrong answer that the passage states; otherwise wrong, changed to "
        "another reply. Helped: over the other questions, correct with the passage. Planted answer: over all "
        "questions, replies with the wrong answer that the passage states."
    )
    heads = headers(
        "kind question_type questions accuracy_without accuracy_with difference robust misled changed helped planted",
        kind="passage",
        changed="otherwise wrong",
        planted="planted answer",
    )
    main = "robust"
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._plain: dict[str, dict[str, IntegerColumns]] = {}
        self._with_passages: dict[tuple[str, str, str], IntegerColumns] = {}
        self._subjects = number_labels()
        self._types = number_labels()

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade; failed questions are ignored."""
        if grade.verdict == "failed":
            return
        # What a question asks, without the passage and the prompt around it.
        key = hash((question_hash(question), question.choices, question.statement, question.bare))
        right, passage = grade.verdict == "correct", question.context
        if passage is None:
            self._plain.setdefault(model, {}).setdefault(generator, IntegerColumns("key", "right")).add(key, right)
            return
        columns = IntegerColumns("key", "right", "subject", "type", "planted")
        self._with_passages.setdefault((model, generator, passage.kind), columns).add(
            key,
            right,
            self._subjects[question.subject_uri],
            self._types[question.question_type],
            -1 if passage.planted is None else grade.planted and grade.verdict == "incorrect",
        )

    def rows(self) -> Sequence[ContextEffect]:
        """Return the rows; a generator with passages is compared with the one without that shares most questions."""
        return [
            replace(effect, kg=self.kg, generator=generator, model=model, kind=kind)
            for (model, generator, kind), outcomes in sorted(self._with_passages.items(), key=lambda item: item[0][0])
            for effect in self._compute_effects(model, outcomes)
        ]

    @classmethod
    def sentence(cls, row: ContextEffect) -> str:
        """Return a sentence on the row of all question types; empty for others."""
        if row.question_type != ALL:
            return ""
        if not row.against:
            return "{kind} passages: {accuracy_with} right; the same questions have no grades without them"
        sentence = "{kind} passages: {accuracy_with} right, {accuracy_without} without"
        if row.known:
            sentence += "; of these {robust} robust" + (", {misled} misled" if row.misled else "")
        return sentence + ("; of the rest {helped} helped" if row.helped and not row.planted else "")

    def _compute_effects(self, model: str, outcomes: IntegerColumns) -> Iterator[ContextEffect]:
        """Yield the effect of the passages on all questions, then on the questions of each type."""
        keys, types, subjects, planted = (outcomes[name] for name in ("key", "type", "subject", "planted"))
        plain = {name: other.right_by_key(keys) for name, other in self._plain.get(model, {}).items()}
        against = max(plain, key=lambda name: int((plain[name] >= 0).sum()), default="")
        paired = plain[against] >= 0 if against else np.zeros_like(keys, bool)
        if not paired.any():
            against, paired = "", ~paired
        for name in (ALL, *question_types()):
            chosen = paired & (types == self._types.get(name, -1)) if name != ALL else paired
            if chosen.any():
                before = plain[against][chosen] == 1 if against else None
                gives_planted = planted[chosen] == 1 if (planted >= 0).any() else None
                effect = context_effect(before, outcomes["right"][chosen] == 1, gives_planted, subjects[chosen])
                yield replace(effect, against=against, question_type=name)
