"""Text around an answer that is removed, and text that is kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from factprobe.reading.structure import cleaning

PLAIN = st.text("aAbQ019 ,.;!?'\"()-/%+@^>]}|").map(lambda text: text.strip().replace("  ", " "))


@given(PLAIN.filter(lambda text: "  " not in text))
def test_without_its_signs_nothing_is_taken_off(text: str) -> None:
    assert cleaning._MARKUP_SIGN.search(text) is None
    assert cleaning._answer_part(cleaning._without_markdown(cleaning._unwrap(text))) == text


def test_soft_hyphens_and_zero_width_spaces_are_taken_off() -> None:
    assert cleaning.clean("It is P\u00adar\u200bis.") == "It is Paris."
