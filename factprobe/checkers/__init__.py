"""Checkers: they label claims of texts by comparing them with references or a knowledge graph, or locate them."""

from factprobe.checkers.aggregators import Aggregator as Aggregator
from factprobe.checkers.aggregators import aggregators as aggregators
from factprobe.checkers.base import Checker as Checker
from factprobe.checkers.base import checkers as checkers
