"""The steps of a run, one module for each. A module declares its step as `STEP` and is loaded only to run it."""

from __future__ import annotations

from collections.abc import Iterator

ALL = {
    "extract": "triplets and relation summaries from a graph",
    "generate": "questions from the triplets",
    "answer": "responses of a model; resumes where it stopped",
    "evaluate": "grades of the responses",
    "report": "the score table, scores.csv, scores.json and report.html",
}
"""Steps of `step=all` in order, each with its output."""

STEPS = {
    **ALL,
    "fetch": "download of a graph's full published data",
    "inspect": "statistics of a graph's relations and ten sample questions, before a model is asked",
    "export": "a graph as GraphML, N-Triples or Parquet",
    "paraphrase": "further templates of the relations, proposed by a model, for you to review",
    "quality": "similarity, fluency and leaks of the questions, before a model is asked",
    "compare": "two or more graded models on the same questions",
    "grade": "grades and scores of replies in your own file, without a graph",
    "agree": "graders, judges and human labels on the same items",
    "extract_claims": "the claims of texts in a file",
    "check": "verdicts on the claims of texts, by references or the graph",
    "extract_check": "both: the claims of texts, and verdicts on them",
    "benchmark": "RefChecker's human annotations, and the agreement of a checker with them",
    "collect": "a model's responses to the questions of a benchmark",
    "detect": "hallucination scores of the texts of a file",
    "perturb": "paragraphs with words replaced by a masked model, for people to label",
    "annotate": "a round of human labels for replaced words, with the next ones to label",
    "train": "a detector that learns from labelled spans",
    "watch": "replies of a model as it writes them, with improbable tokens marked",
    "evaluate_detector": "agreement of detectors with people",
    "selfcheck": "consistency of a model's answers when asked again, compared with their verdicts",
    "study": "a detector under several settings, against people",
    "app": "web app: check texts step by step, probe a model",
}
"""All steps with their outputs; the module of the same name declares the step."""

ALIASES = {"question_generate": "generate", "answer_sampling": "answer"}
"""LLM-facteval's names of steps."""


def listed() -> Iterator[tuple[str, str]]:
    """List the values of `step`, each with a line of help."""
    yield from ALL.items()
    yield "all", "all of them (the default)"
    yield from ((name, line) for name, line in STEPS.items() if name not in ALL)
