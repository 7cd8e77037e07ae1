"""Asks a model all that is left to ask: through the cache, within a cost limit, with a bar, and in order after Ctrl-C.

requests = [PlainRequest("Q937", (Message("user", "Who was Albert Einstein?"),)), ...]
write_lines(folder / "requests.jsonl", requests)
todo = Todo({"people": (folder / "requests.jsonl", folder / "responses.jsonl")}, PlainRequest, model.settings_hash)
ask_all(model, todo, AskSettings(max_cost_usd=0.5))
for request, response in todo.answers("people"): ...
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import Struct

from factprobe.asking.cache import ResponseCache
from factprobe.asking.cost import Estimate, Spending, estimate
from factprobe.asking.interrupts import one_at_a_time
from factprobe.asking.resuming import Todo
from factprobe.asking.runner import Exchange, ask
from factprobe.asking.unanswered import Unanswered
from factprobe.config import CacheMode, user_cache
from factprobe.endings import ending_of, notes
from factprobe.errors import ConfigError, NoAnswersError
from factprobe.models.base import Model, Price, asked_hash
from factprobe.progress import progress_bar
from factprobe.records import Request

if TYPE_CHECKING:
    from tqdm import tqdm

log = logging.getLogger(__name__)


class AskSettings(Struct, frozen=True):
    """How a model is asked, whoever asks it."""

    cache: CacheMode = "read"
    """What is done with the replies that were given before, to whatever run."""
    cache_dir: Path | None = None
    """Where they lie; by default in the user's cache folder."""
    max_cost_usd: float | None = None
    """The most that may be spent, in US dollars; by default there is no limit."""


class CallCounts:
    """What came of the calls so far.

    Args:
        kept: how many responses were there before.
        spending: counts the tokens and the money.
        unanswered: counts the calls that fail.
    """

    def __init__(self, kept: int, spending: Spending, unanswered: Unanswered) -> None:
        self.kept, self.spending, self.unanswered = kept, spending, unanswered
        self.asked = self.cached = 0
        self.endings: Counter[str] = Counter()
        """How many replies were cut, filtered or refused."""
        self._empty = self._silent = 0

    def add(self, asked: Exchange) -> None:
        """Counts a response."""
        self.asked += not asked.from_cache
        self.cached += asked.from_cache
        self.unanswered.of += 1
        if asked.response.failed:
            self.unanswered.add(asked.response.fault, hint=asked.hint)
            return
        ending, is_empty = ending_of(asked.response.finish_reason), _is_empty(asked.response.response or "")
        if ending:
            self.endings[ending] += 1
            self._empty += ending == "cut" and is_empty
        elif is_empty:
            self._silent += 1

    @property
    def failed(self) -> int:
        """How many calls failed."""
        return self.unanswered.count

    def notes(self) -> Iterator[str]:
        """What is to be told of the replies that did not end by themselves, or are mostly empty."""
        return notes(self.endings, self._empty, self.asked + self.cached - self.failed, self._silent)

    def warn(self, model: str) -> None:
        """Warn of these replies."""
        for note in self.notes():
            log.warning("%s: %s", model, note)

    def as_dict(self) -> dict[str, Any]:
        """As a manifest tells it."""
        spending = self.spending
        return {
            "responses": self.kept + self.asked + self.cached - self.failed,
            "kept": self.kept,
            "asked": self.asked,
            "from_cache": self.cached,
            "failed": self.failed,
            "prompt_tokens": spending.prompt_tokens,
            "completion_tokens": spending.completion_tokens,
            "usd": None if spending.price is None else round(spending.usd, 6),
            **({"endings": dict(sorted(self.endings.items()))} if self.endings else {}),
        }


def _is_empty(reply: str) -> bool:
    """Return whether a reply holds nothing but reasoning, which stands between signs."""
    if reply.strip()[:1].isalnum():
        return False
    if not reply.strip():
        return True
    from factprobe.reading.reasoning import without_reasoning  # its words take time to load

    return not without_reasoning(reply).strip()


