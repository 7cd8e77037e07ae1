"""Data for the tests of reports, small enough to check by hand."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.metrics import Tally, scores
from factprobe.metrics.tallies import Cell
from factprobe.records import Grade, Relation, Score, Verdict
from factprobe.reports.data import ReportData, Sample

CAPITAL = Relation("P36", "[Y] is the capital of [X].", "capital", type="1-1")
LANGUAGE = Relation("P37", "[Y] is spoken in [X].", "official <b>language</b>", type="N-M")


def tally(*verdicts: Verdict) -> Tally:
    """The tally of these verdicts."""
    counted = Tally()
    for verdict in verdicts:
        counted.add(Grade("q", "single_answer", verdict, (), 0, 0, 0, "rule"))
    return counted


def rows() -> list[Score]:
    """Two relations, one model: capital 2 of 4 correct with one failed beside, language nothing but a failed one."""
    tallies = {
        Cell("template", "tiny", "P36", "single_answer"): tally(
            "correct", "correct", "incorrect", "unparsed", "failed"
        ),
        Cell("template", "tiny", "P37", "single_answer"): tally("failed"),
    }
    return scores(tallies, {"P36": CAPITAL, "P37": LANGUAGE}, "trex")


def ranked_rows() -> list[Score]:
    """One relation whose answers were ranked: the right one first and third."""
    counted = Tally()
    counted.add(Grade("q1", "multi_choices", "correct", ("Q90",), 1, 0, 0, "rank", 1))
    counted.add(Grade("q2", "multi_choices", "incorrect", (), 0, 1, 1, "rank", 3))
    return scores({Cell("likelihood", "tiny", "P36", "multi_choices"): counted}, {"P36": CAPITAL}, "trex")


def sample(reply: str, verdict: Verdict = "incorrect", question: str = "Fill the blank: ____") -> Sample:
    """A question about a capital with this reply."""
    return Sample(
        "q1", "trex", "template", "tiny", "P36", "capital", "single_answer", question, "Paris", reply, verdict, "rule"
    )


def page(samples: Sequence[Sample] = (), settings: tuple[tuple[str, str], ...] = (("seed", "0"),)) -> ReportData:
    """What a report shows of them."""
    return ReportData("trex", 2, 6, tuple(rows()), (), (), (), (), (), tuple(samples), 6, settings)
