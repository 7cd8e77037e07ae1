"""Grades: of responses to a graph's questions, by a judge, of anybody's replies."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from factprobe.api.graphs import summarise
from factprobe.api.tables import AnswerGrades, PeopleTable, ScoreTable
from factprobe.asking.at_once import ask_model
from factprobe.config import Columns, compose, convert, from_omegaconf, name_of
from factprobe.evaluators import grade
from factprobe.evaluators.answers import grade_answered
from factprobe.evaluators.faults import Faults
from factprobe.evaluators.judge import JUDGED, is_open, open_requests, settled, votes_of
from factprobe.evaluators.linking import GraphNames
from factprobe.extractors.triplets import summed_up
from factprobe.inputs import Match, Replies, answered, as_records
from factprobe.kgs import Graph
from factprobe.models import Model
from factprobe.records import Grade, Question, Response
from factprobe.reports.answers import GradedReplies
from factprobe.storage import Problems

if TYPE_CHECKING:
    from pandas import DataFrame


class _Matched(Struct):
    match: Match


def grade_responses(
    kg: Graph,
    questions: Iterable[Question],
    responses: Iterable[Response],
    evaluator: str = "rules",
    **settings: Any,
) -> list[Grade]:
    """Grades responses by the graph that the questions were made of, in the order of the questions.

    A reply that a rule fails on is unparsed by the rule `rule_error`; a warning tells how many there are.

    Args:
        kg: the graph.
        questions: what was asked.
        responses: to these questions; each has its own grade, and a question without one has none.
        evaluator: the evaluators' config, e.g. `llm_facteval`.
        settings: what its `settings` are changed to, e.g. `aliases=True`.
    """
    config = from_omegaconf(compose([f"evaluator={evaluator}"])).evaluator
    chosen = {**config.settings, **settings}
    by_relation: dict[str, list[tuple[int, Question, Response]]] = {}
    for number, (question, response) in enumerate(_in_pairs(questions, responses)):
        by_relation.setdefault(question.relation, []).append((number, question, response))
    graded: dict[int, Grade] = {}
    with Faults() as faults:
        for relation, asked in by_relation.items():
            answered = ((question, response) for _, question, response in asked)
            grades = grade(answered, summarise(kg, relation), config.by_type(), chosen, faults)
            graded.update(zip([number for number, *_ in asked], grades, strict=True))
    return [graded[number] for number in sorted(graded)]


def _in_pairs(questions: Iterable[Question], responses: Iterable[Response]) -> Iterator[tuple[Question, Response]]:
    """The questions with their responses: one that is asked twice has them in turn, the last the rest."""
    left: dict[str, deque[Response]] = {}
    for response in responses:
        left.setdefault(response.question_id, deque()).append(response)
    asked = list(questions)
    times = Counter(question.question_id for question in asked)
    for question in asked:
        times[question.question_id] -= 1
        said = left.get(question.question_id, deque())
        while said:
            yield question, said.popleft()
            if times[question.question_id]:
                break


def judge_grades(
    judge: Model | Sequence[Model],
    questions: Iterable[Question],
    responses: Iterable[Response],
    grades: Iterable[Grade],
    rules: Collection[str] = JUDGED,
) -> list[Grade]:
    """Lets a model decide the grades that the rules leave open, as `model@judge` does.

    Args:
        judge: whom to ask; several have a vote each, e.g. one model loaded with `repeat=0`, `repeat=1`, `repeat=2`.
        questions: what was asked.
        responses: to these questions.
        grades: of these responses.
        rules: the verdicts and rules that go to the judge.

    Returns:
        The grades in their order; one that the judge decided names the rule `judge`.

    Raises:
        ModelError: the judge cannot be loaded.
        NoAnswersError: no question gets an answer, or none any more.
    """
    asked = {question.question_id: question for question in questions}
    said = {response.question_id: response for response in responses}
    found = list(grades)
    left = ((grade.question_id, grade) for grade in found if is_open(grade, rules))
    graded = [(asked[name], said[name], grade) for name, grade in left]
    wanted = list(open_requests(graded, rules))
    samples = (judge,) if isinstance(judge, Model) else judge
    replies = (reply for sample in samples if wanted for reply in ask_model(sample, wanted))
    votes = votes_of((reply.question_id, reply) for reply in replies)
    final = {grade.question_id: grade for grade in settled(graded, votes)}
    return [final.get(grade.question_id, grade) for grade in found]


def grade_answers(
    source: str | Path | Sequence[str | Path] | Iterable[Mapping[str, Any]] | DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    match: Match = "any",
    input_format: str | None = None,
    name: str | None = None,
    evaluator: str = "rules",
    kg: Graph | None = None,
    strict: bool = False,
    seed: int = 0,
    **settings: Any,
) -> AnswerGrades:
    """Grades anybody's replies to anybody's questions, as `step=grade` does; no graph is needed.

        graded = factprobe.grade_answers("answers.csv", columns={"answers": "gold"})
        print(graded)
        print(graded[0].verdict, graded[0].why, graded.scores, graded.agreement)

    Args:
        source: a file, several, or the records themselves: mappings or a data frame (pandas, Polars, Arrow) with the
            columns `question`, `answers` and `response`, and where there are any `id`, `choices`, `question_type`,
            `prompt`, `human`, `system`, `relation`.
        columns: other names of these, as the settings `columns.*`.
        match: whether any of a question's answers will do, or all are asked for.
        input_format: that of the files; by default told by their names and contents.
        name: what the replies are called in tables, and the system where a reply names none; by default as the file.
        evaluator: the evaluators' config, e.g. `llm_facteval`.
        kg: a graph that knows the answers by other names, and what else could be answered.
        strict: raise at a broken record instead of skipping it with a warning.
        seed: for the bootstrap.
        settings: what the evaluators' `settings` are changed to.

    Raises:
        ConfigError: a setting is wrong.
        DataError: a file cannot be read, has not the columns or nothing to grade, or with `strict` a record is broken.
    """
    match = convert({"match": match}, _Matched).match
    config = from_omegaconf(compose([f"evaluator={evaluator}"])).evaluator
    rules = replace(config, settings={**config.settings, **settings})
    named, problems = convert(dict(columns or {}), Columns, "columns"), Problems(strict)
    files = [source] if isinstance(source, str | Path) else source
    if isinstance(files, Sequence) and files and all(isinstance(file, str | Path) for file in files):
        paths = [str(file) for file in files]
        name = name or name_of(paths)
        replies = Replies(paths, named, match, input_format).read(problems)
    else:
        replies = answered(as_records(source), named, match, problems, where="the records")
    found = GradedReplies(name or "replies")
    graph = None
    if kg is not None:
        graph = GraphNames(summed_up(kg, relation) for relation in kg.with_facts())
    grades = AnswerGrades(found.through(grade_answered(replies, rules, graph)))
    grades.scores = ScoreTable(found.scores())
    grades.agreement = PeopleTable(found.people.agreements(seed))
    return grades
