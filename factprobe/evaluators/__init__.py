"""Evaluators, which grade responses; each question type has one, and `evaluators` is their registry."""

from factprobe.evaluators.base import Evaluator, evaluators
from factprobe.evaluators.grading import grade
from factprobe.evaluators.rules.base import Judgment, Rule, rule
from factprobe.reading.reading_base import Reading

__all__ = ["Evaluator", "Judgment", "Reading", "Rule", "evaluators", "grade", "rule"]
