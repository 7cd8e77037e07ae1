"""What a graph says of the words of an output: those that it bears out, and those that it contradicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from factprobe.checkers.graph import GraphChecker
from factprobe.claims.graph import GraphClaims
from factprobe.records import CLAIM_LABELS, Claim, DetectorItem, Item, RelationSummary, Spans

