"""Grading from Python, both of responses to a graph's questions and of replies of any origin."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from io import IOBase
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from factprobe.api.graphs import require_graph, summarise
from factprobe.api.result_tables import AnswerGrades, QuestionGrades
from factprobe.collection.replies import GradedReplies
from factprobe.config import (
    Columns,
    EvaluatorConfig,
    Filled,
    Probability,
    Seed,
    compose,
    convert,
    from_omegaconf,
    name_of,
)
from factprobe.config.defaults import evaluator_defaults
from factprobe.config.paths import known_names
from factprobe.errors import DataError, UnknownNameError
from factprobe.evaluators import evaluators, grade
from factprobe.evaluators.answered_questions import grade_answered
from factprobe.evaluators.question_linking import GraphNames
from factprobe.evaluators.rule_errors import RuleErrors
from factprobe.inputs import AnsweredQuestion, Match, ReplyFiles, SkippedRecords, given_records, plain, read_answered
from factprobe.inputs.labels import LabelsSource, load_labels
from factprobe.kgs import Graph
from factprobe.kgs.summaries import summaries
from factprobe.question_types import QUESTION_TYPES
from factprobe.records import Grade, Question, Response
from factprobe.storage import Problems
from factprobe.text import format_count

if TYPE_CHECKING:
    from pandas import DataFrame

log = logging.getLogger(__name__)


class GradingArguments(Struct):
    """Arguments of `grade_answers`, checked against their types."""

    columns: Columns
    match: Match
    evaluator: Filled | dict[str, Filled]
    threshold: Probability | Literal["strict"] | None
    input_format: str | None = None
    name: str | None = None
    strict: bool = False
    seed: Seed = 0


def grade_responses(
    kg: Graph,
    questions: Iterable[Question],
    responses: Iterable[Response] | Iterable[str | None],
    evaluator: str | Mapping[str, str] = "rules",
    **settings: Any,
) -> QuestionGrades:
    """Grade responses against the graph that their questions were made from, in the order of the questions.

    A reply on which a rule fails gets the verdict `unparsed` and the rule `rule_error`; a warning gives their number.

    Args:
        kg: The graph.
        questions: The questions.
        responses: Either responses, of which each gets a grade, also several to one question; a question may have none,
            and responses to other questions are left out with a warning. Or the texts of replies, one to each question,
            in the same order, with None for a missing reply.
        evaluator: The name of the evaluators' config, e.g. `llm_facteval`, or of a registered evaluator for all
            question types, or one name by question type: `{"single_answer": "mine"}`.
        settings: Changes to the evaluators' settings, e.g. `aliases=True`.

    Raises:
        ConfigError: A setting is wrong, or the graph lacks a relation of the questions.
        DataError: There are not as many texts as questions, an item is neither a response nor a text, or all responses
            are to other questions.
    """
    config = evaluator_with(evaluator, settings, "grade_responses", ["evaluator"])
    pairs = list(in_pairs(questions, responses))
    by_relation: dict[str, list[int]] = {}
    for number, (question, _) in enumerate(pairs):
        by_relation.setdefault(question.relation, []).append(number)
    graded: dict[int, Grade] = {}
    with RuleErrors() as faults:
        for name, numbers in by_relation.items():
            grades = grade((pairs[i] for i in numbers), summarise(kg, name), config.by_type(), config.settings, faults)
            graded.update(zip(numbers, grades, strict=True))
    return QuestionGrades((graded[number] for number in range(len(pairs))), pairs)


def evaluator_with(
    name: str | Mapping[str, str], settings: Mapping[str, Any], where: str, others: Iterable[str]
) -> EvaluatorConfig:
    """Return the settings of evaluators by name, with some changes.

    Args:
        name: The name of a config of `evaluator=`, or of a registered evaluator, or one name by question type.
        settings: Changes to the evaluators' settings.
        where: The name of the calling function, for errors.
        others: The other arguments of the calling function, which errors suggest as well.

    Raises:
        UnknownNameError: The evaluators have no such setting.
    """
    config = _evaluator_config(name)
    for setting in settings:
        if setting not in config.settings:
            raise UnknownNameError("argument", setting, [*others, *config.settings], where=where)
    return replace(config, settings={**config.settings, **settings})


def _evaluator_config(name: str | Mapping[str, str]) -> EvaluatorConfig:
    """Return the config with a name, or else one of the registered evaluator or evaluators by question type."""
    if isinstance(name, str) and (name in known_names("evaluator") or name not in evaluators.names()):
        return from_omegaconf(compose([f"evaluator={name}"])).evaluator
    by_type = dict.fromkeys(QUESTION_TYPES, name) if isinstance(name, str) else dict(name)
    config = convert({"name": "rules", **by_type}, EvaluatorConfig, "evaluator")
    return replace(config, settings=evaluator_defaults(config))


def in_pairs(
    questions: Iterable[Question], responses: Iterable[Response] | Iterable[str | None]
) -> Iterator[tuple[Question, Response]]:
    """Yield each response with its question; if questions share an id, they take its responses in turn.

    The last of them takes all responses that are left. Questions without a response are left out. Texts are taken for
    the responses to the questions in order. A warning tells how many responses are to none of the questions.

    Raises:
        DataError: The responses are no list, there are not as many texts as questions, an item is neither a response
            nor a text, or all responses are to other questions.
    """
    all_questions = list(questions)
    if isinstance(responses, str | Mapping) or hasattr(responses, "columns"):  # their items are no replies
        hint = "give a list: [replies[question.question_id] for question in questions]"
        raise DataError(f"are no list, but of the type {type(responses).__name__}", where="the responses", hint=hint)
    remaining: dict[str, deque[Response]] = {}
    for response in _as_responses(all_questions, list(responses)):
        remaining.setdefault(response.question_id, deque()).append(response)
    times = Counter(question.question_id for question in all_questions)
    _check_questions(remaining, times)
    for question in all_questions:
        times[question.question_id] -= 1
        own_responses = remaining.get(question.question_id, deque())
        while own_responses:
            yield question, own_responses.popleft()
            if times[question.question_id]:
                break


def _check_questions(responses: Mapping[str, Sequence[Response]], questions: Collection[str]) -> None:
    """Warn of responses, by question id, to none of the questions; raise a `DataError` if all are."""
    others = {name: len(replies) for name, replies in responses.items() if name not in questions}
    if others and len(others) == len(responses):
        hint = "give the questions that the model was asked"
        raise DataError(f"are all to other questions, such as {next(iter(others))}", where="the responses", hint=hint)
    if others:
        what = "%s to none of the questions and left out, such as to %s"
        log.warning(what, format_count(sum(others.values()), "response is", "responses are"), next(iter(others)))


def _as_responses(questions: Sequence[Question], responses: Sequence[Response | str | None]) -> Iterator[Response]:
    hint = "pass a text (or None) for each question, or what ask_model returns"
    has_texts = any(not isinstance(response, Response) for response in responses)
    if has_texts and len(responses) != len(questions):
        what = f"there are {len(responses)} for {len(questions)} questions"
        raise DataError(what, where="the responses", hint=hint)
    for i, response in enumerate(responses):
        if isinstance(response, Response):
            yield response
        elif response is None or isinstance(response, str):
            yield Response(questions[i].question_id, response, None, None, None)
        else:
            raise DataError(f"number {i + 1} has the type {type(response).__name__}", where="the responses", hint=hint)


def grade_answers(
    source: str | Path | Iterable[str | Path] | Iterable[Mapping[str, Any]] | DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    match: Match = "any",
    input_format: str | None = None,
    name: str | None = None,
    evaluator: str | Mapping[str, str] = "rules",
    threshold: float | Literal["strict"] | None = None,
    kg: Graph | None = None,
    labels: LabelsSource | None = None,
    strict: bool = False,
    seed: int = 0,
    **settings: Any,
) -> AnswerGrades:
    """Grade replies of any origin, as `step=grade` does; no graph is needed.

        graded = factprobe.grade_answers("answers.csv", columns={"answers": "gold"})
        print(graded)
        print(graded[0].verdict, graded[0].why, graded.scores, graded.agreement)

    Args:
        source: A file, several, or the records themselves: mappings or a data frame (pandas, Polars, Arrow) with the
            columns `question`, `answers` and `response`, and where there are any `id`, `choices`, `question_type`,
            `prompt`, `human`, `system`, `relation`.
        columns: Other names of these columns, as the settings `columns.*`.
        match: `any` if one of a question's answers is enough, `all` if all are required.
        input_format: The format of the files; by default detected from their names and contents.
        name: The name of the replies in tables, and of the system if a reply names none; by default the file's name.
        evaluator: The name of the evaluators' config, e.g. `llm_facteval`, or of a registered evaluator for all
            question types, or one name by question type: `{"single_answer": "mine"}`.
        threshold: The minimum probability at which the grading model calls a reply correct, as `evaluator.threshold`.
        kg: A graph that adds aliases of the answers and other possible answers.
        labels: People's labels of the replies, which correct the accuracy: a file, or records with `id` and `verdict`;
            by default the column `human`.
        strict: Raise at a broken record instead of skipping it with a warning.
        seed: The seed of the bootstrap.
        settings: Changes to the evaluators' settings.

    Raises:
        ConfigError: A setting is wrong.
        DataError: A file cannot be read, lacks columns or has nothing to grade, or a record is broken with `strict`.
    """
    chosen = {
        "columns": dict(columns) if isinstance(columns, Mapping) else columns or {},
        "match": match,
        "input_format": input_format,
        "name": name,
        "evaluator": evaluator,
        "threshold": plain(threshold),
        "strict": plain(strict),
        "seed": plain(seed),
    }
    arguments = convert(chosen, GradingArguments)
    rules = evaluator_with(arguments.evaluator, settings, "grade_answers", [*chosen, "kg", "labels"])
    rules = replace(rules, threshold=arguments.threshold)
    names = None if kg is None else GraphNames(summaries(require_graph(kg)))
    hint = "fix it, or grade without strict=True to skip it"
    problems = SkippedRecords(arguments.strict, hint=hint, all_in="`skipped` of the grades names them")
    name, replies = _replies(source, arguments, problems)
    people = None if labels is None else load_labels(labels, arguments.strict)
    counts = GradedReplies(arguments.name or name, seed=arguments.seed, labels=people)
    grades = AnswerGrades.of(counts, grade_answered(replies, rules, names), arguments.seed)
    grades.skipped, grades.notes = problems.messages, [*counts.notes()]
    for line in counts.warnings():
        log.warning("%s", line)
    return grades


def _replies(source: Any, arguments: GradingArguments, problems: Problems) -> tuple[str, Iterator[AnsweredQuestion]]:
    """Return a name for the replies in files or records, and an iterator over them."""
    files, records = _files_or_records(source)
    if files:
        replies = ReplyFiles(files, arguments.columns, arguments.match, arguments.input_format)
        return replies.title or name_of(files), replies.read(problems)
    return "replies", read_answered(
        given_records(records), arguments.columns, arguments.match, problems, where="the records"
    )


def _files_or_records(source: Any) -> tuple[list[str], Any]:
    """Return the paths of a source of files, or else its items; raise a `DataError` if it mixes both."""
    if isinstance(source, str | Path):
        return [str(source)], ()
    if isinstance(source, IOBase) or not isinstance(source, Sequence | Set | Iterator):
        return [], source
    items = iter(source)
    head = list(islice(items, 1))
    if not any(isinstance(first, str | Path) for first in head):
        return [], chain(head, items)
    files = [*head, *items]
    for number, file in enumerate(files, 1):
        if not isinstance(file, str | Path):
            hint = "give paths alone, or records alone"
            raise DataError(f"is of the type {type(file).__name__}, no path", where=f"file {number}", hint=hint)
    return [str(file) for file in files], ()
