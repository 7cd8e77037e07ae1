"""Parallel work on the relations of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from factprobe.errors import FactprobeError
from factprobe.kgs import Graph
from factprobe.progress import progress
from factprobe.records import Relation
from factprobe.steps.base import Run
from factprobe.storage import DeferredProblems
from factprobe.workers import map_names

T = TypeVar("T")

_BYTES_A_SECOND = 1e8
"""Number of bytes of the source that one core extracts in a second, measured on T-REx."""


def map_relations(
    run: Run, kg: Graph, relations: Mapping[str, Relation], work: Callable[[Relation], T], step: str
) -> Iterator[T]:
    """Yield the result of `work` for each relation in order, and add the problems in its facts to the run's problems.

    Results are sent between processes; `step` is the label of the progress bar.
    """

    def run_work(name: str) -> tuple[T, list[str]]:
        kg.problems = deferred = DeferredProblems(run.config.strict)
        try:
            return work(relations[name]), deferred.messages
        except FactprobeError:
            _note_problems(run, deferred.messages)
            raise

    seconds = {name: kg.source_bytes(relation) / _BYTES_A_SECOND for name, relation in relations.items()}
    with map_names(run_work, seconds, run.workers) as results:
        for result, broken in progress(results, step, "relation", len(seconds)):
            _note_problems(run, broken)
            yield result


def _note_problems(run: Run, broken: Iterable[str]) -> None:
    for message in broken:
        run.problems.note(message)
