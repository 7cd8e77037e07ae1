"""Right answers with markup of their own: formulas in LaTeX, tags, code, symbols."""

from __future__ import annotations

import pytest

import factprobe
from factprobe.api import grade_answers
from tests.tables import for_each_row

FRANCE, BOTH = "What is the capital of France?", "What are the capitals of France and Italy?"
HEAD = "| Country | Capital | Mayor |\n|---|:---|---|\n"


def test_code_of_a_right_answer_keeps_its_underline() -> None:
    kg = factprobe.load_kg([("a", "code", "Gene NM_5"), ("b", "code", "Gene NM_7")], templates={"code": "[X] is [Y]."})
    [asked, _] = factprobe.make_questions(kg, question_types=["single_answer"])
    replies = ["It is Gene NM_5.", "It is Gene NM_7."]
    assert [one.verdict for one in factprobe.grade_responses(kg, [asked] * 2, replies)] == ["correct", "incorrect"]


@pytest.mark.parametrize("reply", ["$H_2O$", "H_2O", r"$\mathrm{H_2O}$", "Its formula is $H_2O$.", "H₂O"])
def test_figures_below_the_line_of_a_formula_are_in_it(reply: str) -> None:
    facts = [("water", "formula", "H2O"), ("salt", "formula", "NaCl")]
    kg = factprobe.load_kg(facts, templates={"formula": "[X] is [Y]."})
    [asked, _] = factprobe.make_questions(kg, question_types=["single_answer"])
    assert factprobe.grade_responses(kg, [asked], [reply])[0].verdict == "correct"


def test_the_answer_that_is_matched_is_named_as_the_question_has_it() -> None:
    asked = {"question": "Compute.", "answers": [r"\frac{1}{2}"], "response": "1/2"}
    assert grade_answers([asked])[0].matched == (r"\frac{1}{2}",)


@for_each_row(
    ("question", "answers", "reply", "is_right"),
    [
        (FRANCE, ["Paris"], f"{HEAD}| France | Paris | Anne Hidalgo |", True),
        (
            FRANCE,
            ["Paris"],
            f"Here it is:\n\n{HEAD}| France | **Paris** | Anne Hidalgo |\n| Italy | Rome | Roberto |",
            True,
        ),
        (FRANCE, ["Paris"], "Country | Capital\n--- | ---\nFrance | Paris", True),
        (FRANCE, ["Paris"], f"{HEAD}| France | Lyon | Anne Hidalgo |\n| Texas | Paris | Ann |", False),
        ("Which country has the capital Paris?", ["France"], f"{HEAD}| France | Paris | Anne |", True),
        (BOTH, ["Paris", "Rome"], f"{HEAD}| France | Paris | Anne |\n| Italy | Rome | Roberto |", True),
        (BOTH, ["Paris", "Rome"], f"{HEAD}| France | Paris | Anne |\n| Italy | Milan | Roberto |", False),
        (BOTH, ["Paris", "Rome"], f"{HEAD}| France | Paris | A |\n| Italy | Rome | B |\n| Spain | Madrid | C |", False),
    ],
)
def test_the_cell_that_is_asked_for_is_the_answer(
    question: str, answers: list[str], reply: str, is_right: bool
) -> None:
    asked = {"question": question, "answers": answers, "response": reply}
    (grade,) = grade_answers([asked], match="all" if len(answers) > 1 else "any")
    assert (grade.verdict == "correct") is is_right
