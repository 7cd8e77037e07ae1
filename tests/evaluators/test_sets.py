"""Replies to questions that have a set of right answers and no graph, as people grade them."""

from __future__ import annotations

import pytest

import factprobe

Asked = tuple[str, list[str | list[str]]]

PLANETS: Asked = ("Which planets of the solar system have no moons?", ["Mercury", "Venus"])
CREW: Asked = ("Who walked on the Moon during Apollo 11?", ["Neil Armstrong", "Buzz Aldrin"])
NEIGHBORS: Asked = ("Which countries border Uruguay?", ["Argentina", "Brazil"])
GASES: Asked = ("Which gases make up most of dry air?", ["nitrogen", "oxygen"])

LEADERS: Asked = (
    "Who led the Allies at the Yalta Conference?",
    [["Franklin D. Roosevelt", "FDR"], "Winston Churchill", "Joseph Stalin"],
)
SISTERS: Asked = ("Who were the Brontë sisters?", ["Charlotte Brontë", "Emily Brontë", "Anne Brontë"])
HOBBITS: Asked = (
    "Which Hobbits does Frodo call?",
    [["Merry", "Meriadoc Brandybuck"], ["Pippin Took", "Peregrin Took"]],
)
TENORS: Asked = ("Who were the three tenors?", ["Luciano Pavarotti", "Plácido Domingo", "José Carreras"])
BAND: Asked = ("Who was in Queen?", ["Freddie Mercury", "Brian May", "Roger Taylor", "John Deacon"])
SEAS: Asked = ("Which seas does the Suez Canal connect?", ["Mediterranean Sea", "Red Sea"])
ISLANDS: Asked = ("Which island states are meant?", ["Samoa", "Tonga"])
STATES: Asked = ("Which states does the Hudson part?", ["New York", "New Jersey"])

ALLOY: Asked = ("Which metals is bronze an alloy of?", ["copper", "tin"])
FREE: Asked = ("Which African countries were never colonised?", [["Ethiopia", "Abyssinia"], "Liberia"])
HOUSES: Asked = ("What are the houses of Parliament?", ["House of Commons", "House of Lords"])
RIVERS: Asked = ("Which rivers form the Shatt al-Arab?", [["Tigris", "Tigris River"], ["Euphrates", "Euphrates River"]])

PRIZE: Asked = ("Who won the 1962 Nobel Prize in Medicine?", ["Francis Crick", "James Watson", "Maurice Wilkins"])
BASES: Asked = ("What are the bases of DNA?", ["adenine", "thymine", "guanine", "cytosine"])
NORTH: Asked = ("Which three countries make up Scandinavia?", ["Denmark", "Norway", "Sweden"])
FOUNDERS: Asked = ("Who founded Google?", ["Larry Page", "Sergey Brin"])
COAST: Asked = ("Which states border the Pacific on the mainland?", ["California", "Oregon", "Washington"])
UNION: Asked = ("Which countries founded the union?", ["France", "Italy", "Belgium"])
LIQUIDS: Asked = ("Which elements are liquid at room temperature?", ["mercury", "bromine"])

PEACE: Asked = ("Who won the 1993 Nobel Peace Prize?", ["Nelson Mandela", ["F. W. de Klerk", "Willem de Klerk"]])
SHOT: Asked = ("Which presidents were shot?", ["Abraham Lincoln", "James A. Garfield", "John F. Kennedy"])
INLAND: Asked = ("Which countries are doubly landlocked?", ["Liechtenstein", "Uzbekistan"])
GAMES: Asked = ("Which cities hosted the Games in 2000 and 2004?", ["Sydney", "Athens"])

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

CALLED = [
    (LEADERS, "Churchill, Roosevelt, and Stalin."),
    (LEADERS, "churchill, roosevelt and stalin"),
    (LEADERS, "Roosevelt met Churchill and Stalin."),
    (LEADERS, "Franklin Roosevelt, Winston Churchil and Josef Stalin."),
    (LEADERS, "British Prime Minister Churchill, President Roosevelt and the Soviet leader Stalin."),
    (LEADERS, "FDR, Churchil and Stalin"),
    (SISTERS, "Charlotte, Emily and Anne Brontë."),
    (SISTERS, "Charlotte, Emily, and Anne."),
    (CREW, "That was Armstrong and Aldrin."),
    (CREW, "Neil Armstrong and Buzz Aldrin (Armstrong, then Aldrin)."),
    (HOBBITS, 'Meriadoc "Merry" Brandybuck, and Peregrin "Pippin" Took.'),
    (TENORS, "They were the Spaniards Placido Domingo and Jose Carreras and the Italian Luciano Pavaroti."),
    (BAND, "Mercury, May, Taylor and Deacon"),
    (PEACE, "Mandela and de Klerk"),
    (SHOT, "Lincoln, James Garfield, and John F. Kennedy."),
    (SEAS, "The Mediterranean and the Red Sea."),
]
"""Right ones that are called by a part of their names."""

