"""Components of the steps on texts: claim extractor, checker, retriever, detector."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from factprobe.checkers.aggregators import Aggregator
from factprobe.checkers.base import Checker
from factprobe.claims.base import ClaimExtractor, format_of
from factprobe.components.base import Component
from factprobe.config import RunConfig
from factprobe.detectors.base import Detector
from factprobe.errors import ConfigError
from factprobe.factories import (
    COMPONENT_ROLES,
    NO_DEPENDENCIES,
    Dependencies,
    asked_models,
    build_component,
    check_calls,
    describe_component,
    settings_of,
    warn_if_tiny,
)
from factprobe.progress import say
from factprobe.retrievers import Retriever


class Components(NamedTuple):
    """Components of a step; None for one that the step does not use, or for a retriever that is not named."""

    extractor: ClaimExtractor | None = None
    checker: Checker | None = None
    aggregator: Aggregator | None = None
    retriever: Retriever | None = None
    detector: Detector | None = None

    @classmethod
    def of(cls, config: RunConfig, groups: Iterable[str], dependencies: Dependencies) -> Components:
        """Build the components of some groups of settings.

        Raises:
            ConfigError: A required component is not named, or a setting is wrong.
        """
        found = {}
        for group in (group for group in groups if group in (*COMPONENT_ROLES, "aggregator")):
            settings = getattr(config, group)
            if settings is None and group != "retriever":
                raise ConfigError("is not set", where=group, hint=f"choose one with {group}=NAME")
            found[group.removeprefix("claim_")] = settings and build_component(group, settings, dependencies)
        return cls(**found)

    @property
    def by_setting(self) -> dict[str, Component]:
        """Components that may ask a model."""
        every = {group: getattr(self, group.removeprefix("claim_")) for group in COMPONENT_ROLES}
        return {group: component for group, component in every.items() if component is not None}

    def asked(self) -> dict[str, list[str]]:
        """Return the names of the models that extractor and checker ask, by setting."""
        found = {group: [model.name for model in asked_models(one)] for group, one in self.by_setting.items()}
        return {group: found[group] for group in ("claim_extractor", "checker") if found.get(group)}

    @property
    def files(self) -> list[Path]:
        """Files that the retriever read, for the manifest."""
        return [*self.retriever.files] if self.retriever else []

    @property
    def left_out(self) -> dict[str, int]:
        """Number of claims on which each member of a combined checker had no vote, by its name."""
        return {**self.checker.left_out} if self.checker else {}


def check_components(config: RunConfig, groups: Iterable[str]) -> None:
    """Build the components, check that their models can be called, and print the names of these models."""
    components = Components.of(config, groups, NO_DEPENDENCIES)
    format_of(components.extractor, config.claim_format)
    asked = []
    for group, component in components.by_setting.items():
        models = [*asked_models(component)]
        for model in () if component.may_ask_nobody else models:
            with settings_of(COMPONENT_ROLES[group], model.settings.backend):
                check_calls(model, config)
        if models:
            asked.append(f"{group} {describe_component(component)}")
            for model in () if component.wants_probabilities else models:
                warn_if_tiny(COMPONENT_ROLES[group], model)
    if asked:
        say(f"asked by {config.step}: {', '.join(asked)}")
