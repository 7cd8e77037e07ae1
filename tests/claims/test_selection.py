"""Stage 7: the compatible pairs of a sentence."""

from __future__ import annotations

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.pairs import BETWEEN, MentionPair, RelationCue
from factprobe.claims.by_graph.reader import ClaimReader
from factprobe.claims.by_graph.scoring import select
from factprobe.claims.by_graph.sentence import Sentence
from tests.claims.graphs import world
from tests.tables import for_each_row

FACTS = GraphFacts(world())
BORN, BORDERS, AUTHOR = "P19", "P47", "P50"


def sentence(text: str) -> Sentence:
    [found] = ClaimReader(FACTS, ()).sentences(text)
    return found


def pair(score: float, relation: str, subject: int, object_: int, word: int) -> MentionPair:
    """Return two mentions with a cue at a token."""
    cue = RelationCue(relation, ("word",), BETWEEN, True, "", False)
    return MentionPair(cue, subject, object_, word, word, score=score)


def selected(
    text: str, *scored: tuple[float, str, int, int, int], threshold: float = 0.5
) -> list[tuple[str, int, int]]:
    """Return the relation and both mentions of the pairs that are selected from some with scores."""
    every = [pair(*values) for values in scored]
    found = select(FACTS, sentence(text), every, threshold)
    return [(one.cue.relation, one.subject, one.object) for one in found]


THREE = "Albert Einstein saw Ulm, where France met Spain."
"""Mentions 0 to 3: Einstein, Ulm, France, Spain."""


def test_pairs_below_the_threshold_are_left_out() -> None:
    assert selected(THREE, (0.6, BORN, 0, 1, 1), threshold=0.7) == []


def test_the_selection_is_in_the_order_of_the_text() -> None:
    assert selected(THREE, (0.9, BORDERS, 2, 3, 6), (0.8, BORN, 0, 1, 1)) == [(BORN, 0, 1), (BORDERS, 2, 3)]


@for_each_row(
    ("rival", "why"),
    [
        ((0.8, AUTHOR, 0, 1, 2), "two mentions have one relation"),
        ((0.8, AUTHOR, 1, 0, 2), "two mentions have one relation in one direction"),
        ((0.8, BORN, 2, 1, 1), "a word tells one fact"),
        ((0.8, BORN, 0, 2, 5), "a subject has one object of an N-1 relation"),
    ],
)
def test_the_most_likely_of_incompatible_pairs_is_selected(
    rival: tuple[float, str, int, int, int],
    why: str,  # names the row
) -> None:
    assert selected(THREE, rival, (0.9, BORN, 0, 1, 1)) == [(BORN, 0, 1)]


def test_a_subject_may_have_several_objects_of_other_relations() -> None:
    both = [(BORDERS, 2, 1), (BORDERS, 2, 3)]
    assert selected(THREE, (0.9, BORDERS, 2, 3, 6), (0.8, BORDERS, 2, 1, 1)) == both


def test_a_word_tells_the_facts_of_a_whole_list() -> None:
    facts = [(BORDERS, 0, 1), (BORDERS, 0, 2), (BORDERS, 0, 3)]
    found = selected("Switzerland borders France, Germany and Spain.", *((0.9, *fact, 1) for fact in facts))
    assert found == facts
