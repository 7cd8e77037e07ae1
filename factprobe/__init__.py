"""Exams for language models, made from knowledge graphs, and grades of their answers.

The functions of `factprobe.api` and `factprobe.free_text` are available here. Each is imported on first use, so that
the import of the package is fast.
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
        plot,
        run,
        score,
        summarise,
    )
    from factprobe.asking.in_memory import ask_model
    from factprobe.free_text import check, detect, extract_claims

__version__ = "0.2.0"

__all__ = [
    "__version__",
    "agree",
    "ask_model",
    "check",
    "compare",
    "detect",
    "extract_claims",
    "grade_answers",
    "grade_responses",
    "judge_grades",
    "load_kg",
    "load_model",
    "make_questions",
    "plot",
    "run",
    "score",
    "summarise",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'factprobe' has no attribute {name!r}")
    if name in ("check", "detect", "extract_claims"):
        from factprobe import free_text

        return getattr(free_text, name)
    from factprobe import api

    return getattr(api, name)
