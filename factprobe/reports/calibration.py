"""Calibration of models whose responses have probabilities."""

from __future__ import annotations

from collections.abc import Iterable

from factprobe.asking.log import ResponseLog
from factprobe.metrics.base import ATTEMPTED
from factprobe.metrics.confidence import ModelCalibration, confidence, model_calibration
from factprobe.records import Question
from factprobe.reports.collection.current import current, read
from factprobe.reports.collection.grades import Graded
from factprobe.storage import is_made


def calibrations(graded: Graded, seed: int) -> Iterable[ModelCalibration]:
    """Measure the calibration of every generator and model whose responses have probabilities.

    Abstentions are left out.
    """
    found: dict[tuple[str, str], list[tuple[float, bool, str]]] = {}
    for folder, relation in graded.sources:
        log = ResponseLog(folder.responses(relation.relation))
        questions = folder.questions(relation.relation)
        if not (is_made(questions) and log.has_probabilities()):
            continue
        grades = (grade for grade, _ in current(folder, relation.relation))
        verdicts = {grade.question_id: grade.verdict for grade in grades if grade.verdict in ATTEMPTED}
        asked = (question for question in read(questions, Question) if question.given != "made_up")
        for question, response in log.answers(asked):
            verdict = verdicts.get(question.question_id)
            sure = confidence(response) if response and verdict else None
            if sure is not None:
                row = (sure, verdict == "correct", question.subject_uri)
                found.setdefault((folder.generator, folder.model), []).append(row)
    for (generator, model), rows in found.items():
        yield model_calibration(graded.kg, generator, model, rows, seed)
