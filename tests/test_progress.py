"""Progress bars: what they tell on a terminal."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import count

import pytest
import tqdm

from factprobe.progress import progress, progress_bar


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


def test_no_bar_outside_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    items = range(4)
    assert [*progress(items, "grade", "reply", lambda: 1 // 0)] == [*items]
    assert capsys.readouterr().err == ""


def test_a_line_a_minute_outside_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = count(0, 25)
    monkeypatch.setattr("factprobe.progress.monotonic", lambda: next(clock))
    assert [*progress(range(8), "grade", "reply")] == [*range(8)]
    assert capsys.readouterr().err.splitlines() == [
        "grade: reply 3 of 8, after 75 s",
        "grade: reply 6 of 8, after 150 s",
    ]
    with progress_bar(8, "answer", "question", delay=0) as bar:
        bar.set_postfix_str("waiting for m")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("factprobe.progress._LINE_SECONDS", 0)
    with progress_bar(8, "answer", "question") as bar:
        bar.set_postfix_str("$0.01", refresh=False)
        bar.update(3)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "answer: question 3 of 8, after 00:00, $0.01"
