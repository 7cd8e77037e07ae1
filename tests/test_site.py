"""The references of the documentation site, which are made from settings and registries."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from types import ModuleType

import pytest

from factprobe.config import known_names
from factprobe.question_types import question_types
from factprobe.step_table import STEPS
from tests.command_line import ROOT


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module with the hooks, which is in no package."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    monkeypatch.delitem(sys.modules, "site_hooks", raising=False)
    import site_hooks  # type: ignore[import-not-found]

    assert isinstance(site_hooks, ModuleType)
    return site_hooks


def widths(page: str) -> set[bool]:
    """Whether each row of a table has as many cells as the row before it."""
    rows = [len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0 for line in page.splitlines()]
    return {one == other for one, other in pairwise(rows) if one and other}


def test_every_step_has_its_settings(hooks: ModuleType) -> None:
    page = hooks.steps()
    assert re.findall(r"^## (\w+)$", page, re.MULTILINE) == [*STEPS]
    assert "| `limit` | `null` |" in page
    assert widths(page) == {True}


def test_every_part_is_listed(hooks: ModuleType) -> None:
    page = hooks.parts()
    for group in hooks.GROUPS:
        assert [name for name in known_names(group) if f"`{group}={name}`" not in page] == []
    assert [name for name in question_types() if f"| `{name}` |" not in page] == []
    assert widths(page) == {True}
