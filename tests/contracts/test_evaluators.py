"""What every registered evaluator keeps to; one that has no case here fails."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from factprobe.evaluators import Evaluator, evaluators, grade
from factprobe.question_types import QUESTION_TYPES
from factprobe.reading.names.index import EntityIndex
from factprobe.records import Grade, Question, Response, Verdict
from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked


class Case(NamedTuple):
    """A question that the evaluator grades, with a right and a wrong reply."""

    asked: Asked
    right: str
    wrong: str
    nothing: Verdict = "unparsed"
    """The verdict on a reply that says nothing."""


CASES = {
    "binary_answer": Case(w.true_or_false(w.BORN, "Albert Einstein", "Ulm"), "correct", "incorrect"),
    "multi_choices": Case(w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "Paris"), "B) Ulm", "A) Munich"),
    "ranked": Case(w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "Paris"), "B) Ulm", "A) Munich"),
    "open_answer": Case(w.ask_object(w.BORN, "Albert Einstein"), "Ulm", "Munich"),
    "single_answer": Case(w.ask_object(w.BORN, "Albert Einstein"), "Ulm", "Munich"),
    "llm_facteval_binary": Case(w.true_or_false(w.BORN, "Albert Einstein", "Ulm"), "correct", "incorrect"),
    "llm_facteval_choices": Case(
        w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "Paris"), "B) Ulm", "A) Munich", "incorrect"
    ),
    "llm_facteval_short": Case(w.ask_object(w.BORN, "Albert Einstein"), "Ulm", "Munich", "incorrect"),
    "multiple_answer": Case(w.ask_object(w.LIVED, "Mark Twain"), "Hannibal, Hartford", "Springfield"),
}
NAMES = evaluators.names()


def test_every_evaluator_has_a_case_here() -> None:
    assert [name for name in NAMES if name not in CASES] == []


def test_every_question_type_has_an_evaluator_of_its_name() -> None:
    assert set(QUESTION_TYPES) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
class TestEvaluator:
    def test_is_an_evaluator(self, name: str) -> None:
        assert issubclass(evaluators.get(name), Evaluator)

    def test_a_right_reply_is_correct(self, name: str) -> None:
        case = CASES[name]
        found = _grade(name, case.right)
        assert found.verdict == "correct"
        assert found.matched == tuple(w.uri(label) for label in case.asked.labels)
        assert (found.true_positives, found.false_positives, found.false_negatives) == (_size(name), 0, 0)

    def test_a_wrong_reply_is_incorrect(self, name: str) -> None:
        found = _grade(name, CASES[name].wrong)
        assert found.verdict == "incorrect"
        assert found.matched == ()
        assert (found.true_positives, found.false_positives, found.false_negatives) == (0, 1, _size(name))

    def test_a_reply_that_declines_is_abstained(self, name: str) -> None:
        found = _grade(name, "I don't know.")
        assert found.verdict == "abstained"
        assert (found.true_positives, found.false_positives, found.false_negatives) == (0, 0, _size(name))

    @pytest.mark.parametrize("reply", ["", " \n", "...", "🤷", "<think>hm"])
    def test_a_reply_that_says_nothing_is_not_correct(self, name: str, reply: str) -> None:
        found = _grade(name, reply)
        assert found.verdict == CASES[name].nothing
        assert (found.true_positives, found.false_negatives) == (0, _size(name))

    @pytest.mark.parametrize(("reply", "error"), [(None, "gave up"), (None, None), ("Ulm", "cut off")])
    def test_a_failed_response_counts_nothing(self, name: str, reply: str | None, error: str | None) -> None:
        found = _grade(name, reply, error)
        assert found.verdict == "failed"
        assert found.matched == ()
        assert (found.true_positives, found.false_positives, found.false_negatives) == (0, 0, 0)

    def test_says_which_rule_decided(self, name: str) -> None:
        rules = [_grade(name, reply).rule for reply in (CASES[name].right, "I don't know.", "")]
        assert all(rules)
        assert len(set(rules)) == 3

    def test_needs_no_summary(self, name: str) -> None:
        case = CASES[name]
        response = _response(case.asked.question, case.right)
        assert evaluators.get(name)(EntityIndex()).grade(case.asked.question, response).verdict == "correct"

    def test_a_grade_does_not_depend_on_those_before(self, name: str) -> None:
        case = CASES[name]
        evaluator = evaluators.get(name)(EntityIndex(case.asked.world.summary()))
        question = case.asked.question
        replies = [case.right, case.wrong, "I don't know.", case.right]
        first, *_, last = [evaluator.grade(question, _response(question, reply)) for reply in replies]
        assert first == last

    def test_is_chosen_by_name(self, name: str) -> None:
        case = CASES[name]
        question = case.asked.question
        answered = [(question, _response(question, case.right))]
        names = {question.question_type: name}
        (found,) = grade(answered, case.asked.world.summary(), names)
        assert found == _grade(name, case.right)


def _response(question: Question, reply: str | None, error: str | None = None) -> Response:
    return Response(question.question_id, reply, None if reply is None else "stop", None, error)


def _grade(name: str, reply: str | None, error: str | None = None) -> Grade:
    asked = CASES[name].asked
    evaluator = evaluators.get(name)(EntityIndex(asked.world.summary()))
    return evaluator.grade(asked.question, _response(asked.question, reply, error))


def _size(name: str) -> int:
    return len(CASES[name].asked.labels) or 1
