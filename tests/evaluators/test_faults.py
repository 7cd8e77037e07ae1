"""No reply ends a run: what an evaluator fails on is unparsed by a rule of its own, counted, and told once."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from factprobe import api
from factprobe.errors import ConfigError
from factprobe.evaluators import Evaluator, Judgment, evaluators, grade, rule
from factprobe.evaluators.judge import is_open
from factprobe.evaluators.rule_errors import RULE, RuleErrors
from factprobe.reading.reading_base import Reading
from factprobe.records import Grade, Question, Response
from tests.evaluators import worlds as w

ULM = w.ask_object(w.BORN, "Albert Einstein")
RAISED: list[BaseException] = []
"""Error that these evaluators raise on a reply that says "fail"."""


@rule("fails", "correct")
def fails(reading: Reading, _: Question) -> Judgment:
    """Fails where it is told to."""
    if "fail" in reading.reply:
        raise type(RAISED[0])(*RAISED[0].args)  # its own, since an error keeps the places where it was raised
    return Judgment("correct")


class InARule(Evaluator):
    rules = (fails,)


class Failing(Reading, frozen=True):
    @property
    def excerpt(self) -> str:
        fails(self, self.question)
        return super().excerpt


@rule("fails", "correct")
def takes_all(reading: Reading, _: Question) -> Judgment:
    """Says anything."""
    assert reading.excerpt
    return Judgment("correct")


class InAReading(Evaluator):
    reading_type = Failing
    rules = (takes_all,)


class InAJudge(Evaluator):
    def judge(self, question: Question, reply: str) -> Judgment:
        fails(Reading(self.index, question, reply), question)
        return Judgment("correct", "fails")


class InGrade(InARule):
    def grade(self, question: Question, response: Response) -> Grade:
        fails(Reading(self.index, question, response.response or ""), question)
        return super().grade(question, response)


class NoJudgment(Evaluator):
    def judge(self, question: Question, reply: str) -> Judgment:
        return "correct" if "fail" in reply else Judgment("correct", "fails")  # type: ignore[return-value]


@pytest.fixture(autouse=True)
def raised() -> Iterator[list[BaseException]]:
    RAISED[:] = [KeyError("1951")]
    yield RAISED
    RAISED.clear()


def graded(cls: type[Evaluator], *replies: str, faults: RuleErrors | None = None) -> list[Grade]:
    evaluators.register("failing")(cls)
    answered = [(ULM.question, Response(ULM.question.question_id, reply, "stop", None, None)) for reply in replies]
    return list(grade(answered, w.BORN.summary(), {"single_answer": "failing"}, faults=faults))


@pytest.mark.parametrize("cls", [InARule, InAReading, InAJudge, InGrade, NoJudgment])
def test_a_reply_that_an_evaluator_fails_on_is_unparsed(cls: type[Evaluator]) -> None:
    before, failed, behind = graded(cls, "Ulm", "fail", "Ulm")
    assert before == behind
    assert (before.verdict, before.rule) == ("correct", "fails")
    assert (failed.verdict, failed.rule, failed.matched) == ("unparsed", RULE, ())
    assert (failed.true_positives, failed.false_positives, failed.false_negatives) == (0, 0, 1)
    assert failed.why.startswith("AttributeError in " if cls is NoJudgment else f"KeyError in {__name__}, line ")
    assert not is_open(failed, ("unparsed", RULE)), "what reads the reply for the judge may fail on it as well"


@pytest.mark.parametrize(
    "error",
    [ValueError("9" * 10_000), RecursionError(), OSError(36, "File name too long"), StopIteration(), AssertionError()],
)
def test_any_exception_is_the_replys_own(error: Exception) -> None:
    RAISED[:] = [error]
    _, failed = graded(InARule, "Ulm", "fail")
    line = fails.decide.__code__.co_firstlineno + 4
    assert (failed.rule, failed.why) == (RULE, f"{type(error).__name__} in {__name__}, line {line}")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(), MemoryError(), ConfigError("wrong")])
def test_what_is_no_fault_of_a_rule_is_not_swallowed(error: BaseException) -> None:
    RAISED[:] = [error]
    with pytest.raises(type(error)):
        graded(InARule, "Ulm", "fail")


def test_the_place_is_that_of_no_library() -> None:
    class InALibrary(Evaluator):
        def judge(self, question: Question, reply: str) -> Judgment:
            raise AssertionError(int(json.loads(reply)))

    (failed,) = graded(InALibrary, "Ulm")
    assert failed.why == f"JSONDecodeError in {__name__}, line {InALibrary.judge.__code__.co_firstlineno + 1}"


def test_they_are_told_once_with_their_number(caplog: pytest.LogCaptureFixture) -> None:
    graded(InARule, "fail", "Ulm", *["fail again"] * 1_200)
    (told,) = caplog.messages
    assert told.startswith(f"1,201 replies are unparsed by {RULE}, since a rule failed: KeyError in {__name__}, line ")
    assert "debug=true" in told
    caplog.clear()
    graded(InARule, "Ulm", "Munich")
    assert caplog.messages == []


def test_the_first_of_them_are_named() -> None:
    with RuleErrors() as faults:
        (failed, *_) = graded(InARule, *["fail"] * 150, "Ulm", faults=faults)
    assert faults.count == 150
    assert dict(faults.kinds) == {failed.why: 150}
    assert faults.named == [f"{ULM.question.question_id}: {failed.why}"] * 100


@pytest.mark.parametrize("debug", [True, False])
def test_debug_shows_the_traceback_of_each_kind_once(debug: bool, caplog: pytest.LogCaptureFixture) -> None:
    with RuleErrors(debug=debug) as faults:
        graded(InARule, "fail", "fail", faults=faults)
        RAISED[:] = [ValueError("another kind")]
        graded(InARule, "fail", faults=faults)
    texts = [record.exc_text or str(record.exc_info) for record in caplog.records if record.exc_info]
    assert [("KeyError" in text, "ValueError" in text) for text in texts] == [(True, False), (False, True)][: 2 * debug]
    assert len(caplog.records) == len(texts) + 1


def test_python_grades_all_relations_and_tells_them_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kg = api.load_kg("trex")
    questions = api.make_questions(kg, ["P36", "P37"], limit=2, question_types=["binary_answer"])
    responses = [Response(question.question_id, "fail", "stop", None, None) for question in questions]
    monkeypatch.setattr(evaluators.get("binary_answer"), "rules", (fails,))
    grades = api.grade_responses(kg, questions, responses)
    assert [found.rule for found in grades] == [RULE] * len(questions)
    assert len({question.relation for question in questions}) == 2
    assert [message.split(" ", 1)[0] for message in caplog.messages] == [str(len(questions))]
