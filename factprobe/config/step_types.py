"""Settings types of graphs and of single steps."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from factprobe.config.converting import Filled
from factprobe.records import Message


class LabelSource(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Source of one rater's labels for `step=agree`: a file or a folder of grades, and the keys to read in it."""

    path: Filled
    """A file (a JSON list or JSON Lines), or a folder of grades."""
    id: str | None = None
    """Key of the id, by default `question_id` or `id`; if no rater's records have one, they are matched by their order.
    """
    label: str | None = None
    """Key of the label, by default `label` or `verdict`."""
    probability: str | None = None
    """Key of the probability, by default `probability` or `p(Hallucination)`."""
    annotators: str | None = None
    """Key of a list of several people's labels, by default `labels`."""
    annotator: str | None = None
    """In a file of `step=label`: person whose labels are used; by default the majority of all people counts."""
    system: str | None = None
    """Use the records of this system only; needed where several systems share ids."""
    map: dict[str | int | float | bool, str | int | float | bool] = {}
    """Replacements of labels: `{yes: correct}`."""


class Columns(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Column names of the input of `step=grade`.

    A dot selects a key of a mapping or, with a number, an item of a list: `doc.question`, `choices.0.text`, or
    `messages.-1.content` for the last item.
    """

    question: str = "question"
    """Column of the question."""
    answers: str = "answers"
    """Column of the right answers: a list, or a text with a separator."""
    wrong_answers: str = "wrong_answers"
    """Column of answers that are known to be wrong, in the form of `answers`."""
    response: str = "response"
    """Column of the reply."""
    id: str = "id"
    """Column of the question's id; without one, the number of the reply."""
    choices: str = "choices"
    """Column of the options of a multiple-choice question, in the form of `answers`. A right answer is an option's
    text, letter or index from 0."""
    question_type: str = "question_type"
    """Column of the question's type: `single_answer`, `multiple_answer`, `multi_choices`, `binary_answer`; or one of
    these types, for all records."""
    prompt: str = "prompt"
    """Column of the full prompt, if it differs from the question."""
    human: str = "human"
    """Column of the human label of the reply: `correct` or `incorrect`, `true` or `false`, `yes` or `no`, `pass` or
    `fail`, `1` or `0`; of a list, the majority counts."""
    system: str = "system"
    """Column of the system that replied."""
    relation: str = "relation"
    """Column of the kind of question; each kind has a row in the score table."""
    confidence: str = "confidence"
    """Column of the system's own confidence in the reply, from 0 to 1: verbalised, a probability, or the share of
    samples that agree."""
    separator: Annotated[str, Meta(min_length=1)] = "|"
    """Separator of answers, or options, in one text."""


class JudgePromptConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Prompt of `model@judge`, as in `conf/prompts/judge.yaml`."""

    messages: tuple[Message, ...]
    """Chat messages with placeholders; the last one has the question, the right answers and the reply."""
    statement_key: str
    """Text that tells the judge the right answer of a true/false question; `{answer}` is `correct` or `incorrect`."""
    set_key: str
    """Text that tells the judge the right answers of a question with several: their number `{count}`, and their list
    `{answers}`."""
    no_answer_key: str
    """Text that tells the judge that a question about a made-up name has no right answer."""


class ParaphraseConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of `step=paraphrase`, which asks `model` for further templates of a relation."""

    messages: tuple[Message, ...]
    """Chat messages with placeholders; the default is a file of `conf/prompts/`."""
    count: Annotated[int, Meta(ge=1)]
    """Number of templates for each relation; the default is in the file of the messages."""


class InspectConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of `step=inspect` for relations without a template."""

    templates: Literal["plain", "model"]
    """`plain` makes templates from labels, `model` asks `model` for a template that you review; the default is in a
    file of `conf/prompts/`."""
    messages: tuple[Message, ...]
    """Chat messages with placeholders; the default is in the file of `templates`."""


class CollectConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of `step=collect`, which asks `model` the questions of a benchmark."""

    name: Filled
    """Name of the benchmark's setting, which says what sources a reply may use, e.g. `zero_context`."""
    messages: tuple[Message, ...]
    """Chat messages with the placeholders {question} and {reference}; the default is a file of `conf/collect/`."""
    single: bool = False
    """Only use questions with a single passage."""


class ArchiveConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Published archive with the full data of a graph."""

    url: Filled | None = None
    """URL of the archive, zip or tar."""
    sha256: Filled | None = None
    """Published checksum; by default, later downloads must have the checksum of the first one."""
    paths: tuple[str, ...] = ()
    """Files and folders to unpack; `*` is a wildcard within one name. By default all."""


class KgConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of the graph."""

    name: Filled
    """Name of the graph in output paths; not itself a path."""
    adapter: Filled | None = None
    """Registered class that reads the graph; by default the class registered as `name`."""
    data_dir: Filled | None = None
    """Folder of the full data; by default the data downloaded by `step=fetch`, or else the small bundled graph."""
    extractor: Filled = "triplets"
    """Registered class that makes triplets from the facts."""
    single_share: Annotated[float, Meta(ge=0, le=1)] = 0.95
    """A relation without a declared type is N-1 if at least this share of its subjects has a single object, 1-N if at
    least this share of its objects has a single subject, 1-1 if both hold, and else N-M."""
    archive: ArchiveConfig = ArchiveConfig()
    """`step=fetch`: the published archive of the full data."""


class FetchConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of `step=fetch`, which downloads the data of a graph."""

    url: Filled | None = None
    """Archive to use instead of `kg.archive.url`; if its layout differs, set `kg.archive.paths`."""
    sha256: Filled | None = None
    """Checksum of `url`; by default, later downloads must have the checksum of the first one."""
    max_gb: Annotated[float, Meta(gt=0)] = 10.0
    """Maximum size in gigabytes of the download, and of the unpacked files."""


class PerturbConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of `step=perturb`, which replaces words of texts for people to label.

    The texts are ranked by their perplexity under `model`.
    """

    masked: Filled | None = None
    """Masked model that replaces words: a name on the hub, or a folder."""
    pipeline: Filled | None = None
    """spaCy pipeline that finds entities, by name or folder; by default rules find them."""
    rate: Annotated[float, Meta(gt=0, le=1)] = 0.1
    """Share of words and entities to replace."""
    decoding: Literal["top_k", "top_p", "greedy"] = "top_k"
    """Sampling of the new tokens."""
    top_k: Annotated[int, Meta(ge=1)] = 10
    """With `decoding=top_k`: number of most likely tokens to sample from."""
    top_p: Annotated[float, Meta(gt=0, le=1)] = 0.9
    """With `decoding=top_p`: probability mass of the tokens to sample from."""
    candidates: Annotated[int, Meta(ge=1)] = 20
    """Number of versions of a paragraph; the one with the lowest perplexity is kept."""
    max_similarity: Annotated[float, Meta(ge=-1, le=1)] = 0.9
    """Discard replaced spans with a higher cosine similarity of their embedding to the original; see `embedder`."""
    controls: bool = False
    """Add unchanged spans, as many as replaced ones, with `perturbed` false."""
    device: str = "auto"
    """Device of the masked model: `cuda`, `cuda:1`, `mps`, `cpu`; `auto` is the first available."""


class AnnotateConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of `step=annotate`: the annotators' queue, and their required agreement."""

    batch: Annotated[int, Meta(ge=1)] = 100
    """Number of spans in the queue."""
    least: Annotated[int, Meta(ge=1)] = 4
    """Minimum number of annotators for a span."""
    most: Annotated[int, Meta(ge=1)] = 6
    """Maximum number of annotators for a span; if so many do not agree, the span is disputed and left out."""
    agreement: Annotated[float, Meta(gt=0.5, le=1)] = 0.8
    """Minimum share of annotators who agree on a label."""
    easy: Annotated[float, Meta(ge=0, lt=0.5)] = 0.1
    """Skip spans of which the detector is sure: its probability is below this value, or above 1 minus this value."""


class AppConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of `step=app` and of the page of `step=label`."""

    host: Filled = "127.0.0.1"
    """Address to serve; by default this machine only. `0.0.0.0` admits everyone who can reach it."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    """Port; 0 chooses a free one."""


class LabelConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of `step=label`: which replies people judge, and what the page shows."""

    order: Literal["active", "uniform", "disagreement"] = "active"
    """Replies to draw with a larger probability: replies of which the grader is unsure (`active`), replies on which
    grader and judge disagree (`disagreement`), or none (`uniform`)."""
    count: Annotated[int, Meta(ge=1)] = 200
    """Approximate number of replies to draw; a larger count later adds replies to those drawn before."""
    floor: Annotated[float, Meta(gt=0, le=1)] = 0.2
    """Share of the draw that is uniform, so that every reply may be drawn."""
    overlap: Annotated[float, Meta(ge=0, le=1)] = 0.2
    """Share of the drawn replies that a second person judges too."""
    annotator: Filled | None = None
    """Name of the person who judges; by default the page asks for it."""
    show_verdict: bool = False
    """Show the grader's verdict before a reply is judged; by default after it."""
    judge: Filled | None = None
    """With `order=disagreement`: file or folder of a judge's grades of the same replies; by default the judge that
    decided the grades (`model@judge`)."""
    file: Filled | None = None
    """File of the labels; by default `labels.jsonl` in the output folder."""


class SelfCheckConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of `step=selfcheck`, which asks `model` again."""

    samples: Annotated[int, Meta(ge=1)] = 5
    """Number of further replies to each question; each has the next value of `repeat` after `model.repeat`."""
    temperature: Annotated[float, Meta(gt=0)] = 1.0
    """Temperature if `model.temperature` is 0."""


class StudyConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of `step=study`, which compares variants of `detector`."""

    name: Filled
    """Name of the study."""
    passes: Annotated[int, Meta(ge=1)] = 3
    """Number of runs of each variant, each with its own samples."""
    settings: dict[str, Any] = {}
    """Settings of all variants: `{samples: 5, model.temperature: 1.0}`."""
    panels: Annotated[dict[str, dict[str, dict[str, Any]]], Meta(min_length=1)]
    """Varied settings, by panel and variant: `{Samples: {few: {samples: 1}, many: {samples: 20}}}`."""
