"""Judging from Python: a model decides those grades that the evaluators leave open."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence
from itertools import count

from msgspec.structs import replace

from factprobe.api.grading import in_pairs
from factprobe.api.result_tables import QuestionGrades
from factprobe.asking.in_memory import ask_model
from factprobe.errors import DataError
from factprobe.evaluators.judge import JUDGED, JudgePrompt, final_grades, open_requests, votes_of
from factprobe.models import Model
from factprobe.models.providers.function import ModelFunction, as_model
from factprobe.records import Grade, Question, Response


def judge_grades(
    judge: Model | ModelFunction | Sequence[Model],
    questions: Iterable[Question],
    responses: Iterable[Response],
    grades: Iterable[Grade],
    rules: Collection[str] = JUDGED,
) -> QuestionGrades:
    """Let a model decide the grades that the evaluators leave open, as the setting `model@judge` does.

    Args:
        judge: The model to ask, or several with a vote each, e.g. one model loaded with `repeat=0` and `repeat=1`.
        questions: The questions.
        responses: The responses to these questions.
        grades: The grades of these responses, for each question in the order of its responses.
        rules: Verdicts and rules; the judge decides the grades that have one of them.

    Returns:
        All grades in the same order; those that the judge decided have the rule `judge`.

    Raises:
        DataError: A question has more or fewer grades than responses.
        ModelError: The judge cannot be loaded.
        NoAnswersError: The judge answers nothing, or stops answering.
    """
    all_grades = list(grades)
    pairs = _replies_of(all_grades, questions, responses)
    names = _unique_names([grade.question_id for grade in all_grades])
    graded = [
        (replace(question, question_id=name), response, replace(grade, question_id=name))
        for name, (question, response), grade in zip(names, pairs, all_grades, strict=True)
    ]
    requests = list(open_requests(graded, JudgePrompt(), rules))
    samples = () if not requests else judge if isinstance(judge, Sequence) else (as_model(judge),)
    replies = (pair for sample in samples for pair in zip(requests, ask_model(sample, requests), strict=True))
    final = zip(final_grades(graded, votes_of(replies)), all_grades, strict=True)
    return QuestionGrades((replace(final_grade, question_id=grade.question_id) for final_grade, grade in final), pairs)


def _unique_names(ids: Sequence[str]) -> list[str]:
    """Return a name for each id: the id itself, or if it is repeated, the id with a number, unlike all other names."""
    names = {*ids}
    occurrences: Counter[str] = Counter()
    unique = []
    for id_ in ids:
        occurrences[id_] += 1
        name = id_
        if occurrences[id_] > 1:
            name = next(name for name in (f"{id_}#{n}" for n in count(occurrences[id_])) if name not in names)
            names.add(name)
        unique.append(name)
    return unique


def _replies_of(
    grades: Sequence[Grade], questions: Iterable[Question], responses: Iterable[Response]
) -> list[tuple[Question, Response]]:
    """Return the question and the response of each grade; several grades of a question take its responses in turn.

    Raises:
        DataError: A question has more or fewer grades than responses.
    """
    remaining: dict[str, deque[tuple[Question, Response]]] = {}
    for pair in in_pairs(questions, responses):
        remaining.setdefault(pair[0].question_id, deque()).append(pair)
    for name, grade_count in Counter(grade.question_id for grade in grades).items():
        if grade_count != (response_count := len(remaining.get(name, ()))):
            hint = "give the grades of all responses, as grade_responses returns them"
            raise DataError(
                f"{grade_count:,} for the {response_count:,} responses to {name}", where="the grades", hint=hint
            )
    return [remaining[grade.question_id].popleft() for grade in grades]
