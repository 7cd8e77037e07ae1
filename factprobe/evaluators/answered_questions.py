"""Grading of replies from files, with or without a graph that has the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice, tee

from msgspec.structs import replace

from factprobe.config import EvaluatorConfig
from factprobe.evaluators.grading import Grader
from factprobe.evaluators.question_linking import FactEnd, GraphNames
from factprobe.evaluators.rule_errors import RuleErrors
from factprobe.inputs import AnsweredQuestion
from factprobe.question_types import End
from factprobe.reading.names.index import answers_of
from factprobe.records import AnswerGrade, Grade, Question, Response
from factprobe.text import normalise
from factprobe.workers import map_parts

OPEN_ANSWER = "open_answer"
"""Name of the evaluator of single answers without a graph."""

_FOUND_NONE = ("single.no_known_name", "set.no_match")
"""Ids of the rules for replies in which neither a right answer nor another entity of the relation is found."""
_MAX_ANSWER = 1_000
"""Maximum number of characters of an answer in the file of grades."""
_BATCH_SIZE = 100
"""Number of replies in a batch for one process, which takes about a tenth of a second."""


def grade_answered(
    replies: Iterable[AnsweredQuestion], evaluator: EvaluatorConfig, graph: GraphNames | None = None, workers: int = 1
) -> Iterator[tuple[AnsweredQuestion, Grade]]:
    """Yield each reply with its grade, in order; only the replies that are being graded are in memory.

    Args:
        replies: Replies with their questions.
        evaluator: Registered evaluator of each question type.
        graph: Names of a graph. Questions that can be linked to its relations are graded like questions made from it;
            a reply without any name of the graph is also graded without the graph, since it may have a right answer
            in another form.
        workers: Maximum number of processes.
    """
    with RuleErrors() as faults:
        if workers > 1:
            yield from _in_processes(replies, evaluator, graph, workers, faults)
            return
        grader = _grader(evaluator, graph, faults)
        for reply in replies:
            yield reply, grader.grade(reply.question, reply.response)


def _in_processes(
    replies: Iterable[AnsweredQuestion],
    evaluator: EvaluatorConfig,
    graph: GraphNames | None,
    workers: int,
    faults: RuleErrors,
) -> Iterator[tuple[AnsweredQuestion, Grade]]:
    """Yield each reply with its grade, in order, using several processes."""
    errors = RuleErrors()
    grader, remaining = _grader(evaluator, graph, errors), iter(replies)

    def work(batch: Sequence[AnsweredQuestion]) -> tuple[list[Grade], Counter[str]]:
        before = errors.kinds.copy()
        return [grader.grade(reply.question, reply.response) for reply in batch], errors.kinds - before

    batches, inputs = tee(iter(lambda: list(islice(remaining, _BATCH_SIZE)), []))
    for batch, (grades, kinds) in zip(batches, map_parts(work, inputs, workers), strict=True):
        faults.kinds.update(kinds)
        yield from zip(batch, grades, strict=True)


def _grader(evaluator: EvaluatorConfig, graph: GraphNames | None, faults: RuleErrors) -> Grader | _Linking:
    threshold = {} if evaluator.threshold is None else {"threshold": evaluator.threshold}
    names = evaluator.by_type()
    if names["single_answer"] == "single_answer":  # unless another one is set
        names = {**names, "single_answer": OPEN_ANSWER}
    alone = Grader(None, names, {**evaluator.settings, **threshold}, faults)
    return alone if graph is None else _Linking(graph, evaluator, alone, faults)


class _Linking:
    """Grader that uses a graph for the questions that it can link, and grades the others without a graph.

    Args:
        graph: Names in the graph.
        evaluator: Registered evaluator of each question type.
        alone: Grader without a graph, also for replies in which no name of the graph is found.
        faults: Counter of the replies on which evaluators fail.
    """

    def __init__(self, graph: GraphNames, evaluator: EvaluatorConfig, alone: Grader, faults: RuleErrors) -> None:
        self._graph, self._evaluator, self._alone, self._faults = graph, evaluator, alone, faults
        self._graders: dict[tuple[tuple[FactEnd, ...], End], Grader] = {}

    def grade(self, question: Question, response: Response) -> Grade:
        """Return the grade of a response; its `matched` has the URIs of the question's own answers."""
        linked, sides = self._graph.link(question)
        grade = (self._of(sides, question.sought) if sides else self._alone).grade(linked, response)
        if sides and grade.rule in _FOUND_NONE:  # the graph may lack a form of the name
            alone = self._alone.grade(linked, response)
            grade = alone if alone.verdict == "correct" else grade
        return grade if linked.answers == question.answers else _in_words_of(question, linked, grade)

    def _of(self, sides: tuple[FactEnd, ...], sought: End) -> Grader:
        key = sides, sought
        if key not in self._graders:
            summary = self._graph.summary(sides, sought)
            self._graders[key] = Grader(summary, self._evaluator.by_type(), self._evaluator.settings, self._faults)
        return self._graders[key]


def _in_words_of(question: Question, known: Question, grade: Grade) -> Grade:
    """Return a grade with the question's answers as its matched answers, instead of the linked entities."""
    answers, linked_answers = answers_of(question), answers_of(known)
    as_known = answers * len(linked_answers) if len(answers) == 1 else answers
    uris = {linked.uri: answer.uri for linked, answer in zip(linked_answers, as_known, strict=True)}
    matched = tuple(dict.fromkeys(uris[uri] for uri in grade.matched))
    missed = 0 if grade.verdict == "failed" else len(answers) - len(matched)
    return replace(grade, matched=matched, true_positives=len(matched), false_negatives=missed)


def answer_grade(reply: AnsweredQuestion, grade: Grade) -> AnswerGrade:
    """Return a grade as a row of the file of grades, with a long answer cut."""
    words = grade.answer if len(grade.answer) <= _MAX_ANSWER else f"{grade.answer[: _MAX_ANSWER - 1]}…"
    matched = _named_answers(reply.question, grade)
    origin = reply.system, reply.human
    return AnswerGrade(reply.id, grade.verdict, grade.rule, matched, words, grade.why, *origin, grade.probability)


def _named_answers(question: Question, grade: Grade) -> tuple[str, ...]:
    """Return the right answers that a reply names.

    If the question has one answer with several names, these are its names that the reply's answer contains; without
    any, the most similar name.
    """
    answers = answers_of(question)
    if not grade.matched or len(answers) != 1 or not answers[0].aliases:
        return grade.matched
    names: dict[str, str] = {}
    for name in answers[0].names():
        names.setdefault(f" {normalise(name)} ", name)
    words = f" {normalise(grade.answer[:_MAX_ANSWER])} "
    named = [name for name in names if name in words]
    longest = [name for name in named if not any(name in other for other in named if other != name)]
    longest = longest or [max(names, key=lambda name: SequenceMatcher(None, name, words).ratio())]
    return tuple(map(names.__getitem__, longest))
