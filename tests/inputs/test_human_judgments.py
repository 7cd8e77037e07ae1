"""What people say of replies, in the words and numbers of those who write it down."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe.inputs.labels import judgment_of
from factprobe.metrics.agreement.people import side_of


@pytest.mark.parametrize(
    ("given", "side"),
    [
        *[
            (word, "correct")
            for word in ("correct", "TRUE", " Yes", "y", "T", "right", "pass", "1", "1.0", 1, 1.0, True)
        ],
        *[
            (word, "incorrect")
            for word in ("Incorrect", "false", "no", "N", "f", "wrong", "Fail", "0.0", 0, 0.0, False)
        ],
        *[(word, None) for word in (None, "", float("nan"), "nan", "maybe", 0.5, 2, "-1", "partly correct", {"a": 1})],
        ([1, 1, 0], "correct"),
        (["no", "no", "yes"], "incorrect"),
        ([1, 0], None),
        ([1, None], "correct"),
        ([], None),
        ("[1, 0, 0]", "incorrect"),
        ("1|1|0", "correct"),
        (["yes", "maybe", "yes"], None),
    ],
)
def test_judgment_is_read(given: Any, side: str | None) -> None:
    assert side_of(judgment_of(given, "|")) == side


def test_unknown_judgment_is_kept_for_the_warning() -> None:
    assert judgment_of("Partly correct ", "|") == "Partly correct"
    assert judgment_of([1, 3, 5], "|") == "3"
    assert judgment_of(4.0, "|") == "4"
    assert judgment_of(["yes", "no"], "|") == judgment_of("1|0", "|") == "tie"
