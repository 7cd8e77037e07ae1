"""The rule on a ranking: the right answer must come first."""

from __future__ import annotations

from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.reading.reading import Reading
from factprobe.records import Question, Response


def is_ranking(question: Question, response: Response) -> bool:
    """Whether a response is scores of the question's choices, with the right answer among these."""
    return (
        bool(response.scores)
        and not response.failed
        and len(response.scores) == len(question.choices)
        and not isinstance(question.answers, str)
        and bool(question.answers)
        and question.answers[0].label in question.choices
    )


@rule("ranked.rank", "correct", "incorrect")
def has_rank(reading: Reading, question: Question) -> Judgment | None:
    """Is a ranking: correct where the right answer comes first.

    The rank is 1 and one more for each choice with a higher score, and for each of the same score that stands earlier
    among the choices: the likeliest choice is the one that `argmax` finds, as in LM Pub Quiz.
    """
    response, choices = reading.response, question.choices
    if response is None or not is_ranking(question, response) or isinstance(question.answers, str):
        return None
    answer, scores = question.answers[0], response.scores
    place = choices.index(answer.label)
    own = scores[place]
    rank = 1 + sum(score > own for score in scores) + sum(score == own for score in scores[:place])
    likeliest = choices[scores.index(max(scores))]
    why = f"the right answer is number {rank} of {len(choices)} by likelihood"
    if rank == 1:
        return Judgment("correct", matched=(answer.uri,), answer=likeliest, why=why, rank=rank)
    return Judgment("incorrect", wrong=1, answer=likeliest, why=why, rank=rank)
