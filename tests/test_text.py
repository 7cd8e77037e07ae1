"""The normaliser: which spellings are one name, and which are not."""

from __future__ import annotations

import unicodedata
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.text import _MAY_BE_BRITISH, _SPELLINGS, format_count, is_same, normalise, one_line

# What the steps of the normaliser act on, so that one of them undoing another's work shows.
TRICKY = "aAtThHeEnNsS '’\"“-–—_.,+#&%$€\t\n\u00a0\u200b¨´ßſﬁ½²ŉİıŁéÅＡ１ｶﾞ⁻︲\u0301\u0308\u0327\u0345\u3099कि"
SPELLINGS = st.lists(
    st.sampled_from(
        ["Tumour", "tumor", "programme", "The", "a", "A.", "A-", "J.", "R. R.", "&", "'s", "æ", "-", "-$", "5", ".5"]
    )
)
any_text = st.text() | st.text(alphabet=TRICKY, max_size=12)

ONE_NAME = {
    "case": ("Paris", "PARIS", "pARIS"),
    "sharp s": ("Straße", "STRASSE", "strasse"),
    "diacritics": ("São Paulo", "Sao Paulo"),
    "decomposed": ("Zürich", "Zu\u0308rich", "Zurich"),
    "Turkish capital": ("İzmir", "Izmir"),
    "curly apostrophe": ("Côte d'Ivoire", "Cote d’Ivoire", "cote dʼivoire"),
    "curly quotes": ('The "Boss"', "the “Boss”", "«Boss»"),
    "dashes": ("Alsace-Lorraine", "Alsace–Lorraine", "Alsace—Lorraine", "Alsace−Lorraine", "Alsace‑Lorraine"),
    "full width": ("ＮＡＳＡ　１", "NASA 1"),
    "half-width kana": ("ｶﾞｽ", "ガス"),
    "ligature": ("ﬁlm", "film"),
    "article": ("The Hague", "Hague"),
    "articles": ("an apple", "apple", "a apple"),
    "articles in a row": ("The The", "the"),
    "white space": ("New  York", " New\tYork\n", "New\u00a0York", "New\u2003York"),
    "full stops": ("St. Louis", "St Louis"),
    "underscore": ("New_York", "New York"),
    "initial": ("A. Moore", "A.Moore", "a. moore"),
    "letter": ("The A-Team", "A-Team", "The A Team"),
    "bracket": ("Paris (France)", "Paris, France"),
    "minus": ("-3", "−3", "–3", "－3", "(-3)"),
    "bullet": ("3", "- 3"),
    "range": ("1914-1918", "1914–1918", "1914 1918", "1914 - 1918"),
    "hyphen": ("BRCA-1", "BRCA 1"),
    "date": ("2004-03-11", "2004 03 11"),
}
SEPARATE = [
    ("C", "C++"),
    ("C", "C#"),
    ("C++", "C#"),
    ("F", "F#"),
    ("$5", "€5"),
    ("AT&T", "ATT"),
    ("100%", "100"),
    ("Theory", "ory"),
    ("Anders", "ders"),
    ("Mother the Great", "Mother Great"),
    ("...", "!!!"),
    ("18 19", "1819"),
    ("A. Moore", "Moore"),
    ("A-ha", "ha"),
    ("The A Team", "Team"),
    ("3", "-3"),
    ("3", "−3"),
    ("40 °C", "-40 °C"),
    ("$5", "-$5"),
    (".5", "-.5"),
    ("10^6", "10^-6"),
    ("x = 2", "x = -2"),
    ("5/6", "-5/6"),
]


@pytest.mark.parametrize("spellings", ONE_NAME.values(), ids=ONE_NAME)
def test_spellings_of_one_name_are_equal(spellings: tuple[str, ...]) -> None:
    assert len({normalise(name) for name in spellings}) == 1


