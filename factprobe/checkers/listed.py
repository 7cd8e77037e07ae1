"""Verdicts on objects that one sentence enumerates ("headquartered in Bonn and Berlin")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from factprobe.reading.language import vocabulary
from factprobe.records import Claim, ClaimedText, ClaimVerdict

_SEPARATOR = re.compile(rf"\s*(?:,\s*)?(?:{'|'.join(sorted(vocabulary('link_and')))})\s+|,\s+")
_WHY = "it stands in a list with what the graph has, and both may be right"


def with_lists(
    text: ClaimedText, verdicts: Sequence[ClaimVerdict], is_complete: Callable[[str], bool]
) -> tuple[ClaimVerdict, ...]:
    """Replace Contradiction by Neutral in an enumeration with an entailed object, unless the relation is complete."""
    revised = list(verdicts)
    for numbers in _lists(text.item.response, text.claims):
        if any(revised[number].label == "Entailment" for number in numbers):
            for number in numbers:
                verdict = revised[number]
                if verdict.label == "Contradiction" and not any(is_complete(fact.uris[1]) for fact in verdict.facts):
                    revised[number] = ClaimVerdict("Neutral", _WHY, facts=revised[number].facts)
    return tuple(revised)


def _lists(text: str, claims: Sequence[Claim]) -> Iterator[list[int]]:
    """Yield the indices of claims that share subject and relation and whose objects form an enumeration in the text."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, claim in enumerate(claims):
        if len(claim.parts) == 3 and len(claim.spans) == 3:
            groups.setdefault((claim.spans[0], claim.parts[1]), []).append(number)
    for group in groups.values():
        group.sort(key=lambda number: claims[number].spans[2])
        enumeration = group[:1]
        for before, number in pairwise(group):
            if not _SEPARATOR.fullmatch(text, claims[before].spans[2][1], claims[number].spans[2][0]):
                if len(enumeration) > 1:
                    yield enumeration
                enumeration = []
            enumeration.append(number)
        if len(enumeration) > 1:
            yield enumeration
