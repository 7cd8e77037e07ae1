"""What people say of replies, in the words and numbers of those who write it down."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe.inputs.labels import parse_judgment
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
    assert side_of(parse_judgment(given, "|")) == side


def test_unknown_judgment_is_kept_for_the_warning() -> None:
    assert parse_judgment("Partly correct ", "|") == "Partly correct"
    assert parse_judgment([1, 3, 5], "|") == "3"
    assert parse_judgment(4.0, "|") == "4"
    assert parse_judgment(["yes", "no"], "|") == parse_judgment("1|0", "|") == "tie"
