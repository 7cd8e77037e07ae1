"""From settings to the graph, the generator, the model and the parts of the free-text steps that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from factprobe.config import KgConfig, RunConfig, compose, convert, data_dir, from_omegaconf
from factprobe.errors import ConfigError, FactprobeError, UnknownNameError
from factprobe.generators import Generator, generators
from factprobe.kgs import Graph, kgs
from factprobe.models import Model, models
from factprobe.models.embedders import Embedder, embedder_named, embedders
from factprobe.question_types import RANKED
from factprobe.records import RelationSummary, Verdict
from factprobe.registry import registry
from factprobe.secrecy import refuse
from factprobe.storage import Problems

if TYPE_CHECKING:
    from factprobe.checkers import Aggregator, Checker
    from factprobe.claims import ClaimExtractor
    from factprobe.claims.base import Ask, Part
    from factprobe.detectors import Detector
    from factprobe.retrievers import Retriever


def build_kg(config: KgConfig, problems: Problems | None = None) -> Graph:
    """The graph that the settings name."""
    return kgs.get(config.adapter or config.name)(data_dir(config), config.name, problems, config)


def build_generator(
    settings: dict[str, Any], seed: int = 0, limit: int | None = None, model: Model | None = None
) -> Generator:
    """The generator that the settings name.

    Args:
        settings: those of its class.
        seed: for every random choice.
        limit: ask about the first so many triplets of each relation.
        model: whom a generator asks that asks anybody; by default as its settings say.

    Raises:
        ConfigError: a setting is wrong.
    """
    cls = generators.get(settings.get("method") or settings["name"])
    made = cls(convert(settings, cls.settings_type, "generator"), seed, limit)
    named = getattr(made.settings, "model", None)
    if model is None and named is not None:
        with settings_of(PHRASER, named):
            model = build_model(named, PHRASER.setting)
    made.model = model
    return made


def check_generator(config: RunConfig) -> None:
    """Sees to it that questions can be made, and whoever phrases them can be called, before anything is done.

    Raises:
        ConfigError: a setting is wrong or missing.
    """
    made = build_generator(config.generator, config.seed, config.limit)
    if made.model is not None:
        with settings_of(PHRASER, config.generator["model"]):
            check_calls(made.model, config)


def build_model(settings: dict[str, Any], where: str = "model") -> Model:
    """The model that the settings name; nothing is loaded yet.

    Raises:
        ConfigError: a setting is wrong, or holds what is secret.
    """
    refuse(settings, where)
    cls = models.get(settings["backend"])
    return cls(convert(settings, cls.settings_type, where))


def build_judges(config: RunConfig) -> list[Model]:
    """The judge once for each sample, which differ in their `repeat`; empty where none is set.

    Raises:
        ConfigError: several samples would all be the same, no rule is called so, or it cannot be called.
    """
    if config.judge is None:
        return []
    _check_judged(config)
    repeat, samples = config.judge.get("repeat", 0), config.judge_samples
    if samples > 1 and config.judge.get("temperature") == 0:
        mend = "set judge.temperature=0.7 or so, or judge_samples=1"
        raise ConfigError(f"{samples} samples at temperature 0 are one and the same", where="judge_samples", mend=mend)
    with settings_of(JUDGE, config.judge):
        judges = [build_model({**config.judge, "repeat": repeat + number}, "judge") for number in range(samples)]
        check_calls(judges[0], config)
    return judges


def check_calls(model: Model, config: RunConfig) -> None:
    """Sees to it that a model can be called, before anything is done.

    Raises:
        ConfigError: a key is missing, or the price where the cost is limited.
    """
    from factprobe.asking.job import price_of  # what calls need takes a while to load

    price_of(model, config.max_cost_usd)
    if not config.dry_run:
        model.check()


def _check_judged(config: RunConfig) -> None:
    """Sees to it that `judge_rules` names verdicts, or rules of the evaluators."""
    if not config.judged:
        return
    from factprobe.evaluators import Evaluator, evaluators  # what they read with takes a while to load
    from factprobe.evaluators.answers import OPEN_ANSWER

    names = {*config.evaluator.by_type().values(), RANKED.evaluator}
    if config.step == "grade":
        names.add(OPEN_ANSWER)
    used = [evaluators.get(name) for name in names]
    if any(cls.judge is not Evaluator.judge for cls in used):
        return  # what is not made of rules may name any
    known = {rule.name for cls in used for rule in (*cls.opening, *cls.rules)}
    for name in config.judged:
        if name not in {*get_args(Verdict), *known}:
            raise UnknownNameError("verdict or rule", name, [*get_args(Verdict), *known], where="judge_rules")


class Role(NamedTuple):
    """A model that is none of the examined ones, whose errors speak of its own settings."""

    setting: str
    """What its settings stand under."""
    chooser: str
    """What names it."""


JUDGE = Role("judge", "model@judge")
PHRASER = Role("generator.model", "generator.model")
EMBEDDER = Role("detector.embedder", "detector.embedder")


PARTS = {
    group: Role(f"{group}.model", f"{group}.model") for group in ("claim_extractor", "checker", "retriever", "detector")
}
"""The parts of the free-text steps, by their settings, with the role of a model that they ask."""


class Means(NamedTuple):
    """What the parts of the free-text steps work with."""

    graph: Callable[[], Iterable[RelationSummary]]
    """Gives the relations of the graph, for a part that wants one."""
    ask: Callable[[Model, Role, str], Ask]
    """Makes what asks a model, in a role, for the part of a name."""
    problems: Problems | None = None
    """Collects the broken places of files that parts read."""


def build_claim_extractor(settings: Mapping[str, Any], means: Means, model: Model | None = None) -> ClaimExtractor:
    """The claim extractor that the settings name.

    Args:
        settings: those of its class.
        means: what it works with.
        model: whom it asks, if anybody; by default as its settings say.

    Raises:
        ConfigError: a setting is wrong.
    """
    made: ClaimExtractor = _equipped("claim_extractor", settings, means, model)
    return made


def build_retriever(settings: Mapping[str, Any], means: Means) -> Retriever:
    """The retriever that the settings name.

    Raises:
        ConfigError: a setting is wrong.
    """
    made: Retriever = _equipped("retriever", settings, means, None)
    return made


def build_checker(settings: Mapping[str, Any], means: Means, model: Model | None = None) -> Checker:
    """The checker that the settings name, with those that it is made of.

    Args:
        settings: those of its class.
        means: what it works with.
        model: whom it asks, if anybody; by default as its settings say.

    Raises:
        ConfigError: a setting is wrong, or two of those that it is made of have one name.
    """
    made: Checker = _equipped("checker", settings, means, model)
    if chosen := getattr(made.settings, "checkers", None):
        every = [named_settings("checker", one) for one in chosen]
        names = [one["name"] for one in every]
        if len({*names}) < len(names):
            mend = "give each a name of its own: {name: other, method: llm}"
            raise ConfigError(f"two are called the same: {', '.join(names)}", where="checker.checkers", mend=mend)
        vars(made)["parts"] = [build_checker(one, means, model) for one in every]
    return made


def build_detector(settings: Mapping[str, Any], means: Means, model: Model | None = None) -> Detector:
    """The hallucination detector that the settings name.

    Args:
        settings: those of its class.
        means: what it works with.
        model: whom it asks, if anybody; by default as its settings say.

    Raises:
        ConfigError: a setting is wrong.
    """
    made: Detector = _equipped("detector", settings, means, model)
    if (embedder := getattr(made.settings, "embedder", None)) is not None:
        vars(made)["embedder"] = lambda: build_embedder(embedder, means, made.settings.name)
    if (chosen := getattr(made.settings, "checker", None)) is not None:
        vars(made)["parts"] = [build_checker(named_settings("checker", chosen), means, model)]
    return made


def build_embedder(chosen: str | Mapping[str, Any], means: Means, part: str) -> Embedder:
    """The embedder of a part.

    Args:
        chosen: its name, or the settings of one behind an endpoint, with `backend` for the name.
        means: what it works with.
        part: whose it is.

    Raises:
        ConfigError: a setting is wrong.
        MissingExtraError: what runs it is not installed.
    """
    if isinstance(chosen, str):
        return embedder_named(chosen)
    refuse(dict(chosen), EMBEDDER.setting)
    cls: Any = embedders.get(str(chosen.get("backend")))
    if cls.endpoint is None:
        mend = f"name it alone: {EMBEDDER.setting}={chosen['backend']}"
        raise ConfigError("is no endpoint, and has no settings", where=EMBEDDER.setting, mend=mend)
    model = cls.endpoint(convert(dict(chosen), cls.endpoint.settings_type, EMBEDDER.setting))
    found: Embedder = cls(means.ask(model, EMBEDDER, part))
    return found


def build_aggregator(settings: Mapping[str, Any]) -> Aggregator:
    """The aggregator that the settings name.

    Raises:
        ConfigError: a setting is wrong.
    """
    made: Aggregator = _built("aggregator", settings)
    return made


def named_settings(group: str, chosen: str | Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a part that is named outside a run's own: by its config, or by changes to it with its name.

    Raises:
        ConfigError: there is no such part.
    """
    from omegaconf import OmegaConf

    changes: dict[str, Any] = {"name": chosen} if isinstance(chosen, str) else dict(chosen)
    name = changes.get("method") or changes.get("name")
    if not isinstance(name, str):
        raise ConfigError("has no name", where=group, mend=f"name one of {', '.join(registry(group).names())}")
    model = changes.pop("model", None)
    asked = [f"{group}.model={model}"] if isinstance(model, str) else []
    composed = compose([f"{group}={name}", *asked])
    for key, value in changes.items():
        if OmegaConf.is_missing(composed[group], key):
            composed[group][key] = value
    usual: dict[str, Any] = getattr(from_omegaconf(composed), group)
    if isinstance(model, Mapping):
        changes["model"] = {**({} if "backend" in model else usual.get("model", {})), **model}
    return {**usual, **changes}


