"""Sentences and their spans, and long texts in pieces."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from factprobe.reading.tokenisation.sentences import pieces, sentences
from tests.growth import grows_linearly
from tests.tables import for_each_row

TEXTS = st.text(st.sampled_from('ab A.!?:,\n\r\t-1½İß„“"()。北…²´e\u0301각ᄀ\u1161ﾡ'), max_size=120) | st.text(
    max_size=60
)


_AFTER_LETTERS = ["Tungsten is W.", "Its mass is K.", "The end.", "J. A. Smith met X.", "They left."]


@for_each_row(
    ("text", "expected"),
    [
        ("It is so. Is it? Yes!", ["It is so.", "Is it?", "Yes!"]),
        ("Dr. Smith paid 1.5 million. He left.", ["Dr. Smith paid 1.5 million.", "He left."]),
        ("J. R. R. Tolkien wrote it. C.S. Lewis read it.", ["J. R. R. Tolkien wrote it.", "C.S. Lewis read it."]),
        ("Tungsten is W. Its mass is K. The end. J. A. Smith met X. They left.", _AFTER_LETTERS),
        ("He joined the U.S. army. He left.", ["He joined the U.S. army.", "He left."]),
        ("They sang these: one, two. Then more.", ["They sang these: one, two.", "Then more."]),
        ("Yahoo! grew… and grew. It fell.", ["Yahoo! grew… and grew.", "It fell."]),
        (
            "A list\n\n1. Ulm is old.\r\n2. Bonn too\n- and Kiel\n---\n3.",
            ["A list", "Ulm is old.", "Bonn too", "and Kiel"],
        ),
        (
            "It grew… U.S. sales too. Cafe\u0301s… ½ U.S.\r\nOne.",
            ["It grew…", "U.S. sales too.", "Cafe\u0301s…", "½ U.S.", "One."],
        ),
        ("1,…ﬁ", ["1,…ﬁ"]),
        ("The ½ ﬁne. J.K. is İn. The end.", ["The ½ ﬁne.", "J.K. is İn.", "The end."]),
        ("(It is so. Yes.) He said “No.” Then he went.", ["(It is so.", "Yes.)", "He said “No.”", "Then he went."]),
        ("中国是一个国家。北京是首都。", ["中国是一个国家。", "北京是首都。"]),
        ("", []),
        ("1. --- ...", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


@given(TEXTS)
def test_no_letter_is_lost_and_none_is_there_twice(text: str) -> None:
    found = sentences(text)
    assert found == sorted(found)
    assert all(one[1] <= other[0] for one, other in pairwise(found))
    between = "".join(
        text[one[1] : other[0]] for one, other in zip([(0, 0), *found], [*found, (len(text), 0)], strict=True)
    )
    assert not any(map(str.isalpha, between))


@for_each_row("sentence", ["It isn't so. ", "It grew… J. R. R. Tolkien²\u00a0is ½.\r\n", "中国是一个国家。½"])
def test_the_time_grows_with_the_text_alone(sentence: str) -> None:
    text = sentence * (10_000 // len(sentence))
    assert len(sentences(text)) >= text.count(sentence) - 1
    assert grows_linearly(lambda length: sentences(sentence * (length // len(sentence))), 10_000)


@given(TEXTS, st.integers(1, 30))
def test_pieces_hold_the_whole_text(text: str, most: int) -> None:
    found = pieces(text, most)
    assert all(len(piece) <= most for piece in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_pieces_are_whole_sentences_where_they_can_be() -> None:
    text = "One is one. Two is two. Three is rather a long one. End."
    assert pieces(text, 24) == ["One is one. Two is two.", "Three is rather a long", "one. End."]
    assert pieces(text, 100) == [text]
    assert pieces("abcdef gh", 4) == ["abcd", "ef", "gh"]
