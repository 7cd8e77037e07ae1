"""Strategies for the choice of wrong answers (negatives); `negatives` is their registry."""

from factprobe.generators.negatives.base import CandidateEnd, Negatives, Wanted, negatives, with_wider
from factprobe.generators.negatives.neighbours import WholeGraph

__all__ = ["CandidateEnd", "Negatives", "Wanted", "WholeGraph", "negatives", "with_wider"]
