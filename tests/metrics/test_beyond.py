"""Facts from both ends, facts that follow from two, statements and their negations: counted by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import asdict

from factprobe.metrics.breakdowns.asked_twice import BothEndsBreakdown, Negations
from factprobe.metrics.breakdowns.base import Breakdown
from factprobe.metrics.breakdowns.composition import TwoSteps
from factprobe.question_types import Form, QuestionType
from factprobe.records import Answer, Grade, Hop, Question, RelationCount, Verdict

NO, YES = False, True


def asked(
    subject: str,
    object_: str,
    form: Form = "ask_object",
    kind: QuestionType = "single_answer",
    relation: str = "r",
    answers: Iterable[str] | str = (),
    choices: int = 0,
) -> Question:
    name = f"{subject}:{object_}:{relation}:{kind}:{form}"
    ends = relation, subject, object_
    found: Any = answers if isinstance(answers, str) else tuple(Answer(uri, uri) for uri in answers)
    return Question(name, kind, (), found, *ends, choices=tuple(map(str, range(choices))))


def verdict(question: Question, known: bool | None, matched: Iterable[str] = ()) -> Grade:
    found: Verdict = "failed" if known is None else "correct" if known else "incorrect"
    return Grade(question.question_id, question.question_type, found, tuple(matched), 0, 0, 0, "r")


def rows(part: Breakdown, graded: Iterable[tuple[Question, Grade]], model: str = "m") -> list[Any]:
    for question, grade in graded:
        part.add("g", model, grade, question)
    return list(part.rows())


class TestReversal:
    def test_by_hand(self) -> None:
        known = {"a": (YES, YES), "b": (YES, NO), "c": (YES, NO), "d": (NO, NO)}
        questions = [
            (asked(subject, "o", f"ask_{end}"), right)
            for subject, ends in known.items()
            for end, right in zip(("object", "subject"), ends, strict=True)
        ]
        found, _ = rows(
            BothEndsBreakdown("kg"), [(question, verdict(question, right)) for question, right in questions]
        )
        assert (found.facts, found.object.estimate, found.subject.estimate, found.gap.estimate) == (4, 0.75, 0.25, 0.5)
        assert found.gap.low < 0.5 < found.gap.high <= 1

    def test_only_what_is_asked_from_both_ends_in_one_task_counts(self) -> None:
        def both(end: str, kind: QuestionType, subject: str, known: bool | None, choices: int = 0) -> Any:
            form = f"ask_{end}" if not choices else f"multi_choices_{end[:3]}"
            question = asked(subject, "o", form, kind, choices=choices)
            return question, verdict(question, known)

        found = rows(
            BothEndsBreakdown("kg"),
            [
                both("object", "single_answer", "a", YES),
                both("subject", "single_answer", "a", NO),
                both("object", "single_answer", "b", YES),  # never from its other end
                both("object", "single_answer", "c", YES),
                both("subject", "multiple_answer", "c", YES),  # another task
                both("object", "multi_choices", "a", YES, 4),
                both("subject", "multi_choices", "a", YES, 3),  # with fewer options
                both("object", "single_answer", "d", YES),
                both("subject", "single_answer", "d", None),  # failed
            ],
        )
        assert [(row.relation, row.task, row.facts, row.gap.estimate) for row in found] == [
            ("all", "single_answer", 1, 1.0),
            ("r", "single_answer", 1, 1.0),
        ]

    def test_relation_by_relation(self) -> None:
        graded = [
            (question, verdict(question, known))
            for relation, form, known in [
                ("r", "ask_object", YES),
                ("r", "ask_subject", NO),
                ("q", "ask_object", YES),
                ("q", "ask_subject", YES),
            ]
            for question in [asked("a", "o", form, relation=relation)]
        ]
        found = rows(BothEndsBreakdown("kg"), graded)
        assert [(row.relation, row.facts, row.gap.estimate) for row in found] == [
            ("all", 2, 0.5),
            ("r", 1, 1.0),
            ("q", 1, 0.0),
        ]


class TestComposition:
    def part(self) -> TwoSteps:
        part = TwoSteps("kg")
        path = Hop("born"), Hop("lies")
        part.begin([RelationCount("born", "", "", 0, 0, 0), RelationCount("born/lies", "", "", 0, 0, 0, path=path)])
        return part

    def graded(self, *facts: tuple[str, str, str, bool | None]) -> list[tuple[Question, Grade]]:
        questions = [(asked(s, o, relation=relation, answers=[o]), known) for s, o, relation, known in facts]
        return [(question, verdict(question, known)) for question, known in questions]

    def test_facts_are_paired_with_their_steps(self) -> None:
        found = rows(
            self.part(),
            self.graded(
                *(("ann", "ulm", "born", YES), ("bob", "ulm", "born", NO), ("cid", "oz", "born", YES)),
                *(("ulm", "de", "lies", YES), ("rome", "it", "lies", YES)),
                *(("ann", "de", "born/lies", NO), ("bob", "de", "born/lies", YES)),
                ("cid", "fr", "born/lies", YES),  # whose second step is not asked for
            ),
        )
        assert [(row.relation, row.task, row.facts, row.both_steps) for row in found] == [
            ("all", "in words", 2, 1),
            ("born/lies", "in words", 2, 1),
        ]
        assert (found[0].gap.estimate, found[0].without.estimate) == (1.0, 1.0)
        assert "{gap}" in TwoSteps.sentence(found[0])
        assert set(re.findall(r"{(\w+)}", TwoSteps.sentence(found[0]))) <= set(asdict(found[0]))

    def test_one_way_whose_steps_are_known_is_enough(self) -> None:
        facts = [
            *(("eve", "ulm", "born", NO), ("eve", "rome", "born", YES)),
            *(("ulm", "eu", "lies", YES), ("rome", "eu", "lies", YES), ("eve", "eu", "born/lies", YES)),
        ]
        (found, _) = rows(self.part(), self.graded(*facts))
        assert (found.facts, found.both_steps, found.gap.estimate) == (1, 1, 0.0)

    def test_both_steps_of_one_way_must_be_known(self) -> None:
        facts = [
            *(("eve", "ulm", "born", NO), ("eve", "rome", "born", YES)),
            *(("ulm", "eu", "lies", YES), ("rome", "eu", "lies", NO), ("eve", "eu", "born/lies", YES)),
        ]
        (found, _) = rows(self.part(), self.graded(*facts))
        assert (found.both_steps, found.gap, found.without.estimate) == (0, None, 1.0)

    def test_a_set_tells_of_each_of_its_facts(self) -> None:
        both = asked("eve", "ulm", kind="multiple_answer", relation="born", answers=["ulm", "rome"])
        rest = self.graded(("rome", "it", "lies", YES), ("eve", "it", "born/lies", YES))
        (found, _) = rows(self.part(), [(both, verdict(both, NO, ["rome"])), *rest])
        assert found.both_steps == 1

    def test_a_step_that_goes_backwards_is_the_question_for_the_subject(self) -> None:
        part = TwoSteps("kg")
        path = Hop("born", "subject"), Hop("born")
        part.begin([RelationCount("^born/born", "", "", 0, 0, 0, path=path)])
        back, on = asked("ann", "ulm", "ask_subject", relation="born"), asked("ann", "rome", relation="born")
        far = asked("ulm", "rome", relation="^born/born")
        (found, _) = rows(part, [(one, verdict(one, YES)) for one in (back, on, far)])
        assert (found.facts, found.both_steps) == (1, 1)

    def test_nothing_is_kept_where_there_is_no_composition(self) -> None:
        part = TwoSteps("kg")
        part.begin([RelationCount("born", "", "", 0, 0, 0)])
        assert rows(part, self.graded(("ann", "ulm", "born", YES))) == []


class TestNegation:
    def test_each_statement_with_its_negation(self) -> None:
        def judged(subject: str, form: Form, known: bool | None) -> tuple[Question, Grade]:
            right = "incorrect" if form.endswith("incorrect") else "correct"
            question = asked(subject, "o", form, "binary_answer", answers=right)
            return question, verdict(question, known)

        found = rows(
            Negations("kg"),
            [
                judged("a", "binary_correct", YES),  # called correct
                judged("a", "binary_negated_incorrect", NO),  # called correct too
                judged("a", "binary_obj_incorrect", YES),  # called incorrect
                judged("a", "binary_negated_obj_correct", NO),  # called incorrect too
                judged("b", "binary_correct", YES),
                judged("b", "binary_negated_incorrect", YES),
                judged("c", "binary_correct", YES),  # without its negation
                judged("d", "binary_correct", YES),
                judged("d", "binary_negated_incorrect", None),  # failed
            ],
        )
        every, _ = found
        assert (every.relation, every.pairs) == ("all", 3)
        assert every.plain.estimate == 1.0
        assert every.negated.estimate == pytest.approx(1 / 3)
        assert every.gap.estimate == pytest.approx(2 / 3)
        assert every.both_correct.estimate == pytest.approx(1 / 3)
        assert every.both_incorrect.estimate == pytest.approx(1 / 3)
