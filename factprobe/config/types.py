"""The settings of a run, typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from factprobe.errors import ConfigError
from factprobe.question_types import QuestionType

T = TypeVar("T")

CacheMode = Literal["off", "read", "refresh"]
"""`read` takes what is there and adds to it, `refresh` asks anew and replaces it; `off` does neither."""

_CONVERT_ERROR = re.compile(r"^(?P<what>.*) - at `\$\.?(?P<where>.*)`$")


class KgConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `conf/kg/<name>.yaml` sets."""

    name: str
    adapter: str | None = None
    data_dir: str | None = None
    extractor: str = "triplets"


class EvaluatorConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `conf/evaluator/<name>.yaml` sets: the registered evaluator for each question type."""

    name: str
    binary_answer: str
    multi_choices: str
    single_answer: str
    multiple_answer: str
    settings: dict[str, Any] = {}
    """What the evaluators' own settings types take."""

    def by_type(self) -> dict[QuestionType, str]:
        """The evaluators by question type."""
        return {
            "binary_answer": self.binary_answer,
            "multi_choices": self.multi_choices,
            "single_answer": self.single_answer,
            "multiple_answer": self.multiple_answer,
        }


class LabelSource(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One rater of `step=agree`: a JSON list, JSON Lines or a folder of grades, and under which keys what stands."""

    path: str
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


class RunConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `conf/config.yaml` sets; the registered classes check the settings of their own groups."""

    step: str
    kg: KgConfig
    generator: dict[str, Any]
    model: dict[str, Any]
    evaluator: EvaluatorConfig
    compat: EvaluatorConfig | None = None
    judge: dict[str, Any] | None = None
    judge_samples: Annotated[int, Meta(ge=1)] = 1
    judge_rules: tuple[str, ...] | str | None = None
    output_dir: str
    relations: tuple[str, ...] | str | None = None
    limit: Annotated[int, Meta(ge=1)] | None = None
    seed: int = 0
    strict: bool = False
    shard: str | None = None
    cache: CacheMode = "read"
    cache_dir: str | None = None
    dry_run: bool = False
    max_cost_usd: Annotated[float, Meta(ge=0)] | None = None
    samples: Annotated[int, Meta(ge=0)] = 600
    parquet: bool = False
    models: tuple[str, ...] | str | None = None
    labels: dict[str, str | LabelSource] | None = None
    gold: str | None = None
    plugins: tuple[str, ...] = ()
    debug: bool = False

    @property
    def picked(self) -> tuple[str, ...] | None:
        """The relations that the run is limited to, or None for all."""
        return _several(self.relations)

    @property
    def compared(self) -> tuple[str, ...] | None:
        """The models that `step=compare` is limited to, or None for all."""
        return _several(self.models)

    @property
    def judged(self) -> tuple[str, ...] | None:
        """The verdicts and rules that go to the judge, or None for the usual ones."""
        return _several(self.judge_rules)


def _several(names: tuple[str, ...] | str | None) -> tuple[str, ...] | None:
    """One name stands for a list of it."""
    return (names,) if isinstance(names, str) else names


def convert(settings: Any, into: type[T], where: str = "") -> T:
    """Settings as a typed record.

    Raises:
        ConfigError: one is of the wrong type, unknown or missing; it is named.
    """
    try:
        return msgspec.convert(settings, into)
    except msgspec.ValidationError as error:
        found = _CONVERT_ERROR.match(str(error))
        inner = found["where"] if found else ""
        path = ".".join(part for part in (where, inner) if part) or "config"
        what = (found["what"] if found else str(error)).replace("`", "'")
        raise ConfigError(
            what[:1].lower() + what[1:], where=path, mend="python run.py --help lists the settings"
        ) from error


def plain(config: RunConfig) -> Mapping[str, Any]:
    """The settings as the manifest keeps them."""
    settings: Mapping[str, Any] = msgspec.to_builtins(config)
    return settings
