"""Guess rates and the answer prior, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from factprobe.metrics.breakdowns.base import Breakdowns
from factprobe.metrics.breakdowns.guessing import MadeUpBreakdown, WithoutSubject
from factprobe.metrics.statistics.paired import paired_difference
from factprobe.records import Answer, Context, Grade, Message, Question, Verdict


def asked(name: str, kind: str = "single_answer", given: str = "", relation: str = "P1") -> Question:
    answers = "incorrect" if kind == "binary_answer" else (Answer("o", "O"),) if given != "made_up" else ()
    return Question(name, kind, (), answers, relation, name, "o", given=given)  # type: ignore[arg-type]


def grade(question: Question, verdict: Verdict) -> Grade:
    return Grade(question.question_id, question.question_type, verdict, (), 0, 0, 0, "rule")


def test_any_answer_is_a_guess_and_only_to_decline_is_right() -> None:
    breakdown = MadeUpBreakdown("kg")
    verdicts: list[tuple[str, Verdict]] = [
        ("single_answer", "incorrect"),
        ("single_answer", "abstained"),
        ("single_answer", "unparsed"),
        ("single_answer", "failed"),
        ("binary_answer", "correct"),  # says that it is false
        ("binary_answer", "incorrect"),  # says that it is true
        ("binary_answer", "abstained"),
        ("binary_answer", "abstained"),
    ]
    for at, (kind, verdict) in enumerate(verdicts):
        question = asked(f"q{at}", kind, "made_up", "P1" if kind == "single_answer" else "P2")
        breakdown.add("placebo", "m", grade(question, verdict), question)
    rows = {(row.relation, row.question_type): row for row in breakdown.rows()}
    assert list(rows) == [
        ("all", "all"),
        ("all", "single_answer"),
        ("all", "binary_answer"),
        ("P1", "all"),
        ("P2", "all"),
    ]
    total, short, binary = (rows["all", kind] for kind in ("all", "single_answer", "binary_answer"))
    assert (total.questions, total.guessed.estimate, total.declined.estimate) == (7, 3 / 7, 3 / 7)
    assert (short.questions, short.guessed.estimate, short.affirmed) == (3, 1 / 3, None)
    assert (binary.guessed.estimate, binary.declined.estimate) == (0.5, 0.5)
    assert binary.affirmed
    assert binary.affirmed.estimate == 0.25
    assert rows["P2", "all"].affirmed == binary.affirmed
    assert MadeUpBreakdown.sentence(rows["P2", "all"]) == ""
    assert "called true" in MadeUpBreakdown.sentence(binary)


def test_made_up_subjects_are_in_no_other_table() -> None:
    found = Breakdowns("kg")
    for name, given in (("a", ""), ("b", "made_up")):
        question = asked(name, "binary_answer", given)
        found.add("g", "m", grade(question, "correct"), question)
    rows = {table.name: table.rows for table in found.tables()}
    assert [row.questions for row in rows["guesses"]] == [1, 1, 1]  # type: ignore[attr-defined]
    assert {row.questions for row in rows["bias"]} == {1}  # type: ignore[attr-defined]


def test_what_the_subject_adds_is_paired_by_id() -> None:
    breakdown = WithoutSubject("kg")
    pairs: list[tuple[str, Verdict, Verdict]] = [
        ("a", "correct", "correct"),
        ("b", "correct", "incorrect"),
        ("c", "correct", "abstained"),
        ("d", "incorrect", "incorrect"),
        ("e", "correct", "failed"),
        ("f", "failed", "correct"),
    ]
    for name, _, without in pairs:
        question = asked(name, given="none")
        breakdown.add("prior", "m", grade(question, without), question)
    for name, known, _ in [*pairs, ("z", "correct", "correct")]:
        question = asked(name)
        breakdown.add("template", "m", grade(question, known), question)
        breakdown.add("template", "other", grade(question, known), question)
    [row] = breakdown.rows()
    assert (row.generator, row.without, row.model, row.question_type) == ("template", "prior", "m", "single_answer")
    assert (row.questions, row.accuracy.estimate, row.prior.estimate) == (4, 0.75, 0.25)
    assert row.difference.estimate == pytest.approx(0.5)
    assert row.difference.low < 0.5 < row.difference.high


def test_only_the_same_question_is_held_beside_the_one_without_its_subject() -> None:
    usual = replace(asked("a", "multi_choices"), choices=("O", "P", "Q", "R"))
    for other, rows in (
        (usual, 1),
        (replace(usual, prompts=(Message("user", "X?"),)), 1),
        (replace(usual, choices=("O", "S")), 0),
        (replace(usual, answers=(Answer("p", "P"),)), 0),
        (replace(usual, context=Context("Where X is, is O.")), 0),
    ):
        breakdown = WithoutSubject("kg")
        for generator, question in (("prior", replace(usual, given="none")), ("template", other)):
            breakdown.add(generator, "m", grade(question, "correct"), question)
        assert len(breakdown.rows()) == rows


def test_the_interval_of_what_the_subject_adds_holds_the_truth() -> None:
    """Where only one side is ever right alone, as it often is."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(200):
        guessed = rng.random(60) < 0.05
        difference = paired_difference([False] * 60, guessed)
        held += difference.low <= -0.05 <= difference.high
    assert held >= 0.93 * 200
