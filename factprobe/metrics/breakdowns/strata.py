"""Strata of questions: by popularity of the subject, and by number of right answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby

from factprobe.records import POPULARITIES, Popularity

ANSWER_SET_SIZES = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"))
"""Largest size and name of each stratum; larger ones are `11+`."""


def degrees(facts: Iterable[tuple[str, str]]) -> Counter[str]:
    """Count the facts of each entity: its degree in the graph.

    Args:
        facts: the URIs of subject and object of each fact; one of an entity with itself counts once.
    """
    return Counter(uri for fact in facts for uri in dict.fromkeys(fact))


def popularity(facts: Iterable[tuple[str, str]], counts: Mapping[str, float] | None = None) -> dict[str, Popularity]:
    """Split the subjects into head, torso and tail: a third of the facts each, from the most to the least popular.

    As Head-to-Tail (Sun, Xu, Zha, Liu and Dong 2024, NAACL, section 2), but cut by questions, not by the sum of
    popularity, which a few entities hold: each stratum has about as many questions to be asked. An entity is popular
    by the counts that are given (page views, citations), where these are the same by its degree, and where that is the
    same by the sum of its neighbours' degrees: the number of walks of length two from it, as in the power iteration for
    eigenvector centrality (Bonacich 1972, Journal of Mathematical Sociology 2), for most subjects of a set of triplets
    stand in one fact alone. Those alike in all of it stay together, where the middle of their facts lies: a graph whose
    subjects are all alike is all torso.

    Args:
        facts: the URIs of subject and object of each fact of the graph; they are gone through twice, so no iterator.
        counts: how popular entities are by a source other than the graph; one that it does not have counts as 0.

    Returns:
        The stratum of each subject.
    """
    degree, near, asked, given = degrees(facts), Counter[str](), Counter[str](), counts or {}
    for subject, object_ in facts:
        asked[subject] += 1
        near[subject] += degree[object_]
        near[object_] += degree[subject]

    def rank(uri: str) -> tuple[float, int, int]:
        return given.get(uri, 0), degree[uri], near[uri]

    found: dict[str, Popularity] = {}
    total, before = sum(asked.values()), 0
    for _, group in groupby(sorted(asked, key=rank, reverse=True), rank):
        alike = list(group)
        share = sum(asked[uri] for uri in alike)
        middle = 2 * before + share  # of 2 * total: whole numbers, so that a cut is hit exactly
        found.update(dict.fromkeys(alike, POPULARITIES[(3 * middle - 1) // (2 * total)]))
        before += share
    return found


def answer_set_size(answers: int) -> str:
    """Return the stratum of a question by its number of right answers: `1`, `2`, `3-5`, `6-10` or `11+`.

    Raises:
        ValueError: fewer than one answer.
    """
    if answers < 1:
        raise ValueError(f"a question has an answer or more, not {answers}")
    return next((name for largest, name in ANSWER_SET_SIZES if answers <= largest), "11+")
