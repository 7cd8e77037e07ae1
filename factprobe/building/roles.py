"""Models that are none of the examined ones, whose errors speak of their own settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from factprobe.errors import FactprobeError
from factprobe.models import models


class Role(NamedTuple):
    """A model that is none of the examined ones, whose errors speak of its own settings."""

    setting: str
    """What its settings stand under."""
    chooser: str
    """What names it."""


JUDGE = Role("judge", "model@judge")
PHRASER = Role("generator.model", "generator.model")
EMBEDDERS = {group: Role(f"{group}.embedder", f"{group}.embedder") for group in ("checker", "detector")}
"""Of the parts that go by the likeness of texts."""


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
