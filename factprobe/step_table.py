"""Steps of a run, with their help, their default components, and the help of the setting `model`.

A step needs an entry here, and a module of its name in a package of `factprobe.steps`, loaded only when needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


class Entry(NamedTuple):
    """Entry of a step in the list of all steps."""

    package: str
    """Package of the module of the step: `probing`, `replies` or `free_text`."""
    output: str
    """Description of the output of the step, shown by `--help`."""
    choices: Mapping[str, str] | None = None
    """Default choice of each group of components that the step uses; None for a step without components."""
    model: str = ""
    """Help of the setting `model`, if it is not the model that the step asks."""


GRADED = "model whose responses are graded."
OF_COMPONENTS = "model of the components that ask one, e.g. of claim_extractor=llm."
"""Help of `model` in steps whose components may ask a model."""

_CHECKING = {"checker": "graph", "aggregator": "soft"}
_EXTRACTING = {"claim_extractor": "graph"}

ALL = {
    "extract": Entry("probing", "triplets and relation summaries from a graph"),
    "generate": Entry("probing", "questions from the triplets"),
    "answer": Entry("probing", "responses of a model; resumes where it stopped"),
    "evaluate": Entry("probing", "grades of the responses", model=GRADED),
    "report": Entry("probing", "the score table, scores.csv, scores.json and report.html"),
}
"""Steps of `step=all`, in order."""

STEPS = {
    **ALL,
    "fetch": Entry("probing", "download of a graph's full published data"),
    "inspect": Entry("probing", "statistics of a graph's relations and ten sample questions, before a model is asked"),
    "export": Entry("probing", "a graph as GraphML, N-Triples or Parquet; an exam, or results, for other tools"),
    "paraphrase": Entry("probing", "further templates of the relations, proposed by a model, for you to review"),
    "quality": Entry("probing", "variety, repetitions and leaks of the questions, before a model is asked"),
    "compare": Entry("probing", "two or more graded models on the same questions"),
    "grade": Entry("replies", "grades and scores of replies in your own file, without a graph"),
    "label": Entry("replies", "a web page on which people judge graded replies", model=GRADED),
    "agree": Entry("replies", "graders, judges and human labels on the same items"),
    "extract_claims": Entry("free_text", "the claims of texts in a file", _EXTRACTING, OF_COMPONENTS),
    "check": Entry(
        "free_text", "verdicts on the claims of texts, by references or the graph", _CHECKING, OF_COMPONENTS
    ),
    "extract_check": Entry(
        "free_text", "both: the claims of texts, and verdicts on them", _EXTRACTING | _CHECKING, OF_COMPONENTS
    ),
    "benchmark": Entry(
        "free_text",
        "RefChecker's human annotations, and the agreement of a checker with them",
        {"claim_extractor": "sentences", "checker": "graph"},
        OF_COMPONENTS,
    ),
    "collect": Entry("free_text", "a model's responses to the questions of a benchmark", {"collect": "zero_context"}),
    "detect": Entry("free_text", "hallucination scores of the texts of a file", {"detector": "shroom"}, OF_COMPONENTS),
    "perturb": Entry(
        "free_text",
        "paragraphs with words replaced by a masked model, for people to label",
        model="model that ranks versions of a paragraph.",
    ),
    "annotate": Entry(
        "free_text",
        "a round of human labels for replaced words, with the next ones to label",
        {"detector": "hades_lr"},
        OF_COMPONENTS,
    ),
    "train": Entry("free_text", "a detector that learns from labelled spans", {"detector": "hades_lr"}, OF_COMPONENTS),
    "watch": Entry(
        "free_text",
        "replies of a model as it writes them, with improbable tokens marked",
        {"detector": "hades_token_probability"},
    ),
    "evaluate_detector": Entry("free_text", "agreement of detectors with people", {}),
    "selfcheck": Entry("free_text", "consistency of a model's answers when asked again, compared with their verdicts"),
    "study": Entry("free_text", "a detector under several settings, against people", {}, OF_COMPONENTS),
    "app": Entry("free_text", "web app: check texts step by step, probe a model", _EXTRACTING | _CHECKING),
}
"""All steps by name, each after the steps that it needs; the module of a step is called like the step."""

_STEP_OVERRIDE = re.compile(r"^\+{0,2}step=([\w,]+)$")

ALIASES = {"question_generate": "generate", "answer_sampling": "answer"}
"""Names that LLM-facteval gives to steps, with those of factprobe."""


def named_steps(overrides: Iterable[str]) -> list[list[str]]:
    """Return the names in each override of `step`; several in a sweep such as `step=check,detect`."""
    return [match[1].split(",") for override in overrides if (match := _STEP_OVERRIDE.match(override))]


def step_choices() -> Iterator[tuple[str, str]]:
    """Yield each value of the setting `step` with a line of help."""
    yield from ((name, step.output) for name, step in ALL.items())
    yield "all", "all of them (the default)"
    yield from ((name, step.output) for name, step in STEPS.items() if name not in ALL)