CALLED_OTHERWISE = [
    (LEADERS, "Churchill, Theodore Roosevelt, and Stalin."),
    (LEADERS, "Randolph Churchill, Roosevelt and Stalin."),
    (LEADERS, "Churchill, Roosevelt and Lenin"),
    (SISTERS, "Charlotte, Emily and Branwell Brontë."),
    (SISTERS, "Brontë"),
    (CREW, "Louis Armstrong and Buzz Aldrin"),
    (BAND, "Mercury, Taylor and Deacon in May 1970"),
    (BAND, "Freddie Mercury, Brian Jones, Roger Taylor and John Deacon"),
    (SEAS, "The Mediterranean and the Black Sea."),
    (ISLANDS, "American Samoa and Tonga"),
    (STATES, "York and Jersey"),
]
"""With somebody else who shares a part of a right one's name, or with a part that is something else."""

BESIDE = [
    (ALLOY, "Bronze is an alloy consisting primarily of copper, typically with about 12% tin."),
    (FREE, "They are Liberia, founded by freed slaves, and Ethiopia, which was occupied by Italy but not colonised."),
    (FREE, "Ethiopia, whose emperor fought Italy, and Liberia, where freed slaves settled."),
    (HOUSES, "The elected lower house is the House of Commons, the upper one is the House of Lords."),
    (HOUSES, "The lower house is the House of Commons, while the upper house is the House of Lords."),
    (RIVERS, "The Shatt al-Arab is formed where the Tigris and Euphrates rivers meet near Al-Qurnah."),
    (NEIGHBORS, "It lies between Argentina and Brazil."),
]
"""With a right one in words that say something by the way."""

NOT_BESIDE = [
    (ALLOY, "Bronze is made of copper, with some zinc."),
    (ALLOY, "Bronze is mostly copper, with zinc rather than tin."),
    (ALLOY, "Copper and zinc, though tin is used as well."),
    (FREE, "Liberia, unlike Ethiopia."),
    (FREE, "Liberia, formerly also Ethiopia."),
    (FREE, "Liberia and Morocco, while Ethiopia was occupied."),
    (NEIGHBORS, "It lies between Argentina and Paraguay."),
    (NEIGHBORS, "It borders Argentina, but not Brazil."),
]
"""Where such words do not make the set complete, or set it against the rest."""

REMARKS = [
    (PRIZE, "Francis Crick, James Watson and Maurice Wilkins. Rosalind Franklin, who took the images, had died."),
    (BASES, "Adenine, cytosine, guanine, and thymine. In RNA, thymine is replaced by uracil."),
    (NORTH, "Denmark, Norway and Sweden. Finland and Iceland are Nordic countries, but not part of Scandinavia."),
    (NORTH, "- Denmark\n- Norway\n- Sweden\n\nIceland and Finland are often included in a wider sense."),
    (FOUNDERS, "Larry Page and Sergey Brin founded Google. Eric Schmidt became CEO in 2001."),
    (COAST, "They are Washington, Oregon and California. Alaska and Hawaii also touch it but aren't on the mainland."),
    (
        UNION,
        "1. France – whose minister, Robert Schuman, proposed it\n2. Italy\n3. Belgium\n\nSpain declined to take part.",
    ),
    (INLAND, "Liechtenstein, surrounded by Switzerland and Austria, and Uzbekistan."),
    (LIQUIDS, "Mercury and bromine. Gallium melts just above room temperature."),
]
"""With a sentence, or words on the line of an item, that tell of something else."""

