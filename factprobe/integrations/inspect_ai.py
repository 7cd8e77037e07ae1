"""Scorer for inspect_ai (extra `inspect`).

Example:
    Task(dataset=..., solver=generate(), scorer=answer_scorer())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from factprobe.errors import require

require("inspect_ai", extra="inspect", where="factprobe.integrations.inspect_ai")
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score, Scorer, Target, accuracy, scorer, stderr  # noqa: E402

from factprobe.integrations.reply_grader import ReplyGrader  # noqa: E402

if TYPE_CHECKING:
    from inspect_ai.solver import TaskState


@scorer(metrics=[accuracy(), stderr()])  # type: ignore[untyped-decorator,unused-ignore]
def answer_scorer(**settings: Any) -> Scorer:
    """Return a scorer that grades a task's outputs against the targets of its samples.

    The value of a score is correct, incorrect, or no answer if the reply declines. Its `answer` holds the words that
    were taken as the answer, `explanation` the reason, and `metadata` the `verdict`, `rule` and `probability`. For
    samples of an exported exam (`step=export format=inspect`), question type and answer sets come from their metadata.

    Args:
        settings: Arguments of `ReplyGrader`, e.g. `match="all"` or `threshold="strict"`.
    """
    grader = ReplyGrader(**settings)

    async def score(state: TaskState, target: Target) -> Score:
        choices = [choice.value for choice in state.choices]
        record = {
            "question": state.input_text,
            "answers": list(target),
            **({"choices": choices} if choices else {}),
            **state.metadata.get("factprobe", {}),
        }
        grade = grader.grade({**record, "response": state.output.completion})
        value = {"correct": CORRECT, "abstained": NOANSWER}.get(grade.verdict, INCORRECT)
        metadata = {"verdict": grade.verdict, "rule": grade.rule, "probability": grade.probability}
        return Score(value=value, answer=grade.answer or None, explanation=grade.why, metadata=metadata)

    return score
