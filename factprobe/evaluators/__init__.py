"""Evaluators: from responses to grades, one for each question type, behind the registry `evaluators`."""

from factprobe.evaluators.base import Evaluator, Judgment, evaluators
from factprobe.evaluators.grading import grade

__all__ = ["Evaluator", "Judgment", "evaluators", "grade"]
