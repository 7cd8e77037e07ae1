"""Graphs that are read in the process of the tests: to fork it, with all that it has loaded, takes 0.1 s a store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from factprobe import workers


@pytest.fixture(autouse=True, scope="module")
def stores_are_filled_here() -> Iterator[None]:
    """Keep stores from forking; `test_child_process_builds_the_same_store` lets one do so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "_can_fork", lambda: False)
        yield
