"""The step `answer`: a model's responses to the questions."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from factprobe.build import build_model
from factprobe.config import cache_dir, plain
from factprobe.errors import ConfigError, FactprobeError
from factprobe.interrupts import one_at_a_time
from factprobe.locks import LOCK, hold
from factprobe.models import Model, ask
from factprobe.models.base import Price, asked_hash
from factprobe.models.cache import ResponseCache
from factprobe.models.cost import Spending, estimate
from factprobe.models.log import ResponseLog, Shard
from factprobe.models.runner import Asked
from factprobe.progress import progress_bar
from factprobe.records import Question
from factprobe.steps.base import Done, Run, missing
from factprobe.storage import Lines, Problems

if TYPE_CHECKING:
    from tqdm import tqdm

log = logging.getLogger(__name__)

_AGAIN = "run step=generate again"
_ANSWERED = 1


class Todo:
    """What is left to ask: for each relation the file of its questions, its responses, and which of them are there."""

    def __init__(self, this: Run, model: Model, shard: Shard | None) -> None:
        config = this.config
        generator = config.generator["name"]
        self.files: list[Path] = []
        self.logs: dict[str, ResponseLog] = {}
        self._states: list[bytearray] = []
        for relation in this.relations():
            path = this.layout.questions(generator, relation.relation)
            if not path.exists():
                raise missing("generate", path, config)
            responses = ResponseLog(this.layout.responses(generator, model.name, relation.relation), shard)
            self.files.append(path)
            self.logs[relation.relation] = responses
            self._states.append(responses.resume(_questions(path), model.settings_hash))
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
        """Puts the responses in the order of the questions, so that the same answers make the same files."""
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


def answer(this: Run) -> Done:
    """Asks the model every question that it has not answered yet.

    Raises:
        ModelError: no call succeeds; what was answered is kept.
        CostLimitError: the next call could pass `max_cost_usd`.
        BusyError: another process asks this model the same questions.
    """
    config = this.config
    model = build_model(config.model)
    folder = this.layout.responses(config.generator["name"], model.name, "").parent
    _claim(this, model, folder)
    shard = Shard.parse(config.shard) if config.shard else None
    with this.using(folder, "read" if shard else "write"), _alone(this, folder, shard):
        todo = Todo(this, model, shard)
        price = model.price()
        if config.max_cost_usd is not None and price is None:
            mend = "set 'model.price={input: 0.15, output: 0.6}', US dollars for a million tokens"
            raise ConfigError(f"the price of {model.name} is not known", where="max_cost_usd", mend=mend)
        cache = None if config.cache == "off" else ResponseCache(cache_dir(config), config.cache)
        with closing(cache) if cache else nullcontext():
            if config.dry_run:
                return _dry_run(todo, model, cache, price)
            with one_at_a_time() as take_over, progress_bar(todo.count, "answer", "question") as bar:
                tally = Tally(todo, Spending(price, config.max_cost_usd), bar)
                try:
                    if todo.count:
                        asyncio.run(_ask(model, todo, tally, cache, take_over))
                    if shard is None:
                        todo.settle()
                except BaseException as error:  # the manifest tells what was spent on a run that did not end well
                    with suppress(OSError, FactprobeError):  # what ended the run is the error to tell
                        stopped = {**tally.counts(), "stopped": str(error) or type(error).__name__}
                        this.manifest.add("answer", plain(config), todo.files, stopped)
                    raise
    return Done(_summary(tally, todo, folder), todo.files, tally.counts())


def _alone(this: Run, folder: Path, shard: Shard | None) -> AbstractContextManager[None]:
    """Keeps two processes from answering the same shard."""
    return hold(ResponseLog(folder / LOCK, shard).path, "write", this.patience) if shard else nullcontext()


def _claim(this: Run, model: Model, folder: Path) -> None:
    """Sees to it that no two jobs of a sweep answer under one name with different settings.

    Raises:
        ConfigError: another one does.
    """
    changing = {"backend", "model", "path", "repeat", *model.identity()}
    settings = {name: value for name, value in this.config.model.items() if name in changing}
    mend = f"give each a name of its own: model.name='{model.name}-${{SETTING}}'"
    this.manifest.claim(str(folder), f"answers as {model.name}", {"model": settings}, mend)


async def _ask(
    model: Model, todo: Todo, tally: Tally, cache: ResponseCache | None, take_over: Callable[[], None]
) -> None:
    take_over()
    async with model:
        await ask(model, todo.questions(), tally.keep, cache, tally.spending, proven=todo.kept > 0)


def _dry_run(todo: Todo, model: Model, cache: ResponseCache | None, price: Price | None) -> Done:
    settings = model.settings_hash
    new = (
        question
        for question in todo.questions()
        if cache is None or not model.cached or cache.get(asked_hash(question), settings) is None
    )
    found = estimate(new, model.beside(), price)
    money = "at a price that is not known" if found.usd is None else f"at most about ${found.usd:.4f}"
    message = (
        f"{found.calls:,} calls to {model.name} are left to make, about {found.prompt_tokens:,} tokens of prompts and "
        f"at most {found.completion_tokens:,} of answers, {money}; "
        f"{todo.kept + todo.count - found.calls:,} are answered"
    )
    return Done(message, [], None)


def _summary(tally: Tally, todo: Todo, folder: Path) -> str:
    if tally.failed:
        what = "%d calls failed, the last one: %s; run the step again to try them again"
        log.warning(what, tally.failed, tally.reason)
    counts = {
        "kept from before": todo.kept,
        "from the cache": tally.cached,
        "failed": tally.failed,
    }
    parts = [f"{tally.asked - tally.failed:,} responses", *(f"{n:,} {what}" for what, n in counts.items() if n)]
    if tally.spending.prompt_tokens:
        parts.append(str(tally.spending))
    return f"{', '.join(parts)} → {folder}"


def _questions(path: Path) -> Lines[Question]:
    return Lines(path, Question, Problems(True, _AGAIN))
