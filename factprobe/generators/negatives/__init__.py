"""Which wrong answers a question tries first: strategies, behind the registry `negatives`."""

from factprobe.generators.negatives.base import Negatives, Side, Wanted, chain, negatives
from factprobe.generators.negatives.graph import Graph

__all__ = ["Graph", "Negatives", "Side", "Wanted", "chain", "negatives"]
