"""Progress bars: shown when a step takes longer than a second, and on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from tqdm import tqdm

T = TypeVar("T")

_hidden: bool | None = None
"""None shows the bars on a terminal only, True nowhere."""


def hide_progress() -> None:
    """Shows no bars in this process: it shares its terminal with others."""
    global _hidden  # noqa: PLW0603  (one terminal a process)
    _hidden = True


def progress(items: Collection[T], step: str, unit: str) -> Iterable[T]:
    """The items, with a bar that follows how far they are read."""
    if not sys.stderr.isatty():  # there is none then, and tqdm takes longer to load than a small step
        return items
    from tqdm import tqdm

    return tqdm(items, desc=step, unit=unit, delay=1, disable=_hidden, leave=False)


def progress_bar(total: int, step: str, unit: str) -> tqdm[NoReturn]:
    """A bar that is moved on by hand."""
    from tqdm import tqdm

    return tqdm(total=total, desc=step, unit=unit, delay=1, disable=_hidden, leave=False)
