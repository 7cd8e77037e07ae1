"""Questions for the tests of models."""

from __future__ import annotations

from factprobe.records import Answer, Message, Question


def question(number: int = 1, text: str = "The capital of France is ____.") -> Question:
    """A short-answer question about Paris."""
    prompts = (Message("system", "Reply with the missing words only."), Message("user", text))
    return Question(
        f"Q{number}:Q90:P36:single_answer:ask_object",
        "single_answer",
        prompts,
        (Answer("Q90", "Paris"),),
        "P36",
        f"Q{number}",
        "Q90",
    )


def binary(number: int = 1) -> Question:
    """A true statement."""
    prompts = (Message("user", "Paris is the capital of France. Is this correct or incorrect?"),)
    question_id = f"Q{number}:Q90:P36:binary_answer:binary_correct"
    return Question(question_id, "binary_answer", prompts, "correct", "P36", f"Q{number}", "Q90")


def choices() -> Question:
    """A question with two options."""
    prompts = (Message("user", "The capital of France is ____.\nA) Rome\nB) Paris"),)
    return Question(
        "Q142:Q90:P36:multi_choices:multi_choices_obj",
        "multi_choices",
        prompts,
        (Answer("Q90", "Paris"),),
        "P36",
        "Q142",
        "Q90",
        ("Rome", "Paris"),
    )
