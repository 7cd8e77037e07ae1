"""What a run shows while it goes: lines, and progress bars, which come on a terminal after a second."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

from factprobe.secrecy import hide
from factprobe.storage import named

if TYPE_CHECKING:
    from tqdm import tqdm

T = TypeVar("T")

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What a terminal obeys instead of showing it, and what turns the direction of writing around."""
_hidden: bool | None = None
"""None shows the bars on a terminal only, True nowhere."""


def printable(text: str) -> str:
    """A text in which control codes, which data and endpoints may hold, are spelled out."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def say(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    """Prints lines, or what `end` makes of the text: all that a run prints goes this way."""
    with named("the output"):
        out = stream or sys.stdout
        print(printable(hide(text)) + end, file=out, end="", flush=True)  # in one piece: other jobs write there too


def hide_progress() -> None:
    """Shows no bars in this process: it shares its terminal with others."""
    global _hidden  # noqa: PLW0603  (one terminal a process)
    _hidden = True


def progress(
    items: Iterable[T], step: str, unit: str, total: int | Callable[[], int | None] | None = None
) -> Iterable[T]:
    """The items, with a bar that follows how far they are read; `total` is for those that do not tell how many, and is
    only called where there is a bar."""
    if not sys.stderr.isatty():  # there is none then, and tqdm takes longer to load than a small step
        return items
    return _bar(step, unit, iterable=items, total=total() if callable(total) else total)


def progress_bar(total: int, step: str, unit: str, *, scaled: bool = False, delay: float = 1) -> tqdm[NoReturn]:
    """Return a bar that the caller updates.

    Args:
        total: how many items there are.
        step: the label.
        unit: what an item is called.
        scaled: count in thousands, millions and so on.
        delay: seconds until the bar is shown.
    """
    return _bar(step, unit, total=total, unit_scale=scaled, delay=delay)


def _bar(step: str, unit: str, *, delay: float = 1, **settings: Any) -> tqdm[Any]:
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # a thread of its own, beside which no process can be doubled; `miniters` does without
    return tqdm(desc=step, unit=f" {unit}", miniters=1, delay=delay, disable=_hidden, leave=False, **settings)
