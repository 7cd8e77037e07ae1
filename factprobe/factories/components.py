"""Factories of the components of the free-text steps."""

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
"""Role of the model that each group of components asks, by the group's setting."""


class Dependencies(NamedTuple):
    """Dependencies of the components: graph, models and collector of problems."""

    graph: Callable[[], Iterable[RelationSummary]]
    """Function that returns the relations of the graph."""
    ask: Callable[[Model, Role, str], Ask]
    """Function that returns the `Ask` of a component, given its model, its role and its name."""
    problems: Problems | None = None
    """Collector of unreadable places in the files that components read."""
    is_graph_named: bool = False
    """True if the user names the graph."""


NO_DEPENDENCIES = Dependencies(list, lambda *_: lambda *_: ())
"""Dependencies of components that neither read a graph nor ask a model."""


def build_component(
    group: str, settings: Mapping[str, Any], dependencies: Dependencies = NO_DEPENDENCIES, model: Model | None = None
) -> Any:
    """Build the component that the settings name, with its members.

    Args:
        group: Setting of the component: a key of `COMPONENT_ROLES`, or `aggregator`.
        settings: Settings of the component's class.
        dependencies: Graph and function that asks models.
        model: Model that the component asks; by default the one in its settings.

    Raises:
        ConfigError: A setting is wrong, or two members have the same name.
    """
    cls = registry(group).get(settings.get("method") or settings["name"])
    made = cls(convert(dict(settings), cls.settings_type, group))
    if group in COMPONENT_ROLES:
        _add_dependencies(made, COMPONENT_ROLES[group], dependencies, model)
    if group in EMBEDDERS:
        _add_members(made, group, dependencies, model)
    return made


def build_embedder(chosen: str | Mapping[str, Any], dependencies: Dependencies, role: Role, user: str) -> Embedder:
    """Build the embedder of a component.

    Args:
        chosen: Name of the embedder, or the settings of one behind an endpoint, with its name as `backend`.
        dependencies: The graph and the function that asks models.
        role: The role of the embedder.
        user: The name of the component that uses it.

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
    found: Embedder = cls(dependencies.ask(model, role, user))
    return found


def named_settings(group: str, chosen: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a component, given the name of its config or changed settings with that name.

    Raises:
        ConfigError: There is no such component.
    """
    from omegaconf import OmegaConf

    changes: dict[str, Any] = {"name": chosen} if isinstance(chosen, str) else dict(chosen)
    name = changes.get("method") or changes.get("name")
    if not isinstance(name, str):
        raise ConfigError("has no name", where=group, hint=f"name one of {', '.join(registry(group).names())}")
    model = changes.pop("model", None)
    asked = [f"{group}.model={model}"] if isinstance(model, str) else []
    composed = compose([f"{group}={name}", *asked])
    for key, value in changes.items():
        if OmegaConf.is_missing(composed[group], key):
            composed[group][key] = value
    composed_settings: dict[str, Any] = getattr(from_omegaconf(composed), group)
    if isinstance(model, Mapping):
        changes["model"] = {**({} if "backend" in model else composed_settings.get("model", {})), **model}
    return {**composed_settings, **changes}


def asked_models(component: Component) -> Iterator[Model]:
    """Yield the models that a component and its members ask."""
    if component.model is not None:
        yield component.model
    for inner in getattr(component, "parts", ()):
        yield from asked_models(inner)


def describe_component(component: Component) -> str:
    """Return the name of a component with its models: `llm (gpt-4o-mini)`."""
    asked = ", ".join(dict.fromkeys(model.name for model in asked_models(component)))
    return f"{component.settings.name} ({asked})" if asked else str(component.settings.name)


def _raise_once_asked(error: FactprobeError, *_: object) -> NoReturn:
    """Raise the reason why a model cannot be built."""
    raise error


def _add_dependencies(component: Component, role: Role, dependencies: Dependencies, model: Model | None) -> None:
    """Set the model, the graph and the collector of problems of a component."""
    component.problems = dependencies.problems
    named = getattr(component.settings, "model", None)
    if model is None and isinstance(named, Mapping):
        try:
            with settings_of(role, str(named.get("backend"))):
                model = build_model(dict(named), role.setting)
        except FactprobeError as error:
            if not component.may_ask_nobody:
                raise
            component.ask = partial(_raise_once_asked, error)
    if model is not None and named is not None:
        component.model = model
    if component.model is not None:
        asked = TokenScorer(component.model) if component.wants_probabilities else component.model
        component.ask = dependencies.ask(asked, role, component.settings.name)
    if component.wants_graph or (component.wants_named_graph and dependencies.is_graph_named):
        component.graph = dependencies.graph


def _add_members(component: Any, group: str, dependencies: Dependencies, model: Model | None) -> None:
    """Build the checkers and the embedder that the settings of a checker or detector name, as its members."""
    chosen = getattr(component.settings, "checkers" if group == "checker" else "checker", None)
    members = [
        named_settings("checker", one) for one in ([chosen] if isinstance(chosen, str | Mapping) else chosen or ())
    ]
    names = [one["name"] for one in members]
    if len({*names}) < len(names):
        hint = "give each a name of its own: {name: other, method: llm}"
        raise ConfigError(f"two are called the same: {', '.join(names)}", where="checker.checkers", hint=hint)
    if members:
        component.parts = [build_component("checker", one, dependencies, model) for one in members]
    if (embedder := getattr(component.settings, "embedder", None)) is not None:
        build = partial(build_embedder, embedder, dependencies, EMBEDDERS[group], component.settings.name)
        component.embedder = build if group == "detector" else build()
