"""Two graders' verdicts, counted by hand."""

from __future__ import annotations

from collections import Counter

from factprobe.records import Verdict
from factprobe.reports.collection.further import compat_score
from factprobe.reports.data import CompatScore


def test_both_accuracies_by_hand() -> None:
    verdicts: Counter[tuple[Verdict, Verdict]] = Counter(
        {
            ("correct", "correct"): 4,
            ("correct", "incorrect"): 2,
            ("unparsed", "correct"): 1,
            ("abstained", "incorrect"): 3,
            ("correct", "failed"): 9,
            ("failed", "correct"): 9,
        }
    )
    found = compat_score("trex", "template", "tiny", "llm_facteval", verdicts)
    assert found == CompatScore("trex", "template", "tiny", "llm_facteval", 10, 6 / 10, 5 / 10, 2, 1)


def test_nothing_is_left_where_all_failed() -> None:
    verdicts: Counter[tuple[Verdict, Verdict]] = Counter({("failed", "correct"): 2})
    assert compat_score("trex", "template", "tiny", "llm_facteval", verdicts) is None
