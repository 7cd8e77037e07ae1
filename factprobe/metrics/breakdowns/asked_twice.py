"""Facts and statements that a generator asks in two ways: from both ends, or plain and negated."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.metrics.breakdowns.base import headers
from factprobe.metrics.breakdowns.question_pairs import AskedTwice, RelationRow, TaskRow
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Interval, known_share
from factprobe.metrics.statistics.paired import paired_shares
from factprobe.question_types import NEGATED, kind_or_plain
from factprobe.records import Grade, Question

_PLAIN = {negated: plain for plain, negated in NEGATED.items()}


class Reversal(TaskRow, frozen=True):
    """Shares of a relation's facts that a model knows when asked from both ends in one task, in [0, 1]."""

    facts: int
    """Number of facts."""
    object: Interval
    """Share of facts whose object is known; higher is better."""
    subject: Interval
    """Share of facts whose subject is known; higher is better."""
    gap: Interval
    """Difference `object` minus `subject`, in [-1, 1]: 0 is best; above 0, subjects are known less often."""


class BothEnds(AskedTwice[bool, Reversal]):
    """Breakdown of facts that a generator asks from both ends.

    Only equal tasks are paired: a single answer in words, or a choice among equally many options. Questions for all
    answers are left out, and so are true/false statements, which show both ends. The gap is that of Berglund et al.
    2023, *The Reversal Curse*, section 2.2, which measures it on celebrities.
    """

    title = "Facts from both ends"
    note = (
        "Over the facts that were asked from both ends in the same task: a single answer in words, or a choice among "
        "equally many options. The gap is the share of known objects minus the share of known subjects."
    )
    heads = headers("relation task facts object subject gap", object="object known", subject="subject known")
    main = "gap"

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade of a question about one end of a fact."""
        kind = kind_or_plain(question.question_type)
        if grade.verdict == "failed" or isinstance(question.answers, str) or kind.is_set or not question.object_uri:
            return
        item = len(question.choices), question.subject_uri, question.object_uri
        self.pair(generator, model, question, item, grade.verdict == "correct", second=question.sought == "subject")

    def compare(self, task: str, objects: Sequence[bool], subjects: Sequence[bool], uris: Sequence[str]) -> Reversal:
        """Return the row for facts whose objects and subjects were asked for."""
        return Reversal(len(objects), *paired_shares(objects, subjects, uris), task=task)

    @classmethod
    def sentence(cls, row: Reversal) -> str:
        """Return a sentence for the row of all relations."""
        if row.relation != ALL:
            return ""
        return "{task}: of {facts} facts asked from both ends {object} of the objects known, {subject} of the subjects"


class Negation(RelationRow, frozen=True):
    """Judgments of a model on pairs of a statement and its negation; shares in [0, 1]."""

    pairs: int
    """Number of pairs with both statements judged."""
    plain: Interval
    """Share of plain statements judged correctly; higher is better."""
    negated: Interval
    """Share of negated statements judged correctly; higher is better."""
    gap: Interval
    """Difference `plain` minus `negated`, in [-1, 1]: 0 is best."""
    both_correct: Interval
    """Share of pairs with both statements called correct, which is a contradiction; lower is better."""
    both_incorrect: Interval
    """Share of pairs with both statements called incorrect, which is a contradiction; lower is better."""


_Judgment = tuple[bool, bool | None]
"""Judgment of a statement: True if it is right, and True or False if the statement is called correct or incorrect."""


class Negations(AskedTwice[_Judgment, Negation]):
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

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade of a plain or negated statement."""
        form = question.form
        if grade.verdict == "failed" or (form not in NEGATED and form not in _PLAIN):
            return
        right = grade.verdict == "correct"
        side = (question.answers == "correct") == right if grade.verdict in ("correct", "incorrect") else None
        item = question.subject_uri, question.object_uri, _PLAIN.get(form, form)
        self.pair(generator, model, question, item, (right, side), second=form in _PLAIN)

    def compare(  # statements have one task
        self, _: str, plain: Sequence[_Judgment], negated: Sequence[_Judgment], uris: Sequence[str]
    ) -> Negation:
        """Return the row for pairs of a statement and its negation."""
        shares = paired_shares([right for right, _ in plain], [right for right, _ in negated], uris)
        sides = [(one, other) for (_, one), (_, other) in zip(plain, negated, strict=True)]
        same = [known_share([one is other is side for one, other in sides], uris) for side in (True, False)]
        return Negation(len(plain), *shares, both_correct=same[0], both_incorrect=same[1])

    @classmethod
    def sentence(cls, row: Negation) -> str:
        """Return a sentence for the row of all relations."""
        if row.relation != ALL:
            return ""
        rights = "{pairs} statements plain and negated: {plain} and {negated} right"
        return f"{rights}, {{both_correct}} called correct both ways, {{both_incorrect}} incorrect both ways"
