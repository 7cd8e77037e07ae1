"""How sure models were of their answers, where their responses say so."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, fsum
from zlib import crc32

import numpy as np

from factprobe.asking.log import ResponseLog
from factprobe.metrics.calibration import accuracy_coverage, brier_score, expected_calibration_error, reliability
from factprobe.records import Grade, Question, Response
from factprobe.reports.collect import Graded
from factprobe.reports.data import ModelCalibration
from factprobe.storage import Lines, Problems

ATTEMPTED = ("correct", "incorrect", "unparsed")
_RESAMPLES = 1_000


def confidence(response: Response) -> float | None:
    """The probability that a model gave its answer, in [0, 1]; None where the response does not tell.

    Of a written answer that of its text: e to the sum of its tokens' log-probabilities. Of a ranked question that of
    the likeliest choice among the choices: the softmax of their log-likelihoods.
    """
    if response.scores:
        best = max(response.scores)
        return 1 / fsum(exp(score - best) for score in response.scores)
    return min(exp(fsum(response.logprobs)), 1.0) if response.logprobs else None


def calibrations(graded: Graded, seed: int) -> Iterable[ModelCalibration]:
    """The calibration of every generator and model whose responses have probabilities; abstentions are no answers."""
    found: dict[tuple[str, str], list[tuple[float, bool, str]]] = {}
    layout = graded.layout
    for generator, model, relation in graded.sources:
        log = ResponseLog(layout.responses(generator, model, relation.relation))
        questions = layout.questions(generator, relation.relation)
        if not (log.files() and questions.exists()):
            continue
        grades = Lines(layout.grades(generator, model, relation.relation), Grade, Problems())
        verdicts = {grade.question_id: grade.verdict for grade in grades if grade.verdict in ATTEMPTED}
        for question, response in log.answers(Lines(questions, Question, Problems())):
            verdict = verdicts.get(question.question_id)
            sure = confidence(response) if response and verdict else None
            if sure is not None:
                row = (sure, verdict == "correct", question.subject_uri)
                found.setdefault((generator, model), []).append(row)
    for (generator, model), rows in found.items():
        yield _calibration(graded.kg, generator, model, rows, seed)


def _calibration(
    kg: str, generator: str, model: str, rows: list[tuple[float, bool, str]], seed: int
) -> ModelCalibration:
    given, right, subjects = (list(column) for column in zip(*rows, strict=True))
    rng = np.random.default_rng([seed, crc32(f"{kg}\0{generator}\0{model}".encode(errors="replace"))])
    error = expected_calibration_error(given, right, rng, subjects, resamples=_RESAMPLES)
    brier = brier_score(given, right, subjects)
    curve = accuracy_coverage(given, right, rng, subjects, points=100, resamples=_RESAMPLES)
    assert error is not None  # there is an answer
    assert brier is not None
    assert curve is not None
    return ModelCalibration(
        kg=kg,
        generator=generator,
        model=model,
        questions=len(rows),
        error=error,
        brier=brier,
        bins=tuple(reliability(given, right, subjects)),
        curve=curve,
    )
