"""Samples of graded questions to show in a report, and accuracies by the rules of other tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from random import Random

from factprobe.asking.log import ResponseLog
from factprobe.collection.current import current, read
from factprobe.collection.graph_grades import GraphGrades
from factprobe.collection.report_data import CompatScore, Sample
from factprobe.metrics.tallies import Cell
from factprobe.records import Grade, Question, Verdict
from factprobe.storage import GradedFolder

_TRUTH = {"correct": "correct: the statement is true", "incorrect": "incorrect: the statement is false"}
"""Texts for the right answer to a true/false question, which alone could be mistaken for a verdict."""


def samples(graded: GraphGrades, cells: Collection[tuple[str, Cell]], share: int, seed: int) -> Iterator[Sample]:
    """Yield up to `share` graded questions of each cell, in the order of the questions in their files.

    `cells` are pairs of the name of a graph and a cell; those of other graphs are ignored.
    """
    sources = {cell[:3] for kg, cell in cells if kg == graded.kg}
    for folder, relation in graded.sources:
        generator, model = folder.generator, folder.model
        if (generator, model, relation.relation) not in sources:
            continue
        others = compat_verdicts(graded, folder, relation.relation)
        picked: dict[str, Grade] = {}
        by_type: dict[str, list[Grade]] = {}
        for grade, _ in current(folder, relation.relation):
            if (graded.kg, Cell(generator, model, relation.relation, grade.question_type)) in cells:
                by_type.setdefault(grade.question_type, []).append(grade)
        for question_type, grades in by_type.items():
            rng = Random(f"{seed}:{generator}:{model}:{relation.relation}:{question_type}")
            picked.update((grade.question_id, grade) for grade in _pick_grades(grades, others, share, rng))
        asked = read(folder.questions(relation.relation), Question)
        questions = (question for question in asked if question.question_id in picked)
        for question, response in ResponseLog(folder.responses(relation.relation)).answers(questions):
            if response is not None:
                grade = picked[question.question_id]
                name = grade.question_id
                compat = tuple((other, by_id[name]) for other, by_id in others.items() if name in by_id)
                yield Sample(
                    question_id=question.question_id,
                    kg=graded.kg,
                    relation_label=relation.label,
                    **Cell(generator, model, relation.relation, question.question_type)._asdict(),
                    question=question.prompts[-1].content,
                    expected="\n".join(expected_answers(question)),
                    reply=f"(no reply: {response.fault})" if response.response is None else response.response,
                    verdict=grade.verdict,
                    rule=grade.rule,
                    compat=compat,
                    answer=grade.answer,
                    why=grade.why,
                )


def _pick_grades(
    grades: list[Grade], others: Mapping[str, Mapping[str, Verdict]], share: int, rng: Random
) -> list[Grade]:
    """Return a random sample of grades, up to half of it drawn from those with which another tool's rules disagree."""

    def is_contested(grade: Grade) -> bool:
        verdicts = (verdict_by_id.get(grade.question_id, grade.verdict) for verdict_by_id in others.values())
        return any((verdict == "correct") != (grade.verdict == "correct") for verdict in verdicts)

    contested = [grade for grade in grades if is_contested(grade)]
    first = rng.sample(contested, min(len(contested), share // 2))
    ids = {grade.question_id for grade in first}
    rest = [grade for grade in grades if grade.question_id not in ids]
    return first + rng.sample(rest, min(len(rest), share - len(first)))


def expected_answers(question: Question) -> tuple[str, ...]:
    """Return the names of the right answers, or a text for true/false questions and made-up subjects."""
    if question.given == "made_up":
        return ("to decline: the subject is made up",)
    if isinstance(question.answers, str):
        return (_TRUTH[question.answers],)
    return tuple(answer.label for answer in question.answers)


def compat_verdicts(graded: GraphGrades, folder: GradedFolder, relation: str) -> dict[str, dict[str, Verdict]]:
    """Return the verdicts by the rules of other tools on a relation's questions, by rules and question id."""
    alternatives = graded.alternative_grades[folder.grades(relation)]
    return {rules: _index_verdicts(read(path, Grade)) for rules, path in alternatives.items()}


def compat_scores(graded: GraphGrades) -> Iterator[CompatScore]:
    """Yield the accuracies by factprobe's and by other rules, for each generator and model graded by both."""
    counts: dict[tuple[str, str, str], Counter[tuple[bool, bool]]] = {}
    for folder, relation in graded.sources:
        others = compat_verdicts(graded, folder, relation.relation)
        own = _index_verdicts(grade for grade, _ in current(folder, relation.relation)) if others else {}
        for name, verdicts in others.items():
            pairs = [(own[question], verdict) for question, verdict in verdicts.items() if question in own]
            counts.setdefault((folder.generator, folder.model, name), Counter()).update(
                (one == "correct", other == "correct") for one, other in pairs if "failed" not in (one, other)
            )
    for owner, table in counts.items():
        both, only, only_compat = table[True, True], table[True, False], table[False, True]
        if total := table.total():
            accuracies = ((both + only) / total, (both + only_compat) / total)
            yield CompatScore(graded.kg, *owner, total, *accuracies, only, only_compat)


def _index_verdicts(grades: Iterable[Grade]) -> dict[str, Verdict]:
    return {grade.question_id: grade.verdict for grade in grades}
