"""The verdict on a ranked question: is the right answer the likeliest?"""

from __future__ import annotations

from factprobe.records import Grade, Question, Response


def by_rank(question: Question, response: Response) -> Grade | None:
    """Grades a response by the place of the right answer in the order of its scores.

    The rank is 1 and one more for each choice with a higher score, and for each of the same score that stands earlier
    among the choices: the likeliest choice is the one that `argmax` finds, as in LM Pub Quiz. Rank 1 is correct.

    Returns:
        The grade; None for a response that is not scores of these choices, to be judged by its text.
    """
    scores, choices = response.scores, question.choices
    if response.error is not None or isinstance(question.answers, str) or len(scores) != len(choices) or not scores:
        return None
    answer = question.answers[0]
    if answer.label not in choices:
        return None
    place = choices.index(answer.label)
    own = scores[place]
    rank = 1 + sum(score > own for score in scores) + sum(score == own for score in scores[:place])
    correct = rank == 1
    return Grade(
        question.question_id,
        question.question_type,
        "correct" if correct else "incorrect",
        (answer.uri,) if correct else (),
        int(correct),
        int(not correct),
        int(not correct),
        "rank",
        rank,
    )
