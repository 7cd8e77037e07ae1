"""Factories of components: claim extractors, checkers, aggregators, retrievers, detectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from factprobe.config import compose, convert, from_omegaconf
from factprobe.errors import ConfigError, FactprobeError
from factprobe.factories.probing import EMBEDDERS, Role, build_model, settings_of
from factprobe.models import Model
from factprobe.models.embedders import Embedder, embedders, get_embedder
from factprobe.models.token_scorer import TokenScorer
from factprobe.records import RelationSummary
from factprobe.registry import registry
from factprobe.secrecy import refuse
from factprobe.storage import Problems

if TYPE_CHECKING:
    from factprobe.components.base import Ask, Component


COMPONENT_ROLES = {
    group: Role(f"{group}.model", f"{group}.model") for group in ("claim_extractor", "checker", "retriever", "detector")
}
"""Role of the model that a component asks, by the group of the component."""


class Dependencies(NamedTuple):
    """Objects of the run that components use: graph, models and collector of problems."""

    graph: Callable[[], Iterable[RelationSummary]]
    """Function that returns the summaries of the relations of the graph."""
    ask: Callable[[Model, Role, str], Ask]
    """Function from a model, its role and the name of the component to a function that asks this model."""
    problems: Problems | None = None
    """Collector of broken records in the files that components read."""
    is_graph_named: bool = False
    """True if the user has named a graph, so that it is not the default one."""


NO_DEPENDENCIES = Dependencies(list, lambda *_: lambda *_: ())
"""Value for components that neither read a graph nor ask a model."""


def build_component(
    group: str, settings: Mapping[str, Any], dependencies: Dependencies = NO_DEPENDENCIES, model: Model | None = None
) -> Any:
    """Build the component of a group, such as `checker`, that the settings name, and the components that it uses.

    It asks `model`, by default the one in its settings.

    Raises:
        ConfigError: A setting is wrong, or two checkers that it uses have the same name.
    """
    cls = registry(group).get(settings.get("method") or settings["name"])
    component = cls(convert(dict(settings), cls.settings_type, group))
    if group in COMPONENT_ROLES:
        _add_dependencies(component, COMPONENT_ROLES[group], dependencies, model)
    if group in EMBEDDERS:
        _add_members(component, group, dependencies, model)
    return component


def build_embedder(chosen: str | Mapping[str, Any], dependencies: Dependencies, role: Role, user: str) -> Embedder:
    """Build the embedder that a component (`user`) has for a role.

    `chosen` is its name; or its settings, with its name as `backend`, if it calls an endpoint.

    Raises:
        ConfigError: A setting is wrong.
        MissingExtraError: A package that the embedder needs is not installed.
    """
    if isinstance(chosen, str):
        return get_embedder(chosen)
    refuse(dict(chosen), role.setting)
    cls: Any = embedders.get(str(chosen.get("backend")))
    if cls.endpoint is None:
        hint = f"name it alone: {role.setting}={chosen['backend']}"
        raise ConfigError("is no endpoint, and has no settings", where=role.setting, hint=hint)
    model = cls.endpoint(convert(dict(chosen), cls.endpoint.settings_type, role.setting))
    embedder: Embedder = cls(dependencies.ask(model, role, user))
    return embedder


def named_settings(group: str, chosen: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings of a component, given its name and changes; raise a `ConfigError` if there is none."""
    from omegaconf import OmegaConf

    changes: dict[str, Any] = {"name": chosen} if isinstance(chosen, str) else dict(chosen)
    name = changes.get("method") or changes.get("name")
    if not isinstance(name, str):
        raise ConfigError("has no name", where=group, hint=f"name one of {', '.join(registry(group).names())}")
    model = changes.pop("model", None)
    overrides = [f"{group}.model={model}"] if isinstance(model, str) else []
    composed = compose([f"{group}={name}", *overrides])
    for key, value in changes.items():
        if OmegaConf.is_missing(composed[group], key):
            composed[group][key] = value
    composed_settings: dict[str, Any] = getattr(from_omegaconf(composed), group)
    if isinstance(model, Mapping):
        changes["model"] = {**({} if "backend" in model else composed_settings.get("model", {})), **model}
    return {**composed_settings, **changes}


def asked_models(component: Component) -> Iterator[Model]:
    """Yield the models that a component and the components in it ask."""
    if component.model is not None:
        yield component.model
    for inner in getattr(component, "parts", ()):
        yield from asked_models(inner)


def describe_component(component: Component) -> str:
    """Return the name of a component with the names of its models, such as `llm (gpt-4o-mini)`."""
    names = ", ".join(dict.fromkeys(model.name for model in asked_models(component)))
    return f"{component.settings.name} ({names})" if names else str(component.settings.name)


def _raise_once_asked(error: FactprobeError, *_: object) -> NoReturn:
    """Raise an error; used in place of a function that asks a model which could not be built."""
    raise error


def _add_dependencies(component: Component, role: Role, dependencies: Dependencies, model: Model | None) -> None:
    """Set the attributes of a component for model, graph and collector of problems."""
    component.problems = dependencies.problems
    model_settings = getattr(component.settings, "model", None)
    if model is None and isinstance(model_settings, Mapping):
        try:
            with settings_of(role, str(model_settings.get("backend"))):
                model = build_model(dict(model_settings), role.setting)
        except FactprobeError as error:
            if not component.model_is_optional:
                raise
            component.ask = partial(_raise_once_asked, error)
    if model is not None and model_settings is not None:
        component.model = model
    if component.model is not None:
        requested = TokenScorer(component.model) if component.wants_probabilities else component.model
        component.ask = dependencies.ask(requested, role, component.settings.name)
    if component.wants_graph or (component.wants_named_graph and dependencies.is_graph_named):
        component.graph = dependencies.graph


def _add_members(component: Any, group: str, dependencies: Dependencies, model: Model | None) -> None:
    """Build the checkers and the embedder that a checker or detector uses, and set them as its attributes."""
    chosen = getattr(component.settings, "checkers" if group == "checker" else "checker", None)
    members = [
        named_settings("checker", item) for item in ([chosen] if isinstance(chosen, str | Mapping) else chosen or ())
    ]
    names = [member["name"] for member in members]
    if len({*names}) < len(names):
        hint = "give each a name of its own: {name: other, method: llm}"
        raise ConfigError(f"two are called the same: {', '.join(names)}", where="checker.checkers", hint=hint)
    if members:
        component.parts = [build_component("checker", one, dependencies, model) for one in members]
    if (embedder := getattr(component.settings, "embedder", None)) is not None:
        build = partial(build_embedder, embedder, dependencies, EMBEDDERS[group], component.settings.name)
        component.embedder = build if group == "detector" else build()
