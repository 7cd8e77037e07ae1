"""factprobe from Python: a graph, its questions, a model's responses, their grades, a table of scores.

    import factprobe

    kg = factprobe.load_kg("trex")
    questions = factprobe.make_questions(kg, relations=["P36"], limit=5)
    model = factprobe.load_model("smollm2")
    responses = factprobe.ask_model(model, questions)
    grades = factprobe.grade_responses(kg, questions, responses)
    print(factprobe.score(kg, questions, grades, model=model.name))

The functions take the settings of the command line under the same names and leave no files; `run` is the command line.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from factprobe import pipeline
from factprobe.asking.at_once import ask_model
from factprobe.build import build_generator, build_kg, build_model
from factprobe.config import Columns, KgConfig, LabelSource, compose, convert, from_omegaconf, name_of
from factprobe.config.explain import unknown_setting
from factprobe.errors import ConfigError, UnknownNameError, listed
from factprobe.evaluators import grade
from factprobe.evaluators.answers import grade_answered
from factprobe.evaluators.faults import Faults
from factprobe.evaluators.judge import JUDGED, is_open, open_requests, settled, votes_of
from factprobe.evaluators.linking import GraphNames
from factprobe.extractors.compose import compose as composition
from factprobe.extractors.compose import path_named
from factprobe.extractors.triplets import Facts, describe, summed_up
from factprobe.generators import Survey
from factprobe.generators.questioner import Fact
from factprobe.inputs import Match, Replies, answered, as_records
from factprobe.kgs import Graph, kgs
from factprobe.metrics import Tallies, scores
from factprobe.metrics.comparison import Comparison, comparisons
from factprobe.metrics.matching import matched
from factprobe.metrics.raters import Agreement, agreements
from factprobe.models import Model
from factprobe.records import (
    AnswerGrade,
    Entity,
    Grade,
    Question,
    Relation,
    RelationSummary,
    Response,
    Score,
    Triplet,
)
from factprobe.reports import score_table, systems_table
from factprobe.reports.agreement import agreement_table, people_table
from factprobe.reports.answers import GradedReplies
from factprobe.reports.comparison import comparison_table
from factprobe.reports.frame import score_frame
from factprobe.steps.agree import files_of, read_records
from factprobe.storage import Problems

if TYPE_CHECKING:
    from pandas import DataFrame

log = logging.getLogger(__name__)


class ScoreTable(list[Score]):
    """The rows of the score table; printed, it is the table that the command line shows."""

    def __str__(self) -> str:
        return score_table(self)

    def to_frame(self) -> DataFrame:
        """The table as a data frame of pandas: a column for each field, NaN where nothing was counted.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return score_frame(self)

    to_pandas = to_frame
    """The name that other tables have for it."""


class PeopleTable(list[Agreement]):
    """How far the grades of each system agree with people; printed, it is the table that the command line shows."""

    def __str__(self) -> str:
        return people_table(self)


class AnswerGrades(list[AnswerGrade]):
    """The grades of `grade_answers`, in the order of the replies; printed, the scores and the agreement with people."""

    scores: ScoreTable
    """A row for each system and sum; `model` is the system."""
    agreement: PeopleTable
    """With people who judged the replies; empty where none did."""

    def __str__(self) -> str:
        return "\n\n".join([systems_table(self.scores), *([str(self.agreement)] if self.agreement else [])])


class ComparisonTable(list[Comparison]):
    """The rows of a comparison; printed, it is the table that the command line shows."""

    def __str__(self) -> str:
        return comparison_table(self)


class AgreementTable(list[Agreement]):
    """The measures of agreement; printed, they are the table that the command line shows."""

    def __str__(self) -> str:
        return agreement_table(self)


def load_kg(
    name: str, data_dir: str | Path | None = None, *, adapter: str | None = None, strict: bool = False
) -> Graph:
    """A graph by its name: the small one that comes with factprobe, or the full data of `data_dir`.

    Args:
        name: a registered graph, or with `adapter` any name for data in that adapter's layout.
        data_dir: the folder of the data.
        adapter: the registered class that reads it; by default the one called `name`.
        strict: raise at a broken line instead of skipping it with a warning.

    Raises:
        UnknownNameError: nothing is registered under the name.
        ConfigError: no data comes with factprobe for this graph.
        DataError: there is no such folder.
    """
    kgs.get(adapter or name)
    config = KgConfig(name=name, adapter=adapter, data_dir=str(data_dir) if data_dir is not None else None)
    return build_kg(config, Problems(strict))


