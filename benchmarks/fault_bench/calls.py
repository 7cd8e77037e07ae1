"""Faults of an endpoint, mixed at random among good answers; then the endpoint is mended and the run repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import inf
from threading import Lock
from typing import Any, Literal, NamedTuple

from fault_bench.attempt import EXAM, MODEL, NOTHING, Attempt, Ended, hold
from tests.models.faults import Wrong
from tests.models.server import completion, endpoint

RETRIES = 3
TO_STUB = [*EXAM, "model=openai", f"model.model={MODEL}"]

Ends = Literal["again", "once", "failed", "gone", "answer", "either"]
"""What becomes of a question whose calls all meet a fault: the call is made again, until it fails; it fails at once;
it fails; it fails, and may end the run; it is an answer; it is either."""

Shape = Literal["passing", "some", "all"]
"""Each call meets the fault up to twice; some questions' calls always do; all do."""


class Fault(NamedTuple):
    """What an endpoint does wrong."""

    play: Callable[[Attempt], Wrong]
    ends: Ends = "again"
    says: str = ""
    """What must stand in the warnings of a run that met it."""
    settings: tuple[str, ...] = ()
    """Of the run that meets it."""
    most: int = 8
    """The most questions that meet it in a run in which some do."""
    timed: bool = False
    """Whether it is told by the clock, so that a busy machine may see more of it."""
    shapes: tuple[Shape, ...] = ()

    def shape(self, attempt: Attempt) -> Shape:
        """One in which it is met."""
        usual: tuple[Shape, ...] = ("passing", "some", "all") if self.ends == "again" else ("some", "all")
        return attempt.random.choice(self.shapes or usual)


class Script:
    """What an endpoint answers: each question's fault so often, then well.

    Args:
        fault: the fault.
        times: how often the question with a text meets it.
    """

    def __init__(self, fault: Callable[[], Wrong], times: dict[str, float]) -> None:
        self._fault, self.times = fault, times
        self._lock = Lock()
        self.asked: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()
        """How often each question has been answered well."""
        self.mended = False

    def __call__(self, body: dict[str, Any]) -> Wrong:
        text = body["messages"][-1]["content"]
        with self._lock:
            self.asked[text] += 1
            wrong = not self.mended and self.asked[text] <= self.times.get(text, 0)
            self.paid[text] += not wrong
        return self._fault() if wrong else (200, completion("Paris"))


def to(base_url: str, *changes: str) -> list[str]:
    """The whole exam, put to an endpoint that is not waited for."""
    return [*TO_STUB, f"model.base_url={base_url}", "model.retry_wait=0", *changes]


def row(fault: Fault) -> Callable[[Attempt], None]:
    """The row of a fault."""

    def play(attempt: Attempt) -> None:
        shape = fault.shape(attempt)
        times = _times(attempt, fault, shape)
        script = Script(lambda: fault.play(attempt), times)
        changes = [
            f"model.max_concurrency={attempt.random.choice((1, 4, 8))}",
            f"model.max_retries={RETRIES}",
            f"cache={attempt.random.choice(('read', 'off'))}",
            *fault.settings,
        ]
        with endpoint(script) as server:
            run = to(server.base_url, *changes)
            first = attempt.run("step=all", *run, codes=(2, NOTHING) if _is_hopeless(fault, shape) else ())
            _check(attempt, fault, first, times, script)
            script.mended = True
            before = script.asked.copy()
            answered = {one["question_id"] for one in attempt.responses() if one["error"] is None}
            attempt.run("step=all" if first.code else "step=answer", *run, codes=(0,))
            attempt.check_answered()
            again = {text for text in script.asked if script.asked[text] > before[text]}
            hold(not again & {attempt.texts[name] for name in answered}, "what was answered is asked again")
            hold(max(script.paid.values(), default=0) <= 1, f"paid twice: {script.paid.most_common(1)}")

    return play


def _times(attempt: Attempt, fault: Fault, shape: Shape) -> dict[str, float]:
    texts = list(attempt.texts.values())
    if shape == "all":
        return dict.fromkeys(texts, inf)
    if shape == "passing":
        times: dict[str, float] = {text: attempt.random.randint(0, 2) for text in texts}
        return times | {texts[0]: 1.0}
    # the first one is answered, so that the run goes on
    return dict.fromkeys(attempt.random.sample(texts[1:], attempt.random.randint(1, fault.most)), inf)


def _is_hopeless(fault: Fault, shape: Shape) -> bool:
    return shape == "all" and fault.ends not in ("answer", "either")


def _check(attempt: Attempt, fault: Fault, ended: Ended, times: dict[str, float], script: Script) -> None:
    hold(fault.says in ended.err, f"{fault.says!r} is not among the warnings: {ended.last}")
    if ended.code:
        general = fault.ends == "gone" or set(times.values()) == {inf}
        hold(general, f"exit code {ended.code}: {ended.last}")
        hold(not (attempt.root / "grades").exists(), "step=all went on to grade what was not answered")
        return
    failed = 0
    for name, one in attempt.check_records().items():
        text = attempt.texts[name]
        asked, met = script.asked[text], times.get(text, 0)
        fails = met == inf and fault.ends not in ("answer", "either")
        failed += one["error"] is not None
        if fault.ends != "either":
            hold(fails == (one["error"] is not None), f"{text!r} ends with {one['response']!r:.80}, {one['error']}")
        least, most = _calls(fault, met)
        hold(least <= asked <= most, f"{asked} calls for {text!r}, not {least} to {most}")
    if failed:
        hold(f" {failed} " in ended.last, f"{failed} failed; the last line is {ended.last}")


def _calls(fault: Fault, met: float) -> tuple[float, float]:
    """How often at least and at most a question is asked that meets a fault so often."""
    if not met or fault.ends in ("once", "answer", "gone"):
        return 1, RETRIES + 1 if fault.timed else 1
    if fault.ends == "again" and not fault.timed:
        return (min(met, RETRIES) + 1,) * 2
    return 1, RETRIES + 1