def ask_all(
    model: Model,
    todo: Todo[Request],
    settings: AskSettings,
    label: str = "ask",
    spent: float = 0.0,
    stopped: Callable[[CallCounts, BaseException], None] | None = None,
) -> CallCounts:
    """Asks a model what is left to ask, through the response cache and within the cost limit.

    Args:
        model: whom to ask.
        todo: what is left to ask; each response is on disk as soon as it is there.
        settings: for the cache and the limit.
        label: what the progress bar is called.
        spent: US dollars of the limit that earlier calls took.
        stopped: is told what came of a run that ends before its time, and what ended it, Ctrl-C among others.

    Raises:
        ConfigError: the cost is limited, and the model's price is not known.
        NoAnswersError: no call succeeds, or none any more; what was answered is kept.
        CostLimitError: the next call could pass the limit; what was answered is kept.
    """
    unanswered = Unanswered(model.name, todo.kept)
    spending = Spending(price_of(model, settings.max_cost_usd), settings.max_cost_usd, spent)
    counts = CallCounts(todo.kept, spending, unanswered)
    try:
        with (
            opened_cache(settings) as cache,
            one_at_a_time() as take_over,
            progress_bar(todo.count, label, "question", delay=0 if todo.count else 1) as bar,
        ):
            try:
                if todo.count:
                    bar.set_postfix_str(f"waiting for {model.name}")  # to load a model may take minutes
                    asyncio.run(_ask(model, todo, _keeper(todo, counts, bar), cache, spending, take_over))
                todo.settle()
                _assert_some(unanswered)
            except BaseException as error:
                if stopped is not None:
                    stopped(counts, error)
                raise
    finally:  # the bar is gone from the line
        counts.warn(model.name)
    return counts


def _assert_some(unanswered: Unanswered) -> None:
    """Sees to it that a call has succeeded, now or before.

    Raises:
        NoAnswersError: none has.
    """
    if unanswered.are_all():
        what = f"none of the {unanswered.of:,} calls to {unanswered.whom} succeeded{unanswered.why()}"
        raise NoAnswersError(what, hint=unanswered.hint)


def _keeper(todo: Todo[Request], counts: CallCounts, bar: tqdm[NoReturn]) -> Callable[[Exchange], None]:
    def keep(asked: Exchange) -> None:
        todo.keep(asked)
        counts.add(asked)
        bar.set_postfix_str(str(counts.spending), refresh=False)
        bar.update()

    return keep


async def _ask(
    model: Model,
    todo: Todo[Request],
    keep: Callable[[Exchange], None],
    cache: ResponseCache | None,
    spending: Spending,
    take_over: Callable[[], None],
) -> None:
    take_over()
    async with model:
        await ask(model, todo.requests(), keep, cache, spending, proven=todo.kept > 0)


def estimate_left(model: Model, todo: Todo[Request], settings: AskSettings) -> Estimate:
    """About what it will take to ask what is left to ask and is not in the response cache; nothing is asked.

    Raises:
        ConfigError: the cost is limited, and the model's price is not known.
    """
    price = price_of(model, settings.max_cost_usd)
    with opened_cache(settings) as cache:
        new = (
            request
            for request in todo.requests()
            if cache is None or not model.cached or cache.get(asked_hash(request), model.settings_hash) is None
        )
        return estimate(new, model.overhead(), price)


def calls_left(model: Model, todo: Todo[Request], settings: AskSettings) -> str:
    """How many calls are left to make, and about what they take, in a line; nothing is asked.

    Raises:
        ConfigError: the cost is limited, and the model's price is not known.
    """
    found = estimate_left(model, todo, settings)
    money = "at a price that is not known" if found.usd is None else f"at most about ${found.usd:.4f}"
    return (
        f"{found.calls:,} calls to {model.name} are left to make, about {found.prompt_tokens:,} tokens of prompts and "
        f"at most {found.completion_tokens:,} of answers, {money}; "
        f"{todo.kept + todo.count - found.calls:,} are answered"
    )


def price_of(model: Model, max_cost_usd: float | None) -> Price | None:
    """What a model's tokens cost, or None where that is not known.

    Raises:
        ConfigError: the cost is limited, and the price is not known.
    """
    price = model.price()
    if max_cost_usd is not None and price is None:
        raise ConfigError(
            f"the price of {model.name} is not known", where="max_cost_usd", hint=f"set {model.priced_by}"
        )
    return price


@contextmanager
def opened_cache(settings: AskSettings) -> Iterator[ResponseCache | None]:
    """The response cache that the settings name, open; None where it is off."""
    off = settings.cache == "off"
    cache = None if off else ResponseCache(settings.cache_dir or user_cache(), settings.cache)
    with closing(cache) if cache else nullcontext():
        yield cache
