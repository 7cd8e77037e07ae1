"""What a reply says of its names: where one stands within another, and where no phrase is looked for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.reading.names.tables import Mention
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance import commitment, deciding, denial
from factprobe.reading.stance.clauses import clauses_of
from factprobe.reading.stance.commitment import may_turn, stance
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


@given(parts=PARTS, predicate=st.sampled_from([(), ("born",), ("near", "wron")]))
def test_no_phrase_is_missed_where_none_is_looked_for(parts: list[tuple[str, str]], predicate: tuple[str, ...]) -> None:
    text = Text("".join(f"{word}{mark}" for word, mark in parts))
    named = [i for i, word in enumerate(text.words) if word in ("ulm", "bonn", "koln")]
    mentions = [Mention(i, i + 1, frozenset({text.words[i]})) for i in named]
    found = stance(text, mentions, (), predicate)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Phrases, "may_be_in", lambda _, __: True)
        commitment._short_read.cache_clear()
        assert stance(text, mentions, (), predicate) == found
    commitment._short_read.cache_clear()


@given(parts=PARTS, predicate=st.sampled_from([(), ("born",)]))
def test_a_reply_that_turns_to_another_name_may_turn(parts: list[tuple[str, str]], predicate: tuple[str, ...]) -> None:
    text = Text("".join(f"{word}{mark}" for word, mark in parts))
    named = [i for i, word in enumerate(text.words) if word in ("ulm", "bonn", "koln")]
    mentions = [Mention(i, i + 1, frozenset({text.words[i]})) for i in named]
    found = stance(text, mentions, (), predicate)
    if found.mended or found.told or (found.concluded and found.firm):
        assert may_turn(clauses_of(text, mentions, (), predicate, {}))


@for_each_row(
    ("said", "turns"),
    [
        ("Ulm was founded in 854, and Bonn was the capital.", False),
        ("Ulm lies on the Danube. Bonn does not.", False),
        ("Ulm. No, wait, Bonn.", True),
        ("Ulm or Bonn. The final answer is Bonn.", True),
        ("Ulm. Right answer: Bonn.", True),
        ("Bonn. Some people say Ulm.", True),
        ("Ulm or Bonn, which is my answer.", True),
        ("Ulm or Bonn. Bonn is right.", True),
    ],
)
def test_only_few_replies_may_change_their_answer(said: str, turns: bool) -> None:
    text = Text(said)
    mentions = [Mention(i, i + 1, frozenset()) for i, word in enumerate(text.words) if word in ("ulm", "bonn")]
    assert may_turn(clauses_of(text, mentions, (), (), {})) is turns


def test_what_denies_begins_all_that_is_looked_for() -> None:
    every = [phrases for phrases in vars(denial).values() if isinstance(phrases, Phrases)]
    known = denial.DENIES.heads
    assert known
    assert all(known.issuperset(phrases.heads or {""}) for phrases in every)
