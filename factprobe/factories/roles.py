"""Roles of models other than the examined one, whose errors name their own settings."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from factprobe.errors import FactprobeError
from factprobe.models import Model, models

log = logging.getLogger(__name__)


class Role(NamedTuple):
    """Role of a model other than the examined one."""

    setting: str
    """Prefix of its settings."""
    chooser: str
    """Setting that names it."""


JUDGE = Role("judge", "model@judge")
PHRASER = Role("generator.model", "generator.model")
EMBEDDERS = {group: Role(f"{group}.embedder", f"{group}.embedder") for group in ("checker", "detector")}
"""Role of embedders."""


def warn_if_tiny(role: Role, model: Model) -> None:
    """Warn of a model that is known to be too small for a role."""
    if model.is_tiny():
        what = "%s: %s is too small for this, and mostly wrong; name another model, e.g. %s=openai"
        log.warning(what, role.setting, model.name, role.chooser)


def in_words_of(role: Role, text: str, settings: Mapping[str, Any]) -> str:
    """Replace the settings in an error by those of a role: `judge.path` for `model.path`."""
    if settings["backend"] not in models.names():  # a service that a part calls speaks of the part's own
        return text
    names = "|".join(models.get(settings["backend"]).settings_type.__struct_fields__)
    text = re.sub(rf"(?<![\w/@.-])model(?=\.(?:{names})\b|: )", role.setting, text)
    return re.sub(r"(?<![\w/@.-])model(?==)", role.chooser, text)


@contextmanager
def settings_of(role: Role, settings: Mapping[str, Any]) -> Iterator[None]:
    """Have errors name the settings of a role."""
    try:
        yield
    except FactprobeError as error:
        error.reword(lambda text: in_words_of(role, text, settings))
        raise
