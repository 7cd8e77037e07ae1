"""Rows of the comparison, small enough to count by hand."""

from __future__ import annotations

from factprobe.question_types import QuestionType
from factprobe.records import Grade, Verdict
from factprobe.reports.comparison import Comparison, comparison_table, comparisons


def grades(kind: QuestionType, **verdicts: Verdict) -> dict[str, Grade]:
    """Grades by question id; the keyword is the subject."""
    ids = {f"{subject}:o:P36:{kind}:ask_object": verdict for subject, verdict in verdicts.items()}
    return {name: Grade(name, kind, verdict, (), 0, 0, 0, "rule") for name, verdict in ids.items()}


def row(rows: list[Comparison], question_type: str) -> Comparison:
    [found] = [row for row in rows if row.question_type == question_type]
    return found


ONE = grades("single_answer", a="correct", b="correct", c="abstained", d="failed", e="correct")
OTHER = grades("single_answer", a="correct", b="incorrect", c="unparsed", d="correct", f="correct")


def test_a_pair_is_judged_on_what_both_answered() -> None:
    found = row(comparisons({"one": ONE, "other": OTHER}), "single_answer")
    assert (found.questions, found.failed, found.one_only) == (3, 1, 2)
    assert (found.accuracy_first, found.accuracy_second) == (2 / 3, 1 / 3)
    assert found.difference.estimate == 1 / 3
    assert (found.both, found.only_first, found.only_second, found.neither) == (1, 1, 0, 1)
    assert found.verdict == "tied"


def test_each_question_type_and_all_of_them() -> None:
    graded = {"one": {**ONE, **grades("binary_answer", a="correct")}, "other": OTHER}
    graded["other"] = {**OTHER, **grades("binary_answer", a="incorrect")}
    rows = comparisons(graded)
    assert [found.question_type for found in rows] == ["binary_answer", "single_answer", "all"]
    assert row(rows, "all").questions == 4
    assert row(rows, "all").only_first == 2
    assert row(rows, "all").clusters == 3  # both questions about a are one cluster


def test_holms_correction_is_over_the_pairs_of_a_table() -> None:
    many = {f"s{i}": "correct" for i in range(40)}
    good = grades("single_answer", **many)
    bad = grades("single_answer", **dict.fromkeys(many, "incorrect"))
    alone = row(comparisons({"good": good, "bad": bad}), "all")
    three = [found for found in comparisons({"good": good, "bad": bad, "same": good}) if found.question_type == "all"]
    assert [(found.first, found.second, found.verdict) for found in three] == [
        ("good", "bad", "first"),
        ("good", "same", "tied"),
        ("bad", "same", "second"),
    ]
    assert three[0].p_corrected == 3 * alone.p_corrected


def test_pairs_without_a_common_question_have_no_row() -> None:
    assert (
        comparisons({"one": grades("single_answer", a="correct"), "other": grades("single_answer", b="correct")}) == []
    )
    assert (
        comparisons({"one": grades("single_answer", a="failed"), "other": grades("single_answer", a="correct")}) == []
    )


def test_the_table_shows_names_as_they_are() -> None:
    text = comparison_table(comparisons({"[bold]one": ONE, "other": OTHER}))
    assert "[bold]one" in text
    assert "+33.3" in text
    assert "tied" in text
