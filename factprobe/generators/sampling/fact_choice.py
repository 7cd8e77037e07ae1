"""Choice of the facts to ask about, and popularity of their subjects."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta

from factprobe.config import Filled, path_of
from factprobe.errors import ConfigError, DataError
from factprobe.generators.base import Ends, Generator, GeneratorSettings, Survey
from factprobe.generators.sampling.draw import FactSample, Stratum
from factprobe.records import Popularity, Relation
from factprobe.storage import Problems

F = TypeVar("F", bound=Ends)
log = logging.getLogger(__name__)

Stratifier = Literal["relation", "type", "popularity"]
USUAL_STRATA: tuple[Stratifier, ...] = ("relation", "popularity")


class ChoiceSettings(GeneratorSettings, frozen=True, kw_only=True):
    """Settings of the choice of facts."""

    sample: Literal["uniform", "stratified", "head_tail"] | None = None
    """Kind of the sample of `sample_size` facts to ask about: `uniform` draws each with equal probability,
    `stratified` equally many from each stratum (see `sample_by`), `head_tail` equally many with popular, middling and
    rare subjects; by default all facts are asked about."""
    sample_size: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    """Number of facts in the sample, over all relations."""
    sample_by: Annotated[tuple[Stratifier, ...], Meta(min_length=1)] = USUAL_STRATA
    """Properties that define a stratum: the relation, its type (1-1, N-M), the popularity of the subject."""
    popularity: Filled | None = None
    """File with the popularity of entities, e.g. page views: CSV, JSON Lines or Parquet with the columns `uri` and
    `count`; by default popularity is the number of facts."""


class FactChoice(Generator):
    """Base class of generators that can ask about a sample of the facts, also by the popularity of subjects.

    A sample is drawn from the first `limit` facts of each relation.

    Raises:
        ConfigError: Only one of `sample` and `sample_size` is set, or `sample_by` without a stratified sample.
    """

    def __init__(self, settings: ChoiceSettings, seed: int = 0, limit: int | None = None) -> None:
        super().__init__(settings, seed, limit)
        if settings.sample and settings.sample_size is None:
            hint = "set generator.sample_size=1000, or another number of facts"
            raise ConfigError("has no size", where=f"generator.sample={settings.sample}", hint=hint)
        if settings.sample_size is not None and not settings.sample:
            hint = "set generator.sample=uniform, stratified or head_tail"
            raise ConfigError("needs generator.sample", where="generator.sample_size", hint=hint)
        if settings.sample != "stratified" and settings.sample_by != USUAL_STRATA:
            hint = "set generator.sample=stratified, or leave it out"
            raise ConfigError("needs a stratified sample", where="generator.sample_by", hint=hint)
        by = {"stratified": settings.sample_by, "head_tail": ("popularity",)}
        self._strata_properties: tuple[str, ...] = by.get(settings.sample or "", ())
        self._draw: FactSample | None = None
        self._popular: dict[str, Popularity] = {}
        self._counts_file = path_of(settings.popularity) if settings.popularity else None

    @property
    def files(self) -> list[Path]:
        """File of popularities, if the settings name one."""
        return [self._counts_file] if self._counts_file else []

    @property
    def wants_survey(self) -> bool:
        """True if facts are sampled, or popularities are read from a file."""
        return bool(self.settings.sample_size or self._counts_file)

    def survey(self, graph: Survey) -> None:
        """Compute the popularity of subjects and draw the sample, as the settings ask.

        Raises:
            DataError: The file of popularities cannot be read, or has no subject of the graph.
        """
        size = self.settings.sample_size
        if self._counts_file or "popularity" in self._strata_properties:
            from factprobe.metrics.strata import popularity  # with numpy, which most runs need not load

            self._popular = popularity(graph.facts, self._counts(graph))
        if size:
            self._draw = FactSample(size, self.seed, self._stratum)
            for relation, kind, facts in graph.relation_facts:
                self._draw.add(relation, kind, islice(facts, self.limit))
            self._draw.close()
            if (total := self._draw.facts.total()) < size:
                log.warning("generator.sample_size=%d: there are only %d facts, and all are used", size, total)

    def select_facts(self, relation: Relation, facts: Iterable[F]) -> Iterable[F]:
        """Return the chosen facts of a relation, in order.

        Raises:
            ValueError: A sample is set, and `survey` was not called.
        """
        if self.settings.sample_size and self._draw is None:
            raise ValueError("a sample is drawn from the facts of all relations; call survey() first")
        first = islice(facts, self.limit)
        return self._draw.select(relation.relation, relation.type, first) if self._draw else first

    def popularity_of(self, fact: Ends) -> Popularity | Literal[""]:
        """Return the popularity of the subject from the file of counts; empty without a file."""
        return self._popular.get(fact.subject_uri, "") if self._counts_file else ""

    def manifest_entry(self) -> dict[str, Any]:
        """Return the numbers of facts drawn and available, in total and by stratum; empty without a sample."""
        if self._draw is None:
            return {}
        sizes, facts = self._draw.sample_sizes, self._draw.facts
        strata = {" ".join(stratum): {"drawn": sizes[stratum], "facts": facts[stratum]} for stratum in facts if stratum}
        return {"sample": {"drawn": sum(sizes.values()), "facts": facts.total(), "strata": strata}}

    def _counts(self, graph: Survey) -> dict[str, float]:
        """Return the counts of entities from the file in the settings; empty without a file."""
        if self._counts_file is None:
            return {}
        counts = read_counts(self._counts_file)
        if not any(subject in counts for subject, _ in graph.facts):
            raise DataError(
                "names no subject of the graph", where=self._counts_file, hint="uri is an entity's id there"
            )
        return counts

    def _stratum(self, relation: str, kind: str, fact: Ends) -> Stratum:
        properties = {"relation": relation, "type": kind, "popularity": self._popular.get(fact.subject_uri, "")}
        return tuple(properties[by] for by in self._strata_properties)


_COLUMNS = "the columns, or keys of JSON Lines, are uri and count"


def read_counts(path: Path) -> dict[str, float]:
    """Read the count of each entity in a file; repeated counts are added up.

    Raises:
        DataError: The file has an unknown format, cannot be read, lacks `uri` or `count`, or a count is not a number of
            at least 0.
    """
    from factprobe.inputs.table_formats import READERS  # loaded only for counts, since every step loads this module

    suffix = path.suffix.lower()
    if suffix not in READERS:
        what = f"{suffix or 'no ending'} is not a format of counts"
        raise DataError(what, where=path, hint=f"use .csv, .jsonl or .parquet: {_COLUMNS}")
    counts: dict[str, float] = {}
    for where, record in READERS[suffix](path, Problems(strict=True, hint="fix it")).records():
        uri, count = record.get("uri"), record.get("count")
        if uri in (None, "") or count is None:
            raise DataError("has no uri or no count", where=where, hint=_COLUMNS)
        try:
            number = float(count)
        except (OverflowError, TypeError, ValueError):
            number = -1.0
        if not (isfinite(number) and number >= 0):
            raise DataError(f"{count!r} is not a count", where=where, hint="give a number, 0 or more")
        counts[str(uri)] = counts.get(str(uri), 0.0) + number
    return counts
