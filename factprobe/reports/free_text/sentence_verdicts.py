"""Claims and verdicts beside the sentences that make them: for a terminal and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from factprobe.reading.tokenisation.sentences import sentences
from factprobe.records import CheckedText, Claim, ClaimVerdict
from factprobe.reports.document import Column, Document, Heading, Row, Table
from factprobe.reports.html import write_page
from factprobe.text import format_count

_ON_TERMINAL = 12
"""Sentences shown on a terminal."""
_ON_PAGE = 2_000
"""Sentences shown on the page."""
_NO_VERDICT = "no verdict"


class JudgedSentence(NamedTuple):
    """Sentence of a text with its claims."""

    text_id: str
    sentence: str
    """Empty for claims whose place is not known."""
    claims: Sequence[tuple[Claim, ClaimVerdict]]


def judged_sentences(texts: Sequence[CheckedText]) -> Iterator[JudgedSentence]:
    """Yield the sentences of texts in order, and after them the claims whose place is not known."""
    for text in texts:
        item, pairs = text.claimed.item, list(zip(text.claimed.claims, text.verdicts, strict=True))
        for start, end in sentences(item.response):
            own = [pair for pair in pairs if pair[0].spans and start <= pair[0].spans[0][0] < end]
            yield JudgedSentence(item.id, item.response[start:end], own)
        if unplaced := [pair for pair in pairs if not pair[0].spans]:
            yield JudgedSentence(item.id, "", unplaced)


def sentence_lines(texts: Sequence[CheckedText], page: Path) -> str:
    """Format the first sentences for a terminal, each with its claims and verdicts below it."""
    lines = []
    found = list(islice(judged_sentences(texts), _ON_TERMINAL + 1))
    for one in found[:_ON_TERMINAL]:
        lines.append(f"{one.text_id}: {one.sentence}" if one.sentence else f"{one.text_id}, of the text as a whole:")
        for claim, verdict in one.claims:
            why = f" ({verdict.why})" if verdict.why else ""
            lines.append(f"    {verdict.label or _NO_VERDICT}: {' | '.join(claim.parts)}{why}")
        if not one.claims:
            lines.append("    no claim found")
    more = " and the rest" if found[_ON_TERMINAL:] else ""
    return "\n".join([*lines, f"these{more} as a page: {page}"])


def write_sentences(path: Path, title: str, texts: Sequence[CheckedText]) -> None:
    """Write the page with the sentences, their claims and verdicts."""
    every = judged_sentences(texts)
    lines = [line for one in islice(every, _ON_PAGE) for line in _lines(one)]
    left_out = sum(1 for _ in every)
    note = f"{format_count(left_out, 'more sentence')} left out." if left_out else ""
    columns = [*map(Column, ("claim", "verdict", "why"))]
    table = Table("", ["sentence", "text"], columns, lines, note, is_words=True)
    counts = [("Texts", len(texts)), ("Claims", sum(len(one.claimed.claims) for one in texts))]
    write_page(path, Document("Claims and verdicts", title, counts, [Heading("Sentences"), table]))


def _lines(one: JudgedSentence) -> Iterator[Row]:
    """Yield a row for each claim of a sentence; one without claims has a row too."""
    cells = [(" | ".join(claim.parts), found.label or _NO_VERDICT, found.why) for claim, found in one.claims]
    for number, cell in enumerate(cells or [("no claim found", "", "")]):
        yield Row(["″" if number else one.sentence or "(the text as a whole)", one.text_id], cell)
