"""Strata of questions: by how popular an entity is in the graph, and by how many answers a question has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Literal

Popularity = Literal["head", "torso", "tail"]
POPULARITIES: tuple[Popularity, ...] = ("head", "torso", "tail")

ANSWER_SET_SIZES = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"))
"""The largest size of each stratum and its name; larger ones are `11+`."""


def degrees(facts: Iterable[tuple[str, str]]) -> Counter[str]:
    """In how many facts each entity stands: its degree in the graph.

    Args:
        facts: the URIs of subject and object of each fact; one of an entity with itself counts once.
    """
    return Counter(uri for fact in facts for uri in dict.fromkeys(fact))


def popularity(counts: Mapping[str, int]) -> dict[str, Popularity]:
    """The head, torso and tail of entities: a third of all facts' ends each, from the most to the least popular.

    Sun, Xu, Zha, Liu and Dong 2024, Head-to-Tail (NAACL, section 2), which sums up popularity (there votes, citations
    or, for DBpedia, facts) over the entities in its order and cuts it in three. The head is thus a few entities, the
    tail most of them. Entities of the same degree stay together, where the middle of their sum lies: a graph whose
    entities are all alike is all torso.

    Args:
        counts: each entity's degree, see `degrees`.

    Returns:
        Each entity's stratum, in the order given.
    """
    found: dict[int, Popularity] = {}
    total, before = sum(counts.values()), 0
    for degree, same in groupby(sorted(counts.values(), reverse=True)):
        share = degree * len(list(same))
        middle = 2 * before + share  # of 2 * total: whole numbers, so that a cut is hit exactly
        found[degree] = "head" if 3 * middle <= 2 * total else "torso" if 3 * middle <= 4 * total else "tail"
        before += share
    return {uri: found[degree] for uri, degree in counts.items()}


def answer_set_size(answers: int) -> str:
    """The stratum of a question with so many right answers: `1`, `2`, `3-5`, `6-10` or `11+`.

    Raises:
        ValueError: fewer than one answer.
    """
    if answers < 1:
        raise ValueError(f"a question has an answer or more, not {answers}")
    return next((name for largest, name in ANSWER_SET_SIZES if answers <= largest), "11+")
