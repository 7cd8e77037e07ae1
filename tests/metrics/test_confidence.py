"""How sure a model was of an answer, by hand."""

from __future__ import annotations

from math import log

import pytest

from factprobe.metrics.confidence import confidence
from factprobe.records import Response


def response(scores: tuple[float, ...] = (), logprobs: tuple[float, ...] = ()) -> Response:
    return Response("q", "Paris", "stop", None, None, scores=scores, logprobs=logprobs)


@pytest.mark.parametrize(
    ("given", "probability"),
    [
        (response(logprobs=(log(0.5), log(0.4))), 0.2),
        (response(logprobs=(0.0, 1e-9)), 1),
        (response(logprobs=(-1e9,)), 0),
        (response(scores=(log(0.1), log(0.3), log(0.1))), 0.6),
        (response(scores=(-5000.0, -5000.0)), 0.5),
        (response(scores=(-2.0,), logprobs=(-9.0,)), 1),
        (response(), None),
    ],
)
def test_confidence_by_hand(given: Response, probability: float | None) -> None:
    assert confidence(given) == pytest.approx(probability)
