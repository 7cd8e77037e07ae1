"""Widgets for a score and for a text with marked spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from nicegui import ui

from factprobe.app.shell import text
from factprobe.checkers.aggregators import Aggregate
from factprobe.records import Location

_CLAIM_PARTS = ("head", "relation", "tail")


def show_score(aggregate: Aggregate | None) -> None:
    """Show the verdict on a whole text: one label, or a bar with the share of each label."""
    with ui.element("div").classes("score"):
        text("Overall", "term")
        if aggregate is None:
            text("No clean verdict", "chip")
            return
        if isinstance(aggregate, str):
            text(aggregate, "chip", aggregate)
            return
        shares = ", ".join(f"{label} {share:.0%}" for label, share in aggregate.items() if share)
        with ui.element("div").classes("bar").props(f'role="img" aria-label="{shares}"'):
            for label, share in aggregate.items():
                if share:
                    ui.element("div").classes(str(label)).style(f"flex-grow: {share:.4f}")
        with ui.element("div").classes("legend"):
            for label, share in aggregate.items():
                text(f"{label} {share:.0%}", "key", str(label))


def show_text(words: str, places: Sequence[Location]) -> None:
    """Show a text in which sentences, heads, relations and tails of a claim are marked; tooltips give similarities."""
    with ui.element("div").classes("passage"):
        for start, end, covering in segments(len(words), places):
            segment = text(words[start:end], "run", *_css_classes(covering))
            if covering:
                segment.tooltip(", ".join(f"{_part_name(place)} {place.similarity:.2f}" for place in covering))


def show_key() -> None:
    """Show the legend of the colours of marked places."""
    with ui.element("div").classes("hint"):
        for part in _CLAIM_PARTS:
            text(part, "run", part)
        text("in the nearest", "plain")
        text("sentence", "run", "sentence")


def segments(length: int, places: Sequence[Location]) -> Iterator[tuple[int, int, list[Location]]]:
    """Split a text of `length` characters at the ends of all places; yield start, end and places of each segment."""
    cuts = sorted({0, length, *(cut for place in places for cut in (place.start, place.end))})
    for start, end in pairwise(cuts):
        yield start, end, [place for place in places if place.start <= start and end <= place.end]


def _css_classes(covering: Sequence[Location]) -> Iterator[str]:
    if covering:
        yield "sentence"
    yield from (_CLAIM_PARTS[place.part] for place in covering if place.part is not None)


def _part_name(place: Location) -> str:
    return "sentence" if place.part is None else _CLAIM_PARTS[place.part]
