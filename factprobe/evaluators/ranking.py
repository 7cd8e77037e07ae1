"""Evaluator of ranked questions, in which the model scores the options."""

from __future__ import annotations

from typing import ClassVar

from factprobe.evaluators.options.evaluator import OptionsEvaluator
from factprobe.evaluators.rules.base import Judgment, Rule, rule
from factprobe.evaluators.rules.shared import SILENT, is_ranking, no_response
from factprobe.reading.reading_base import Reading
from factprobe.records import Question


@rule("ranked.rank", "correct", "incorrect")
def has_rank(reading: Reading, question: Question) -> Judgment | None:
    """Ranks the choices, and is correct if the right answer (of several, the likeliest one) comes first.

    The rank is 1, plus the number of choices with a higher score, or with the same score and an earlier place: as in
    LM Pub Quiz, the first choice is the one that `argmax` finds.
    """
    response, choices = reading.response, question.choices
    if response is None or not is_ranking(question, response) or isinstance(question.answers, str):
        return None
    scores = response.scores
    answer = max(question.answers, key=lambda answer: scores[choices.index(answer.label)])
    place = choices.index(answer.label)
    rank = 1 + sum(score > scores[place] for score in scores) + scores[:place].count(scores[place])
    likeliest = choices[scores.index(max(scores))]
    why = f"the right answer is number {rank} of {len(choices)} by likelihood"
    if rank == 1:
        return Judgment("correct", matched=(answer.uri,), answer=likeliest, why=why, rank=rank)
    return Judgment("incorrect", wrong=1, answer=likeliest, why=why, rank=rank)


class RankedEvaluator(OptionsEvaluator):
    """Evaluator by the rank of the right answer; a reply in words is graded as in multiple choice."""

    opening: ClassVar[tuple[Rule, ...]] = (no_response, has_rank, *SILENT)
