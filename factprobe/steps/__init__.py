"""The steps of a run, one module for each. A module declares its step as `STEP` and is loaded only to run it."""

from __future__ import annotations

from collections.abc import Iterator

ALL = {
    "extract": "triplets and relation summaries from a graph",
    "generate": "questions from the triplets",
    "answer": "a model's responses; resumes where it stopped",
    "evaluate": "grades of the responses",
    "report": "the score table, scores.csv, scores.json and report.html",
}
"""Steps of `step=all` in order, each with its output."""

STEPS = {
    **ALL,
    "fetch": "the full data of a graph, from where they are published",
    "inspect": "what a graph's facts say of its relations, and ten questions, before anything is asked",
    "export": "a graph as GraphML, N-Triples or Parquet",
    "paraphrase": "further templates of the relations, proposed by a model, for you to review",
    "quality": "how alike, natural and leaky the questions are, before a model is asked",
    "compare": "two or more graded models on the same questions",
    "grade": "grades and scores of anybody's replies in a file, without a graph",
    "agree": "graders, judges and human labels on the same items",
    "extract_claims": "the claims of texts in a file",
    "check": "verdicts on the claims of texts, by references or the graph",
    "extract_check": "both: the claims of texts, and verdicts on them",
    "benchmark": "RefChecker's human annotations, and how well a checker agrees with them",
    "collect": "a model's responses to the questions of a benchmark",
    "detect": "which texts of a file are hallucinated, as a detector says",
    "perturb": "paragraphs with words replaced by a masked model, for people to label",
    "annotate": "a round of human labels for such words, and which are asked about next",
    "train": "a detector that learns from labelled spans",
    "watch": "a model's replies as it writes them, what it finds improbable marked",
    "evaluate_detector": "how well detectors agree with people",
    "selfcheck": "how far a model gives its answers again, held against the verdicts on them",
    "study": "a detector under several settings, against people",
    "app": "a web app: texts checked step by step, and a model probed",
}
"""All steps with their outputs; the module of the same name declares the step."""

ALIASES = {"question_generate": "generate", "answer_sampling": "answer"}
"""LLM-facteval's names of steps."""


def listed() -> Iterator[tuple[str, str]]:
    """List the values of `step`, each with a line of help."""
    yield from ALL.items()
    yield "all", "all of them (the default)"
    yield from ((name, line) for name, line in STEPS.items() if name not in ALL)
