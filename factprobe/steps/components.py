"""Components of the steps on texts: claim extractor, checker, retriever, detector."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from factprobe.checkers.aggregators import Aggregator
from factprobe.checkers.base import Checker
from factprobe.claims.base import ClaimExtractor, format_of
from factprobe.components.base import Part
from factprobe.config import RunConfig
from factprobe.detectors.base import Detector
from factprobe.errors import ConfigError
from factprobe.factories import (
    NO_DEPENDENCIES,
    PARTS,
    Dependencies,
    asked_models,
    build_part,
    check_calls,
    described,
    settings_of,
    warn_if_tiny,
)
from factprobe.progress import say
from factprobe.retrievers import Retriever


class Parts(NamedTuple):
    """Components of a step; None for one that the step does not use, or for a retriever that is not named."""

    extractor: ClaimExtractor | None = None
    checker: Checker | None = None
    aggregator: Aggregator | None = None
    retriever: Retriever | None = None
    detector: Detector | None = None

    @classmethod
    def of(cls, config: RunConfig, groups: Iterable[str], dependencies: Dependencies) -> Parts:
        """Build the components of some groups of settings.

        Raises:
            ConfigError: A required component is not named, or a setting is wrong.
        """
        found = {}
        for group in (group for group in groups if group in (*PARTS, "aggregator")):
            settings = getattr(config, group)
            if settings is None and group != "retriever":
                raise ConfigError("is not set", where=group, hint=f"choose one with {group}=NAME")
            found[group.removeprefix("claim_")] = settings and build_part(group, settings, dependencies)
        return cls(**found)

    @property
    def by_setting(self) -> dict[str, Part]:
        """Components that may ask a model."""
        every = {group: getattr(self, group.removeprefix("claim_")) for group in PARTS}
        return {group: part for group, part in every.items() if part is not None}

    def asked(self) -> dict[str, list[str]]:
        """Return the names of the models that extractor and checker ask, by setting."""
        named = {group: part for group, part in self.by_setting.items() if group in ("claim_extractor", "checker")}
        return {group: names for group, part in named.items() if (names := [one.name for one in asked_models(part)])}

    @property
    def files(self) -> list[Path]:
        """Files that the retriever read, for the manifest."""
        return [*self.retriever.files] if self.retriever else []

    @property
    def left_out(self) -> dict[str, int]:
        """Number of claims on which each member of a combined checker had no vote, by its name."""
        return {**self.checker.left_out} if self.checker else {}


def check_parts(config: RunConfig, groups: Iterable[str]) -> None:
    """Check that the components can be built and their models called, and print the names of these models.

    Raises:
        ConfigError: A required component is not named, or a setting is wrong.
    """
    parts = Parts.of(config, groups, NO_DEPENDENCIES)
    format_of(parts.extractor, config.claim_format)
    asked = []
    for group, part in parts.by_setting.items():
        models = [*asked_models(part)]
        for model in () if part.may_ask_nobody else models:
            with settings_of(PARTS[group], model.settings.backend):
                check_calls(model, config)
        if models:
            asked.append(f"{group} {described(part)}")
            for model in () if part.wants_probabilities else models:
                warn_if_tiny(PARTS[group], model)
    if asked:
        say(f"asked by {config.step}: {', '.join(asked)}")
