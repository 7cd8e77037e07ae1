"""Job that asks a model all pending requests, with cache, cost limit, progress bar and orderly end after Ctrl-C.

Example:
    requests = [PlainRequest("Q937", (Message("user", "Who was Albert Einstein?"),)), ...]
    write_lines(folder / "requests.jsonl", requests)
    files = {"people": (folder / "requests.jsonl", folder / "responses.jsonl")}
    pending = PendingRequests(files, PlainRequest, model.settings_hash)
    ask_all(model, pending, AskSettings(max_cost_usd=0.5))
    for request, response in pending.answers("people"): ...
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from msgspec import Struct

from factprobe.asking.cache import ResponseCache
from factprobe.asking.cost import CostCounter, Estimate, estimate
from factprobe.asking.interrupts import guard_interrupts
from factprobe.asking.pending import PendingRequests
from factprobe.asking.runner import Exchange, ask
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.calls.loops import run_coroutine
from factprobe.config import CacheMode, RunConfig, path_of, user_cache
from factprobe.endings import ending_of, notes
from factprobe.errors import ConfigError, NoAnswersError
from factprobe.models.base import TYPICAL_ANSWER, Model, Price, request_hash
from factprobe.progress import progress_bar
from factprobe.records import Request

log = logging.getLogger(__name__)


class AskSettings(Struct, frozen=True):
    """Response cache and cost limit of the calls to a model."""

    cache: CacheMode = "read"
    """`read` to use and extend the response cache, `refresh` to replace its replies, `off` for none."""
    cache_dir: Path | None = None
    """Folder of the response cache; by default the user's cache folder."""
    max_cost_usd: float | None = None
    """Maximum cost in US dollars; by default there is no limit."""

    @classmethod
    def of(cls, config: RunConfig) -> AskSettings:
        """Return the settings of a run."""
        return cls(config.cache, path_of(config.cache_dir) if config.cache_dir else None, config.max_cost_usd)


class CallCounts:
    """Counts of this run's responses: `asked` of the model, `cached`, and `kept` from earlier runs."""

    def __init__(self, kept: int, spending: CostCounter, unanswered: UnansweredQuestions) -> None:
        self.kept, self.spending, self.unanswered = kept, spending, unanswered
        self.asked = self.cached = 0
        self.endings: Counter[str] = Counter()
        """Number of replies that did not end normally, by kind (`cut`, `filtered`, `refused`)."""
        self._empty = self._silent = 0

    def add(self, exchange: Exchange) -> None:
        """Count the response of this run to one request."""
        self.asked += not exchange.from_cache
        self.cached += exchange.from_cache
        self.unanswered.total += 1
        if exchange.response.failed:
            self.unanswered.add(exchange.response.fault, hint=exchange.hint)
            return
        ending, is_empty = ending_of(exchange.response.finish_reason), _is_empty(exchange.response.response or "")
        if ending:
            self.endings[ending] += 1
            self._empty += ending == "cut" and is_empty
        elif is_empty:
            self._silent += 1

    @property
    def failed(self) -> int:
        """Number of failed calls."""
        return self.unanswered.count

    def notes(self) -> Iterator[str]:
        """Yield notes on replies that were cut off, filtered or refused, and on empty ones if they are many."""
        return notes(self.endings, self._empty, self.asked + self.cached - self.failed, self._silent)

    def warn(self, model: str) -> None:
        """Log the notes as warnings about a model."""
        for note in self.notes():
            log.warning("%s: %s", model, note)

    def as_dict(self) -> dict[str, Any]:
        """Return the counts for the manifest."""
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
    """Return whether a reply is empty apart from reasoning in marks such as `<think>`."""
    if reply.strip()[:1].isalnum():
        return False
    if not reply.strip():
        return True
    from factprobe.reading.structure.reasoning import without_reasoning  # loads slowly

    return not without_reasoning(reply).strip()


