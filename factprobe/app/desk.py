"""What the page of the check does: claims, references, verdicts, and where each claim stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

from msgspec.structs import replace

from factprobe.app.asking import Asking
from factprobe.build import (
    Means,
    build_aggregator,
    build_checker,
    build_claim_extractor,
    build_retriever,
    named_settings,
)
from factprobe.checkers.texts import assert_checkable, check_texts
from factprobe.claims.localisation import localise
from factprobe.config import RunConfig, known_names
from factprobe.errors import ConfigError
from factprobe.models.embedders import Embedder, embedder_named
from factprobe.records import Checked, Claimed, Item
from factprobe.relations import GraphFacts

T = TypeVar("T")


class Desk:
    """The parts of a check by their names; each is built once.

    Args:
        config: the run's settings.
        asking: how the models of the parts are asked.
    """

    def __init__(self, config: RunConfig, asking: Asking) -> None:
        self.config = config
        self._means = Means(GraphFacts(config).summaries, asking.of)
        self._parts: dict[tuple[str, str], Any] = {}

    @cached_property
    def _embedder(self) -> Embedder:
        return embedder_named(self.config.embedder)

    def names(self, group: str, first: str | None = None) -> list[str]:
        """What there is to choose from of a group, as `checker`; the run's own is first, else the one that is named."""
        chosen = getattr(self.config, group)
        own = chosen["name"] if chosen else first
        return list(dict.fromkeys([*([own] if own else []), *known_names(group)]))

    def extract(self, text: Item, extractor: str) -> Claimed:
        """The text with its claims.

        Raises:
            FactprobeError: the extractor cannot be built, or its model gives no answer.
        """
        part = self._part("claim_extractor", extractor, lambda settings: build_claim_extractor(settings, self._means))
        claim_format = self.config.claim_format
        if claim_format is None or claim_format not in part.formats:
            claim_format = part.formats[0]
        [found] = part.extract([text], claim_format)
        return found

    def retrieve(self, text: Claimed, retriever: str) -> tuple[str, ...]:
        """Passages for a text, the best first; none where nothing is found.

        Raises:
            FactprobeError: the retriever cannot be built, or its service gives no answer.
        """
        part = self._part("retriever", retriever, lambda settings: build_retriever(settings, self._means))
        [found] = part.retrieve([text])
        return found

    def check(self, text: Claimed, checker: str, aggregator: str) -> Checked:
        """The text with a verdict on each claim, and what they say of it.

        Raises:
            FactprobeError: the checker cannot be built, wants references that are not there, or gets no answer.
        """
        part = self._part("checker", checker, lambda settings: build_checker(settings, self._means))
        assert_checkable([text.item], part, None)
        [found] = check_texts([text], part, self._part("aggregator", aggregator, build_aggregator))
        return found

    def localise(self, text: Checked) -> Checked:
        """The text with the places where its claims stand.

        Raises:
            MissingExtraError: what makes embeddings is not installed.
            ModelError: the model of the embeddings cannot be loaded.
        """
        if self.config.embedder == "none":
            raise ConfigError("is none, and places are found by embeddings", where="embedder", mend="set another one")
        [places] = localise([text.claimed], self._embedder, self.config.localise_threshold)
        return replace(text, locations=places)

    def _part(self, group: str, name: str, build: Callable[[Mapping[str, Any]], T]) -> T:
        if (group, name) not in self._parts:
            own = getattr(self.config, group)
            self._parts[group, name] = build(own if own and own["name"] == name else named_settings(group, name))
        found: T = self._parts[group, name]
        return found
