"""Choice of the facts to ask about, and popularity of their subjects."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta

from factprobe.config import Filled, path_of
from factprobe.errors import ConfigError, DataError
from factprobe.generators.base import Ends, GeneratorSettings, Survey
from factprobe.generators.sampling.counts import read_counts
from factprobe.generators.sampling.draw import Draw, Stratum
from factprobe.records import Popularity, Relation

F = TypeVar("F", bound=Ends)
log = logging.getLogger(__name__)

Stratifier = Literal["relation", "type", "popularity"]
USUAL_STRATA: tuple[Stratifier, ...] = ("relation", "popularity")


class ChoiceSettings(GeneratorSettings, frozen=True, kw_only=True):
    """Settings of the choice of facts."""

    sample: Literal["uniform", "stratified", "head_tail"] | None = None
    """Ask about a sample of `sample_size` facts: each equally likely (`uniform`), equally many of each stratum
    (`stratified`, see `sample_by`), or equally many of popular, middling and rare subjects (`head_tail`); by default
    about all facts."""
    sample_size: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    """Number of facts, over all relations."""
    sample_by: Annotated[tuple[Stratifier, ...], Meta(min_length=1)] = USUAL_STRATA
    """Properties that define a stratum: relation, its type (1-1, N-M), popularity of the subject."""
    popularity: Filled | None = None
    """File of the popularity of entities, e.g. page views: CSV with the columns `uri` and `count`, JSON Lines or
    Parquet; by default the number of facts counts."""


class FactChoice:
    """Chosen facts, and the popularity of their subjects.

    Args:
        settings: those of the generator.
        seed: of the sample.
        limit: take the first so many facts of each relation only; a sample is one of these.

    Raises:
        ConfigError: a sample has no size, or a size no sample.
    """

    def __init__(self, settings: ChoiceSettings, seed: int, limit: int | None) -> None:
        if settings.sample and settings.sample_size is None:
            hint = "set generator.sample_size=1000, or as many facts as are to be drawn"
            raise ConfigError("has no size", where=f"generator.sample={settings.sample}", hint=hint)
        if settings.sample_size is not None and not settings.sample:
            hint = "set generator.sample=uniform, stratified or head_tail"
            raise ConfigError("there is no sample", where="generator.sample_size", hint=hint)
        if settings.sample != "stratified" and settings.sample_by != USUAL_STRATA:
            hint = "set generator.sample=stratified, or leave it out"
            raise ConfigError("only a stratified sample has strata of your own", where="generator.sample_by", hint=hint)
        by = {"stratified": settings.sample_by, "head_tail": ("popularity",)}
        self._by: tuple[str, ...] = by.get(settings.sample or "", ())
        self._limit = limit
        self._size = settings.sample_size
        self._seed = seed
        self._draw: Draw | None = None
        self._popular: dict[str, Popularity] = {}
        self.files = [path_of(settings.popularity)] if settings.popularity else []
        """The file of counts, if there is one."""

    @property
    def wants_survey(self) -> bool:
        """Return whether all facts must be read before the first question."""
        return bool(self._size or self.files)

    def survey(self, graph: Survey) -> None:
        """Compute the popularity of subjects, and draw the sample.

        Raises:
            DataError: the file of counts cannot be used.
        """
        if self.files or "popularity" in self._by:
            from factprobe.metrics.breakdowns.strata import popularity  # with numpy, which most runs need not load

            self._popular = popularity(graph.facts, self._counts(graph))
        if self._size:
            self._draw = Draw(self._size, self._seed, self._stratum)
            for relation, kind, facts in graph.asked:
                self._draw.add(relation, kind, islice(facts, self._limit))
            self._draw.close()
            if (there := self._draw.facts.total()) < self._size:
                log.warning("generator.sample_size=%d: there are only %d facts, and all are taken", self._size, there)

    def picked(self, relation: Relation, facts: Iterable[F]) -> Iterable[F]:
        """Return the chosen facts of a relation, in order.

        Raises:
            ValueError: a sample is wanted, and nobody has shown what there is.
        """
        if self._size and self._draw is None:
            raise ValueError("a sample is drawn of the facts of all relations; show them with survey() before")
        first = islice(facts, self._limit)
        return self._draw.picked(relation.relation, relation.type, first) if self._draw else first

    def popularity_of(self, fact: Ends) -> Popularity | Literal[""]:
        """Return the popularity of the subject, if a file has it."""
        return self._popular.get(fact.subject_uri, "") if self.files else ""

    def manifest_entry(self) -> dict[str, Any]:
        """Return for the manifest how many facts are drawn of how many, in total and by stratum."""
        if self._draw is None:
            return {}
        drawn, facts = self._draw.drawn, self._draw.facts
        strata = {" ".join(stratum): {"drawn": drawn[stratum], "facts": facts[stratum]} for stratum in facts if stratum}
        return {"sample": {"drawn": sum(drawn.values()), "facts": facts.total(), "strata": strata}}

    def _counts(self, graph: Survey) -> dict[str, float]:
        """Read the counts of the graph's subjects."""
        found = {uri: count for path in self.files for uri, count in read_counts(path).items()}
        if self.files and not any(subject in found for subject, _ in graph.facts):
            raise DataError("names no subject of the graph", where=self.files[0], hint="uri is an entity's id there")
        return found

    def _stratum(self, relation: str, kind: str, fact: Ends) -> Stratum:
        found = {"relation": relation, "type": kind, "popularity": self._popular.get(fact.subject_uri, "")}
        return tuple(found[by] for by in self._by)
