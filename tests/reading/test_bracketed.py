"""Templates with an end in brackets as sentences."""

from __future__ import annotations

import pytest

from factprobe.reading.bracketed import as_sentence


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        ("[X] (born [Y]).", "[X] was born in [Y]."),
        ("[X] (born [Y]) .", "[X] was born in [Y]."),
        ("[X] (born in [Y])", "[X] was born in [Y]."),
        ("[X] (directed by [Y]).", "[X] was directed by [Y]."),
        ("[X] (founded [Y]).", "[X] was founded in [Y]."),
        ("[X] (died [Y]).", "[X] died in [Y]."),
        ("[X] was born in [Y].", ""),
        ("[X] ([Y]).", ""),
        ("[X] (capital [Y]).", ""),
        ("[X] (born [Y]) wrote.", ""),
    ],
)
def test_a_participle_in_brackets_makes_a_sentence(template: str, sentence: str) -> None:
    assert as_sentence(template) == sentence


def test_symbols_may_be_others() -> None:
    assert as_sentence("S* (born O*).", "S*", "O*") == "S* was born in O*."
