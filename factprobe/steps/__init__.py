"""The steps of a run, one module each."""

from collections.abc import Callable

from factprobe.steps.answer import answer
from factprobe.steps.base import Done, Run
from factprobe.steps.evaluate import evaluate
from factprobe.steps.extract import extract
from factprobe.steps.generate import generate
from factprobe.steps.report import report

STEPS: dict[str, Callable[[Run], Done]] = {
    "extract": extract,
    "generate": generate,
    "answer": answer,
    "evaluate": evaluate,
    "report": report,
}

__all__ = ["STEPS", "Done", "Run"]
