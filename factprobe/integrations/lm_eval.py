"""Grading in lm-evaluation-harness: a function for `process_results` of a task."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from factprobe.integrations.reply_grader import ReplyGrader, UngradableRecordError
from factprobe.storage import Problems


def grade(
    doc: Mapping[str, Any],
    results: Sequence[str],
    *,
    question: str = "question",
    answers: str = "answers",
    choices: str = "choices",
) -> dict[str, float]:
    """Grade a generated reply.

    A task imports this function in its `utils.py` and sets `process_results: !function utils.grade`.

    Args:
        doc: Document of the task; a dot in the name of a column selects a key of a mapping (`doc.question`).
        results: Generated replies, of which the first counts; if it is empty, the call has failed.
        question: Column of the question.
        answers: Column of the right answers.
        choices: Column of the options, if there are any.

    Returns:
        `factprobe_acc` is 1 for a correct reply and 0 for any other; `factprobe_abstained` is 1 for a reply that
        declines and 0 for any other; `factprobe_probability` is the probability that a careful reader calls the reply
        correct, or `factprobe_acc` if no model estimates it. A document that cannot be graded, such as one without a
        right answer, has none of them and is warned of, so that it counts nowhere and the others do.

    Raises:
        DataError: The document lacks a column.
    """
    try:
        grade = _grader(question, answers, choices).grade({**doc, _RESPONSE: results[0] if results else None})
    except UngradableRecordError as error:
        _left_out.add(error.what, f"the document {reprlib.repr(dict(doc))}")
        return {}
    is_correct = grade.verdict == "correct"
    return {
        "factprobe_acc": float(is_correct),
        "factprobe_abstained": float(grade.verdict == "abstained"),
        "factprobe_probability": float(is_correct) if grade.probability is None else grade.probability,
    }


_RESPONSE = "factprobe_response"
"""Column for the reply; its name occurs in no document."""


_left_out = Problems(all_in="further documents that cannot be graded are left out without a warning")


@cache
def _grader(question: str, answers: str, choices: str) -> ReplyGrader:
    columns = {"question": question, "answers": answers, "choices": choices, "response": _RESPONSE}
    return ReplyGrader(columns)
