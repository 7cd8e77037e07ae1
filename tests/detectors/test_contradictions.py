"""What denies what: pairs of replies, read without a model."""

from __future__ import annotations

import pytest

from factprobe.detectors.contradictions import contradict_each_other
from factprobe.records import DetectorItem
from tests.claims.asking import in_turn
from tests.detectors.test_selfcheck import found

OTHERWISE = [
    ("", "Mozart was born in Salzburg.", "Mozart was not born in Salzburg."),
    ("", "She wasn't a physicist.", "She was a physicist."),
    ("Is aspirin safe in pregnancy?", "Aspirin is safe in pregnancy.", "Aspirin is not safe in pregnancy."),
    ("", "None of the patients died.", "All of the patients died."),
    ("", "All birds fly.", "No birds fly."),
    ("", "Nobody died.", "Everybody died."),
    ("", "The bridge is no longer open.", "The bridge is open."),
    ("Where was Mozart born?", "Mozart was not born in Salzburg.", "Salzburg"),
    ("", "It is not Paris.", "Paris"),
    ("", "Paris, not Lyon.", "Lyon, not Paris."),
    ("Did he win?", "Yes", "No, he did not."),
]
ALIKE = [
    ("", "Yes", "Yes, it is."),
    ("Is it big?", "No", "No, it is not."),
    ("When did it come out?", "1815", "It came out in the year 1815."),
    ("", "1815", "It came out in the year 1815."),
    ("", "Paris, not Lyon.", "Paris"),
    ("", "Lyon? No, it is Paris.", "Paris"),
    ("", "He was not a painter but a poet.", "He was a poet."),
    ("", "Mozart was born in Salzburg and not in Vienna.", "Mozart was born in Salzburg."),
    ("", "Mozart was not born in Salzburg.", "Mozart was never born in Salzburg."),
    ("", "None of the patients died.", "No patient died."),
    ("", "No Country for Old Men", "It is No Country for Old Men."),
    ("", "Without doubt Paris.", "Paris"),
    ("", "He was a poet. He was not a known poet.", "He was a poet. He was not a known poet."),
]


@pytest.mark.parametrize(("asked", "one", "other"), OTHERWISE)
def test_negated_reply_contradicts_the_assertion(asked: str, one: str, other: str) -> None:
    assert found(in_turn(other), DetectorItem("a", one, asked, samples=(other,))).probability == 1
    assert found(in_turn(one), DetectorItem("a", other, asked, samples=(one,))).probability == 1


@pytest.mark.parametrize(("asked", "one", "other"), ALIKE)
def test_negation_of_something_else_agrees(asked: str, one: str, other: str) -> None:
    assert found(in_turn(other), DetectorItem("a", one, asked, samples=(other,))).probability == 0
    assert found(in_turn(one), DetectorItem("a", other, asked, samples=(one,))).probability == 0


def test_question_words_are_not_negated() -> None:
    assert contradict_each_other("Mozart was not born in Salzburg.", "Salzburg", "Where was Mozart born?")
    assert not contradict_each_other("Mozart was not born in Salzburg.", "Vienna", "Where was Mozart born?")
