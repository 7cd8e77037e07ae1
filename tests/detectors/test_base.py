"""What a detector, which may be a plugin, has to give for each item."""

from __future__ import annotations

import pytest

from factprobe.detectors.base import check_detections
from factprobe.errors import ConfigError
from factprobe.records import HALLUCINATION, Detection
from tests.tables import for_each_row

RIGHT = Detection(HALLUCINATION, 0.7)


@for_each_row(
    ("found", "message"),
    [
        ([Detection("Maybe", 0.7)], "the label 'Maybe'"),  # type: ignore[arg-type]
        ([Detection(HALLUCINATION, 1.7)], "the probability 1.7"),
        ([RIGHT, RIGHT], "2 on 1 items"),
    ],
)
def test_invalid_detections_are_refused(found: list[Detection], message: str) -> None:
    check_detections([RIGHT], 1, "mine")
    check_detections([Detection(None, None)], 1, "mine")
    with pytest.raises(ConfigError, match=message):
        check_detections(found, 1, "mine")
