"""The comparison of models as a report shows it."""

from __future__ import annotations

import numpy as np
import pytest

from factprobe.metrics.comparison import compare
from factprobe.reports.comparison import comparison_blocks
from factprobe.reports.document import Paragraph

GAINS = [True] * 2 + [False] * 29 + [True] * 9 + [False] * 23
"""Whether only the first model is right, for 31 and 32 questions; else both are."""
TWO_SUBJECTS = ["a"] * 31 + ["b"] * 32


@pytest.mark.parametrize(("subjects", "is_explained"), [(TWO_SUBJECTS, True), ([*map(str, range(63))], False)])
def test_figures_that_contradict_the_verdict_are_explained(subjects: list[str], is_explained: bool) -> None:
    outcomes = {"one": [True] * 63, "other": [not gain for gain in GAINS]}
    [pair] = compare(outcomes, np.random.default_rng(0), subjects)
    assert (pair.verdict == "tied") == is_explained
    assert pair.bootstrap.low > 0
    paragraphs = [block for block in comparison_blocks([("", pair)]) if isinstance(block, Paragraph)]
    assert any("bootstrap" in paragraph.text for paragraph in paragraphs) == is_explained