def summarise(kg: Graph, relation: str | Relation) -> RelationSummary:
    """The relation summary: each subject's objects and each object's subjects.

    Args:
        kg: the graph.
        relation: as it was loaded, its name, or a path of two, e.g. `P19/P17`.

    Raises:
        UnknownNameError: the graph has no such relation.
    """
    return _summarised(kg, relation)[0]


def make_questions(
    kg: Graph,
    relations: Sequence[str] | None = None,
    *,
    limit: int | None = None,
    seed: int = 0,
    generator: str = "template",
    model: str | Model | Mapping[str, Any] | None = None,
    **settings: Any,
) -> list[Question]:
    """Questions about a graph, as `step=generate` makes them.

    Args:
        kg: the graph.
        relations: ids of those to ask about, or paths of two, e.g. `P19/P17`; by default all that have data.
        limit: ask about the first so many triplets of each relation.
        seed: for every random choice.
        generator: the generator's config, e.g. `template`.
        model: who phrases the facts, for a generator that has them phrased: the name of its config, a model that is
            loaded, or changes to the settings of the usual one.
        settings: changes to it, e.g. `ask="both"`.

    Raises:
        ConfigError: a setting is wrong.
        NoAnswersError: the model that phrases the facts answers nothing.
    """
    chosen = [f"generator.model={model}"] if isinstance(model, str) else []
    config = from_omegaconf(compose([f"generator={generator}", *chosen]))
    if isinstance(model, Mapping):
        settings["model"] = {**config.generator.get("model", {}), **model}
    loaded = model if isinstance(model, Model) else None
    maker = build_generator({**config.generator, **settings}, seed, limit, loaded)
    every = kg.with_facts()
    maker.graph = lambda: (summarise(kg, relation) for relation in every)
    wanted = every if relations is None else relations
    if maker.wants_survey:
        maker.survey(_survey(_summarised(kg, relation) for relation in wanted))
    questions: list[Question] = []
    for relation in wanted:
        questions += maker.questions(*_summarised(kg, relation))
    return questions


def _survey(relations: Iterable[tuple[RelationSummary, Iterable[Triplet]]]) -> Survey:
    """What there is to ask about; as in `score`, entities are popular by the relations that are asked about."""
    asked: list[tuple[str, str, list[Fact]]] = []
    pairs: list[tuple[str, str]] = []
    entities: list[Entity] = []
    for summary, triplets in relations:
        info = summary.relation_info
        asked.append((info.relation, info.type, [Fact(found.subject_uri, found.object_uri) for found in triplets]))
        pairs += summary.facts()
        entities += [*summary.entities("subject"), *summary.entities("object")]
    return Survey(asked, pairs, entities)


