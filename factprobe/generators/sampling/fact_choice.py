"""Choice of the facts to ask about, as a stratified sample over all relations, and popularity of their subjects."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from heapq import heappush, heapreplace
from itertools import islice
from math import isfinite
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta

from factprobe.config import Filled, path_of
from factprobe.errors import ConfigError, DataError
from factprobe.generators.base import Ends, Generator, GeneratorSettings, Survey
from factprobe.records import Popularity, Relation
from factprobe.storage import Problems

F = TypeVar("F", bound=Ends)
K = TypeVar("K", bound=Hashable)
Stratum = tuple[str, ...]
"""Properties that the facts of a stratum have in common, such as relation and popularity of the subject."""
log = logging.getLogger(__name__)

Stratifier = Literal["relation", "type", "popularity"]
USUAL_STRATA: tuple[Stratifier, ...] = ("relation", "popularity")


class FactSample:
    """Sample of facts, drawn in two passes over the relations: `add` for each, `close`, then `select` for each.

    Each fact gets a random number, and in each stratum the facts with the smallest numbers are drawn (bottom-k
    sampling: Cohen and Kaplan 2007, PODC). Thus a larger sample with the same seed contains a smaller one, and a draw
    does not depend on other relations. Equally many facts are drawn from all strata that have enough.
    """

    def __init__(self, size: int, seed: int, stratum_of: Callable[[str, str, Ends], Stratum]) -> None:
        self._size = size
        self._seed = seed
        self._stratum_of = stratum_of
        self._smallest: dict[Stratum, list[float]] = {}
        self._last: dict[Stratum, float] = {}
        self.facts: Counter[Stratum] = Counter()
        """Number of facts in each stratum."""
        self.sample_sizes: dict[Stratum, int] = {}
        """Number of facts drawn from each stratum."""

    def add(self, relation: str, relation_type: str, facts: Iterable[Ends]) -> None:
        """Add the facts of a relation in the first pass."""
        for _, stratum, number in self._with_random_number(relation, relation_type, facts):
            self.facts[stratum] += 1
            smallest = self._smallest.setdefault(stratum, [])  # negated, so that the heap begins with the largest
            if len(smallest) < self._size:
                heappush(smallest, -number)
            elif -number > smallest[0]:
                heapreplace(smallest, -number)

    def close(self) -> None:
        """End the first pass, and determine which facts are drawn."""
        self.sample_sizes = split_evenly(self.facts, self._size)
        for stratum, share in self.sample_sizes.items():
            numbers = sorted(self._smallest[stratum], reverse=True)
            self._last[stratum] = -numbers[share - 1] if share else -1.0
        self._smallest.clear()

    def select(self, relation: str, relation_type: str, facts: Iterable[F]) -> Iterator[F]:
        """Yield the drawn facts of a relation in the second pass, over the same facts as in the first."""
        for fact, stratum, number in self._with_random_number(relation, relation_type, facts):
            if number <= self._last.get(stratum, -1.0):
                yield fact

    def _with_random_number(
        self, relation: str, relation_type: str, facts: Iterable[F]
    ) -> Iterator[tuple[F, Stratum, float]]:
        rng = Random(f"{self._seed}:{relation}:sample")
        for fact in facts:
            yield fact, self._stratum_of(relation, relation_type, fact), rng.random()


def split_evenly(sizes: Mapping[K, int], total: int) -> dict[K, int]:
    """Return how many to draw from each stratum; small strata give all, and the others share the rest evenly."""
    shares = dict.fromkeys(sizes, 0)
    smallest_first = sorted(sizes, key=sizes.__getitem__)
    for number, name in enumerate(smallest_first):
        shares[name] = min(sizes[name], total // (len(smallest_first) - number))
        total -= shares[name]
    return shares


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
        """Compute the popularity of subjects and draw the sample, as the settings ask."""
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
        """Return the chosen facts of a relation, in order; raise a `ValueError` if a sample needs `survey` first."""
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
    """Read the count of each entity in a file; repeated counts are added up. Raise a `DataError` for invalid files."""
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
