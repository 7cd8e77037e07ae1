"""Ten times the facts cost ten times the work: random draws and function calls are counted, no clock is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from cProfile import Profile
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from factprobe.generators import GenerationReport
from factprobe.generators.negatives import negatives
from factprobe.generators.template import TemplateGenerator
from factprobe.question_types import Form
from factprobe.records import Response
from tests.generators.graphs import PROMPTS, Graph, generator, graph
from tests.generators.phrasers import phrasing

N = 60
SLOW = pytest.mark.slow


class _CountingRandom(Random):
    draws = 0

    def random(self) -> float:
        type(self).draws += 1
        return super().random()


class _Counting(TemplateGenerator):
    def rng(self, relation: str, form: Form) -> Random:
        return _CountingRandom(f"{self.seed}:{relation}:{form}")


def one_to_one(n: int) -> Graph:
    return graph((f"s{i}", f"o{i}") for i in range(n))


def dense_subject(n: int) -> Graph:
    """Half of the facts give one subject nearly all of the objects."""
    others = [(f"s{i}", f"o{i}") for i in range(n // 2)]
    return graph([*(("hub", f"o{i}") for i in range(n // 2 - 5)), *others])


def dense_object(n: int) -> Graph:
    """Nearly all subjects have the same object."""
    return graph([*((f"s{i}", "hub") for i in range(n - 5)), *((f"t{i}", f"o{i}") for i in range(5))])


def half_dense(n: int) -> Graph:
    """Half of the facts give one subject just under half of the objects, where rejection is at its worst."""
    return graph([*(("hub", f"o{i}") for i in range(n // 2)), *((f"s{i}", f"o{n - i}") for i in range(n // 2))])


def same_names(n: int) -> Graph:
    """Every object but a few bears one of three names."""
    return graph(
        [(f"s{i}", f"o{i}") for i in range(n)],
        **{f"o{i}": f"name {i % 3}" for i in range(n - 3)},
    )


def coarse_dates(n: int) -> Graph:
    """A third of the facts have a year, a third a day of it, and the others another year."""
    days = [f"1990-{i % 7 + 1:02}-{i % 4 + 1:02}" for i in range(n // 3)]
    told = [value for i, day in enumerate(days) for value in ("1990", day, str(1900 + i % 50))]
    return graph((f"s{i}", value) for i, value in enumerate(told))


def work(of: Graph, **settings: Any) -> tuple[int, int]:
    """Random draws and calls of functions, Python's and C's, that it takes to ask about every fact."""
    base = generator(ask="both", **settings)
    maker = _Counting(base.settings)
    summary, pairs = of.summary(), of.pairs()
    _CountingRandom.draws = 0
    questions, calls = counted(lambda: maker.questions(summary, pairs, GenerationReport()))
    assert questions >= len(pairs)
    return _CountingRandom.draws, calls


def counted(run: Callable[[], Iterable[object]]) -> tuple[int, int]:
    """How many things it yields, and calls of functions, Python's and C's, that they take."""
    profiler = Profile()
    found = profiler.runcall(lambda: sum(1 for _ in run()))
    return found, sum(entry.callcount for entry in profiler.getstats())


def typed(n: int) -> Graph:
    """A subject with half of the objects, and two types, one of which few have."""
    made = half_dense(n)
    types = {uri: ("rare", "all") if i % 10 == 0 else ("all",) for i, uri in enumerate(made.entities)}
    return made._replace(entities={uri: replace(entity, types=types[uri]) for uri, entity in made.entities.items()})


@pytest.mark.parametrize(
    "shape",
    [
        *(pytest.param(one, marks=SLOW) for one in (one_to_one, same_names, coarse_dates)),
        dense_subject,
        dense_object,
        half_dense,
    ],
)
def test_work_grows_with_the_facts(shape: Any) -> None:
    assert_linear(shape)


@pytest.mark.parametrize("shape", [*(pytest.param(one, marks=SLOW) for one in (one_to_one, dense_object)), typed])
@pytest.mark.parametrize("strategy", sorted({*negatives.names()} - {"random"}))
def test_work_grows_with_the_facts_whatever_wrong_answers_come_first(strategy: str, shape: Any) -> None:
    assert_linear(shape, negatives=strategy, none_of_these=True)


def assert_linear(shape: Any, **settings: Any) -> None:
    small_draws, small_calls = work(shape(N), **settings)
    large_draws, large_calls = work(shape(10 * N), **settings)
    assert small_draws > 0
    assert large_draws <= 12 * small_draws
    assert large_calls <= 12 * small_calls


@pytest.mark.parametrize(
    "shape", [*(pytest.param(one, marks=SLOW) for one in (dense_subject, dense_object)), same_names]
)
@pytest.mark.parametrize("name", ["llm_mask", "llm_question"])
def test_so_does_that_of_reading_a_models_words(name: str, shape: Any) -> None:
    small, large = (reading(name, shape(n)) for n in (2 * N, 10 * N))
    assert large <= 7 * small  # a cache of patterns holds more of the fewer names


def reading(name: str, of: Graph) -> int:
    """Calls of functions that it takes to read a reply about every fact."""
    phraser = phrasing(name, lambda *_: None, ask="both")[0].phraser(of.summary())
    requests = list(phraser.requests(of.pairs()))
    by_id = {request.question_id: request.prompts[0].content.split("\n") for request in requests}
    said = "Which one is it that {0} knows?" if name == "llm_question" else "They say that {0} knows {1}."
    replies = [Response(uri, said.format(*names), "stop", None, None) for uri, names in by_id.items()]
    count, calls = counted(lambda: (phraser.read(reply.question_id, reply) for reply in replies))
    assert count == len(requests)
    return calls


@pytest.mark.parametrize(
    "context", ["relevance", *(pytest.param(c, marks=SLOW) for c in ("irrelevance", "antifactual"))]
)
def test_so_does_that_of_passages(context: str) -> None:
    wording = {"context": {"messages": [{"role": "user", "content": "{context} {question}"}]}}
    settings = {"context": context, "prompts": {**PROMPTS, **wording}}
    _, small_calls = work(dense_subject(N), **settings)
    _, large_calls = work(dense_subject(10 * N), **settings)
    assert large_calls <= 12 * small_calls
