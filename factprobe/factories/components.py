"""Components of the free-text steps, made from settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.config import compose, convert, from_omegaconf
from factprobe.errors import ConfigError, FactprobeError
from factprobe.factories.probing import build_model
from factprobe.factories.roles import EMBEDDERS, Role, settings_of
from factprobe.models import Model
from factprobe.models.embedders import Embedder, embedders, get_embedder
from factprobe.models.token_scorer import TokenScorer
from factprobe.records import PlainRequest, RelationSummary, Response
from factprobe.registry import registry
from factprobe.secrecy import refuse
from factprobe.storage import Problems

if TYPE_CHECKING:
    from factprobe.checkers import Aggregator, Checker
    from factprobe.claims import ClaimExtractor
    from factprobe.components.base import Ask, Part
    from factprobe.detectors import Detector
    from factprobe.retrievers import Retriever


PARTS = {
    group: Role(f"{group}.model", f"{group}.model") for group in ("claim_extractor", "checker", "retriever", "detector")
}
"""Groups of components by setting, with the role of the model that they ask."""


class Dependencies(NamedTuple):
    """Dependencies of the components."""

    graph: Callable[[], Iterable[RelationSummary]]
    """Function that returns the relations of the graph."""
    ask: Callable[[Model, Role, str], Ask]
    """Function that returns how the component of a name asks a model in a role."""
    problems: Problems | None = None
    """Collector of broken places in the files that components read."""
    is_graph_named: bool = False
    """True if the user names the graph."""


def build_claim_extractor(
    settings: Mapping[str, Any], dependencies: Dependencies, model: Model | None = None
) -> ClaimExtractor:
    """Build the claim extractor that the settings name.

    Args:
        settings: the settings of its class.
        dependencies: the graph and the function that asks models.
        model: the model that it asks; by default the one in its settings.

    Raises:
        ConfigError: a setting is wrong.
    """
    made: ClaimExtractor = _build_with_dependencies("claim_extractor", settings, dependencies, model)
    return made


def build_retriever(settings: Mapping[str, Any], dependencies: Dependencies) -> Retriever:
    """Build the retriever that the settings name.

    Raises:
        ConfigError: a setting is wrong.
    """
    made: Retriever = _build_with_dependencies("retriever", settings, dependencies, None)
    return made


def build_checker(settings: Mapping[str, Any], dependencies: Dependencies, model: Model | None = None) -> Checker:
    """Build the checker that the settings name, with its members.

    Args:
        settings: the settings of its class.
        dependencies: the graph and the function that asks models.
        model: the model that it asks; by default the one in its settings.

    Raises:
        ConfigError: a setting is wrong, or two of its members have the same name.
    """
    made: Checker = _build_with_dependencies("checker", settings, dependencies, model)
    if chosen := getattr(made.settings, "checkers", None):
        every = [named_settings("checker", one) for one in chosen]
        names = [one["name"] for one in every]
        if len({*names}) < len(names):
            hint = "give each a name of its own: {name: other, method: llm}"
            raise ConfigError(f"two are called the same: {', '.join(names)}", where="checker.checkers", hint=hint)
        vars(made)["parts"] = [build_checker(one, dependencies, model) for one in every]
    if (embedder := getattr(made.settings, "embedder", None)) is not None:
        vars(made)["embedder"] = build_embedder(embedder, dependencies, EMBEDDERS["checker"], made.settings.name)
    return made


def build_detector(settings: Mapping[str, Any], dependencies: Dependencies, model: Model | None = None) -> Detector:
    """Build the hallucination detector that the settings name.

    Args:
        settings: the settings of its class.
        dependencies: the graph and the function that asks models.
        model: the model that it asks; by default the one in its settings.

    Raises:
        ConfigError: a setting is wrong.
    """
    made: Detector = _build_with_dependencies("detector", settings, dependencies, model)
    if (embedder := getattr(made.settings, "embedder", None)) is not None:
        vars(made)["embedder"] = lambda: build_embedder(
            embedder, dependencies, EMBEDDERS["detector"], made.settings.name
        )
    if (chosen := getattr(made.settings, "checker", None)) is not None:
        vars(made)["parts"] = [build_checker(named_settings("checker", chosen), dependencies, model)]
    return made


def build_embedder(chosen: str | Mapping[str, Any], dependencies: Dependencies, role: Role, part: str) -> Embedder:
    """Build the embedder of a component.

    Args:
        chosen: the name, or the settings of an embedder behind an endpoint, with its name as `backend`.
        dependencies: the graph and the function that asks models.
        role: the role of the embedder.
        part: the name of the component that uses it.

    Raises:
        ConfigError: a setting is wrong.
        MissingExtraError: a package that it needs is not installed.
    """
    if isinstance(chosen, str):
        return get_embedder(chosen)
    refuse(dict(chosen), role.setting)
    cls: Any = embedders.get(str(chosen.get("backend")))
    if cls.endpoint is None:
        hint = f"name it alone: {role.setting}={chosen['backend']}"
        raise ConfigError("is no endpoint, and has no settings", where=role.setting, hint=hint)
    model = cls.endpoint(convert(dict(chosen), cls.endpoint.settings_type, role.setting))
    found: Embedder = cls(dependencies.ask(model, role, part))
    return found


def build_aggregator(settings: Mapping[str, Any]) -> Aggregator:
    """Build the aggregator that the settings name.

    Raises:
        ConfigError: a setting is wrong.
    """
    made: Aggregator = _build_component("aggregator", settings)
    return made


def build_part(group: str, settings: Mapping[str, Any], dependencies: Dependencies) -> Any:
    """Build the component of a group in `PARTS`, or the aggregator, that the settings name.

    Raises:
        ConfigError: a setting is wrong.
    """
    if group == "aggregator":
        return build_aggregator(settings)
    built: dict[str, Callable[[Mapping[str, Any], Dependencies], Any]] = {
        "claim_extractor": build_claim_extractor,
        "checker": build_checker,
        "retriever": build_retriever,
        "detector": build_detector,
    }
    return built[group](settings, dependencies)


def named_settings(group: str, chosen: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a component named by its config, or by changed settings with its name.

    Raises:
        ConfigError: there is no such component.
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
    usual: dict[str, Any] = getattr(from_omegaconf(composed), group)
    if isinstance(model, Mapping):
        changes["model"] = {**({} if "backend" in model else usual.get("model", {})), **model}
    return {**usual, **changes}


def asked_models(part: Part) -> Iterator[Model]:
    """Return the models that a component and its members ask."""
    if part.model is not None:
        yield part.model
    for inner in getattr(part, "parts", ()):
        yield from asked_models(inner)


def described(part: Part) -> str:
    """Return the name of a component with its models: `llm (gpt-4o-mini)`."""
    asked = ", ".join(dict.fromkeys(model.name for model in asked_models(part)))
    return f"{part.settings.name} ({asked})" if asked else str(part.settings.name)


def _build_component(group: str, settings: Mapping[str, Any]) -> Any:
    cls = registry(group).get(settings.get("method") or settings["name"])
    return cls(convert(dict(settings), cls.settings_type, group))


class _Unbuilt:
    """A model that cannot be built; raises the reason once it is asked."""

    def __init__(self, error: FactprobeError) -> None:
        self._error = error

    def __call__(self, what: str, requests: Iterable[PlainRequest]) -> Sequence[Response]:  # noqa: ARG002
        raise self._error


def _build_with_dependencies(
    group: str, settings: Mapping[str, Any], dependencies: Dependencies, model: Model | None
) -> Any:
    """Give a component its model and its graph."""
    part, role = _build_component(group, settings), PARTS[group]
    part.problems = dependencies.problems
    named = getattr(part.settings, "model", None)
    if model is None and isinstance(named, Mapping):
        try:
            with settings_of(role, named):
                model = build_model(dict(named), role.setting)
        except FactprobeError as error:
            if not part.may_ask_nobody:
                raise
            part.ask = _Unbuilt(error)
    if model is not None and named is not None:
        part.model = model
    if part.model is not None:
        asked = TokenScorer(part.model) if part.wants_probabilities else part.model
        part.ask = dependencies.ask(asked, role, part.settings.name)
    if part.wants_graph or (part.wants_named_graph and dependencies.is_graph_named):
        part.graph = dependencies.graph
    return part