def ask_all(
    model: Model,
    pending: PendingRequests[Request],
    settings: AskSettings,
    label: str = "ask",
    spent: float = 0.0,
    stopped: Callable[[CallCounts, BaseException], None] | None = None,
) -> CallCounts:
    """Ask a model the pending requests, through the response cache and within the cost limit.

    Each response is written to disk as it arrives. `label` names the progress bar. `spent` is the amount in US dollars
    that earlier calls have spent of the limit. If the run ends early, for example by Ctrl-C, `stopped` is called with
    the counts and the exception.

    Raises:
        ConfigError: The cost is limited, and the model's price is unknown.
        NoAnswersError: No call succeeds, or the model stops answering; earlier responses are kept.
        CostLimitError: The next call could exceed the limit; earlier responses are kept.
    """
    unanswered = UnansweredQuestions(model.name, pending.answered_count)
    spending = CostCounter(price_of(model, settings.max_cost_usd), settings.max_cost_usd, spent)
    counts = CallCounts(pending.answered_count, spending, unanswered)
    with guard_interrupts() as take_over:
        try:
            if pending.count:
                requests = pending.requests()
                ask_counted(model, requests, pending.count, pending.save, counts, settings, label, 0, take_over)
            pending.sort_responses()
            if unanswered.has_no_answers():
                what = f"none of the {unanswered.total:,} calls to {model.name} succeeded{unanswered.why()}"
                raise NoAnswersError(what, hint=unanswered.hint)
        except BaseException as error:
            if stopped is not None:
                stopped(counts, error)
            raise
        finally:
            counts.warn(model.name)
    return counts


def ask_counted(
    model: Model,
    requests: Iterable[Request],
    total: int,
    save: Callable[[Exchange], None],
    counts: CallCounts,
    settings: AskSettings,
    label: str = "ask",
    delay: float = 1,
    begin: Callable[[], None] = lambda: None,
) -> None:
    """Ask a model requests through the response cache; save and count each response as it arrives.

    A progress bar with `label` and the number of requests, `total`, is shown after `delay` seconds. `begin` is called
    as soon as the event loop runs.
    """

    def keep_exchange(exchange: Exchange) -> None:
        save(exchange)
        counts.add(exchange)
        bar.set_postfix_str(str(counts.spending), refresh=False)
        bar.update()

    async def ask_requests() -> None:
        begin()
        async with model:
            await ask(model, requests, keep_exchange, cache, counts.spending, is_proven=counts.kept > 0)

    with open_cache(settings) as cache, progress_bar(total, label, "question", delay=delay) as bar:
        bar.set_postfix_str(f"waiting for {model.name}", refresh=not delay)  # loading a model may take minutes
        run_coroutine(ask_requests())


def estimate_left(model: Model, pending: PendingRequests[Request], settings: AskSettings) -> Estimate:
    """Estimate, without calling the model, the cost of the pending requests that are not in the cache."""
    price = price_of(model, settings.max_cost_usd)
    with open_cache(settings) as cache:
        new = (
            request
            for request in pending.requests()
            if cache is None or not model.cached or cache.get(request_hash(request), model.settings_hash) is None
        )
        return estimate(new, model.overhead(), price)


def calls_left(model: Model, pending: PendingRequests[Request], settings: AskSettings) -> str:
    """Return a line with the number of calls that are left, and their estimated tokens and cost."""
    cost = estimate_left(model, pending, settings)
    at_most, answers = "at most " * model.limits_answers(), f"{cost.completion_tokens:,} of answers"
    answers = (
        at_most + answers if at_most else f"perhaps {answers} ({TYPICAL_ANSWER} each; model.max_tokens limits them)"
    )
    money = "at a price that is not known" if cost.usd is None else f"{at_most}about ${cost.usd:.4f}"
    return (
        f"{cost.calls:,} calls to {model.name} are left to make, about {cost.prompt_tokens:,} tokens of prompts and "
        f"{answers}, {money}; {pending.answered_count + pending.count - cost.calls:,} are answered"
    )


def price_of(model: Model, max_cost_usd: float | None) -> Price | None:
    """Return the price of tokens, None if unknown; raise a `ConfigError` if it is unknown and the cost limited."""
    price = model.price()
    if max_cost_usd is not None and price is None:
        what, hint = f"the price of {model.name} is not known", f"set {model.priced_by}"
        raise ConfigError(what, where="max_cost_usd", hint=hint)
    return price


@contextmanager
def open_cache(settings: AskSettings) -> Iterator[ResponseCache | None]:
    """Open the response cache, which is closed at the end of the block; yield None if the settings turn it off."""
    off = settings.cache == "off"
    cache = None if off else ResponseCache(settings.cache_dir or user_cache(), settings.cache)
    with closing(cache) if cache else nullcontext():
        yield cache
