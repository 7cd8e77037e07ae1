"""Replies to questions that have a set of right answers and no graph, as people grade them."""

from __future__ import annotations

import pytest

import factprobe

Asked = tuple[str, list[str | list[str]]]

PLANETS: Asked = ("Which planets of the solar system have no moons?", ["Mercury", "Venus"])
CREW: Asked = ("Who walked on the Moon during Apollo 11?", ["Neil Armstrong", "Buzz Aldrin"])
NEIGHBORS: Asked = ("Which countries border Uruguay?", ["Argentina", "Brazil"])
GASES: Asked = ("Which gases make up most of dry air?", ["nitrogen", "oxygen"])

LAST = [
    (PLANETS, "Mercury, Venus, and Mars don't have any moons."),
    (PLANETS, "Mercury, Venus and Mars are moonless."),
    (PLANETS, "Mercury and Venus and also Mars have none."),
    (PLANETS, "Both Mercury and Venus, and Mars lack moons."),
    (PLANETS, "Mercury, Venus or Mars have no moons."),
    (PLANETS, "The planets Mercury, Venus, and Mars have no moons."),
    (PLANETS, "Mercury (the smallest), Venus, and the dwarf planet Ceres have none."),
    (CREW, "Neil Armstrong, Buzz Aldrin and Michael Collins all walked on the Moon."),
    (CREW, "They were Neil Armstrong, Buzz Aldrin and Michael Collins who stayed in orbit."),
    (NEIGHBORS, "Argentina, Brazil and Paraguay share a border with Uruguay."),
    (NEIGHBORS, "Argentina, Brazil, Paraguay border it."),
    (NEIGHBORS, "Argentina, Brazil as well as Paraguay border it."),
    (GASES, "Nitrogen, oxygen and hydrogen make up most of it."),
    (GASES, "Nitrogen, oxygen and carbon dioxide are the main gases."),
]
"""With a wrong one at the end, behind which the sentence goes on."""

BEHIND = [
    (PLANETS, "Mercury and Venus don't have any moons."),
    (PLANETS, "Mercury and Venus, but not Mars."),
    (PLANETS, "Mercury and Venus, not Mars, have no moons."),
    (PLANETS, "Mercury and Venus have no moons, and Mars has two."),
    (PLANETS, "Mercury and Venus, but Mars has two."),
    (PLANETS, "Mercury, Venus and no others have none."),
    (PLANETS, "Mercury, Venus, Mars isn't moonless."),
    (CREW, "Neil Armstrong and Buzz Aldrin walked on the Moon while Michael Collins orbited."),
    (NEIGHBORS, "Argentina and Brazil border Uruguay, and Uruguay is small."),
    (GASES, "Nitrogen and oxygen, and together they make up 99%."),
    (GASES, "Nitrogen, oxygen and other gases make up the air."),
]
"""Right, though something stands behind the list."""


def verdict(asked: Asked, reply: str) -> str:
    question, answers = asked
    record = {"question": question, "answers": answers, "response": reply}
    (found,) = factprobe.grade_answers([record], match="all")
    return found.verdict


@pytest.mark.parametrize(("asked", "reply"), LAST, ids=[reply for _, reply in LAST])
def test_the_last_item_counts_though_more_is_said_behind_it(asked: Asked, reply: str) -> None:
    assert verdict(asked, reply) == "incorrect"


@pytest.mark.parametrize(("asked", "reply"), BEHIND, ids=[reply for _, reply in BEHIND])
def test_what_stands_behind_a_list_is_no_item(asked: Asked, reply: str) -> None:
    assert verdict(asked, reply) == "correct"
