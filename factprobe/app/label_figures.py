"""Statistics on the labelling page: accuracy so far, agreement of two people, and labels of each person."""

from __future__ import annotations

from nicegui import ui

from factprobe.app.shell import text
from factprobe.labelling.status import PairAgreement, Progress, SystemAccuracy
from factprobe.metrics.corrected import MIN_LABELS
from factprobe.text import format_count


def show_figures(place: ui.element, progress: Progress) -> None:
    """Show the statistics of the labels so far in a description list, whose content is replaced."""
    place.clear()
    with place:
        for accuracy in progress.accuracies:
            system = f" of {accuracy.system}" if accuracy.system else ""
            _show_figure(f"Accuracy{system} as people judge it", format_accuracy(accuracy))
        for agreement in progress.agreements:
            _show_figure(f"Agreement of {' and '.join(agreement.annotators)}", format_agreement(agreement))
        if progress.by_annotator:
            counts = ", ".join(f"{annotator} {count:,}" for annotator, count in progress.by_annotator.items())
            _show_figure("Verdicts", counts)


def format_accuracy(accuracy: SystemAccuracy) -> str:
    """Format an accuracy with its interval and its width, or the number of labels so far if they are too few."""
    interval = accuracy.interval
    if interval is None:
        return f"from {MIN_LABELS} verdicts on; {accuracy.labels} so far"
    low, high = 100 * interval.low, 100 * interval.high
    width = f"an interval of {high - low:.0f} points"
    verdicts = format_count(accuracy.labels, "verdict")
    return f"{100 * interval.estimate:.0f} % ({low:.0f} to {high:.0f}), {width} by {verdicts}"


def format_agreement(agreement: PairAgreement) -> str:
    """Format how often two people agree, and Cohen's kappa if it can be computed."""
    text = f"{agreement.alike} of {agreement.replies} alike"
    kappa = agreement.kappa
    if kappa is None:
        return text
    return f"{text}, kappa {kappa.estimate:.2f} ({kappa.low:.2f} to {kappa.high:.2f})"


def _show_figure(term: str, value: str) -> None:
    with ui.element("div"):
        text(term, "term")
        text(value, "said")
