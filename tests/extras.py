"""Marks of tests that need an extra which the environment may lack."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest


def needs(*modules: str) -> pytest.MarkDecorator:
    """Skip a test where one of these modules is not installed; none of them is imported."""
    missing = [module for module in modules if find_spec(module) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def loads(*modules: str) -> Callable[[Any], Any]:
    """Mark a test slow because it imports these large modules; skip it where one of them is not installed."""
    return lambda test: pytest.mark.slow(needs(*modules)(test))
