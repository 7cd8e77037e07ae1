"""Verdicts on replies of a megabyte."""

from __future__ import annotations

import pytest

from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, graded
from tests.tables import for_each_row

ULM = w.ask_object(w.BORN, "Albert Einstein")
OPTIONS = w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "New York", "Paris")
TRUE = w.true_or_false(w.BORN, "Albert Einstein", "Ulm")
FALSE = w.true_or_false(w.BORN, "Albert Einstein", "Paris")


@for_each_row(
    ("asked", "start", "repeated", "end", "verdict"),
    [
        (ULM, "Ulm. ", "And so on. " * 90_000, "", "correct"),
        (ULM, "", "u\n" * 400_000, "Ulm", "correct"),
        (ULM, "", "lorem ipsum " * 80_000, "", "incorrect"),
        (OPTIONS, "B. ", "And so on. " * 90_000, "", "correct"),
        (TRUE, "correct. ", "He was born there in 1879. " * 40_000, "", "correct"),
        (FALSE, "correct. ", "He was born there in 1879. " * 40_000, "", "incorrect"),
        (TRUE, "", "lorem ipsum " * 80_000, "", "unparsed"),
        (FALSE, "", "lorem ipsum " * 80_000, "", "unparsed"),
    ],
)
@pytest.mark.slow
def test_long_reply_gets_verdict(asked: Asked, start: str, repeated: str, end: str, verdict: str) -> None:
    assert graded(asked, f"{start}{repeated}{end}").verdict == verdict
