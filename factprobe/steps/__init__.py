"""Steps of a run: their list, and the files and settings that several steps declare.

Each step is a module in one of the packages here. It declares itself as `STEP`, and is loaded only when needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Listed(NamedTuple):
    """Entry of a step in the list of all steps.

    Attributes:
        package: Package of the module of the step: probing, replies or free_text.
        output: Description of the output of the step, shown by `--help`.
    """

    package: str
    output: str


ALL = {
    "extract": Listed("probing", "triplets and relation summaries from a graph"),
    "generate": Listed("probing", "questions from the triplets"),
    "answer": Listed("probing", "responses of a model; resumes where it stopped"),
    "evaluate": Listed("probing", "grades of the responses"),
    "report": Listed("probing", "the score table, scores.csv, scores.json and report.html"),
}
"""Steps of `step=all`, in order."""

STEPS = {
    **ALL,
    "fetch": Listed("probing", "download of a graph's full published data"),
    "inspect": Listed("probing", "statistics of a graph's relations and ten sample questions, before a model is asked"),
    "export": Listed("probing", "a graph as GraphML, N-Triples or Parquet; an exam, or results, for other tools"),
    "paraphrase": Listed("probing", "further templates of the relations, proposed by a model, for you to review"),
    "quality": Listed("probing", "similarity, fluency and leaks of the questions, before a model is asked"),
    "compare": Listed("probing", "two or more graded models on the same questions"),
    "grade": Listed("replies", "grades and scores of replies in your own file, without a graph"),
    "label": Listed("replies", "a web page on which people judge graded replies"),
    "agree": Listed("replies", "graders, judges and human labels on the same items"),
    "extract_claims": Listed("free_text", "the claims of texts in a file"),
    "check": Listed("free_text", "verdicts on the claims of texts, by references or the graph"),
    "extract_check": Listed("free_text", "both: the claims of texts, and verdicts on them"),
    "benchmark": Listed("free_text", "RefChecker's human annotations, and the agreement of a checker with them"),
    "collect": Listed("free_text", "a model's responses to the questions of a benchmark"),
    "detect": Listed("free_text", "hallucination scores of the texts of a file"),
    "perturb": Listed("free_text", "paragraphs with words replaced by a masked model, for people to label"),
    "annotate": Listed("free_text", "a round of human labels for replaced words, with the next ones to label"),
    "train": Listed("free_text", "a detector that learns from labelled spans"),
    "watch": Listed("free_text", "replies of a model as it writes them, with improbable tokens marked"),
    "evaluate_detector": Listed("free_text", "agreement of detectors with people"),
    "selfcheck": Listed("free_text", "consistency of a model's answers when asked again, compared with their verdicts"),
    "study": Listed("free_text", "a detector under several settings, against people"),
    "app": Listed("free_text", "web app: check texts step by step, probe a model"),
}
"""All steps by name, each after the steps that it needs; the module of a step is called like the step."""

ALIASES = {"question_generate": "generate", "answer_sampling": "answer"}
"""Names that LLM-facteval gives to steps, with those of factprobe."""

SCORES = ("scores.csv", "scores.json", "scores.parquet", "<breakdown>.json", "calibration.json")
"""Files that a step with a score table writes."""

EXAM = ("generator", "model", "relations", "compose")
"""Settings of a step on a model's answers to an exam."""

REPLIES = ("input", "columns", "match", "input_format", "limit")
"""Settings of a step on replies from files."""

GATES = ("fail_below", "fail_if_worse")
"""Settings that make a step fail if the accuracy of a model is too low."""

CALLS = ("cache", "cache_dir", "dry_run", "max_cost_usd")
"""Settings of a step that asks a model."""


def listed() -> Iterator[tuple[str, str]]:
    """Yield each value of the setting `step` with a line of help."""
    yield from ((name, step.output) for name, step in ALL.items())
    yield "all", "all of them (the default)"
    yield from ((name, step.output) for name, step in STEPS.items() if name not in ALL)
