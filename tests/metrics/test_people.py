"""How far grades agree with people, and what of these is left out."""

from __future__ import annotations

import pytest

from factprobe.metrics.agreement.people import People


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
