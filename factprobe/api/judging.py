"""Judging from Python: a model decides grades that the evaluators leave open."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from factprobe.api.grading import in_pairs
from factprobe.api.result_tables import QuestionGrades
from factprobe.asking.in_memory import ask_model
from factprobe.errors import DataError
from factprobe.evaluators.judge import JUDGED, final_grades, open_requests, votes_of
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
    """Have a model decide the grades that the evaluators leave open, as `model@judge` does.

    Args:
        judge: The model to ask; several have a vote each, e.g. one model loaded with `repeat=0`, `repeat=1` and so on.
        questions: The questions.
        responses: The responses to these questions.
        grades: The grades of these responses; those of one question are in the order of its responses.
        rules: The verdicts and rules whose grades go to the judge.

    Returns:
        The grades in their order; those that the judge decided have the rule `judge`.

    Raises:
        DataError: A question has more or fewer grades than responses.
        ModelError: The judge cannot be loaded.
        NoAnswersError: The judge answers nothing, or stops answering.
    """
    found = list(grades)
    pairs = _replies_of(found, questions, responses)
    graded = []
    times: Counter[str] = Counter()
    for (question, response), one in zip(pairs, found, strict=True):
        times[one.question_id] += 1
        name = one.question_id if times[one.question_id] == 1 else f"{one.question_id}#{times[one.question_id]}"
        graded.append((replace(question, question_id=name), response, replace(one, question_id=name)))
    wanted = list(open_requests(graded, rules))
    samples = () if not wanted else judge if isinstance(judge, Sequence) else (as_model(judge),)
    replies = (pair for sample in samples for pair in zip(wanted, ask_model(sample, wanted), strict=True))
    final = zip(final_grades(graded, votes_of(replies)), found, strict=True)
    return QuestionGrades((replace(judged, question_id=one.question_id) for judged, one in final), pairs)


def _replies_of(
    grades: Sequence[Grade], questions: Iterable[Question], responses: Iterable[Response]
) -> list[tuple[Question, Response]]:
    """Return the question and the response of each grade; responses to one question in their order.

    Raises:
        DataError: A question has more or fewer grades than responses.
    """
    left: dict[str, deque[tuple[Question, Response]]] = {}
    for pair in in_pairs(questions, responses):
        left.setdefault(pair[0].question_id, deque()).append(pair)
    for name, count in Counter(one.question_id for one in grades).items():
        if count != (given := len(left.get(name, ()))):
            hint = "give the grades of all responses, as grade_responses returns them"
            raise DataError(f"{count:,} for the {given:,} responses to {name}", where="the grades", hint=hint)
    return [left[one.question_id].popleft() for one in grades]