def asked_models(part: Part) -> Iterator[Model]:
    """The models that a part asks, and those of the parts that it is made of."""
    if part.model is not None:
        yield part.model
    for inner in getattr(part, "parts", ()):
        yield from asked_models(inner)


def described(part: Part) -> str:
    """The name of a part, with those of the models that it asks: `llm (gpt-4o-mini)`."""
    asked = ", ".join(dict.fromkeys(model.name for model in asked_models(part)))
    return f"{part.settings.name} ({asked})" if asked else str(part.settings.name)


def _built(group: str, settings: Mapping[str, Any]) -> Any:
    cls = registry(group).get(settings.get("method") or settings["name"])
    return cls(convert(dict(settings), cls.settings_type, group))


def _equipped(group: str, settings: Mapping[str, Any], means: Means, model: Model | None) -> Any:
    """A part with the model that it asks and the graph that it reads."""
    part, role = _built(group, settings), PARTS[group]
    part.problems = means.problems
    named = getattr(part.settings, "model", None)
    if model is None and isinstance(named, Mapping):
        with settings_of(role, named):
            model = build_model(dict(named), role.setting)
    if model is not None and named is not None:
        part.model = model
    if part.model is not None:
        part.ask = means.ask(part.model, role, part.settings.name)
    if part.wants_graph:
        part.graph = means.graph
    return part


def in_words_of(role: Role, text: str, settings: Mapping[str, Any]) -> str:
    """What a model says of its settings, of those of a role: `judge.path` for `model.path`."""
    if settings["backend"] not in models.names():  # a service that a part calls speaks of the part's own
        return text
    names = "|".join(models.get(settings["backend"]).settings_type.__struct_fields__)
    text = re.sub(rf"(?<![\w/@.-])model(?=\.(?:{names})\b|: )", role.setting, text)
    return re.sub(r"(?<![\w/@.-])model(?==)", role.chooser, text)


@contextmanager
def settings_of(role: Role, settings: Mapping[str, Any]) -> Iterator[None]:
    """Has errors speak of the settings of a role, where a model speaks of its own."""
    try:
        yield
    except FactprobeError as error:
        error.reword(lambda text: in_words_of(role, text, settings))
        raise
