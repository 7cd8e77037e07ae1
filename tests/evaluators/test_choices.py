"""One option of several: the option that a careful person sees a reply choose."""

from __future__ import annotations

from tests.evaluators import worlds as w
from tests.evaluators.worlds import graded
from tests.tables import for_each_row


@for_each_row(("right", "wrong"), [("Polish", "polish"), ("resume", "résumé"), ("ULM", "Ulm")])
def test_options_that_differ_in_case_or_diacritics_are_told_apart_by_letter(right: str, wrong: str) -> None:
    asked = w.choose(w.World("[X] means [Y].", {"it": [right]}), "it", wrong, right)
    assert graded(asked, "B").verdict == "correct"
    assert graded(asked, "A").verdict == "incorrect"


@for_each_row(("right", "wrong"), [("Polish", "polish"), ("resume", "résumé"), ("ULM", "Ulm")])
def test_options_that_differ_in_case_or_diacritics_are_told_apart_by_text(right: str, wrong: str) -> None:
    asked = w.choose(w.World("[X] means [Y].", {"it": [right]}), "it", wrong, right)
    assert graded(asked, right).verdict == "correct"
    assert graded(asked, wrong).verdict == "incorrect"
