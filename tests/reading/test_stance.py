"""What a reply says of its names: where one stands within another, and where no phrase is looked for."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from factprobe.reading.names.tables import Mention
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance import commitment, deciding, denial
from factprobe.reading.stance.commitment import stance
from factprobe.reading.words import Text
from tests.tables import for_each_row

SAID = sorted(
    {
        word
        for module in (commitment, deciding, denial)
        for phrases in vars(module).values()
        if isinstance(phrases, Phrases)
        for word in re.findall(r"(?<![\\\w])\w{2,}", phrases.pattern)
    }
)
PHRASES = (
    "is wrong",
    "are both incorrect",
    "it is not",
    "a myth",
    "not",
    "not only",
    "I am not sure whether",
    "no",
    "near",
    "in the vicinity of",
    "some say",
    "is believed by many to be",
    "which",
    "the answer is",
    "is the right answer",
    "correct",
    "so",
    "no, wait",
    "sorry, I meant",
    "and that is",
    "perhaps also",
)
MARKS = (" ", " ", " ", ", ", ". ", ": ", "? ", " (", ") ", " – ", "; ", "\n", " and ", " or ", " but ", " so ")
PARTS = st.lists(
    st.tuples(st.one_of(*map(st.sampled_from, (("Ulm", "Bonn", "Köln"), PHRASES, SAID))), st.sampled_from(MARKS)),
    max_size=12,
)


@for_each_row("said", ["Is it Marc Van Montagu of Ghent?", "Marc Van Montagu, or Ghent? Ghent."])
def test_overlapping_mention_has_no_assertion_status(said: str) -> None:
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


def test_what_denies_begins_all_that_is_looked_for() -> None:
    every = [phrases for phrases in vars(denial).values() if isinstance(phrases, Phrases)]
    known = denial.DENIES.heads
    assert known
    assert all(known.issuperset(phrases.heads or {""}) for phrases in every)
