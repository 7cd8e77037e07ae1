"""Rates of what texts claim, as RefChecker has them: each response's shares, averaged over the responses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from factprobe.metrics.intervals import Interval, rate_interval
from factprobe.records import RESPONSE_LABELS, ResponseLabel

SharesOf = Mapping[ResponseLabel, float]
"""The share of each label among a response's claims; of one without claims Abstain has it all."""


class ClaimRates(Struct, frozen=True):
    """How often what responses claim is borne out, each response counting alike."""

    responses: int
    rates: dict[ResponseLabel, Interval]
    """Over all responses, one without claims being an Abstain and nothing else; empty where there are no responses."""
    with_claims: int
    """The responses that have claims."""
    rates_with_claims: dict[ResponseLabel, Interval]
    """Over these alone."""


def claim_rates(shares: Sequence[SharesOf], confidence: float = 0.95) -> ClaimRates:
    """The mean share of each label with its interval; see `rate_interval`.

    Args:
        shares: of each response.
        confidence: how often such intervals are to cover the truth.
    """
    claiming = [one for one in shares if not one["Abstain"]]
    return ClaimRates(
        len(shares), _means(shares, RESPONSE_LABELS, confidence), len(claiming), _means(claiming, _CLAIMED, confidence)
    )


_CLAIMED = RESPONSE_LABELS[:3]


def _means(
    shares: Sequence[SharesOf], labels: Sequence[ResponseLabel], confidence: float
) -> dict[ResponseLabel, Interval]:
    found = {}
    for label in labels:
        values = np.clip([one[label] for one in shares], 0, 1)
        interval = rate_interval(values, np.ones(len(values)), confidence=confidence)
        if interval is not None:
            found[label] = interval
    return found
