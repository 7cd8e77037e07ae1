"""Strategies for the choice of wrong answers (negatives); `negatives` is their registry."""

from factprobe.generators.negatives.base import CandidateEnd, DistractorRequest, Negatives, negatives, with_wider
from factprobe.generators.negatives.neighbours import WholeGraph

__all__ = ["CandidateEnd", "DistractorRequest", "Negatives", "WholeGraph", "negatives", "with_wider"]
