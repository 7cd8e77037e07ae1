"""The rules that all evaluators share."""

from __future__ import annotations

from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.reading.reading import Reading
from factprobe.records import Question


@rule("no_response", "failed")
def no_response(reading: Reading, _: Question) -> Judgment | None:
    """Is none: the endpoint failed."""
    response = reading.response
    if response is None or (response.error is None and response.response is not None):
        return None
    return Judgment("failed", why="no reply came")


@rule("empty", "unparsed")
def empty(reading: Reading, _: Question) -> Judgment | None:
    """Is empty, or nothing is left of it without its reasoning and its markup."""
    return None if reading.reply else Judgment("unparsed", why="nothing is left of the reply once it is cleaned")


@rule("abstention", "abstained")
def only_declines(reading: Reading, _: Question) -> Judgment | None:
    """Declines, and says nothing else."""
    return Judgment("abstained", answer=reading.excerpt, why="only declines") if reading.only_declines else None