ONE_MORE = [
    (FOUNDERS, "Larry Page and Sergey Brin founded Google. Eric Schmidt was also a co-founder."),
    (FOUNDERS, "Larry Page and Sergey Brin. Another one is Eric Schmidt."),
    (FOUNDERS, "Larry Page and Sergey Brin. The third founder was Eric Schmidt."),
    (FOUNDERS, "Larry Page and Sergey Brin. Eric Schmidt."),
    (FOUNDERS, "Larry Page, Sergey Brin\nEric Schmidt"),
    (NEIGHBORS, "Argentina and Brazil. Paraguay does as well."),
    (NEIGHBORS, "Argentina and Brazil. There is Paraguay too."),
    (NEIGHBORS, "Argentina and Brazil. In addition, Paraguay."),
    (PLANETS, "Mercury and Venus have no moons. Mars does not have any moons either."),
    (INLAND, "Liechtenstein, Uzbekistan, which lies in Asia, and Austria."),
    (UNION, "1. France – the first\n2. Italy\n3. Belgium\n4. Spain – the last"),
    (UNION, "- France\n- Italy\n- Belgium\n- Spain joined"),
]
"""With a wrong one behind the right ones."""


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


@pytest.mark.parametrize(("asked", "reply"), CALLED, ids=[reply for _, reply in CALLED])
def test_a_part_of_a_name_that_one_right_answer_has_names_it(asked: Asked, reply: str) -> None:
    assert verdict(asked, reply) == "correct"


@pytest.mark.parametrize(("asked", "reply"), CALLED_OTHERWISE, ids=[reply for _, reply in CALLED_OTHERWISE])
def test_a_part_of_a_name_beside_one_of_anothers_does_not(asked: Asked, reply: str) -> None:
    assert verdict(asked, reply) != "correct"


@pytest.mark.parametrize(("asked", "reply"), BESIDE, ids=[reply for _, reply in BESIDE])
def test_what_is_told_by_the_way_may_complete_a_set(asked: Asked, reply: str) -> None:
    assert verdict(asked, reply) == "correct"


@pytest.mark.parametrize(("asked", "reply"), NOT_BESIDE, ids=[reply for _, reply in NOT_BESIDE])
def test_what_is_told_by_the_way_mends_no_wrong_set(asked: Asked, reply: str) -> None:
    assert verdict(asked, reply) == "incorrect"


@pytest.mark.parametrize(("asked", "reply"), REMARKS, ids=[reply for _, reply in REMARKS])
def test_what_is_told_behind_a_complete_list_is_no_item(asked: Asked, reply: str) -> None:
    assert verdict(asked, reply) == "correct"


@pytest.mark.parametrize(("asked", "reply"), ONE_MORE, ids=[reply for _, reply in ONE_MORE])
def test_what_is_added_to_a_complete_list_is_an_item(asked: Asked, reply: str) -> None:
    assert verdict(asked, reply) == "incorrect"


@pytest.mark.parametrize(
    ("head", "rows", "expected"),
    [
        ("Year | City", ["2000 | Sydney", "2004 | Athens"], "correct"),
        ("City | Year", ["Sydney | 2000", "Athens | 2004"], "correct"),
        ("Year | City | Country", ["2000 | **Sydney** | Australia", "2004 | Athens | Greece"], "correct"),
        ("# | Year | City", ["1 | 2000 | Sydney", "2 | 2004 | Athens"], "correct"),
        ("Year | City", ["2000 | Sydney", "2004 | Rome"], "incorrect"),
        ("Year | City", ["2000 | Sydney", "2004 | Athens", "2008 | Beijing"], "incorrect"),
    ],
)
def test_of_a_table_the_column_with_right_answers_is_read(head: str, rows: list[str], expected: str) -> None:
    line = "|".join("---" for _ in head.split("|"))
    assert verdict(GAMES, "\n".join(f"| {row} |" for row in (head, line, *rows))) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Nelson Mandela and F. W. de Klerk received it in Oslo.", "correct"),
        ("Nelson Mandela shared it with F. W. de Klerk. Desmond Tutu presented it.", "correct"),
        ("Nelson Mandela was honoured with F. W. de Klerk and Desmond Tutu for their work.", "incorrect"),
        (
            "They are Nelson Mandela, president of South Africa, F. W. de Klerk and Desmond Tutu, archbishop.",
            "incorrect",
        ),
        ("Nelson Mandela shared it with F. W. de Klerk and Desmond Tutu won it in 1984.", "incorrect"),
    ],
)
def test_the_dots_of_initials_end_no_list(reply: str, expected: str) -> None:
    assert verdict(PEACE, reply) == expected
