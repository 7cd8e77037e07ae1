"""Settings types of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from factprobe.config.converting import Filled
from factprobe.config.step_types import (
    AnnotateConfig,
    AppConfig,
    CollectConfig,
    Columns,
    FetchConfig,
    InspectConfig,
    JudgePromptConfig,
    KgConfig,
    LabelConfig,
    LabelSource,
    ParaphraseConfig,
    PerturbConfig,
    SelfCheckConfig,
    StudyConfig,
)
from factprobe.question_types import QUESTION_TYPES, QuestionType, get_kind, question_types
from factprobe.records import ClaimFormat

CacheMode = Literal["off", "read", "refresh"]
"""Mode of a cache: `read` uses and extends it, `refresh` asks again and replaces entries, `off` ignores it."""

ExportFormat = Literal["graphml", "nt", "parquet", "inspect", "lm_eval", "hf", "every_eval_ever"]
"""Formats of an exported graph, of an exam for other tools, and of results."""

MIDDLE = ("Z", "Z")
"""Default of `compose_middle`: phrases for the entity in the middle of a composition, at first mention and later."""

Probability = Annotated[float, Meta(ge=0, le=1)]
"""Number from 0 to 1."""
Seed = Annotated[int, Meta(ge=0, le=2**32 - 1)]


class EvaluatorConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Registered evaluator of each question type."""

    name: Filled
    """Name of this choice of evaluators in output paths."""
    binary_answer: str = "binary_answer"
    """Evaluator of true/false questions."""
    multi_choices: str = "multi_choices"
    """Evaluator of multiple-choice questions."""
    single_answer: str = "single_answer"
    """Evaluator of questions with one right answer."""
    multiple_answer: str = "multiple_answer"
    """Evaluator of questions with several right answers."""
    others: dict[str, str] = {}
    """Evaluators of your own question types, by type; by default the evaluators with which the types are registered."""
    threshold: Probability | Literal["strict"] | None = None
    """For answers without a graph: minimum probability at which a reply is correct. The default gives accuracies
    close to those by human labels; `strict` has a precision of 0.98."""
    settings: dict[str, Any] = {}
    """Settings of the evaluators."""

    def by_type(self) -> dict[QuestionType, str]:
        """Return the name of the evaluator of each question type, including types of the user."""
        of_entries = {name: get_kind(name).evaluator for name in question_types()}
        return {**of_entries, **{name: getattr(self, name) for name in QUESTION_TYPES}, **self.others}


RULES = EvaluatorConfig(name="rules").by_type()
"""Default evaluator of each question type; these evaluators have no settings."""


class RunConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of a run; settings of groups such as `model` are checked later by the registered classes."""

    step: str = "all"
    """Step to run; `--help` lists them all."""
    kg: KgConfig
    """Graph."""
    generator: dict[str, Any]
    """Generator of the questions."""
    model: dict[str, Any]
    """Model to ask."""
    evaluator: EvaluatorConfig
    """Evaluators of the replies."""
    compat: EvaluatorConfig | None = None
    """Further evaluators, whose grades are written in addition to the others."""
    judge: dict[str, Any] | None = None
    """Model that decides grades that evaluators leave open."""
    judge_samples: Annotated[int, Meta(ge=1)] = 1
    """Samples of `model@judge` for each reply; more than half of them decide."""
    judge_rules: tuple[str, ...] | str | None = None
    """Verdicts and rules of the grades that `model@judge` decides; by default replies without an answer, misspelt
    names, names mentioned in passing, and grades that the grader is unsure of (docs/judging.md)."""
    judge_prompt: JudgePromptConfig
    """Prompt of `model@judge`; the default is a file of `conf/prompts/`."""
    paraphrase: ParaphraseConfig
    """`step=paraphrase`: request to `model` for further templates."""
    inspect: InspectConfig
    """`step=inspect`: treatment of relations without a template."""
    format: ExportFormat | Literal["github"] | None = None
    """`step=export`: file format, by default by the suffix of `output`. `step=compare`: `github` prints the checks of
    `fail_below` and `fail_if_worse` as Markdown, for a comment on a pull request."""
    claim_extractor: dict[str, Any] | None = None
    """Extractor of claims from texts; by default `graph`, in `step=benchmark` `sentences`."""
    checker: dict[str, Any] | None = None
    """Checker of claims, by default `graph`."""
    aggregator: dict[str, Any] | None = None
    """Rule that combines the verdicts on the claims of a text, by default `soft`: the share of each verdict."""
    retriever: dict[str, Any] | None = None
    """Retriever of references for texts without any; by default none."""
    detector: dict[str, Any] | None = None
    """Detector of hallucinations, by default `shroom` in `step=detect`."""
    output_format: Literal["records", "submission"] = "records"
    """`step=detect`: `records` writes all fields of the input with label and probability, `submission` only these two,
    for SHROOM's scorer."""
    study: StudyConfig | None = None
    """`step=study`: settings of `detector` to compare; see `experiment=shroom_ablation` for an example."""
    predictions: tuple[str, ...] | str | None = None
    """`step=evaluate_detector`: file of a detector's labels, or a list of several to compare."""
    claim_format: ClaimFormat | None = None
    """Form of a claim: head, relation and tail, a separate statement, or a sentence of the text; by default the first
    form that `claim_extractor` supports."""
    selfcheck: SelfCheckConfig = SelfCheckConfig()
    """`step=selfcheck`: number and temperature of further replies."""
    fetch: FetchConfig = FetchConfig()
    """`step=fetch`: the download of the graph's data."""
    perturb: PerturbConfig = PerturbConfig()
    """`step=perturb`: the replacement of words in paragraphs."""
    annotate: AnnotateConfig = AnnotateConfig()
    """`step=annotate`: the queue for annotators."""
    app: AppConfig = AppConfig()
    """`step=app`, `step=label`: address and port."""
    label: LabelConfig = LabelConfig()
    """`step=label`: which replies people judge, and the file of their labels."""
    localise: bool = False
    """`step=check`, `step=extract_check`, `step=app`: add the place of each claim in the text and in its references."""
    localise_threshold: Annotated[float, Meta(ge=-1, le=1)] = 0.5
    """Minimum similarity of a span and a claim for the span to count as its place."""
    references: Filled | None = None
    """`step=benchmark`, `step=collect`: file of `question` and `reference` by `id`."""
    collect: CollectConfig | None = None
    """`step=collect`: the setting and its prompt; by default `zero_context`."""
    output: Filled | None = None
    """Output file, by default beside `input`. `step=collect`: output file, by default beside `references`.
    `step=benchmark`: output file, by default in `output_dir`. `step=export`: output file or folder, by default in
    `output_dir`. `step=train`: folder of the trained detector."""
    output_dir: Filled
    """Folder for all files of this graph. For steps with an `input`: folder for all files but `output`, by default
    named after `input`."""
    relations: Annotated[tuple[str, ...], Meta(min_length=1)] | str | None = None
    """Relation ids, e.g. `[P19,P20]`; by default all."""
    compose: dict[str, str | None] | tuple[str, ...] | str | None = None
    """Compositions of two relations, e.g. `[P19/P17,^P19/P106]`, `{P19/P17: "a template"}`, or `auto` for pairs of
    relations that share many entities."""
    compose_middle: tuple[str, str] = MIDDLE
    """Phrases for the entity in the middle of a composition, in the first sentence and in the second."""
    limit: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    """Maximum number of triplets of each relation. `step=grade`, `step=label`, `step=compare`: maximum number of
    replies. `step=extract_claims`, `step=check`, `step=extract_check`, `step=detect`: maximum number of texts.
    `step=benchmark`: maximum number of responses of each file. `step=collect`: maximum number of questions.
    `step=evaluate_detector`, `step=study`: maximum number of human labels."""
    seed: Seed = 0
    """Seed of every random choice: the same seed gives the same files."""
    strict: bool = False
    """Stop at a broken line of the data; by default the line is skipped, counted and reported."""
    workers: Annotated[int, Meta(ge=1)] | Literal["ray"] | None = None
    """Processes that extract, generate and evaluate relations, or grade replies of an input; by default up to one for
    each core, depending on the work. `ray`: each relation is a task of Ray (extra `ray`), on this machine or on the
    cluster at $RAY_ADDRESS, whose machines share the folders. The output does not depend on it. Each job of a sweep
    uses one process."""
    shard: str | None = None
    """`0/8`: answer the first of eight parts of the questions, to divide the work between eight processes."""
    cache: CacheMode = "read"
    """Cache of replies: `read` uses and extends it, `refresh` replaces entries of questions without a response in the
    output folder, `off` ignores it."""
    cache_dir: Filled | None = None
    """Folder of the cache; by default in the user's cache folder."""
    dry_run: bool = False
    """Print the number of calls and tokens and the estimated cost, without calling the model or writing files."""
    max_cost_usd: Annotated[float, Meta(ge=0)] | None = None
    """Stop before the cost exceeds this."""
    samples: Annotated[int, Meta(ge=0)] = 600
    """Sample questions in the report, from all relations and types. `step=quality`: questions of each type to compare
    with their template."""
    embedder: Filled = "wordllama"
    """Embeddings for similarity: `wordllama` (static word vectors), `minilm`, a sentence-transformers model or folder,
    `none`."""
    parquet: bool = False
    """`step=report`, `step=grade`: write `scores.parquet` too; needs the extra `frame`."""
    breakdowns: bool = False
    """`step=report`, `step=grade`: also print the tables by relation, popularity and so on, as in the report."""
    models: tuple[str, ...] | str | None = None
    """`step=compare`, `step=grade`: graded models or systems to compare, e.g. `[gpt-4o,smollm2]`; by default all."""
    labels: dict[str, Filled | LabelSource] | tuple[str, ...] | str | None = None
    """`step=agree`: raters, e.g. `{human: labels.jsonl, rules: outputs/trex/grades/template/smollm2}`. `step=grade`,
    `step=report`, `step=compare`: file of people's labels of replies, or a list of several, by which scores are
    corrected; by default the column `human`."""
    gold: str | None = None
    """`step=agree`: rater to compare the others with; by default all pairs are compared."""
    input: tuple[str, ...] | str | None = None
    """Input of a step. `step=grade`, `step=label`, `step=compare`: file of replies, e.g. `answers.jsonl`, or a list of
    files; `*` is a wildcard. `step=extract_claims`, `step=extract_check`, `step=detect`: file of texts, e.g.
    `texts.json`. `step=check`: file of claims. `step=benchmark`: folder of RefChecker's annotations. `step=perturb`:
    file of paragraphs. `step=annotate`: file of replaced spans. `step=watch`: file of prompts. `step=train`,
    `step=study`: file of human labels. `step=evaluate_detector`: file of human labels; by default the file after
    which `predictions` are named, such as `val.json` for `val.detected.json`."""
    input_format: str | None = None
    """`step=grade`, `step=label`: `csv`, `helm`, `inspect`, `json`, `lm_eval` or `parquet`; by default recognised."""
    columns: Columns = Columns()
    """`step=grade`, `step=label`: names of the input's columns."""
    with_kg: bool = False
    """`step=grade`: use the graph's knowledge of the answers; implied by `kg=`. `step=detect`: let the detector use the
    graph; implied by `kg=`."""
    match: Literal["any", "all"] = "any"
    """`step=grade`, `step=label`: whether any of a question's answers is enough, or all are needed."""
    plugins: tuple[str, ...] = ()
    """Python modules with your own graphs, models, evaluators and other classes, e.g. `[my_package.my_kg]`."""
    fail_below: Probability | None = None
    """`step=compare`: exit code 5 if the 95 % interval of a model's accuracy is wholly below this, e.g. `0.8`, or
    if most of its replies failed; one model is enough."""
    fail_if_worse: Filled | None = None
    """`step=compare`: exit code 5 if the 95 % interval of a model's difference from this model is wholly below 0, or
    unknown."""
    fail_on_missing: bool = False
    """End with exit code 4 if any question has no answer, and not only if most have none."""
    debug: bool = False
    """Show the traceback of an error."""

    @property
    def selected_relations(self) -> tuple[str, ...] | None:
        """Ids of the relations in the settings; None for all relations."""
        return _as_tuple(self.relations)

    @property
    def compositions(self) -> dict[str, str]:
        """Template of each composition in the settings; empty for the default template."""
        if isinstance(self.compose, Mapping):
            return {name: template or "" for name, template in self.compose.items()}
        return {} if self.composes_all else dict.fromkeys(_as_tuple(self.compose) or (), "")

    @property
    def composes_all(self) -> bool:
        """True if compositions are chosen automatically."""
        return self.compose == "auto"

    @property
    def compared_models(self) -> tuple[str, ...] | None:
        """Names of the models to compare; None for all models."""
        return _as_tuple(self.models)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Files in the setting `input`."""
        return tuple(filter(None, _as_tuple(self.input) or ()))

    @property
    def prediction_files(self) -> tuple[str, ...]:
        """Files of predictions for `step=evaluate_detector`."""
        return tuple(filter(None, _as_tuple(self.predictions) or ()))

    @property
    def raters(self) -> Mapping[str, Filled | LabelSource]:
        """Raters of `step=agree`."""
        return self.labels if isinstance(self.labels, Mapping) else {}

    @property
    def label_files(self) -> tuple[str, ...]:
        """Files of people's labels."""
        if isinstance(self.labels, Mapping):
            return tuple(source if isinstance(source, str) else source.path for source in self.labels.values())
        return tuple(filter(None, _as_tuple(self.labels) or ()))

    @property
    def judged_rules(self) -> tuple[str, ...] | None:
        """Verdicts and rules of the grades that the judge decides; None for the default."""
        return _as_tuple(self.judge_rules)


def _as_tuple(names: tuple[str, ...] | str | None) -> tuple[str, ...] | None:
    return (names,) if isinstance(names, str) else names


def plain_settings(config: RunConfig) -> Mapping[str, Any]:
    """Return the settings as plain values, as the manifest records them."""
    settings: Mapping[str, Any] = msgspec.to_builtins(config)
    return settings
