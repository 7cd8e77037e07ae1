"""The settings of a run, typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from factprobe.config.converting import Filled
from factprobe.config.step_types import (
    AnnotateConfig,
    AppConfig,
    ArchiveConfig,
    CollectConfig,
    Columns,
    FetchConfig,
    InspectConfig,
    LabelSource,
    ParaphraseConfig,
    PerturbConfig,
    SelfCheckConfig,
    StudyConfig,
)
from factprobe.question_types import (
    BINARY,
    CHOICES,
    MULTIPLE,
    QUESTION_TYPES,
    SINGLE,
    QuestionType,
    kind_named,
    question_types,
)
from factprobe.records import ClaimFormat

CacheMode = Literal["off", "read", "refresh"]
"""`read` takes what is there and adds to it, `refresh` asks anew and replaces it; `off` does neither."""

ExportFormat = Literal["graphml", "nt", "parquet"]
"""The formats of a graph that is written."""

MIDDLE = ("Z", "Z")
"""What stands for an entity that a sentence leaves open, and for the same one in the next: `[a place, that place]`."""


class KgConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The graph and where its data lie."""

    name: Filled
    """What the graph is called in the paths of the outputs."""
    adapter: Filled | None = None
    """The registered class that reads it; by default the one called `name`."""
    data_dir: Filled | None = None
    """The folder of the full data; by default what `step=fetch` has laid out, or else the small graph of that name that
    comes with factprobe, if one does."""
    extractor: Filled = "triplets"
    """The registered class that turns its facts into triplets."""
    single_share: Annotated[float, Meta(ge=0, le=1)] = 0.95
    """The share of subjects with one object from which a relation without a declared type is N-1 or 1-1, and likewise
    of objects with one subject."""
    archive: ArchiveConfig = ArchiveConfig()
    """`step=fetch`: where the full data are published."""


Probability = Annotated[float, Meta(ge=0, le=1)]
"""A number from 0 to 1."""


class EvaluatorConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which registered evaluator grades which question type."""

    name: Filled
    """What these evaluators are called in the paths of the outputs."""
    binary_answer: str = BINARY.evaluator
    """The evaluator of true/false questions."""
    multi_choices: str = CHOICES.evaluator
    """The evaluator of multiple-choice questions."""
    single_answer: str = SINGLE.evaluator
    """The evaluator of questions with one right answer."""
    multiple_answer: str = MULTIPLE.evaluator
    """The evaluator of questions with several right answers."""
    others: dict[str, str] = {}
    """The evaluators of question types of your own, by type; by default those of their entries."""
    threshold: Probability | Literal["strict"] | None = None
    """For answers without a graph: the least probability with which a reply is called correct; where it is not set,
    one that gives systems accuracies near those by people; `strict` for a precision of 0.98."""
    settings: dict[str, Any] = {}
    """What the evaluators' own settings types take."""

    def by_type(self) -> dict[QuestionType, str]:
        """The evaluators by question type; a type of the user's own has that of its entry."""
        of_entries = {name: kind_named(name).evaluator for name in question_types()}
        return {**of_entries, **{name: getattr(self, name) for name in QUESTION_TYPES}, **self.others}


RULES = EvaluatorConfig(name="rules").by_type()
"""The evaluators that grade when no others are named; they have no settings."""


class RunConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of a run; the registered classes check the settings of their own groups."""

    step: str = "all"
    """Which step; `--help` lists them all."""
    kg: KgConfig
    """The graph."""
    generator: dict[str, Any]
    """What makes the questions."""
    model: dict[str, Any]
    """Who is asked."""
    evaluator: EvaluatorConfig
    """Who grades."""
    compat: EvaluatorConfig | None = None
    """Other evaluators, whose grades stand beside."""
    judge: dict[str, Any] | None = None
    """The model that decides what the evaluators leave open."""
    judge_samples: Annotated[int, Meta(ge=1)] = 1
    """How often `model@judge` is asked about a reply; more than half of the samples decide."""
    judge_rules: tuple[str, ...] | str | None = None
    """The verdicts and rules that go to `model@judge`; by default replies without an answer, names in
    passing or misspelt, and grades that the model is unsure of (docs/judging.md)."""
    paraphrase: ParaphraseConfig
    """`step=paraphrase`: how `model` is asked for further templates."""
    inspect: InspectConfig
    """`step=inspect`: what is done about relations without a template."""
    format: ExportFormat | None = None
    """`step=export`: what is written; by default told by the end of `output`."""
    claim_extractor: dict[str, Any] | None = None
    """What takes the claims from a text; `graph` in the steps that do."""
    checker: dict[str, Any] | None = None
    """What says of each claim whether the references bear it out; `graph` in the steps that check."""
    aggregator: dict[str, Any] | None = None
    """What sums up the verdicts on the claims of a text; `soft` in the steps that check."""
    retriever: dict[str, Any] | None = None
    """What finds references for texts that have none; by default nothing does."""
    detector: dict[str, Any] | None = None
    """What says of texts whether they are hallucinated; `shroom` in the step that does."""
    output_format: Literal["records", "submission"] = "records"
    """`step=detect`: give all that the input has with the label and its probability, or these alone, as SHROOM takes
    them."""
    study: StudyConfig | None = None
    """`step=study`: which settings of `detector` are compared; `experiment=shroom_ablation` chooses some."""
    predictions: tuple[str, ...] | str | None = None
    """`step=evaluate_detector`: the file of a detector's labels, or a list of several to compare."""
    claim_format: ClaimFormat | None = None
    """What a claim is: head, relation and tail, a statement that stands by itself, or a sentence of the text; by
    default the first that `claim_extractor` gives."""
    selfcheck: SelfCheckConfig = SelfCheckConfig()
    """`step=selfcheck`: how often `model` is asked again."""
    fetch: FetchConfig = FetchConfig()
    """`step=fetch`: what is fetched of the graph's published data."""
    perturb: PerturbConfig = PerturbConfig()
    """`step=perturb`: what is replaced in paragraphs, and by what."""
    annotate: AnnotateConfig = AnnotateConfig()
    """`step=annotate`: how people are asked."""
    app: AppConfig = AppConfig()
    """`step=app`: where it is served."""
    localise: bool = False
    """`step=check`, `step=extract_check`: tell where each claim stands in the text and in its references."""
    localise_threshold: Annotated[float, Meta(ge=-1, le=1)] = 0.5
    """The least similarity of a span and a claim at which the one says the other."""
    references: Filled | None = None
    """`step=benchmark`, `step=collect`: a file of `question` and `reference` by `id`."""
    collect: CollectConfig | None = None
    """`step=collect`: the setting and its wording; `zero_context` there."""
    output: Filled | None = None
    """The file that the steps write that check texts or look for hallucinations, by default beside `input`, with a name
    of its own; and the one that `step=export` writes."""
    output_dir: Filled
    """Where everything of this graph lies; of the steps on an `input`, all but `output`, by default under its name."""
    relations: Annotated[tuple[str, ...], Meta(min_length=1)] | str | None = None
    """A list of relation ids, e.g. `[P19,P20]`; by default all."""
    compose: dict[str, str | None] | tuple[str, ...] | str | None = None
    """`step=extract`: relations made of two, e.g. `[P19/P17,^P19/P106]`, `{P19/P17: "a template"}`, or `auto` for those
    whose ends meet often."""
    compose_middle: tuple[str, str] = MIDDLE
    """What stands for the entity in the middle, in the first sentence and in the second."""
    limit: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    """Take the first so many triplets of each relation, or texts or replies of an input; by default all."""
    seed: int = 0
    """For every random choice: the same seed gives the same files."""
    strict: bool = False
    """Stop at a broken line of the data instead of skipping, counting and naming it."""
    workers: Annotated[int, Meta(ge=1)] | Literal["ray"] | None = None
    """In how many processes relations are extracted, asked about and graded, and replies of an input, where they are
    enough work for several; by default the cores that there are. `ray`: each relation is a task of Ray (extra `ray`),
    on this machine or on the cluster at $RAY_ADDRESS, whose machines share the folders. The files are the same. Each
    job of a sweep works in one."""
    shard: str | None = None
    """`0/8`: answer the first of eight parts of the questions, for as many processes as there are parts."""
    cache: CacheMode = "read"
    """The replies of all earlier runs: `read` them and add to them, `refresh` them by asking anew what has no response
    in the output folder, or `off`."""
    cache_dir: Filled | None = None
    """Where these replies lie; by default in the user's cache folder."""
    dry_run: bool = False
    """Say how many calls, tokens and about how much money it takes, and ask nothing."""
    max_cost_usd: Annotated[float, Meta(ge=0)] | None = None
    """Stop before more is spent."""
    samples: Annotated[int, Meta(ge=0)] = 600
    """How many questions the report shows; about as many of each relation and type, where there are as many. So many of
    each type `step=quality` compares with their template."""
    embedder: Filled = "minilm"
    """`step=quality`, `localise`: what tells how alike sentences are: `minilm`, a sentence-transformers model or
    folder, `none`."""
    parquet: bool = False
    """`step=report`, `step=grade`: write `scores.parquet` too; needs the extra `frame`."""
    breakdowns: bool = False
    """`step=report`, `step=grade`: print the tables by relation, popularity and so on as well, which are else in the
    report only."""
    models: tuple[str, ...] | str | None = None
    """The graded models that `step=compare` is about, e.g. `[gpt-4o-mini,smollm2]`; by default all."""
    labels: dict[str, Filled | LabelSource] | None = None
    """`step=agree`: the raters, e.g. `{human: labels.jsonl, rules: outputs/trex/grades/template/smollm2}`."""
    gold: str | None = None
    """`step=agree`: the rater that the others are held against; by default each against each."""
    input: tuple[str, ...] | str | None = None
    """`step=grade`: the file of replies, e.g. `answers.jsonl`, or a list of them; `*` stands for anything. Of the steps
    that check texts, or look for hallucinations: their file; `step=benchmark`: a folder; `step=evaluate_detector`: the
    file of people's labels, by default the one beside `predictions` with whose name theirs begins."""
    input_format: str | None = None
    """`step=grade`: `csv`, `helm`, `inspect`, `json`, `lm_eval` or `parquet`; by default told by the files."""
    columns: Columns = Columns()
    """`step=grade`: under which names the input has what."""
    with_kg: bool = False
    """`step=grade`: grade with what the graph knows of the answers; naming one by `kg=` sets it."""
    match: Literal["any", "all"] = "any"
    """`step=grade`: whether any of a question's answers will do, or all are asked for."""
    plugins: tuple[str, ...] = ()
    """Python modules with graphs, generators, models, evaluators, checkers or detectors of your own, e.g.
    `[my_package.my_kg]`."""
    fail_on_missing: bool = False
    """End with exit code 4 where questions have no answer, though all else is well; the last line tells in any case."""
    debug: bool = False
    """Show the traceback of an error."""

    @property
    def picked(self) -> tuple[str, ...] | None:
        """The relations that the run is limited to, or None for all."""
        return _several(self.relations)

    @property
    def composed(self) -> dict[str, str]:
        """The compositions that are named, each with its template or nothing for the usual one."""
        if isinstance(self.compose, Mapping):
            return {name: template or "" for name, template in self.compose.items()}
        return {} if self.composes_all else dict.fromkeys(_several(self.compose) or (), "")

    @property
    def composes_all(self) -> bool:
        """Whether the compositions are those whose ends meet often."""
        return self.compose == "auto"

    @property
    def compared(self) -> tuple[str, ...] | None:
        """The models that `step=compare` is limited to, or None for all."""
        return _several(self.models)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The files that `step=grade` is about."""
        return tuple(filter(None, _several(self.input) or ()))

    @property
    def predicted(self) -> tuple[str, ...]:
        """The files that `step=evaluate_detector` is about."""
        return tuple(filter(None, _several(self.predictions) or ()))

    @property
    def judged(self) -> tuple[str, ...] | None:
        """The verdicts and rules that go to the judge, or None for the usual ones."""
        return _several(self.judge_rules)


def _several(names: tuple[str, ...] | str | None) -> tuple[str, ...] | None:
    """One name stands for a list of it."""
    return (names,) if isinstance(names, str) else names


def plain(config: RunConfig) -> Mapping[str, Any]:
    """The settings as the manifest keeps them."""
    settings: Mapping[str, Any] = msgspec.to_builtins(config)
    return settings