@pytest.mark.parametrize(("one", "other"), SEPARATE)
def test_different_names_stay_apart(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("हिन्दी", "हिन्दु"), ("กี", "กู"), ("கி", "கு"), ("ཀི", "ཀུ"), ("カ", "ガ")],
    ids=["Hindi", "Thai", "Tamil", "Tibetan", "Japanese"],
)
def test_vowel_signs_tell_names_apart_where_they_are_letters(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("C++", "c++"),
        ("The C Programming Language", "c programming language"),
        ("AC/DC", "ac dc"),
        ("Rock 'n' Roll", "rock n roll"),
        ("O’Brien", "obrien"),
        ("A", "a"),
        ("The", "the"),
        ("x²", "x2"),
        ("...", "..."),
        ("?!", "?!"),
        (" . . ", ". ."),
        ("“”", '""'),
        ("", ""),
        (" \t\n", ""),
    ],
)
def test_normal_forms(name: str, expected: str) -> None:
    assert normalise(name) == expected


@given(any_text | SPELLINGS.map(" ".join) | SPELLINGS.map("".join))
def test_idempotent(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize("text", ["ŉ", "x⁻y", "x₋y", "︲", "a﹘b", "︱"])
def test_idempotent_where_a_compatible_form_is_a_dash_or_a_quote(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(any_text | SPELLINGS.map(" ".join), any_text | SPELLINGS.map(" ".join))
def test_length_check_rules_out_equality(one: str, other: str) -> None:
    assert is_same(normalise(one), other) == (normalise(one) == normalise(other))
    assert is_same(normalise(other), other)


@given(any_text)
def test_composed_and_decomposed_twins_are_equal(text: str) -> None:
    assert normalise(unicodedata.normalize("NFC", text)) == normalise(unicodedata.normalize("NFD", text))


def test_every_character_equals_its_canonical_twin() -> None:
    named = {chr(code) for code in range(0xD800) if unicodedata.decomposition(chr(code))}
    twins = {char: unicodedata.normalize("NFC", char) for char in named}
    assert [char for char, twin in twins.items() if normalise(f"x{char}y") != normalise(f"x{twin}y")] == []


@given(any_text.filter(str.strip))
def test_no_name_becomes_empty(text: str) -> None:
    assert normalise(text)


@pytest.mark.parametrize("name", ["¨", "´", "¯", "‗", "\u0301", "__", "~", "’"])
def test_names_of_combining_marks_are_kept(name: str) -> None:
    assert normalise(name)


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Z"])))
def test_white_space_around_and_case_change_nothing(text: str) -> None:
    assert normalise(f"  {text}\n") == normalise(text)
    assert normalise(text.casefold()) == normalise(text)


def test_all_punctuation_names_stay_apart() -> None:
    names = ("!", "?", "!?", "...", "-", "()", "*", "/")
    assert all(normalise(one) != normalise(other) for one, other in combinations(names, 2))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\nb", "a b"), (" a \r\n\t b ", "a b"), ("a\u2028b\u00a0c", "a b c"), ("", ""), ("\n", ""), ("A.b", "A.b")],
)
def test_one_line(text: str, expected: str) -> None:
    assert one_line(text) == expected


@given(any_text)
def test_one_line_is_one_line_and_keeps_the_words(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
    assert one_line(text).split() == text.split()


def test_singular_and_plural() -> None:
    assert [format_count(number, "text") for number in (0, 1, 2_000)] == ["0 texts", "1 text", "2,000 texts"]
    assert [format_count(number, "reply", "replies") for number in (0, 1, 2_000)] == [
        "0 replies",
        "1 reply",
        "2,000 replies",
    ]


def test_every_british_spelling_passes_the_prefilter() -> None:
    """What `spelling` looks for first, so that it need not look for all of them in every word."""
    assert [word for word in _SPELLINGS if not _MAY_BE_BRITISH.search(word)] == []


def test_what_no_reader_sees_is_left_out() -> None:
    assert normalise("P\u200bar\u00adis\u2060") == normalise("\ufeffParis") == "paris"
    assert normalise("\u200b") == "\u200b"  # no name becomes empty
