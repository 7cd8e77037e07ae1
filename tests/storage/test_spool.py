"""Records set aside on disk: read back as they were, by name, and nothing is left of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from factprobe.records import Answer
from factprobe.storage import spool

FIRST = [Answer("Q1", "Ulm"), Answer("Q2", "two\nlines", ("é",))]
SECOND = [Answer("Q3", "")]


def test_records_come_back_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with spool(folder, Answer) as kept:
        assert list(kept.through("first", FIRST)) == FIRST
        assert list(kept.through("none", [])) == []
        assert list(kept.through("second", SECOND)) == SECOND
        for name, records in (("second", SECOND), ("first", FIRST), ("none", []), ("first", FIRST)):
            assert list(kept.read(name)) == records
    assert list(folder.iterdir()) == []


def test_nothing_is_left_after_an_error(tmp_path: Path) -> None:
    def broken() -> Iterator[Answer]:
        yield FIRST[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), spool(tmp_path, Answer) as kept:
        list(kept.through("first", broken()))
    assert list(tmp_path.iterdir()) == []
