"""One verdict of several passages."""

from __future__ import annotations

from itertools import permutations

from factprobe.checkers.merging import NO_REFERENCE, Merge, merge_verdicts
from factprobe.records import ClaimLabel, ClaimVerdict
from tests.tables import for_each_row

LABELS: dict[str, ClaimLabel | None] = {"E": "Entailment", "C": "Contradiction", "N": "Neutral", "?": None}


@for_each_row(
    ("said", "any_", "strict"),
    [
        ("E", "E", "E"),
        ("N", "N", "N"),
        ("?", "?", "?"),
        ("EC", "E", "C"),
        ("ECN", "E", "C"),
        ("CN", "C", "C"),
        ("EN", "E", "E"),
        ("E?", "E", "?"),
        ("C?", "?", "C"),
        ("EC?", "E", "C"),
        ("N?", "?", "?"),
    ],
)
def test_the_policies(said: str, any_: str, strict: str) -> None:
    for order in permutations(said):
        verdicts = [ClaimVerdict(LABELS[one], passage=i) for i, one in enumerate(order)]
        assert merge_verdicts(verdicts, "any").label == LABELS[any_]
        assert merge_verdicts(verdicts, "strict").label == LABELS[strict]


@for_each_row("merge", ["any", "strict"])
def test_the_passage_that_decided_is_named(merge: Merge) -> None:
    verdicts = [
        ClaimVerdict("Neutral", passage=0),
        ClaimVerdict("Entailment", passage=1),
        ClaimVerdict("Entailment", passage=2),
    ]
    assert merge_verdicts(verdicts, merge) == verdicts[1]
    assert merge_verdicts(verdicts[:1], merge) == ClaimVerdict("Neutral")
    assert merge_verdicts([ClaimVerdict(None, "cut off"), ClaimVerdict(None, "empty")], merge).why == "cut off"
    assert merge_verdicts([], merge) == NO_REFERENCE


def test_the_surest_decides_and_of_neutral_ones_the_least_sure() -> None:
    def verdict(label: ClaimLabel, sure: float, passage: int) -> ClaimVerdict:
        return ClaimVerdict(label, probabilities={label: sure}, passage=passage)

    assert merge_verdicts([verdict("Entailment", 0.5, 0), verdict("Entailment", 0.9, 1)], "any").passage == 1
    found = merge_verdicts([verdict("Neutral", 0.9, 0), verdict("Neutral", 0.5, 1)], "any")
    assert found == ClaimVerdict("Neutral", probabilities={"Neutral": 0.5})