def load_model(name: str, /, **settings: Any) -> Model:
    """A model by the name of its config or of its class, e.g. `smollm2`, `openai`; more arguments change its settings.

    Raises:
        UnknownNameError: there is no such config.
        ConfigError: a setting is wrong.
    """
    from omegaconf import OmegaConf

    config = compose([f"model={name}"])
    for key in settings:
        if key not in config.model.keys():  # noqa: SIM118  # `in` itself leaves out what has no default
            raise unknown_setting(f"model.{key}", (f"model.{known}" for known in config.model))
        if OmegaConf.is_missing(config.model, key):
            config.model[key] = ""  # it has no default; what is given here replaces it
    model = build_model({**from_omegaconf(config).model, **settings})
    model.check()
    return model


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
        responses: to these questions; one without a response has no grade.
        evaluator: the evaluators' config, e.g. `llm_facteval`.
        settings: what its `settings` are changed to, e.g. `aliases=True`.
    """
    config = from_omegaconf(compose([f"evaluator={evaluator}"])).evaluator
    by_id = {response.question_id: response for response in responses}
    by_relation: dict[str, list[Question]] = {}
    order = []
    for question in questions:
        by_relation.setdefault(question.relation, []).append(question)
        order.append(question.question_id)
    graded: dict[str, Grade] = {}
    with Faults() as faults:
        for relation, asked in by_relation.items():
            answered = ((question, by_id.get(question.question_id)) for question in asked)
            chosen = {**config.settings, **settings}
            grades = grade(answered, summarise(kg, relation), config.by_type(), chosen, faults)
            graded.update((found.question_id, found) for found in grades)
    return [graded[question_id] for question_id in order if question_id in graded]


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


def score(
    kg: Graph,
    questions: Iterable[Question],
    grades: Iterable[Grade],
    *,
    model: str = "model",
    generator: str = "template",
) -> ScoreTable:
    """The score table of graded questions; entities are popular by the relations that are asked about."""
    asked = {question.question_id: question for question in questions}
    names = dict.fromkeys(question.relation for question in asked.values())
    summaries = {name: summarise(kg, name) for name in names}
    facts = [fact for summary in summaries.values() for fact in summary.facts()]
    tallies = Tallies.of(facts)
    for found in grades:
        question = asked[found.question_id]
        tallies.add(generator, model, question.relation, found, question)
    relations = {name: summary.relation_info for name, summary in summaries.items()}
    return ScoreTable(scores(tallies.cells, relations, kg.name, tallies.strata))


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


def compare(graded: Mapping[str, Iterable[Grade]], *, seed: int = 0) -> ComparisonTable:
    """Models two by two on the same questions, as `step=compare` does.

    Args:
        graded: the grades of two or more models, by the models' names.
        seed: for the bootstrap.

    Raises:
        ConfigError: no two of them have answered a question in common.
    """
    rows = comparisons({name: {found.question_id: found for found in grades} for name, grades in graded.items()}, seed)
    if not rows:
        raise ConfigError(f"no two of {listed(graded)} have answered a question in common")
    return ComparisonTable(rows)


def agree(
    labels: Mapping[str, str | Path | Mapping[str, Any] | Iterable[Grade | Mapping[str, Any]]],
    gold: str | None = None,
    *,
    seed: int = 0,
) -> AgreementTable:
    """How far graders, judges and people agree on the same items, as `step=agree` tells.

    Args:
        labels: for each rater a file, a folder of grades, the settings of `labels.<name>` as a mapping, grades, or
            records with an id and a label.
        gold: the rater that the others are held against; by default each is held against each.
        seed: for the bootstrap.

    Raises:
        ConfigError: fewer than two raters, or `gold` is none of them.
        DataError: a file or record cannot be used, or the items do not match.
    """
    sources: dict[str, LabelSource] = {}
    records: dict[str, list[dict[str, Any]]] = {}
    for name, given in labels.items():
        if isinstance(given, str | Path | Mapping):
            settings = given if isinstance(given, Mapping) else {"path": str(given)}
            sources[name] = convert(settings, LabelSource, f"labels.{name}")
            records[name] = read_records(files_of(name, sources[name]))
        else:
            sources[name] = LabelSource(path=name)
            records[name] = msgspec.to_builtins(list(given))
    return AgreementTable(agreements(matched(sources, records, gold), gold, seed))


def run(*overrides: str) -> None:
    """Runs steps as the command line does: `run("step=all", "kg=trex", "model=scripted")`.

    Raises:
        NoAnswersError: no question has an answer.
        IncompleteError: some have none, and `fail_on_missing` is set.
        FactprobeError: what else the user can mend, in one line.
    """
    missing = pipeline.run(from_omegaconf(compose(overrides)))
    if missing is not None:
        log.warning(missing)


def _summarised(kg: Graph, relation: str | Relation) -> tuple[RelationSummary, Iterator[Triplet]]:
    """The summary of a relation or of a path of two, and the facts to ask about."""
    if isinstance(relation, str):
        known = kg.by_name()
        if relation not in known:
            hops = path_named(relation, known)
            if hops is None:
                raise UnknownNameError(f"relation of {kg.name}", relation, known)
            made = composition(relation, hops, lambda name: summarise(kg, known[name]))
            composed = made.summary
            return composed, made.triplets(composed.relation_info)
        relation = known[relation]
    facts = Facts(kg.facts(relation))
    summary = facts.summary(describe(kg, relation))
    return summary, facts.triplets(summary.relation_info)
