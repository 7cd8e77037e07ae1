"""Strategies for choosing wrong answers, in the registry `negatives`."""

from factprobe.generators.negatives.base import CandidateEnd, Negatives, Wanted, chain, negatives
from factprobe.generators.negatives.neighbours import WholeGraph

__all__ = ["CandidateEnd", "Negatives", "Wanted", "WholeGraph", "chain", "negatives"]
