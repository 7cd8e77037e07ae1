"""What the steps share that ask a model: what is left to ask, asking it, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, suppress
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from factprobe.asking.cache import ResponseCache
from factprobe.asking.cost import Spending, estimate
from factprobe.asking.interrupts import one_at_a_time
from factprobe.asking.log import ResponseLog, Shard
from factprobe.asking.runner import Asked, ask
from factprobe.config import cache_dir, plain
from factprobe.errors import ConfigError, FactprobeError
from factprobe.models import Model
from factprobe.models.base import Price, asked_hash
from factprobe.progress import progress_bar
from factprobe.records import Question
from factprobe.steps.base import Run
from factprobe.storage import Lines, Problems

if TYPE_CHECKING:
    from tqdm import tqdm

_AGAIN = "run step=generate again"
_ANSWERED = 1


class Todo:
    """What is left to ask, and which responses are there.

    Args:
        files: for each relation the file of its questions and that of the responses to them.
        settings_hash: of the model that is asked.
        shard: the part of the questions that is asked here, or None for all.
    """

    def __init__(self, files: Mapping[str, tuple[Path, Path]], settings_hash: str, shard: Shard | None = None) -> None:
        self.files = [questions for questions, _ in files.values()]
        self.logs = {relation: ResponseLog(responses, shard) for relation, (_, responses) in files.items()}
        self._shard = shard
        self._states = [
            responses.resume(_questions(path), settings_hash)
            for path, responses in zip(self.files, self.logs.values(), strict=True)
        ]
        self.kept = sum(state.count(_ANSWERED) for state in self._states)
        self.count = sum(state.count(0) for state in self._states)

    def questions(self) -> Iterator[Question]:
        """Those that are left to ask, read one after the other."""
        decode = msgspec.json.Decoder(Question).decode
        for path, state in zip(self.files, self._states, strict=True):
            if 0 in state:
                lines = Lines(path, msgspec.Raw, Problems(True, _AGAIN))
                yield from (decode(line) for line in compress(lines, (not found for found in state)))

    def settle(self) -> None:
        """Puts the responses in the order of the questions, so that the same answers make the same files.

        Those of a shard are put in order with the others, by the run without a shard.
        """
        if self._shard is not None:
            return
        for path, responses in zip(self.files, self.logs.values(), strict=True):
            responses.settle(_questions(path))


class Tally:
    """What came of the calls so far, shown as it grows."""

    def __init__(self, todo: Todo, spending: Spending, bar: tqdm[NoReturn]) -> None:
        self.spending = spending
        self.asked = self.cached = self.failed = 0
        self.reason: str | None = None
        self._todo, self._bar = todo, bar

    def keep(self, asked: Asked) -> None:
        """Writes a response, then counts it."""
        self._todo.logs[asked.question.relation].append(asked.response)
        self.asked += not asked.from_cache
        self.cached += asked.from_cache
        if asked.response.error is not None:
            self.failed += 1
            self.reason = asked.response.error
        self._bar.update()
        self._bar.set_postfix_str(str(self.spending), refresh=False)

    def counts(self) -> dict[str, Any]:
        """For the manifest."""
        spending = self.spending
        return {
            "responses": self._todo.kept + self.asked + self.cached - self.failed,
            "kept": self._todo.kept,
            "asked": self.asked,
            "from_cache": self.cached,
            "failed": self.failed,
            "prompt_tokens": spending.prompt_tokens,
            "completion_tokens": spending.completion_tokens,
            "usd": None if spending.price is None else round(spending.usd, 6),
        }


def put(this: Run, step: str, model: Model, todo: Todo) -> Tally:
    """Asks a model what is left to ask, through the response cache and within `max_cost_usd`.

    Raises:
        ConfigError: the cost is limited, and the model's price is not known.
        ModelError: no call succeeds; what was answered is kept.
        CostLimitError: the next call could pass `max_cost_usd`.
    """
    spending = Spending(_price(this, model), this.config.max_cost_usd, this.usd)
    with _cache(this) as cache, one_at_a_time() as take_over, progress_bar(todo.count, step, "question") as bar:
        tally = Tally(todo, spending, bar)
        try:
            if todo.count:
                asyncio.run(_ask(model, todo, tally, cache, take_over))
            todo.settle()
        except BaseException as error:  # the manifest tells what was spent on a run that did not end well
            with suppress(OSError, FactprobeError):  # what ended the run is the error to tell
                stopped = {**tally.counts(), "stopped": str(error) or type(error).__name__}
                this.manifest.add(step, plain(this.config), todo.files, stopped)
            raise
    this.usd += spending.usd
    return tally


async def _ask(
    model: Model, todo: Todo, tally: Tally, cache: ResponseCache | None, take_over: Callable[[], None]
) -> None:
    take_over()
    async with model:
        await ask(model, todo.questions(), tally.keep, cache, tally.spending, proven=todo.kept > 0)


def calls_left(this: Run, model: Model, todo: Todo) -> str:
    """How many calls are left to make, and about what they take.

    Raises:
        ConfigError: the cost is limited, and the model's price is not known.
    """
    settings, price = model.settings_hash, _price(this, model)
    with _cache(this) as cache:
        new = (
            question
            for question in todo.questions()
            if cache is None or not model.cached or cache.get(asked_hash(question), settings) is None
        )
        found = estimate(new, model.beside(), price)
    money = "at a price that is not known" if found.usd is None else f"at most about ${found.usd:.4f}"
    return (
        f"{found.calls:,} calls to {model.name} are left to make, about {found.prompt_tokens:,} tokens of prompts and "
        f"at most {found.completion_tokens:,} of answers, {money}; "
        f"{todo.kept + todo.count - found.calls:,} are answered"
    )


def _price(this: Run, model: Model) -> Price | None:
    price = model.price()
    if this.config.max_cost_usd is not None and price is None:
        mend = "set 'model.price={input: 0.15, output: 0.6}' (or judge.price), US dollars for a million tokens"
        raise ConfigError(f"the price of {model.name} is not known", where="max_cost_usd", mend=mend)
    return price


@contextmanager
def _cache(this: Run) -> Iterator[ResponseCache | None]:
    config = this.config
    cache = None if config.cache == "off" else ResponseCache(cache_dir(config), config.cache)
    with closing(cache) if cache else nullcontext():
        yield cache


def _questions(path: Path) -> Lines[Question]:
    return Lines(path, Question, Problems(True, _AGAIN))
