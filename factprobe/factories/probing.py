"""Factories of graph, generator, model and judges, and the roles that models can have."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from factprobe.config import KgConfig, RunConfig, convert, data_dir
from factprobe.errors import FactprobeError, UnknownNameError
from factprobe.generators import Generator, generators
from factprobe.kgs import Graph, kgs
from factprobe.models import Model, models
from factprobe.models.base import check_samples_differ
from factprobe.records import VERDICTS
from factprobe.secrecy import refuse
from factprobe.storage import Problems

log = logging.getLogger(__name__)


class Role(NamedTuple):
    """Role of a model other than the examined one, such as judge; errors name the settings of the role."""

    setting: str
    """Prefix of the settings of a model in this role, such as `judge`."""
    chooser: str
    """Setting that names a model in this role, such as `model@judge`."""


JUDGE = Role("judge", "model@judge")
PHRASER = Role("generator.model", "generator.model")
EMBEDDERS = {group: Role(f"{group}.embedder", f"{group}.embedder") for group in ("checker", "detector")}
"""Role of the embedder that a component uses, by the group of the component."""


def warn_if_tiny(role: Role, model: Model) -> None:
    """Warn if a model is known to be too small for a role."""
    if model.is_tiny():
        what = "%s: %s is too small for this, and mostly wrong; name another model, e.g. %s=openai"
        log.warning(what, role.setting, model.name, role.chooser)


def in_words_of(role: Role, text: str, backend: str) -> str:
    """Replace settings in the error of a model by the settings of its role, such as `model.path` by `judge.path`."""
    if backend not in models.names():  # a service, whose errors name the component's settings
        return text
    names = "|".join(models.get(backend).settings_type.__struct_fields__)
    text = re.sub(rf"(?<![\w/@.-])model(?=\.(?:{names})\b|: )", role.setting, text)
    return re.sub(r"(?<![\w/@.-])model(?==)", role.chooser, text)


@contextmanager
def settings_of(role: Role, backend: str) -> Iterator[None]:
    """Make errors in the block name the settings of a role, if they name settings of a model with this backend."""
    try:
        yield
    except FactprobeError as error:
        error.reword(lambda text: in_words_of(role, text, backend))
        raise


def build_kg(config: KgConfig, problems: Problems | None = None, name: str = "") -> Graph:
    """Build the graph of the settings, under their name or another one."""
    return kgs.get(config.adapter or config.name)(data_dir(config), name or config.name, problems, config)


def build_generator(
    settings: dict[str, Any], seed: int = 0, limit: int | None = None, model: Model | None = None
) -> Generator:
    """Build the generator that the settings name; it asks `model`, by default the one in its settings.

    Its questions are about at most `limit` triplets of each relation.

    Raises:
        ConfigError: A setting is wrong.
    """
    cls = generators.get(settings.get("method") or settings["name"])
    generator = cls(convert(settings, cls.settings_type, "generator"), seed, limit)
    model_settings = getattr(generator.settings, "model", None)
    if model is None and model_settings is not None:
        with settings_of(PHRASER, model_settings["backend"]):
            model = build_model(model_settings, PHRASER.setting)
    generator.model = model
    return generator


def check_generator(config: RunConfig) -> None:
    """Raise a `ConfigError`, before the run, if a setting of the generator is wrong, or its model cannot be called."""
    generator = build_generator(config.generator, config.seed, config.limit)
    if generator.model is not None:
        with settings_of(PHRASER, config.generator["model"]["backend"]):
            check_calls(generator.model, config)


def build_model(settings: dict[str, Any], where: str = "model") -> Model:
    """Build a model without loading it; raise a `ConfigError` if a setting is wrong, or contains a secret."""
    refuse(settings, where)
    cls = models.get(settings["backend"])
    return cls(convert(settings, cls.settings_type, where))


def build_judges(config: RunConfig) -> list[Model]:
    """Build a model for each sample of the judge, each with another `repeat`; return an empty list without a judge.

    Raises:
        ConfigError: All samples would be the same, or the judge cannot be called.
    """
    if config.judge is None:
        return []
    repeat, samples = config.judge.get("repeat", 0), config.judge_samples
    check_samples_differ(samples, config.judge, "judge_samples", "judge", 0.7)
    with settings_of(JUDGE, config.judge["backend"]):
        judges = [build_model({**config.judge, "repeat": repeat + number}, "judge") for number in range(samples)]
        check_calls(judges[0], config)
    return judges


def check_calls(model: Model, config: RunConfig) -> None:
    """Raise a `ConfigError`, before the run, if a model has no key, or the cost is limited and the price unknown."""
    from factprobe.asking.job import price_of  # loads slowly

    price_of(model, config.max_cost_usd)
    if not config.dry_run:
        model.check()


def check_judge_rules(config: RunConfig) -> None:
    """Raise an `UnknownNameError` if `judge_rules` names no verdict, no rule of the evaluators and not `unsure`."""
    if config.judge is None or not config.judged_rules:
        return
    from factprobe.evaluators import Evaluator, evaluators  # loads slowly
    from factprobe.evaluators.answered_questions import OPEN_ANSWER
    from factprobe.evaluators.judge import UNSURE
    from factprobe.evaluators.reference.rules import BY_GRADING_MODEL

    names = {*config.evaluator.by_type().values(), "ranked"}
    if config.step == "grade":
        names.add(OPEN_ANSWER)
    used = [evaluators.get(name) for name in names]
    if any(cls.judge is not Evaluator.judge for cls in used):
        return  # an evaluator without rules may use any id
    allowed = {*VERDICTS, UNSURE, *(rule.name for cls in used for rule in (*cls.opening, *cls.rules))}
    if OPEN_ANSWER in names:
        allowed.add(BY_GRADING_MODEL)
    for name in config.judged_rules:
        if name not in allowed:
            raise UnknownNameError("verdict or rule", name, allowed, where="judge_rules")
