"""Rows of agreement, small enough to count by hand."""

from __future__ import annotations

import logging

import pytest

from factprobe.metrics.agreement.people import People
from factprobe.metrics.agreement.raters import Agreement, RaterLabel, agreements, consensus_of


def rated(*labels: str | None) -> dict[str, RaterLabel]:
    return {str(number): RaterLabel(label) for number, label in enumerate(labels, 1)}


def row(rows: list[Agreement], raters: str, measure: str, consensus: str = "all") -> Agreement:
    [found] = [row for row in rows if (row.raters, row.measure, row.consensus) == (raters, measure, consensus)]
    return found


@pytest.mark.parametrize(
    ("labels", "consensus"),
    [
        ("aaaaa", "unanimous"),
        ("aaaab", "high"),
        ("aaabb", "low"),
        ("aab", "low"),
        ("aaab", "high"),
        ("ab", "low"),
        ("aa", "unanimous"),
        ("abcde", "low"),
        ("a", "all"),
        ("", "all"),
    ],
)
def test_consensus(labels: str, consensus: str) -> None:
    assert consensus_of(labels) == consensus


def test_two_raters() -> None:
    rows = agreements({"human": rated("a", "a", "b", "b"), "rules": rated("a", "b", "b", "b")}, "human")
    assert row(rows, "human + rules", "accuracy").estimate == 0.75
    assert row(rows, "human + rules", "cohen_kappa").estimate == pytest.approx(0.5)  # 0.75 seen, 0.5 by chance
    assert all(found.low <= found.estimate <= found.high for found in rows)  # type: ignore[operator]
    assert {found.measure for found in rows} == {"accuracy", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha"}


def test_with_gold_the_others_are_not_held_against_each_other() -> None:
    three = {"one": rated("a", "b"), "two": rated("a", "b"), "three": rated("b", "b")}
    pairs = {found.raters for found in agreements(three, "two") if found.measure == "accuracy"}
    assert pairs == {"two + one", "two + three"}
    pairs = {found.raters for found in agreements(three) if found.measure == "accuracy"}
    assert pairs == {"one + two", "one + three", "two + three"}


def test_what_one_says_nothing_of_is_left_out_and_counted() -> None:
    one = rated("a", None, "b", "b")
    other = {"1": RaterLabel("a"), "2": RaterLabel("a"), "3": RaterLabel("a"), "9": RaterLabel("b")}
    found = row(agreements({"one": one, "other": other}), "one + other", "accuracy")
    assert (found.items, found.left_out, found.estimate) == (2, 3, 0.5)


def test_alpha_takes_items_that_two_of_three_rated_and_fleiss_those_that_all_did() -> None:
    rows = agreements({"one": rated("a", "b", None), "two": rated("a", "b", "b"), "three": rated("a", None, "b")})
    assert row(rows, "one + two + three", "fleiss_kappa").items == 1
    assert row(rows, "one + two + three", "krippendorff_alpha").items == 3
    assert row(rows, "one + two + three", "krippendorff_alpha").estimate == 1
    assert row(rows, "one + two + three", "fleiss_kappa").estimate is None  # one item, one label: nothing to agree on


def test_annotators_have_their_own_rows_and_divide_the_items() -> None:
    gold = {
        "1": RaterLabel("a", None, ("a", "a", "a")),
        "2": RaterLabel("b", None, ("a", "b", "b")),
        "3": RaterLabel("b"),
    }
    rows = agreements({"gold": gold, "rules": rated("a", "a", "b")}, "gold")
    assert row(rows, "gold + rules", "accuracy", "unanimous").estimate == 1
    assert row(rows, "gold + rules", "accuracy", "low").estimate == 0
    assert row(rows, "gold + rules", "accuracy").items == 3
    assert row(rows, "annotators of gold", "fleiss_kappa").items == 2
    # with rules: 3 of 3 pairs of item 1 agree and 1 of 3 of item 2 without it, 6 of 6 and 2 of 6 with it
    assert row(rows, "annotators of gold", "fleiss_kappa").estimate == pytest.approx((2 / 3 - 5 / 9) / (4 / 9))
    assert row(rows, "annotators of gold + rules", "fleiss_kappa").estimate == pytest.approx((2 / 3 - 5 / 8) / (3 / 8))


def test_rho_is_of_the_probabilities() -> None:
    one = {str(i): RaterLabel(None, i / 10) for i in range(5)}
    other = {str(i): RaterLabel(None, 1 - i / 20) for i in range(5)}
    [found] = agreements({"one": one, "other": other})
    assert (found.measure, found.items) == ("spearman_rho", 5)
    assert found.estimate == pytest.approx(-1)


def test_labels_of_different_words_are_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    agreements({"human": rated("right", "wrong"), "rules": rated("correct", "incorrect")})
    assert "human and rules have no label in common" in caplog.text


def test_questions_about_one_subject_are_one_cluster() -> None:
    ids = [f"Q{i // 5}:o{i}:P1:single_answer:ask_object" for i in range(40)]
    labels = ["a" if i < 20 else "b" for i in range(40)]
    others = ["a" if i % 10 < 5 else "b" for i in range(40)]  # whole subjects alike
    clustered = agreements(
        {
            "x": dict(zip(ids, map(RaterLabel, labels), strict=True)),
            "y": dict(zip(ids, map(RaterLabel, others), strict=True)),
        }
    )
    plain = agreements({"x": rated(*labels), "y": rated(*others)})
    wide, narrow = (row(rows, "x + y", "accuracy") for rows in (clustered, plain))
    assert wide.estimate == narrow.estimate == 0.5
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)  # type: ignore[operator]


