"""Controller of the check page, which extracts claims, retrieves references, checks claims and finds their places."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from msgspec.structs import replace

from factprobe.app.model_calls import ModelCalls
from factprobe.checkers import Checker
from factprobe.checkers.localisation import localise
from factprobe.checkers.text_checking import check_texts
from factprobe.claims.base import ClaimExtractor, format_of
from factprobe.config import RunConfig, known_names
from factprobe.errors import ConfigError
from factprobe.factories import Dependencies, build_component, named_settings
from factprobe.models.embedders import Embedder, get_embedder
from factprobe.records import CheckedText, ClaimedText, Item
from factprobe.relations import RunFacts
from factprobe.retrievers import Retriever


class CheckController:
    """Controller of the check page; it builds each component once, and asks their models through `model_calls`."""

    def __init__(self, config: RunConfig, model_calls: ModelCalls) -> None:
        self.config = config
        self._dependencies = Dependencies(RunFacts(config).summaries, model_calls.asker_of)
        self._parts: dict[tuple[str, str], Any] = {}

    @cached_property
    def _embedder(self) -> Embedder:
        return get_embedder(self.config.embedder)

    def names(self, group: str, first: str | None = None) -> list[str]:
        """List the choices of a group such as `checker`; the run's choice, or else `first`, precedes the others."""
        chosen = getattr(self.config, group)
        own = chosen["name"] if chosen else first
        return list(dict.fromkeys([*([own] if own else []), *known_names(group)]))

    def extract(self, text: Item, extractor: str) -> ClaimedText:
        """Extract the claims of the text; raise a `FactprobeError` if the extractor cannot be built, or fails."""
        component: ClaimExtractor = self._get_component("claim_extractor", extractor)
        format_ = self.config.claim_format
        [claimed] = component.extract([text], format_of(component, format_ if format_ in component.formats else None))
        return claimed

    def retrieve(self, text: ClaimedText, retriever: str) -> tuple[str, ...]:
        """Retrieve passages for a text, the best first; raise a `FactprobeError` if the retriever fails."""
        component: Retriever = self._get_component("retriever", retriever)
        [passages] = component.retrieve([text])
        return passages

    def check(self, text: ClaimedText, checker: str, aggregator: str) -> CheckedText:
        """Check each claim, and aggregate the verdicts.

        Raises:
            FactprobeError: The checker cannot be built, or its model gives no answer.
            ConfigError: The checker needs a reference, and the text has none.
        """
        component: Checker = self._get_component("checker", checker)
        if component.wants_references and not text.item.references:
            raise ConfigError("there is no reference yet", hint="write or retrieve one, or let the graph check")
        [checked] = check_texts([text], component, self._get_component("aggregator", aggregator))
        return checked

    def ignores_references(self, text: Item, checker: str) -> bool:
        """Return whether the text has references that the checker does not read."""
        component: Checker = self._get_component("checker", checker)
        return bool(text.references) and not component.reads_references

    def localise(self, text: CheckedText) -> CheckedText:
        """Add the places of the claims: the spans of text and references that are nearest to each.

        Raises:
            MissingExtraError: The package that makes embeddings is not installed.
            ModelError: The embedding model cannot be loaded.
            ConfigError: No embedder is set.
        """
        if self.config.embedder == "none":
            what = "is none, and places are found by embeddings"
            raise ConfigError(what, where="embedder", hint="set embedder=wordllama, or another one")
        [places] = localise([text.claimed], self._embedder, self.config.localise_threshold)
        return replace(text, locations=places)

    def _get_component(self, group: str, name: str) -> Any:
        if (group, name) not in self._parts:
            own = getattr(self.config, group)
            settings = own if own and own["name"] == name else named_settings(group, name)
            self._parts[group, name] = build_component(group, settings, self._dependencies)
        return self._parts[group, name]
