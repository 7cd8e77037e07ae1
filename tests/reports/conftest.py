"""Tables for a terminal of one width, whatever the tests run in."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "118")
