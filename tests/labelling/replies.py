"""Graded replies, made up, for the tests of labelling."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.labelling.drawing import DrawnReply
from factprobe.labelling.replies import GradedReply, LabelCandidate


def candidate(
    name: str, prediction: float = 0.5, *, system: str = "", is_contested: bool | None = None
) -> LabelCandidate:
    """Return a candidate with a question of its own."""
    return LabelCandidate(
        id=name,
        system=system,
        question=f"question {name}",
        digest=f"hash of {name}",
        prediction=prediction,
        is_contested=is_contested,
    )


def candidates(count: int, prediction: float = 0.5) -> list[LabelCandidate]:
    """Return candidates with the ids `q0`, `q1` and so on."""
    return [candidate(f"q{number}", prediction) for number in range(count)]


def graded(of: LabelCandidate) -> GradedReply:
    """Return the reply of a candidate."""
    return GradedReply(
        candidate=of, question=f"What is {of.id}?", answers=("this",), response="that", verdict="incorrect", why="other"
    )


def drawn(names: Sequence[str], shared: Sequence[str] = (), probability: float = 0.5) -> list[DrawnReply]:
    """Return drawn replies in this order."""
    return [DrawnReply(candidate(name), probability, name in shared) for name in names]
