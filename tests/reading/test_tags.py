"""Tags of the words of a text, by rules and by a spaCy pipeline."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.errors import ModelError
from factprobe.reading.tokenisation.tags import TaggedWord, by_rules, tagger
from tests.extras import loads

TEXT = "Jane Austen was born on 16 December 1775. The family of Austen moved to Bath. Nobody counted 42 trees."


def entities(words: list[TaggedWord], text: str) -> list[tuple[str, str]]:
    found: dict[int, list[TaggedWord]] = {}
    for word in words:
        if word.number:
            found.setdefault(word.number, []).append(word)
    return [(text[of[0].start : of[-1].end], of[0].entity) for _, of in sorted(found.items())]


def test_names_dates_and_numbers_by_rules() -> None:
    words = by_rules(TEXT)
    assert entities(words, TEXT) == [
        ("Jane Austen", "NAME"),
        ("16 December 1775", "DATE"),
        ("Austen", "NAME"),
        ("Bath", "NAME"),
        ("42", "NUMBER"),
    ]
    of = {word.text: word for word in words}
    assert (of["1775"].is_date, of["Bath"].is_name, of["Nobody"].is_name) == (True, True, False)
    assert [word.text for word in words if word.is_stop][:3] == ["was", "on", "The"]
    assert [word.pos for word in words if word.is_sign] == ["PUNCT"] * 3
    assert (of["42"].pos, of["Bath"].pos, of["trees"].pos) == ("NUM", "PROPN", "X")


@given(st.text())
def test_words_stand_where_they_say_in_any_text(text: str) -> None:
    words = by_rules(text)
    assert all(text[word.start : word.end] == word.text for word in words)
    assert all(one.end <= other.start for one, other in itertools.pairwise(words))


@pytest.mark.filterwarnings("ignore")
@loads("spacy")
def test_a_pipeline_of_spacy(tmp_path: Path) -> None:
    import spacy

    made = spacy.blank("en")
    ruler = made.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": "Jane Austen"}, {"label": "GPE", "pattern": "Bath"}])  # type: ignore[attr-defined]
    made.to_disk(tmp_path / "own")
    words = tagger(str(tmp_path / "own"), "detector.pipeline")(TEXT)
    assert entities(words, TEXT) == [("Jane Austen", "PERSON"), ("Bath", "GPE")]
    assert [word.is_name for word in words[:3]] == [True, True, False]
    assert words[2].is_stop
    assert all(TEXT[word.start : word.end] == word.text for word in words)
    with pytest.raises(ModelError, match=r"detector.pipeline=.*none: cannot be loaded"):
        tagger(str(tmp_path / "none"), "detector.pipeline")
