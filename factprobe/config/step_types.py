"""The settings of single steps, typed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from factprobe.config.converting import Filled
from factprobe.records import Message


class LabelSource(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One rater of `step=agree`: a JSON list, JSON Lines or a folder of grades, and under which keys what stands."""

    path: Filled
    """The file or folder."""
    id: str | None = None
    """By default `question_id` or `id`; where no rater's records have one, they are matched by their order."""
    label: str | None = None
    """By default `label` or `verdict`."""
    probability: str | None = None
    """By default `probability` or `p(Hallucination)`."""
    annotators: str | None = None
    """The key of a list of several people's labels, by default `labels`."""
    map: dict[str | int | float | bool, str | int | float | bool] = {}
    """Labels to be read as others."""


class Columns(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Under which names the input of `step=grade` has what; a dot leads into a mapping or, with a number, into a
    list: `doc.question`, `choices.0.text`, of the last item `messages.-1.content`."""

    question: str = "question"
    """The question."""
    answers: str = "answers"
    """Its right answers: a list, or a text with a separator."""
    response: str = "response"
    """The reply."""
    id: str = "id"
    """The id of the question; by default the number of the reply."""
    choices: str = "choices"
    """The options of a multiple-choice question, as `answers`; a right answer is an option's text or letter,
    or its place, a number from 0."""
    question_type: str = "question_type"
    """The question's type: `single_answer`, `multiple_answer`, `multi_choices`, `binary_answer`; or one of these in the
    place of a name, for all records."""
    prompt: str = "prompt"
    """All that the system was shown, where that is more than the question."""
    human: str = "human"
    """What people say of the reply: `correct` or `incorrect`, `true` or `false`, `yes` or `no`, `pass` or `fail`, `1`
    or `0`; of a list the majority's."""
    system: str = "system"
    """Who replied."""
    relation: str = "relation"
    """What kind of question it is; each has a row in the score table."""
    separator: Annotated[str, Meta(min_length=1)] = "|"
    """What stands between answers, or options, in one text."""


class ParaphraseConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How `step=paraphrase` asks for further templates of a relation."""

    messages: tuple[Message, ...]
    """Of a chat, with placeholders; its default is a file of `conf/prompts/`."""
    count: Annotated[int, Meta(ge=1)]
    """How many templates of each relation; its default is in that file."""


class InspectConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `step=inspect` does about relations that have no template of their own."""

    templates: Literal["plain", "model"]
    """`plain` leaves them that of their label, `model` asks `model` for one, for you to review; its default is in a
    file of `conf/prompts/`."""
    messages: tuple[Message, ...]
    """How it is asked, with placeholders; its default is in that file."""


class CollectConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How `step=collect` puts the questions of a benchmark to `model`."""

    name: Filled
    """The setting: what a reply can rest on."""
    messages: tuple[Message, ...]
    """Of a chat, with the placeholders {question} and {reference}; its default is a file of `conf/collect/`."""
    single: bool = False
    """Whether it is for questions with one passage; those with several are then left out."""


class ArchiveConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the full data of a graph are published."""

    url: Filled | None = None
    """The archive, zip or tar."""
    sha256: Filled | None = None
    """Its checksum, where one is published; else it must be what it was the first time."""
    paths: tuple[str, ...] = ()
    """What of it comes into the folder of the data: files, and what is in folders; `*` stands for anything in one
    name. By default all."""


class FetchConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How `step=fetch` gets the data of a graph."""

    url: Filled | None = None
    """An archive of your own in the place of `kg.archive.url`; in the same layout, or see `kg.archive.paths`."""
    sha256: Filled | None = None
    """Its checksum; by default it must be what it was the first time."""
    max_gb: Annotated[float, Meta(gt=0)] = 10.0
    """Gigabytes that it may have, and unpack to."""


class PerturbConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How `step=perturb` makes texts whose words people are to label; `model` ranks them by their perplexity."""

    masked: Filled | None = None
    """The masked model that refills: a name on the hub, or a folder."""
    pipeline: Filled | None = None
    """What finds entities: a pipeline of spaCy, by name or folder; by default rules."""
    rate: Annotated[float, Meta(gt=0, le=1)] = 0.1
    """The share of words and entities that are replaced."""
    decoding: Literal["top_k", "top_p", "greedy"] = "top_k"
    """How the new tokens are drawn."""
    top_k: Annotated[int, Meta(ge=1)] = 10
    """From so many of the likeliest."""
    top_p: Annotated[float, Meta(gt=0, le=1)] = 0.9
    """With `decoding=top_p`: from the fewest that have so much of the probability."""
    candidates: Annotated[int, Meta(ge=1)] = 20
    """How often a paragraph is refilled; the text of the lowest perplexity is kept."""
    max_similarity: Annotated[float, Meta(ge=-1, le=1)] = 0.9
    """A replaced span whose embedding is more alike to what stood there (cosine) is dropped; see `embedder`."""
    controls: bool = False
    """Whether as many spans that were left as they were are given too, with `perturbed` false."""
    device: str = "auto"
    """Of the masked model: `cuda`, `cuda:1`, `mps`, `cpu`; `auto` takes the first that there is."""


class AnnotateConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How `step=annotate` asks people, and when they agree."""

    batch: Annotated[int, Meta(ge=1)] = 100
    """How many spans wait in the queue."""
    least: Annotated[int, Meta(ge=1)] = 4
    """So many annotators label a span at least."""
    most: Annotated[int, Meta(ge=1)] = 6
    """After so many without agreement it is disputed, and left out."""
    agreement: Annotated[float, Meta(gt=0.5, le=1)] = 0.8
    """The share of annotators who have to say the same."""
    easy: Annotated[float, Meta(ge=0, lt=0.5)] = 0.1
    """Spans whose probability is below it, or as far from 1, are not asked about: the detector knows them already."""


class AppConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where `step=app` is served."""

    host: Filled = "127.0.0.1"
    """By default to this machine alone; `0.0.0.0` lets in whoever reaches it."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    """0 for a free one."""


class SelfCheckConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How `step=selfcheck` asks `model` again."""

    samples: Annotated[int, Meta(ge=1)] = 5
    """How often it is asked each question again, under `model.repeat` and so many numbers behind it."""
    temperature: Annotated[float, Meta(gt=0)] = 1.0
    """At which temperature, where `model.temperature` is 0; else at that."""


class StudyConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which settings of `detector` `step=study` compares."""

    name: Filled
    """What the study is called."""
    passes: Annotated[int, Meta(ge=1)] = 3
    """How often each is run, with other samples."""
    settings: dict[str, Any] = {}
    """What all of them have in common, by the names of the settings: `{samples: 5, model.temperature: 1.0}`."""
    panels: Annotated[dict[str, dict[str, dict[str, Any]]], Meta(min_length=1)]
    """What is varied, and the settings of each variant: `{Samples: {few: {samples: 1}, many: {samples: 20}}}`."""
