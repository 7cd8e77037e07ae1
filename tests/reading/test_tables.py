"""The table of a side's names: who bears a name, and the words of its names, which are not normalised twice."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from factprobe.reading.names.forms import Forms, form_words
from factprobe.reading.names.index import EntityNames
from factprobe.reading.names.name_tables import NameTable, find
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.words import name_words
from factprobe.records import Entity


def side(*labels: str) -> EntityNames:
    return EntityNames({f"u/{i}": Entity(f"u/{i}", label) for i, label in enumerate(labels)})


@given(st.text(min_size=1, max_size=30))
@example("? !")
@example("& Sons")
@example("J. R. R. Tolkien")
@example("The The")
@example("東京 タワー")
@example("St.\u00a0Louis")
def test_a_table_has_the_words_of_its_names(name: str) -> None:
    assert tuple(side(name).names.words(name)) == name_words(name)
    assert tuple(side("Ulm").names.words(name)) == name_words(name)


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4).map(" ".join))
@example("Sea of the Moon")
@example("Jean A Beckett the Bold")
@example("Vincent van Gogh")
@example("Henry VIII")
@example("&0:0Æ")
def test_a_form_is_normalised_but_for_an_article(name: str) -> None:
    for names in (side(name), side(name, "Mary Shelley", "John Keats", "George Eliot")):
        forms = Forms(names.entities, names.names)
        for form in forms.table.uris:
            assert tuple(form_words(form)) == name_words(form)


def test_a_name_has_all_its_bearers() -> None:
    table = NameTable([("a", ["Ulm", "ulm"]), ("b", ["Ulm"]), ("c", ["Ulm", "Bonn"]), ("", ["Rom"])])
    assert table.bearers("ulm") == {"a", "b", "c"}
    assert table.bearers("bonn") == {"c"}
    assert table.bearers("rom") == {""}
    assert table.bearers("paris") == frozenset()
    assert [*find([table], Text("Ulm, Bonn or Rom"))] == [
        (0, 1, frozenset("abc")),
        (1, 2, frozenset("c")),
        (3, 4, frozenset({""})),
    ]


FEW_WORDS = st.lists(st.sampled_from(["ulm", "bonn", "new", "city"]), min_size=1, max_size=4).map(" ".join)
NAMES = st.lists(FEW_WORDS, max_size=4)


@given(NAMES, NAMES, NAMES, st.lists(st.sampled_from(["ulm", "bonn", "new", "city", "is", "\n"]), max_size=9))
def test_the_longest_name_at_each_place_is_found_in_all_tables(
    own: list[str], forms: list[str], others: list[str], said: list[str]
) -> None:
    names = NameTable(enumerated("n", own))
    tables = [names, NameTable(enumerated("f", forms), beside=names), NameTable(enumerated("o", others))]
    text, expected, behind = Text(" ".join(said)), [], 0
    for start in range(len(text)):
        for end in range(len(text), start, -1) if start >= behind else ():
            key = " ".join(text.words[start:end])
            uris = frozenset[str]().union(*(table.bearers(key) for table in tables))
            if uris and text.lines[start] == text.lines[end - 1]:
                expected.append((start, end, uris))
                behind = end
                break
    assert [*find(tables, text)] == expected


def enumerated(side: str, names: list[str]) -> list[tuple[str, list[str]]]:
    return [(f"{side}{i}", [name]) for i, name in enumerate(names)]
