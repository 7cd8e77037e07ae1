"""factprobe turns a knowledge graph into an exam for language models and grades what they answer.

The functions of `factprobe.api` are also here; each is imported when it is first used, so that importing the package
costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from factprobe.api import (
        agree,
        compare,
        grade_answers,
        grade_responses,
        judge_grades,
        load_kg,
        load_model,
        make_questions,
        run,
        score,
        summarise,
    )
    from factprobe.asking.at_once import ask_model

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "agree",
    "ask_model",
    "compare",
    "grade_answers",
    "grade_responses",
    "judge_grades",
    "load_kg",
    "load_model",
    "make_questions",
    "run",
    "score",
    "summarise",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'factprobe' has no attribute {name!r}")
    from factprobe import api

    return getattr(api, name)
