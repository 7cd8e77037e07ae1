"""Output of a run: lines, and progress bars, which appear on a terminal after a second."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

from factprobe.secrecy import hide
from factprobe.storage import locate_disk_errors

if TYPE_CHECKING:
    from tqdm import tqdm

T = TypeVar("T")

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Terminal control characters, and those that change the direction of writing."""
_hidden: bool | None = None
"""None to show bars on a terminal only, True to show none."""


def printable(text: str) -> str:
    """Return a text with control characters escaped, as data and endpoints may contain them."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def say(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    """Print lines, ended by `end`; everything that a run prints goes through here."""
    with locate_disk_errors("the output"):
        out = stream or sys.stdout
        print(
            printable(hide(text)) + end, file=out, end="", flush=True
        )  # in one piece, since other jobs write there too


def hide_progress() -> None:
    """Hide progress bars in this process, which shares its terminal with others."""
    global _hidden  # noqa: PLW0603  (one terminal a process)
    _hidden = True


def progress(
    items: Iterable[T], step: str, unit: str, total: int | Callable[[], int | None] | None = None
) -> Iterable[T]:
    """Return the items with a progress bar.

    `total` is for items without a length; as a function it is called only if there is a bar.
    """
    if not sys.stderr.isatty():  # loading tqdm takes longer than a small step
        return items
    return _bar(step, unit, iterable=items, total=total() if callable(total) else total)


def progress_bar(total: int, step: str, unit: str, *, scaled: bool = False, delay: float = 1) -> tqdm[NoReturn]:
    """Return a progress bar that the caller updates.

    Args:
        total: the number of items.
        step: the label.
        unit: the noun for an item.
        scaled: whether to count in thousands, millions and so on.
        delay: seconds until the bar is shown.
    """
    return _bar(step, unit, total=total, unit_scale=scaled, delay=delay)


def _bar(step: str, unit: str, *, delay: float = 1, **settings: Any) -> tqdm[Any]:
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # the monitor thread would prevent forking; `miniters` replaces it
    return tqdm(desc=step, unit=f" {unit}", miniters=1, delay=delay, disable=_hidden, leave=False, **settings)
