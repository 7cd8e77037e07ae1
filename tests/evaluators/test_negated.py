"""Negated statements: the side that a careful person sees a reply take on the negation, not on what it denies."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.records import Question
from tests.evaluators import worlds as w
from tests.evaluators.worlds import graded, negated_statement

BORN = negated_statement(w.BORN, "Albert Einstein", "Ulm")
"""Albert Einstein was not born in Ulm: that is incorrect."""


def test_a_record_without_the_denied_statement_is_read_by_its_labels() -> None:
    question: Question = replace(BORN.question, denied=None)
    assert graded(BORN._replace(question=question), "incorrect").verdict == "correct"
