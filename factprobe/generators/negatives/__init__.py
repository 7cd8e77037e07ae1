"""Strategies for the choice of wrong answers (negatives); `negatives` is their registry."""

from factprobe.generators.negatives.base import (
    CandidateEnd,
    DistractorRequest,
    Negatives,
    WholeGraph,
    negatives,
    with_wider,
)

__all__ = ["CandidateEnd", "DistractorRequest", "Negatives", "WholeGraph", "negatives", "with_wider"]
