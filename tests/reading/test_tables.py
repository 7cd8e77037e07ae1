"""The table of a side's names: who bears a name, and where a text has one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from factprobe.reading.names.name_tables import NameTable, find
from factprobe.reading.tokenisation.tokenised_text import Text


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
    tables = [NameTable(enumerated(*side)) for side in (("n", own), ("f", forms), ("o", others))]
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
