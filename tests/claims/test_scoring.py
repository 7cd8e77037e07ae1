"""Stage 6: the score of a pair."""

from __future__ import annotations

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.reader import ClaimReader
from tests.claims.graphs import world
from tests.tables import for_each_row

READER = ClaimReader(GraphFacts(world()))


def score(text: str) -> float:
    """Return the best score of a pair in a text of one sentence."""
    [sentence] = READER.sentences(text)
    return max((one.score for one in READER.candidates(sentence)), default=0.0)


@for_each_row(
    ("better", "worse"),
    [
        ("Albert Einstein was born in Ulm.", "Albert Einstein was born, as we know, not far from Warsaw, in Ulm."),
        ("Albert Einstein was born in Ulm.", "Albert Einstein met Marie Curie, who left when he was born in Ulm."),
    ],
)
def test_what_stands_between_lowers_the_score(better: str, worse: str) -> None:
    assert score(better) > score(worse)


def test_a_score_is_a_probability_of_the_weighted_features() -> None:
    text = "Albert Einstein was born in Ulm."
    for weights, expected in (({}, 0.5), ({"bias": 3.0}, 0.953), ({"bias": 3.0, "rivals": -3.0}, 0.953)):
        reader = ClaimReader(READER.facts, (), weights)
        [sentence] = reader.sentences(text)
        assert {round(one.score, 3) for one in reader.candidates(sentence)} == {expected}
