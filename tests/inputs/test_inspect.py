"""Logs of inspect_ai that did not come to their end, where the package is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from factprobe.errors import DataError
from factprobe.inputs import ReplyFiles
from factprobe.inputs.inspect_logs import InspectLog
from factprobe.storage import Problems
from tests.inputs.replies import ROWS, write_inspect


def ended(path: Path, status: str, message: str = "", samples: int = len(ROWS)) -> ReplyFiles:
    """The replies of a log that ends with a status."""
    log = pytest.importorskip("inspect_ai.log")
    write_inspect(path)
    found = log.read_eval_log(str(path))
    found.status = status
    found.samples = found.samples[:samples]
    found.error = log.EvalError(message=message, traceback="", traceback_ansi="") if message else None
    log.write_eval_log(found, str(path))
    return ReplyFiles([str(path)])


@pytest.mark.parametrize("name", ["log.eval", "log.json"])
@pytest.mark.parametrize(
    ("status", "message", "told"),
    [
        ("error", "Connection\nrefused", "the run failed: Connection refused"),
        ("cancelled", "", "the run was cancelled"),
        ("started", "", "the run had not ended when this was written"),
    ],
)
def test_incomplete_run(
    name: str, status: str, message: str, told: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, problems = tmp_path / name, Problems()
    assert len(list(ended(path, status, message, samples=2).read(problems))) == 2
    assert f"{path}: {told}; its samples so far are read" in caplog.text
    assert problems.messages == []
    path = tmp_path / f"empty-{name}"
    with pytest.raises(DataError) as caught:
        list(ended(path, status, message, samples=0).read(Problems()))
    assert caplog.text.count("its samples so far are read") == 1
    assert str(caught.value) == f"{path}: has no sample: {told}; run the task again"


def test_complete_run_gives_no_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert len(list(ended(tmp_path / "log.eval", "success").read(Problems()))) == len(ROWS)
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("2026-01-02T03-04-05+00-00_gpqa-diamond_NqUxwZ5Cy2qJYQmRrYLBZk.eval", "gpqa-diamond"),
        ("2026-01-02T03-04-05-00-00_simple_qa_NqUxwZ5Cy2qJYQmRrYLBZk.json", "simple_qa"),
        ("capitals.eval", ""),
        ("2026-01-02_mine.eval", ""),
    ],
)
def test_its_title_is_the_task(name: str, title: str) -> None:
    assert InspectLog.title(Path(name)) == title
