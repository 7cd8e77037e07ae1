"""Names for what has none."""

from __future__ import annotations

import pytest

from factprobe.kgs.default_labels import is_worded, label_from_id, relation_of, words_of_id


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("birthPlace", "birth place"),
        ("BirthPlace", "birth place"),
        ("hasDOIName", "has DOI name"),
        ("IsA", "is a"),
        ("/r/AtLocation", "at location"),
        ("biolink:treats", "treats"),
        ("biolink:has_part", "has part"),
        ("has_part", "has part"),
        ("shares-a-border", "shares a border"),
        ("/people/person/place_of_birth", "place of birth"),
        ("http://dbpedia.org/ontology/birthPlace", "birth place"),
        ("wdt:P36", "P36"),
        ("P36", "P36"),
        ("RO:0002211", "RO:0002211"),
        ("ISBN", "ISBN"),
        ("pH", "pH"),
        ("capital", "capital"),
        ("shares a border with: land", "shares a border with: land"),
        ("gehört_zu", "gehört zu"),
        ("_", "_"),
    ],
)
def test_words_of_a_relation(name: str, words: str) -> None:
    assert words_of_id(name) == words
    made = relation_of(name, "", {})
    assert (made.label, made.template) == (words, f"[X], {words}: [Y].")
    assert not is_worded(made)


def test_relation_of_a_word_is_worded_by_its_template() -> None:
    assert is_worded(relation_of("r", "r", {"r": ["[X] is [Y]."]}))
    assert relation_of("r", "a label_of people", {}).label == "a label_of people"


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("http://x/New_York", "New York"),
        ("http://x/Apollo_11", "Apollo 11"),
        ("http://x/NASA", "NASA"),
        ("http://x/%E6%9D%B1%E4%BA%AC1964", "東京1964"),
        ("http://www.wikidata.org/entity/Q90", ""),
        ("http://purl.obolibrary.org/obo/HP_0000118", ""),
        ("France", "France"),
        ("Q90", ""),
        ("/m/02mjmr", ""),
        ("MONDO:0005148", ""),
        ("Star Wars: Episode IV", "Star Wars: Episode IV"),
        ("2001: A Space Odyssey", "2001: A Space Odyssey"),
        ("wd:Paris", ""),
        ("/m/paris", ""),
        ("http://x/Route_66", "Route 66"),
        ("http://x/World_War_2", "World War 2"),
        ("http://x/Blink-182", "Blink-182"),
        ("http://x/route_66", "route 66"),
        ("http://x/20,000_Leagues_Under_the_Seas", "20,000 Leagues Under the Seas"),
        ("http://x/Ubuntu_14.04", "Ubuntu 14.04"),
        ("http://x/A4_(paper)", "A4 (paper)"),
        ("http://x/4chan", "4chan"),
        ("http://x/Facade", "Facade"),
        ("http://x/Cafe_1900", "Cafe 1900"),
        ("http://x/Events_of_2001-09-11", "Events of 2001-09-11"),
        ("http://x/work0", ""),
        ("http://x/agent14", ""),
        ("http://x/Person12", ""),  # and so is Windows95, which cannot be told from it
        ("http://x/work12_part3", ""),
        ("http://x/work12b", ""),
        ("http://x/person_0042", ""),
        ("http://x/doc-2021-000183", ""),
        ("http://x/drug_DB00123", ""),
        ("http://x/8a7f00cd1e", ""),
        ("http://x/item_8a7f00cd1e", ""),
        ("http://x/3f2b8c9d-77ab-4dcb-aecd-effeaabbccdd", ""),
        ("urn:uuid:ffffcccc-aaaa-4bbb-aecd-effeaabbccdd", ""),
        ("work12", ""),
    ],
)
def test_label_of_unlabelled_entity(uri: str, name: str) -> None:
    assert label_from_id(uri) == name
