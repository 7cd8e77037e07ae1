"""Grading of replies to any questions, with or without a graph that has their answers."""

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
from factprobe.question_types import SINGLE, End, QuestionType
from factprobe.reading.names.index import answers_of
from factprobe.records import AnswerGrade, Grade, Question, Response
from factprobe.text import normalise
from factprobe.workers import map_parts

OPEN_ANSWER = "open_answer"
"""Registered evaluator of short answers without a graph."""

_FOUND_NONE = (
    "single.no_known_name",
    "single.no_answer",
    "set.no_match",
    "set.no_answer",
)
"""Ids of the graph's rules on replies in which they find neither a right answer nor another one."""


_LONGEST = 1_000
"""Maximum number of characters of an answer in the file of grades, since some replies never end."""
_AT_ONCE = 100
"""Number of replies that a process gets together, which take about a tenth of a second."""


def grade_answered(
    replies: Iterable[AnsweredQuestion], evaluator: EvaluatorConfig, graph: GraphNames | None = None, workers: int = 1
) -> Iterator[tuple[AnsweredQuestion, Grade]]:
    """Yield each reply with its grade, in order; only replies that processes work on are kept in memory.

    Args:
        replies: Replies with their questions.
        evaluator: Registered evaluator of each question type.
        graph: Graph that knows more of the answers. Questions that it can link to its relations are graded like
            questions made from it. If its rules find no known name in a reply, the reply may have a right answer in
            another form.
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
    """Yield each reply with its grade, from several processes."""
    own = RuleErrors()
    grader, left = _grader(evaluator, graph, own), iter(replies)

    def work(some: Sequence[AnsweredQuestion]) -> tuple[list[Grade], Counter[str]]:
        before = own.kinds.copy()
        return [grader.grade(reply.question, reply.response) for reply in some], own.kinds - before

    parts, given = tee(iter(lambda: list(islice(left, _AT_ONCE)), []))
    for some, (grades, kinds) in zip(parts, map_parts(work, given, workers), strict=True):
        faults.kinds.update(kinds)
        yield from zip(some, grades, strict=True)


def _grader(evaluator: EvaluatorConfig, graph: GraphNames | None, faults: RuleErrors) -> Grader | _Linking:
    threshold = {} if evaluator.threshold is None else {"threshold": evaluator.threshold}
    alone = Grader(None, _names(evaluator), {**evaluator.settings, **threshold}, faults)
    return alone if graph is None else _Linking(graph, evaluator, alone, faults)


class _Linking:
    """Grader that uses a graph if it has the answers, and else grades without a graph.

    Args:
        graph: Names in the graph.
        evaluator: Registered evaluator of each question type.
        alone: Grader without a graph, also for answers in forms that the graph does not know.
        faults: Counter of the replies on which evaluators fail.
    """

    def __init__(self, graph: GraphNames, evaluator: EvaluatorConfig, alone: Grader, faults: RuleErrors) -> None:
        self._graph, self._evaluator, self._alone, self._faults = graph, evaluator, alone, faults
        self._graders: dict[tuple[tuple[FactEnd, ...], End], Grader] = {}

    def grade(self, question: Question, response: Response) -> Grade:
        """Grade a response; `matched` has the answers that the question names."""
        known, sides = self._graph.link(question)
        found = (self._of(sides, question.sought) if sides else self._alone).grade(known, response)
        if sides and found.rule in _FOUND_NONE:  # nothing that the graph knows; people write names in more ways
            alone = self._alone.grade(known, self._graph.without_given(known, response))
            found = alone if alone.verdict == "correct" else found
        return found if known.answers == question.answers else _in_words_of(question, known, found)

    def _of(self, sides: tuple[FactEnd, ...], sought: End) -> Grader:
        key = sides, sought
        if key not in self._graders:
            summary = self._graph.summary(sides, sought)
            self._graders[key] = Grader(summary, self._evaluator.by_type(), self._evaluator.settings, self._faults)
        return self._graders[key]


def _in_words_of(question: Question, known: Question, grade: Grade) -> Grade:
    """Return a grade with the question's answers in place of the graph's."""
    own, theirs = answers_of(question), answers_of(known)
    as_known = own * len(theirs) if len(own) == 1 else own
    uris = {there.uri: here.uri for there, here in zip(theirs, as_known, strict=True)}
    matched = tuple(dict.fromkeys(uris[uri] for uri in grade.matched))
    missed = 0 if grade.verdict == "failed" else len(own) - len(matched)
    return replace(grade, matched=matched, true_positives=len(matched), false_negatives=missed)


def _names(evaluator: EvaluatorConfig) -> dict[QuestionType, str]:
    """Return the evaluators by question type; short answers without a graph have their own, unless another is set."""
    names = evaluator.by_type()
    own = names[SINGLE.question_type]
    return {**names, SINGLE.question_type: OPEN_ANSWER if own == SINGLE.evaluator else own}


def answer_grade(reply: AnsweredQuestion, found: Grade) -> AnswerGrade:
    """Convert a grade to a row of the file of grades, in which long answers are cut."""
    words = found.answer if len(found.answer) <= _LONGEST else f"{found.answer[: _LONGEST - 1]}…"
    matched = _named_answers(reply.question, found)
    origin = reply.system, reply.human
    return AnswerGrade(reply.id, found.verdict, found.rule, matched, words, found.why, *origin, found.probability)


def _named_answers(question: Question, found: Grade) -> tuple[str, ...]:
    """Return the right answers that a reply names.

    If one of several names is enough, these are the names in the words taken as the reply's answer, or else the most
    similar name.
    """
    answers = answers_of(question)
    if not found.matched or len(answers) != 1 or not answers[0].aliases:
        return found.matched
    names = {name: f" {normalise(name)} " for name in answers[0].names()}
    words = f" {normalise(found.answer[:_LONGEST])} "
    named: dict[str, str] = {}
    for name, plain in names.items():
        if plain in words:
            named.setdefault(plain, name)
    if named:
        return tuple(name for plain, name in named.items() if not any(plain in other for other in {*named} - {plain}))
    return (max(names, key=lambda name: SequenceMatcher(None, names[name], words).ratio()),)
