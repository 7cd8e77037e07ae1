"""Output of a run: printed lines, and progress as a bar on a terminal or otherwise as a line each minute."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from io import StringIO
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

from factprobe.secrecy import hide
from factprobe.storage import locate_disk_errors

if TYPE_CHECKING:
    from tqdm import tqdm

T = TypeVar("T")

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Pattern of control characters, and of characters that break lines or change the direction of text."""
_hidden = False
"""True if this process shows no progress."""
_LINE_SECONDS = 60.0
"""Seconds between two lines of progress if the output is not a terminal."""


def printable(text: str) -> str:
    """Escape the control characters in a text, since data and responses may contain them."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def say(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    """Print a text without secrets and with control characters escaped; all output of a run uses this function."""
    with locate_disk_errors("the output"):
        out = stream or sys.stdout
        print(
            printable(hide(text)) + end, file=out, end="", flush=True
        )  # in one write, since other jobs may use the same terminal


def hide_progress() -> None:
    """Show no progress in this process, which shares its terminal with others."""
    global _hidden  # noqa: PLW0603  (one terminal a process)
    _hidden = True


def progress(
    items: Iterable[T], step: str, unit: str, total: int | Callable[[], int | None] | None = None
) -> Iterable[T]:
    """Return an iterable over the items that shows the progress, in a bar called `step` that counts the `unit`.

    `total` is the number of items, if they have no length; or a function, called only if progress is shown.
    """
    if _hidden:
        return items
    if not sys.stderr.isatty():  # loading tqdm takes longer than a small step
        return _with_lines(items, step, unit, total)
    return _bar(step, unit, iterable=items, total=total() if callable(total) else total)


def _with_lines(items: Iterable[T], step: str, unit: str, total: int | Callable[[], int | None] | None) -> Iterator[T]:
    """Yield the items, and print a line of progress each minute."""
    started = last_line_at = monotonic()
    for number, item in enumerate(items, 1):
        now = monotonic()
        if now - last_line_at >= _LINE_SECONDS:
            last_line_at = now
            if callable(total):  # it may take long, so that it is called once
                total = total()
            count = total or (len(items) if isinstance(items, Sized) else None)
            of = f" of {count:,}" if count else ""
            say(f"{step}: {unit} {number:,}{of}, after {now - started:,.0f} s", sys.stderr)
        yield item


class _Lines(StringIO):
    """Output stream for a progress bar that prints its state as a line, at most once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._last_line_at = monotonic()

    def write(self, text: str) -> int:
        """Print the text as a line if a minute has passed; ignore blank text, which only erases the bar."""
        now, line = monotonic(), text.strip()
        if line and now - self._last_line_at >= _LINE_SECONDS:
            self._last_line_at = now
            say(line, sys.stderr)
        return len(text)


def progress_bar(total: int, step: str, unit: str, *, scaled: bool = False, delay: float = 1) -> tqdm[NoReturn]:
    """Return a progress bar called `step` for `total` items, which the caller updates; `unit` is their noun.

    With `scaled`, counts are in thousands (k), millions (M) and so on. The bar is shown after `delay` seconds.
    """
    return _bar(step, unit, total=total, unit_scale=scaled, delay=delay)


def _bar(step: str, unit: str, *, delay: float = 1, **settings: Any) -> tqdm[Any]:
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # the monitor thread would prevent forking; `miniters` replaces it
    display: dict[str, Any] = {"delay": delay}
    if not sys.stderr.isatty():
        form = "{desc}:{unit} {n_fmt} of {total_fmt}, after {elapsed}{postfix}"
        display = {"delay": _LINE_SECONDS, "mininterval": _LINE_SECONDS, "file": _Lines(), "bar_format": form}
    return tqdm(desc=step, unit=f" {unit}", miniters=1, disable=_hidden, leave=False, **display, **settings)
