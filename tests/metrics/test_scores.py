"""Scores against tables worked out by hand."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from typing import Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from factprobe.metrics import Tallies, Tally, metrics
from factprobe.metrics.score_metrics import PenalisedScore
from factprobe.metrics.score_table import overall, scores
from factprobe.metrics.tallies import Cell, Stratum
from factprobe.question_types import QUESTION_TYPES, QuestionType
from factprobe.records import VERDICTS, Answer, Grade, Question, Relation, Score, Verdict
from tests.optional import not_none
from tests.tables import for_each_row

BORN = Relation("P19", "[X] was born in [Y].", "place of birth", type="N-1")
SPEAKS = Relation("P1412", "[X] speaks [Y].", "languages", type="N-M")
DIED = Relation("P20", "[X] died in [Y].", "place of death", type="N-1")
RELATIONS = {relation.relation: relation for relation in (BORN, SPEAKS, DIED)}
COUNTS = ("questions", *VERDICTS)
METRICS = metrics.every()


def grade(
    verdict: Verdict, kind: QuestionType = "single_answer", hits: tuple[int, int, int] = (0, 0, 0), rank: int = 0
) -> Grade:
    return Grade("a:b:c:d:e", kind, verdict, (), *hits, "by hand", rank)


def tally(kind: QuestionType = "single_answer", /, **verdicts: int) -> Tally:
    """A tally of so many of each verdict."""
    counted = Tally()
    for verdict, count in verdicts.items():
        assert verdict in VERDICTS
        for _ in range(count):
            counted.add(grade(verdict, kind))
    return counted


def sets(*grades: tuple[Verdict, int, int, int]) -> Tally:
    """A tally of answer sets, each with its verdict, true positives, false positives and false negatives."""
    counted = Tally()
    for verdict, *hits in grades:
        counted.add(grade(verdict, "multiple_answer", (hits[0], hits[1], hits[2])))
    return counted


def cell(relation: str = "P19", kind: QuestionType = "single_answer", model: str = "m", generator: str = "g") -> Cell:
    return Cell(generator, model, relation, kind)


def rates_of(counted: Tally) -> dict[str, float | None]:
    """The rates of a tally, as the row of a cell has them."""
    [row] = [row for row in scores({cell(): counted}, RELATIONS) if row.level == "cell"]
    return {metric.name: getattr(row, metric.name) for metric in METRICS}


def only(rows: list[Score], **where: str) -> Score:
    """The one row that has these values."""
    (row,) = [row for row in rows if all(getattr(row, name) == value for name, value in where.items())]
    return row


def ranked(*ranks: int) -> Tally:
    """A tally of ranked questions, a failed one for rank 0."""
    counted = Tally()
    for rank in ranks:
        verdict: Verdict = "correct" if rank == 1 else "incorrect" if rank else "failed"
        counted.add(grade(verdict, "multi_choices", rank=rank))
    return counted


OF_VERDICTS = ("accuracy", "precision", "f1", "abstention_rate", "invalid_rate")
OF_SETS = ("set_precision", "set_recall", "set_f1")
OF_RANKS = ("mrr", "precision_at_5", "precision_at_10")
MIXED = {"correct": 3, "incorrect": 2, "unparsed": 1, "abstained": 2}


@for_each_row(
    ("counted", "names", "rates"),
    [
        (tally(**MIXED), ("coverage", "hallucination_rate", "penalised_score"), (6 / 8, 2 / 5, (3 - 2) / 8)),
        # 3 of 8 are right; of the 6 attempts (3 + 2 + 1) 3 are right; F1 = 2 * 3 / (6 + 8)
        (tally(**MIXED), OF_VERDICTS, (3 / 8, 3 / 6, 6 / 14, 2 / 8, 1 / 8)),
        (tally(**MIXED, failed=9), OF_VERDICTS, (3 / 8, 3 / 6, 6 / 14, 2 / 8, 1 / 8)),  # failed ones change nothing
        (tally(correct=4), OF_VERDICTS, (1, 1, 1, 0, 0)),
        (tally(incorrect=4), OF_VERDICTS, (0, 0, 0, 0, 0)),
        (tally(unparsed=2), OF_VERDICTS, (0, 0, 0, 0, 1)),
        (tally(correct=1, unparsed=1), OF_VERDICTS, (1 / 2, 1 / 2, 1 / 2, 0, 1 / 2)),
        # abstaining costs recall, not precision
        (tally(correct=1, abstained=3), OF_VERDICTS, (1 / 4, 1, 2 / 5, 3 / 4, 0)),
        # nothing was attempted: there is no precision, and F1 = 2 * 0 / (0 + 5)
        (tally(abstained=5), OF_VERDICTS, (0, None, 0, 1, 0)),
        (tally(failed=5), (*OF_VERDICTS, *OF_SETS, *OF_RANKS), [None] * 11),
        (tally(), (*OF_VERDICTS, *OF_SETS, *OF_RANKS), [None] * 11),
        (tally(correct=3), (*OF_SETS, *OF_RANKS, "guess_corrected_accuracy"), [None] * 7),
        # 5 true, 2 false, 3 missed: 5/7, 5/8, 10/15
        (
            sets(("incorrect", 2, 2, 1), ("correct", 3, 0, 0), ("abstained", 0, 0, 2)),
            (*OF_SETS, "exact_set_accuracy", "coverage"),
            (5 / 7, 5 / 8, 10 / 15, 1 / 3, 2 / 3),
        ),
        (sets(("incorrect", 0, 3, 2)), OF_SETS, (0, 0, 0)),
        (sets(("abstained", 0, 0, 2)), OF_SETS, (None, 0, 0)),  # nothing was named: no precision
        (sets(("correct", 2, 0, 0), ("failed", 0, 0, 0)), (*OF_SETS, "exact_set_accuracy"), (1, 1, 1, 1)),
        (ranked(1, 2, 5, 10), OF_RANKS, ((1 + 1 / 2 + 1 / 5 + 1 / 10) / 4, 3 / 4, 1)),
        (ranked(1, 1), OF_RANKS, (1, 1, 1)),
        (ranked(6, 11), OF_RANKS, ((1 / 6 + 1 / 11) / 2, 0, 1 / 2)),
        (ranked(2, 0), OF_RANKS, (1 / 2, 1, 1)),  # a failed one is left out
    ],
)
def test_rates_by_hand(counted: Tally, names: Sequence[str], rates: Sequence[float | None]) -> None:
    found = rates_of(counted)
    assert [found[name] for name in names] == [pytest.approx(rate) for rate in rates]
    assert found["recall"] == found["accuracy"]


@pytest.mark.parametrize("name", metrics.names())
def test_nothing_is_counted_of_no_grades(name: str) -> None:
    metric, counted = metrics.get(name)(name), Tally().counted()
    assert counted.sums(metric.share).shape == (0, 2)
    assert metric.measure(counted) is None


def test_a_penalty_may_be_any() -> None:
    class Thrice(PenalisedScore):
        """With a penalty of 3."""

        penalty = 3.0
        least = -3.0

    counted = tally(correct=8, incorrect=3, unparsed=1, abstained=2, failed=1).counted()
    found = not_none(Thrice("thrice").measure(counted))
    assert found.estimate == pytest.approx((8 - 3 * 3) / 14)
    assert -3 <= found.low < found.estimate < found.high <= 1


@pytest.mark.parametrize("kind", [kind for kind in QUESTION_TYPES if kind != "multiple_answer"])
def test_only_answer_sets_are_counted_by_the_answer(kind: QuestionType) -> None:
    counted = Tally()
    counted.add(grade("incorrect", kind, (1, 2, 3)))
    assert rates_of(counted)["set_recall"] is rates_of(counted)["exact_set_accuracy"] is None


def test_joined_tallies_add_their_counts_and_are_left_alone() -> None:
    first, second = sets(("correct", 2, 0, 0)), sets(("incorrect", 1, 4, 2), ("correct", 2, 0, 0))
    total = Tally.joined([first, second])
    assert total.verdicts == Counter(correct=2, incorrect=1)
    precision = metrics.get("set_precision")("set_precision")
    assert total.counted().sums(precision.share).tolist() == [[2, 2], [1, 5], [2, 2]]
    assert first.verdicts == Counter(correct=1)
    assert rates_of(Tally.joined([first, Tally()])) == rates_of(first)


@pytest.mark.parametrize(
    ("verdicts", "whole", "attempted"),
    [
        ({"abstained": 8}, 0, None),  # honesty costs nothing
        ({"correct": 2, "incorrect": 6}, 0, 0),  # as guessing does, one in four right
        ({"incorrect": 8}, -1 / 3, -1 / 3),
        ({"correct": 8}, 1, 1),
        # 4 right and 4 declined count as 4 + 4/4 of 8: (5/8 - 1/4) / (3/4); all that was attempted is right
        ({"correct": 4, "abstained": 4}, 0.5, 1),
        # a failed question is no question; an unparsed reply is an attempt
        ({"correct": 2, "unparsed": 1, "incorrect": 1, "abstained": 4, "failed": 3}, (3 / 8 - 1 / 4) / 0.75, 1 / 3),
    ],
)
def test_to_decline_is_worth_a_guess(verdicts: dict[str, int], whole: float, attempted: float | None) -> None:
    counted = Tally()
    for verdict in VERDICTS:
        for number in range(verdicts.get(verdict, 0)):
            counted.add(grade(verdict, "multi_choices"), f"{verdict}{number}", 4)
    [row, *_] = scores({cell(): counted}, RELATIONS)
    assert row.guess_corrected_accuracy == pytest.approx(whole)
    assert row.guess_corrected_precision == pytest.approx(attempted)
    low, high = not_none(row.guess_corrected_accuracy_low), not_none(row.guess_corrected_accuracy_high)
    assert low <= whole + 1e-9
    assert whole - 1e-9 <= high


def question(subject: str, kind: QuestionType, form: str, answers: tuple[str, ...] = ("Q90",)) -> Question:
    found = tuple(Answer(uri, uri) for uri in answers)
    asked: Literal["correct"] | tuple[Answer, ...] = found if kind != "binary_answer" else "correct"
    choices = ("a", "b", "c", "d") if kind == "multi_choices" else ()
    name = f"{subject}:{answers[0]}:P19:{kind}:{form}"
    return Question(name, kind, (), asked, "P19", subject, answers[0], choices)


def counted_graph() -> Tallies:
    """Q1 is popular; of Q2 one of two answers is named; Q3 is asked in one form, and there is no reply."""
    tallies = Tallies({"Q1": "head", "Q2": "tail", "Q3": "tail"})
    graded: list[tuple[Question, Verdict, tuple[str, ...]]] = [
        (question("Q1", "single_answer", "ask_object"), "correct", ("Q90",)),
        (question("Q1", "binary_answer", "binary_correct"), "incorrect", ()),
        (question("Q2", "multiple_answer", "ask_object", ("Q90", "Q64")), "incorrect", ("Q64",)),
        (question("Q2", "multi_choices", "multi_choices_obj", ("Q64",)), "correct", ("Q64",)),
        (question("Q3", "single_answer", "ask_object"), "failed", ()),
    ]
    for asked, verdict, matched in graded:
        found = Grade(asked.question_id, asked.question_type, verdict, matched, len(matched), 0, 0, "by hand")
        tallies.add("g", "m", "P19", found, asked)
    return tallies


def test_rows_by_popularity_and_by_the_size_of_the_answer_set() -> None:
    tallies = counted_graph()
    rows = scores(tallies.cells, RELATIONS, "x", tallies.strata)
    strata = [row for row in rows if row.level in ("popularity", "answer_set_size")]
    found = [(row.popularity, row.answer_set_size, row.questions, row.correct, row.failed) for row in strata]
    assert found == [("head", "all", 2, 1, 0), ("tail", "all", 3, 1, 1), ("all", "1", 2, 1, 1), ("all", "2", 1, 0, 0)]
    assert strata[0].guess_corrected_accuracy == -1
    again = [row for row in overall([(tallies, RELATIONS)] * 2) if row.level == "popularity"]
    assert [(row.kg, row.popularity, row.questions, row.correct) for row in again] == [
        ("all", "head", 4, 2),
        ("all", "tail", 6, 2),
    ]


def test_a_grade_without_its_question_is_counted_by_its_id() -> None:
    tallies = Tallies({"Q1": "head"})
    name = "Q1:Q90:P19:binary_answer:binary_correct"
    tallies.add("g", "m", "P19", Grade(name, "binary_answer", "correct", (), 0, 0, 0, "by hand"), None)
    [row, *_] = scores(tallies.cells, RELATIONS, "x", tallies.strata)
    assert (row.guess_corrected_accuracy, [*tallies.strata]) == (1, [Stratum("g", "m", "popularity", "head")])


def test_a_cell_with_real_and_made_up_subjects_has_a_tally_of_each() -> None:
    """As where the questions about some of the made-up ones are missing."""
    tallies = Tallies({})
    for subject, kind in (("Q1", ""), ("made-up/Q1", "made_up"), ("Q2", "made_up")):
        asked = replace(question(subject, "single_answer", "ask_object"), given=kind)
        found = Grade(asked.question_id, "single_answer", "correct", (), 0, 0, 0, "by hand")
        tallies.add("g", "m", "P19", found, asked)
    assert tallies.questions == 3
    assert [(one, len(counted)) for one, counted in tallies.all_cells] == [(cell("P19"), 1), (cell("P19"), 2)]


def test_ranks_are_averaged_over_the_ranked_questions_alone() -> None:
    table = {
        cell("P19", "multi_choices"): ranked(1, 4),
        cell("P19"): tally(correct=3),
        cell("P20", "multi_choices"): ranked(2),
    }
    rows = scores(table, RELATIONS)
    assert only(rows, level="total", average="micro").mrr == pytest.approx((1 + 1 / 4 + 1 / 2) / 3)
    assert only(rows, level="total", average="macro").mrr == pytest.approx(((1 + 1 / 4) / 2 + 1 / 2) / 2)
    assert only(rows, level="cell", question_type="single_answer").mrr is None


# P19 has 8 short answers with 6 right and 2 true/false with 1 right; P20 has 2 short answers, none right, one failed.
TABLE = {
    cell("P19"): tally(correct=6, incorrect=2),
    cell("P19", "binary_answer"): tally("binary_answer", correct=1, abstained=1),
    cell("P20"): tally(incorrect=1, failed=1),
    cell("P1412", "multiple_answer"): sets(("correct", 2, 0, 0), ("incorrect", 1, 2, 1)),
}


def test_a_row_for_each_cell_and_level() -> None:
    rows = scores(TABLE, RELATIONS)
    assert Counter((row.level, row.average) for row in rows) == {
        ("cell", "micro"): 4,
        ("relation", "micro"): 3,
        ("question_type", "micro"): 3,
        ("question_type", "macro"): 3,
        ("relation_type", "micro"): 2,
        ("relation_type", "macro"): 2,
        ("total", "micro"): 1,
        ("total", "macro"): 1,
    }


@for_each_row(
    ("where", "counts", "micro", "macro"),
    [
        (
            {"level": "cell", "relation": "P19", "relation_type": "N-1", "question_type": "single_answer"},
            [8, 6, 2, 0, 0, 0],
            {"accuracy": 6 / 8},
            {},
        ),
        (
            {"level": "relation", "relation": "P19", "relation_label": "place of birth", "relation_type": "N-1"},
            [10, 7, 2, 1, 0, 0],
            {"accuracy": 7 / 10, "precision": 7 / 9},
            {},
        ),
        # the failed one is left out
        (
            {"level": "question_type", "question_type": "single_answer"},
            [10, 6, 3, 0, 0, 1],
            {"accuracy": 6 / 9},
            {"accuracy": (6 / 8 + 0) / 2},
        ),
        (
            {"level": "relation_type", "relation_type": "N-1"},
            [12, 7, 3, 1, 0, 1],
            {"accuracy": 7 / 11, "precision": 7 / 10},
            {"accuracy": (7 / 10 + 0 / 1) / 2, "precision": (7 / 9 + 0 / 1) / 2},
        ),
        # one relation alone has answer sets: 3 true, 2 false, 1 missed; the others have no such rate to average
        (
            {"level": "total"},
            [14, 8, 4, 1, 0, 1],
            {"accuracy": 8 / 13, "set_precision": 3 / 5, "set_recall": 3 / 4},
            {"accuracy": (7 / 10 + 0 / 1 + 1 / 2) / 3, "set_precision": 3 / 5, "set_recall": 3 / 4},
        ),
    ],
)
def test_a_row_sums_over_what_it_does_not_name(
    where: dict[str, str], counts: list[int], micro: dict[str, float], macro: dict[str, float]
) -> None:
    names = ("relation", "relation_label", "relation_type", "question_type")
    summed = dict.fromkeys(names, "all") | ({"relation_label": "place of birth"} if "relation" in where else {})
    for average, rates in (("micro", micro), ("macro", macro)):
        for row in [only(scores(TABLE, RELATIONS), **summed | where, average=average)] if rates else []:
            assert (row.generator, row.model) == ("g", "m")
            assert [getattr(row, name) for name in COUNTS] == counts
            assert {name: getattr(row, name) for name in rates} == pytest.approx(rates)


def test_macro_leaves_out_a_relation_without_the_rate() -> None:
    table = {
        cell("P19"): tally(correct=1, incorrect=1),
        cell("P20"): tally(failed=3),
        cell("P1412"): tally(abstained=1),
    }
    macro = only(scores(table, RELATIONS), level="total", average="macro")
    assert macro.accuracy == pytest.approx((1 / 2 + 0) / 2)
    assert macro.precision == 1 / 2
    assert macro.abstention_rate == pytest.approx((0 + 1) / 2)
    assert macro.failed == 3


def test_models_and_generators_are_kept_apart() -> None:
    table = {
        cell(model="a"): tally(correct=1),
        cell(model="b"): tally(incorrect=1),
        cell(model="a", generator="h"): tally(correct=1, incorrect=1),
    }
    rows = scores(table, RELATIONS)
    found = {(row.generator, row.model): row.accuracy for row in rows if row.level == "total"}
    assert found == {("g", "a"): 1, ("g", "b"): 0, ("h", "a"): 1 / 2}
    assert len([row for row in rows if row.level == "total" and row.average == "micro"]) == 3


def test_no_grades_make_no_rows() -> None:
    assert scores({}, RELATIONS) == []


_KINDS = st.sampled_from(QUESTION_TYPES)
_GRADES = st.builds(grade, st.sampled_from(VERDICTS), _KINDS, st.tuples(*[st.integers(0, 3)] * 3), st.integers(0, 12))
_CELLS = st.builds(cell, st.sampled_from(sorted(RELATIONS)), _KINDS, st.sampled_from("mn"), st.sampled_from("gh"))


AT_MOST_100 = settings(max_examples=min(100, settings().max_examples))
"""An example takes up to 40 ms: the 500 of the thorough profile would take 40 s."""


def _tally(grades: list[Grade]) -> Tally:
    counted = Tally()
    for found in grades:
        counted.add(found)
    return counted


@AT_MOST_100
@given(st.dictionaries(_CELLS, st.lists(_GRADES, min_size=1, max_size=6), max_size=8))
def test_sums_are_sums(grades: dict[Cell, list[Grade]]) -> None:
    rows = scores({found: _tally(members) for found, members in grades.items()}, RELATIONS)
    for row in rows:
        assert row.questions == sum(getattr(row, verdict) for verdict in get_args(Verdict))
    for level in ("relation", "question_type", "relation_type", "total"):
        for column in COUNTS:
            assert sum(getattr(row, column) for row in rows if row.level == level and row.average == "micro") == sum(
                getattr(row, column) for row in rows if row.level == "cell"
            )
    for total in (row for row in rows if row.level == "total"):
        cells = [row for row in rows if (row.level, row.generator, row.model) == ("cell", total.generator, total.model)]
        for column in COUNTS:
            assert getattr(total, column) == sum(getattr(row, column) for row in cells)


@AT_MOST_100
@given(st.lists(_GRADES, max_size=12), st.integers(0, 12))
def test_the_order_and_the_grouping_of_grades_change_nothing(grades: list[Grade], at: int) -> None:
    whole, parts = _tally(grades), Tally.joined([_tally(grades[at:]), _tally(grades[:at])])
    assert whole.verdicts == parts.verdicts
    assert rates_of(whole) == pytest.approx(rates_of(parts))


def test_rows_can_be_pickled() -> None:
    rows = scores({cell(): tally(correct=1)}, RELATIONS)
    assert pickle.loads(pickle.dumps(rows)) == rows
