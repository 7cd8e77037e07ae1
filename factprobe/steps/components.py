"""Components of the free-text steps: claim extractor, checker, aggregator, retriever, detector."""

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
    """Components of a step; one that the step does not use, or a retriever that is not set, is None."""

    extractor: ClaimExtractor | None = None
    checker: Checker | None = None
    aggregator: Aggregator | None = None
    retriever: Retriever | None = None
    detector: Detector | None = None

    @classmethod
    def of(cls, config: RunConfig, groups: Iterable[str], dependencies: Dependencies) -> Components:
        """Build the components of some groups; a `ConfigError` is raised if one is wrong, or a needed one unset."""
        components = {}
        for group in (group for group in groups if group in (*COMPONENT_ROLES, "aggregator")):
            settings = getattr(config, group)
            if settings is None and group != "retriever":
                raise ConfigError("is not set", where=group, hint=f"choose one with {group}=NAME")
            components[group.removeprefix("claim_")] = settings and build_component(group, settings, dependencies)
        return cls(**components)

    @property
    def by_setting(self) -> dict[str, Component]:
        """Components that may ask a model, by their setting."""
        components = {group: getattr(self, group.removeprefix("claim_")) for group in COMPONENT_ROLES}
        return {group: component for group, component in components.items() if component is not None}

    def model_names(self) -> dict[str, list[str]]:
        """Return the names of the models that claim extractor and checker ask, by setting of the component."""
        asking = {name: part for name, part in self.by_setting.items() if name in ("claim_extractor", "checker")}
        names = {group: [model.name for model in asked_models(component)] for group, component in asking.items()}
        return {group: models for group, models in names.items() if models}

    @property
    def files(self) -> list[Path]:
        """Paths of the files that the retriever has read, for the manifest."""
        return [*self.retriever.files] if self.retriever else []

    @property
    def left_out(self) -> dict[str, int]:
        """Number of claims on which a voting checker has no verdict, by its name; empty for a single checker."""
        return {**self.checker.left_out} if self.checker else {}


def check_components(config: RunConfig, groups: Iterable[str]) -> None:
    """Build the components, check that their models can be called, and print the names of these models."""
    components = Components.of(config, groups, NO_DEPENDENCIES)
    format_of(components.extractor, config.claim_format)
    descriptions = []
    for group, component in components.by_setting.items():
        models = [*asked_models(component)]
        for model in () if component.model_is_optional else models:
            with settings_of(COMPONENT_ROLES[group], model.settings.backend):
                check_calls(model, config)
        if models:
            descriptions.append(f"{group} {describe_component(component)}")
            for model in () if component.wants_probabilities else models:
                warn_if_tiny(COMPONENT_ROLES[group], model)
    if descriptions:
        say(f"asked by {config.step}: {', '.join(descriptions)}")
