"""What a reply says of its names, where one stands within another."""

from __future__ import annotations

import pytest

from factprobe.reading.names.tables import Mention
from factprobe.reading.stance.commitment import stance
from factprobe.reading.words import Text


@pytest.mark.parametrize("said", ["Is it Marc Van Montagu of Ghent?", "Marc Van Montagu, or Ghent? Ghent."])
def test_a_name_that_begins_within_another_takes_no_stance_of_its_own(said: str) -> None:
    text = Text(said)
    whole = text.words.index("marc")
    mentions = [
        Mention(whole, whole + 3, frozenset({"Q1"})),
        Mention(whole + 2, whole + 3, frozenset({"Q2"})),
        Mention(text.words.index("ghent"), text.words.index("ghent") + 1, frozenset({"Q3"})),
    ]
    found = stance(text, mentions, (), ())
    assert 1 not in found.said
    assert set(found.said) <= {0, 2}