def test_verdicts_that_a_rater_never_gives_count_as_incorrect() -> None:
    people = rated("correct", "incorrect", "incorrect", "incorrect")
    grader = rated("correct", "incorrect", "abstained", "unparsed")
    found = agreements({"people": people, "grader": grader}, "people")
    assert {row.measure: row.estimate for row in found} == dict.fromkeys(
        ("accuracy", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha"), 1
    )
    people = rated("correct", "abstained", "incorrect", "incorrect")
    found = agreements({"people": people, "grader": grader}, "people")
    assert row(found, "people + grader", "accuracy").estimate == 0.5
    assert row(agreements({"a": grader, "b": rated("no", "yes", "no", "no")}), "a + b", "accuracy").estimate == 0


def test_annotators_count_for_the_verdicts_that_people_give() -> None:
    people = {
        "1": RaterLabel("correct", None, ("correct", "incorrect", "correct")),
        "2": RaterLabel("incorrect", None, ("incorrect",) * 3),
    }
    found = agreements({"people": people, "grader": rated("correct", "unparsed")}, "people")
    whole = row(found, "annotators of people + grader", "krippendorff_alpha")
    same = agreements({"people": people, "grader": rated("correct", "incorrect")}, "people")
    assert whole == row(same, "annotators of people + grader", "krippendorff_alpha")


def people(*judgments: str) -> People:
    found = People()
    for number, human in enumerate(judgments):
        found.add("gpt", str(number), "correct", human)
    return found


def counted(found: People) -> int:
    return next((row.items for row in found.agreements() if row.measure == "accuracy"), 0)


@pytest.mark.parametrize(
    ("judgments", "count"),
    [
        (["1", "0", "1"], 3),
        (["1", "0", "0.5"], 2),
        (["1", "3", "5", "1"], 0),
        (["-1", "0", "1"], 0),
        (["correct", "2", "wrong"], 0),
        (["1", "maybe", "0"], 2),
        ([""], 0),
    ],
)
def test_of_a_scale_no_judgment_counts(judgments: list[str], count: int) -> None:
    assert counted(people(*judgments)) == count


def test_a_scale_is_told_in_one_line() -> None:
    [told] = people("1", "4", "maybe", "5").warnings()
    assert "judgments are numbers on a scale, such as 4" in told


def test_of_many_judgments_that_cannot_be_read_the_first_are_told() -> None:
    *told, last = people(*(f"{number} {'x' * 100}" for number in range(300)), "right").warnings()
    assert len(told) == 10
    assert told[0].startswith("judgment '0 xxx")
    assert all(len(line) < 150 for line in told)
    assert last == "other judgments that are neither right nor wrong; left out: 290 replies"
    assert list(people("1", "").warnings()) == []
