"""Records set aside on disk: read back as they were, by name, and nothing is left of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from factprobe.records import Answer
from factprobe.storage import spool

FIRST = [Answer("Q1", "Ulm"), Answer("Q2", "two\nlines", ("é",))]
SECOND = [Answer("Q3", "")]


def test_spool_returns_records_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with spool(folder, Answer) as kept:
        for name, records in (("first", FIRST), ("second", SECOND)):
            for record in records:
                kept.add(name, record)
        for name, records in (("second", SECOND), ("first", FIRST), ("none", []), ("first", FIRST)):
            assert list(kept.read(name)) == records
    assert list(folder.iterdir()) == []


def fail(folder: Path) -> None:
    with spool(folder, Answer) as kept:
        kept.add("first", FIRST[0])
        raise ZeroDivisionError


def test_spool_file_is_removed_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        fail(tmp_path)
    assert list(tmp_path.iterdir()) == []
