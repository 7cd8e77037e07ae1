"""Factories of graph, generator, model and judges, and the roles of models, whose settings errors name."""

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
from factprobe.question_types import RANKED
from factprobe.records import VERDICTS
from factprobe.secrecy import refuse
from factprobe.storage import Problems

log = logging.getLogger(__name__)


class Role(NamedTuple):
    """Role of a model other than the examined one."""

    setting: str
    """Prefix of the model's settings."""
    chooser: str
    """Setting that names the model."""


JUDGE = Role("judge", "model@judge")
PHRASER = Role("generator.model", "generator.model")
EMBEDDERS = {group: Role(f"{group}.embedder", f"{group}.embedder") for group in ("checker", "detector")}
"""Roles of embedders, by the group of components that use them."""


def warn_if_tiny(role: Role, model: Model) -> None:
    """Warn if a model is known to be too small for a role."""
    if model.is_tiny():
        what = "%s: %s is too small for this, and mostly wrong; name another model, e.g. %s=openai"
        log.warning(what, role.setting, model.name, role.chooser)


def in_words_of(role: Role, text: str, backend: str) -> str:
    """Replace the settings in a model's error by those of its role, such as `model.path` by `judge.path`."""
    if backend not in models.names():  # a service that a part calls speaks of the part's own
        return text
    names = "|".join(models.get(backend).settings_type.__struct_fields__)
    text = re.sub(rf"(?<![\w/@.-])model(?=\.(?:{names})\b|: )", role.setting, text)
    return re.sub(r"(?<![\w/@.-])model(?==)", role.chooser, text)


@contextmanager
def settings_of(role: Role, backend: str) -> Iterator[None]:
    """Let the errors of a model with this backend name the settings of its role."""
    try:
        yield
    except FactprobeError as error:
        error.reword(lambda text: in_words_of(role, text, backend))
        raise


def build_kg(config: KgConfig, problems: Problems | None = None) -> Graph:
    """Build the graph that the settings name."""
    return kgs.get(config.adapter or config.name)(data_dir(config), config.name, problems, config)


def build_generator(
    settings: dict[str, Any], seed: int = 0, limit: int | None = None, model: Model | None = None
) -> Generator:
    """Build the generator that the settings name.

    Args:
        settings: The settings of its class.
        seed: The seed of all random choices.
        limit: The maximum number of triplets of each relation to ask about.
        model: The model that the generator asks; by default the one in its settings.

    Raises:
        ConfigError: A setting is wrong.
    """
    cls = generators.get(settings.get("method") or settings["name"])
    made = cls(convert(settings, cls.settings_type, "generator"), seed, limit)
    named = getattr(made.settings, "model", None)
    if model is None and named is not None:
        with settings_of(PHRASER, named["backend"]):
            model = build_model(named, PHRASER.setting)
    made.model = model
    return made


def check_generator(config: RunConfig) -> None:
    """Check, before the run begins, that questions can be made and the paraphrasing model can be called.

    Raises:
        ConfigError: A setting is wrong or missing.
    """
    made = build_generator(config.generator, config.seed, config.limit)
    if made.model is not None:
        with settings_of(PHRASER, config.generator["model"]["backend"]):
            check_calls(made.model, config)


def build_model(settings: dict[str, Any], where: str = "model") -> Model:
    """Build the model that the settings name, without loading it.

    Raises:
        ConfigError: A setting is wrong, or contains a secret.
    """
    refuse(settings, where)
    cls = models.get(settings["backend"])
    return cls(convert(settings, cls.settings_type, where))


def build_judges(config: RunConfig) -> list[Model]:
    """Build the judge once for each sample, each with another `repeat`; return an empty list without a judge.

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
    """Check, before the run begins, that a model can be called.

    Raises:
        ConfigError: A key is missing, or the cost is limited and the price is unknown.
    """
    from factprobe.asking.job import price_of  # what calls need takes a while to load

    price_of(model, config.max_cost_usd)
    if not config.dry_run:
        model.check()


def check_judge_rules(config: RunConfig) -> None:
    """Check that `judge_rules` names verdicts, rules of the evaluators, or `unsure`.

    Raises:
        UnknownNameError: A name is none of these.
    """
    if config.judge is None or not config.judged_rules:
        return
    from factprobe.evaluators import Evaluator, evaluators  # what they read with takes a while to load
    from factprobe.evaluators.answered_questions import OPEN_ANSWER
    from factprobe.evaluators.judge import UNSURE
    from factprobe.evaluators.reference.rules import MODEL

    names = {*config.evaluator.by_type().values(), RANKED.evaluator}
    if config.step == "grade":
        names.add(OPEN_ANSWER)
    used = [evaluators.get(name) for name in names]
    if any(cls.judge is not Evaluator.judge for cls in used):
        return  # what is not made of rules may name any
    known = {*VERDICTS, UNSURE, *(rule.name for cls in used for rule in (*cls.opening, *cls.rules))}
    if OPEN_ANSWER in names:
        known.add(MODEL)
    for name in config.judged_rules:
        if name not in known:
            raise UnknownNameError("verdict or rule", name, known, where="judge_rules")
