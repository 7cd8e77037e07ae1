"""Names of rows of the score table: strata by popularity of the subject and by number of right answers, and `ALL`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby

from factprobe.records import POPULARITIES, Popularity

ALL = "all"
"""Value of a column in rows that aggregate over this column."""
ANSWER_SET_SIZES = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"))
"""Largest answer set and name of each stratum; the stratum of larger ones is `11+`."""


def degrees(facts: Iterable[tuple[str, str]]) -> Counter[str]:
    """Return the degree of each entity by URI: its number of facts; a fact of an entity with itself counts once."""
    return Counter(uri for fact in facts for uri in dict.fromkeys(fact))


def popularity(facts: Iterable[tuple[str, str]], counts: Mapping[str, float] | None = None) -> dict[str, Popularity]:
    """Return the stratum of each subject: head (most popular), torso or tail, each with about a third of the facts.

    The strata follow Head-to-Tail (Sun, Xu, Zha, Liu and Dong 2024, NAACL, section 2), but are divided by the number of
    facts instead of the sum of popularity, so that they have about equal numbers of questions. Subjects are ranked by
    `counts`, then by degree, then by the sum of their neighbours' degrees, which matters since most subjects have a
    single fact. This sum is the number of walks of length two, as in the power iteration for eigenvector centrality
    (Bonacich 1972, Journal of Mathematical Sociology 2). Subjects of equal rank get the stratum in which the middle of
    their facts lies; if all are equal, it is `torso`.

    `facts` are the (subject, object) URIs of the graph, and are read twice. `counts` is the popularity of entities in
    another source, such as page views; 0 if missing.
    """
    degree, neighbours, questions, external = degrees(facts), Counter[str](), Counter[str](), counts or {}
    for subject, object_ in facts:
        questions[subject] += 1
        neighbours[subject] += degree[object_]
        neighbours[object_] += degree[subject]

    def rank(uri: str) -> tuple[float, int, int]:
        return external.get(uri, 0), degree[uri], neighbours[uri]

    strata: dict[str, Popularity] = {}
    total, before = sum(questions.values()), 0
    for _, group in groupby(sorted(questions, key=rank, reverse=True), rank):
        members = list(group)
        share = sum(questions[uri] for uri in members)
        middle = 2 * before + share  # doubled, so that the comparison is exact in whole numbers
        strata.update(dict.fromkeys(members, POPULARITIES[(3 * middle - 1) // (2 * total)]))
        before += share
    return strata


def answer_set_size(answers: int) -> str:
    """Return the stratum of a question by its number of right answers: `1`, `2`, `3-5`, `6-10` or `11+`."""
    return next((name for largest, name in ANSWER_SET_SIZES if answers <= largest), "11+")
