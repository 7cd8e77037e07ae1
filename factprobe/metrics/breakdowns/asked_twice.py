"""Breakdowns of facts asked from both ends, and of statements asked plain and negated."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.metrics.breakdowns.base import headers
from factprobe.metrics.breakdowns.question_pairs import PairedBreakdown, RelationRow, TaskRow
from factprobe.metrics.statistics.intervals import Interval, known_share
from factprobe.metrics.statistics.paired import paired_shares
from factprobe.question_types import NEGATED, get_kind_or_default
from factprobe.records import Grade, Question

_PLAIN = {negated: plain for plain, negated in NEGATED.items()}


class Reversal(TaskRow, frozen=True):
    """Shares, in [0, 1], of facts that a model knows when asked for the object and for the subject in one task."""

    facts: int
    object: Interval
    subject: Interval
    gap: Interval
    """Difference `object` minus `subject`, in [-1, 1]; 0 is best, above 0 subjects are known less often."""


class BothEndsBreakdown(PairedBreakdown):
    """Breakdown of facts that a generator asks from both ends.

    The two questions must have the same task: a single answer in words, or a choice among equally many options.
    Questions for all answers and true/false statements (which show both ends) are ignored. The gap is that of Berglund
    et al. 2023, *The Reversal Curse*, section 2.2, which measures it on celebrities.
    """

    title = "Facts from both ends"
    note = (
        "Over the facts that were asked from both ends in the same task: a single answer in words, or a choice among "
        "equally many options. The gap is the share of known objects minus the share of known subjects."
    )
    heads = headers("relation task facts object subject gap", object="object known", subject="subject known")
    main = "gap"
    total_sentence = (
        "{task}: of {facts} facts asked from both ends {object} of the objects known, {subject} of the subjects"
    )

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade of a question about one end of a fact."""
        kind = get_kind_or_default(question.question_type)
        if grade.verdict == "failed" or isinstance(question.answers, str) or kind.is_set or not question.object_uri:
            return
        item, right = (len(question.choices), question.subject_uri, question.object_uri), grade.verdict == "correct"
        self.add_outcome(generator, model, question, item, right, is_second=question.sought == "subject")

    def rows(self) -> Sequence[Reversal]:
        """Return a row for all relations and one for each, by task."""
        pairs = self.pairs()
        return [Reversal(len(one), *paired_shares(one, other, uris), **owner) for owner, one, other, uris in pairs]


class Negation(RelationRow, frozen=True):
    """Judgments of a model on pairs of a statement and its negation; shares of pairs, in [0, 1].

    `plain` and `negated` are the shares of statements judged rightly. `both_correct` and `both_incorrect` are the
    shares of pairs in which the model gives statement and negation the same label, a contradiction.
    """

    pairs: int
    plain: Interval
    negated: Interval
    gap: Interval
    """Difference `plain` minus `negated`, in [-1, 1]; 0 is best."""
    both_correct: Interval
    both_incorrect: Interval


class Negations(PairedBreakdown):
    """Breakdown of statements that a generator asks both plain and negated.

    The pairs follow Kassner and Schütze 2020, *Negated and Misprimed Probes for Pretrained Language Models*, section 3,
    whose models complete statements instead of judging them.
    """

    title = "Statements and their negations"
    note = (
        "Over the statements that were judged both plain and negated. Calling both correct, or both incorrect, is a "
        "contradiction."
    )
    heads = headers(
        "relation pairs plain negated gap both_correct both_incorrect",
        plain="plain right",
        negated="negated right",
        both_correct="both called correct",
        both_incorrect="both called incorrect",
    )
    main = "both_correct"
    total_sentence = (
        "{pairs} statements plain and negated: {plain} and {negated} right, {both_correct} called correct both ways, "
        "{both_incorrect} incorrect both ways"
    )

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade of a plain or negated statement."""
        form = question.form
        if grade.verdict == "failed" or (form not in NEGATED and form not in _PLAIN):
            return
        right = grade.verdict == "correct"
        # Whether the statement is called correct, if it is called anything.
        side = (question.answers == "correct") == right if grade.verdict in ("correct", "incorrect") else None
        item = question.subject_uri, question.object_uri, _PLAIN.get(form, form)
        self.add_outcome(generator, model, question, item, (right, side), is_second=form in _PLAIN)

    def rows(self) -> Sequence[Negation]:
        """Return a row for all relations, and one for each."""
        rows = []
        for owner, plain, negated, uris in self.pairs():
            del owner["task"]  # statements have one task
            shares = paired_shares([right for right, _ in plain], [right for right, _ in negated], uris)
            sides = [(one, other) for (_, one), (_, other) in zip(plain, negated, strict=True)]
            same = (known_share([one is other is side for one, other in sides], uris) for side in (True, False))
            rows.append(Negation(len(plain), *shares, *same, **owner))
        return rows
