"""The steps of a run, one module each."""

from collections.abc import Callable

from factprobe.steps.agree import agree
from factprobe.steps.answer import answer
from factprobe.steps.base import Done, Run
from factprobe.steps.compare import compare
from factprobe.steps.evaluate import evaluate
from factprobe.steps.extract import extract
from factprobe.steps.generate import generate
from factprobe.steps.report import report

ALL: dict[str, Callable[[Run], Done]] = {
    "extract": extract,
    "generate": generate,
    "answer": answer,
    "evaluate": evaluate,
    "report": report,
}
"""Those of `step=all`, in order."""

STEPS = {**ALL, "compare": compare, "agree": agree}

__all__ = ["ALL", "STEPS", "Done", "Run"]
