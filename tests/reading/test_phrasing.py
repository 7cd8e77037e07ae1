"""Patterns that are tried only where one of their phrases may begin find what the bare pattern finds."""

from __future__ import annotations

import re
from importlib import import_module

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from factprobe.reading.phrasing import Phrases, heads_of_pattern
from tests.tables import for_each_row

MODULES = [
    *(f"factprobe.reading.stance.{name}" for name in ("commitment", "deciding", "denial")),
]
PHRASES = sorted(
    {
        found.pattern: found
        for name in MODULES
        for found in vars(import_module(name)).values()
        if type(found) is Phrases
    }.items()
)


@for_each_row(
    ("pattern", "heads"),
    [
        (r"\b(?:not|rather than|wonder(?:ing)?)\b", {"not", "rath", "wond"}),
        (r"\b(?:in error|in the end)\b", {"in erro", "in the"}),
        (r"\b(?:a |an? )?(?:doubt|in \w+)\b", {"a doub", "a in", "an doub", "an in", "doub", "in"}),
        (r"^(?:no |so )*wait$", {"no", "so", "wait"}),
        (r"(?:^| )(?:no(?= ,|$)|hm+)(?= |$)", None),
        (r"(?:^| )(?:no(?= ,|$)|hmm)(?= |$)", {"no", "hmm"}),
        (r"\b(?:the \w+ (?:one|two)|§\d+ it is)\b", {"the", "§ it"}),
        (r"§\d+(?: is| was right|,| ¦)|§\d+s?|§", {"§ was", "§"}),
        (r"§\d+ (?:the )?correct|(?:\w+ )?§\d+ und$", {"§ the", "§ corr", "§ und"}),
        (r"\b(?:\w+ )?fails\b", {"fail"}),
        (r"(?<=claim )passes\b|(?<!doubt )\bif\b", {"pass", "if"}),
        (r"\bsummari[sz]e\b", {"summ"}),
        (r"\b(?:верно|это)\b|так$", {"верн", "это", "т"}),
        ("not|never", None),
        (r"\bson", None),
        (r"\b(?i:no)\b", None),
        (r"\b\w*no\b", None),
        (r"(?:no )?", None),
    ],
)
def test_heads_of_a_pattern(pattern: str, heads: set[str] | None) -> None:
    assert heads_of_pattern(pattern) == (heads and frozenset(heads))


def test_that_it_is_known_of_the_phrases_of_the_packs() -> None:
    assert len(PHRASES) > 10
    assert [pattern for pattern, found in PHRASES if found.heads is None] == []


@for_each_row("phrases", [found for _, found in PHRASES])
def test_prefilter_finds_what_the_bare_pattern_finds(phrases: Phrases) -> None:
    check_against_bare_pattern(found=phrases)


@settings(max_examples=min(10, settings().max_examples))
@given(data=st.data())
def check_against_bare_pattern(found: Phrases, data: st.DataObject) -> None:
    words = st.sampled_from([*re.findall(r"\w+", found.pattern), "§0", "ulm", "c++", "that", "x_y", "это"])
    text = "".join(f"{data.draw(words)}{mark}" for mark in data.draw(st.lists(st.sampled_from(" , .'  "), max_size=8)))
    bare = re.compile(found.pattern)
    assert [one.span() for one in found.finditer(text)] == [one.span() for one in bare.finditer(text)]
    assert found.sub("-", text) == bare.sub("-", text)
    assert bool(found.search(text)) == bool(bare.search(text))
    assert bool(found.match(text)) == bool(bare.match(text))
    assert bool(found.fullmatch(text)) == bool(bare.fullmatch(text))


PARTS = r"(?:\w+ ){1,3}?|(?:\w+ )?|(?<!a )|(?<=b )|(?=ab)|(?! b)|\w+ |§\d+|aaaa|bcab|abc|ab|\s+|\b|\w+|[ab]|\d|a?|b*"
ATOMS = st.sampled_from([*"abcé$^.§' ", *PARTS.split("|"), "(?= |$)"])
PATTERNS = st.recursive(
    st.lists(ATOMS, min_size=1, max_size=4).map("".join),
    lambda inner: (
        st.tuples(st.lists(inner, min_size=1, max_size=3), st.sampled_from(["", "?", "*", "+", "{0,2}"])).map(
            lambda parts: f"(?:{'|'.join(parts[0])}){parts[1]}"
        )
        | st.lists(inner, min_size=2, max_size=3).map("".join)
    ),
    max_leaves=8,
)


@settings(max_examples=min(200, settings().max_examples))
@given(pattern=PATTERNS | PATTERNS.map(lambda one: rf"\b(?:{one})\b"), data=st.data())
def test_no_match_is_missed(pattern: str, data: st.DataObject) -> None:
    try:
        found = Phrases(pattern)
    except re.error:
        assume(False)
    assume(found.heads is not None)
    for text in data.draw(st.lists(st.text("abcé §'0", max_size=12), min_size=20, max_size=40)):
        assert found.may_be_in(text) or re.search(pattern, text) is None
