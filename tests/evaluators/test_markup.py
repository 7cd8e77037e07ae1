"""Right answers with markup of their own: formulas in LaTeX, tags, code, symbols."""

from __future__ import annotations

from factprobe.api import grade_answers


def test_the_answer_that_is_matched_is_named_as_the_question_has_it() -> None:
    asked = {"question": "Compute.", "answers": [r"\frac{1}{2}"], "response": "1/2"}
    assert grade_answers([asked])[0].matched == (r"\frac{1}{2}",)
