"""Checkers: whether references, or the graph, bear out what a text claims."""

from factprobe.checkers.aggregators import Aggregator as Aggregator
from factprobe.checkers.aggregators import aggregators as aggregators
from factprobe.checkers.base import Checker as Checker
from factprobe.checkers.base import checkers as checkers
