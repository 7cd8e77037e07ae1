"""Progress bars: what they tell on a terminal."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
import tqdm

from factprobe.progress import progress


class Terminal(io.StringIO):
    """What takes itself for a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("total", "told"), [(None, " 4 reply "), (8, " 50%"), (lambda: 8, " 4/8 "), (lambda: None, " 4 reply ")]
)
def test_bar(total: int | Callable[[], int | None] | None, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)
    bar = progress(iter(range(4)), "grade", "reply", total)
    assert isinstance(bar, tqdm.tqdm)
    bar.n = 4
    assert told in str(bar)
    bar.close()


def test_no_bar_outside_a_terminal() -> None:
    items = range(4)
    assert progress(items, "grade", "reply", lambda: 1 // 0) is items
