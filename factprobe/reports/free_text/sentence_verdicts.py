"""Sentences of checked texts with their claims and verdicts, for a terminal and as a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from factprobe.reading.tokenisation.sentences import sentences
from factprobe.reading.tokenisation.tokens import Words
from factprobe.records import CheckedText, Claim, ClaimLabel, ClaimVerdict, Span, Verdict
from factprobe.reports.document import Badge, Cell, Column, Document, Heading, Row, Table
from factprobe.reports.html import write_page
from factprobe.text import format_count

_MAX_ON_TERMINAL = 12
_MAX_ON_PAGE = 2_000
_NO_VERDICT = "no verdict"
_MAX_FACTS = 3
_BADGES: dict[ClaimLabel | None, Verdict] = {
    "Entailment": "correct",
    "Contradiction": "incorrect",
    "Neutral": "abstained",
    None: "failed",
}
"""Verdict on replies whose colour and mark the page shows for a verdict on a claim."""


class JudgedSentence(NamedTuple):
    """Sentence of a text with its claims and their verdicts."""

    text_id: str
    sentence: str
    """Text of the sentence; empty for claims that no sentence could be found for."""
    claims: Sequence[tuple[Claim, ClaimVerdict]]
    fault: str = ""
    """Reason why claims of the text could not be extracted; empty without a failure."""

    @property
    def without_claims(self) -> str:
        """Text to show if the sentence has no claims."""
        return f"no claim could be extracted: {self.fault}" if self.fault else "no claim found"


def judged_sentences(texts: Sequence[CheckedText]) -> Iterator[JudgedSentence]:
    """Yield the sentences of texts in order; after those of a text, yield its claims that fit no sentence."""
    for text in texts:
        item, fault = text.claimed.item, text.claimed.fault
        spans = sentences(item.response)
        words = [frozenset(Words(item.response[start:end]).keys) for start, end in spans]
        placed: dict[int | None, list[tuple[Claim, ClaimVerdict]]] = defaultdict(list)
        for claim, verdict in zip(text.claimed.claims, text.verdicts, strict=True):
            placed[_find_sentence(claim, spans, words)].append((claim, verdict))
        for number, (start, end) in enumerate(spans):
            yield JudgedSentence(item.id, item.response[start:end], placed[number], fault)
        if None in placed or (fault and not spans):
            yield JudgedSentence(item.id, "", placed[None], fault)


def _find_sentence(claim: Claim, spans: Sequence[Span], words: Sequence[frozenset[str]]) -> int | None:
    """Return the index of the sentence that states a claim; None if none shares a word with it.

    If the claim lacks spans, this is the sentence with the largest share of the words of relation and tail. Words of
    the head decide only between equal sentences, since a text names its subject once and then writes `it`. `words` has
    the stems of each sentence's words.
    """
    if len(claim.spans) == len(claim.parts):
        start = claim.spans[0][0]
        return next((number for number, (begin, end) in enumerate(spans) if begin <= start < end), None)
    parts = [frozenset(Words(part).keys) for part in claim.parts]
    scores = [(_sum_word_shares(parts[-2:], stems), _sum_word_shares(parts[:-2], stems)) for stems in words]
    best = max(scores, default=(0, 0))
    return scores.index(best) if any(best) else None


def _sum_word_shares(parts: Iterable[frozenset[str]], words: frozenset[str]) -> float:
    """Return, summed over the parts of a claim, the share of a part's words that a sentence has."""
    return sum(len(part & words) / len(part) for part in parts if part)


def sentence_lines(texts: Sequence[CheckedText], page: Path) -> str:
    """Format the first sentences for a terminal, each with its claims and verdicts below it."""
    lines = []
    sentences = list(islice(judged_sentences(texts), _MAX_ON_TERMINAL + 1))
    for one in sentences[:_MAX_ON_TERMINAL]:
        lines.append(f"{one.text_id}: {one.sentence}" if one.sentence else f"{one.text_id}, of the text as a whole:")
        for claim, verdict in one.claims:
            why = f" ({verdict.why})" if verdict.why else ""
            lines.append(f"    {verdict.label or _NO_VERDICT}: {' | '.join(claim.parts)}{why}")
        if not one.claims:
            lines.append(f"    {one.without_claims}")
    more = " and the rest" if sentences[_MAX_ON_TERMINAL:] else ""
    return "\n".join([*lines, f"these{more} as a page: {page}"])


def write_sentences(path: Path, title: str, texts: Sequence[CheckedText]) -> None:
    """Write a page with the sentences of texts, their claims and verdicts."""
    sentences = judged_sentences(texts)
    lines = [line for sentence in islice(sentences, _MAX_ON_PAGE) for line in _sentence_rows(sentence)]
    left_out = sum(1 for _ in sentences)
    note = f"{format_count(left_out, 'more sentence')} left out." if left_out else ""
    columns = [*map(Column, ("claim", "verdict", "why"))]
    if not any(row.cells[-1] for row in lines):
        columns.pop()
        lines = [row._replace(cells=row.cells[:-1]) for row in lines]
    table = Table("", ["sentence", "text"], columns, lines, note, is_words=True)
    counts = [("Texts", len(texts)), ("Claims", sum(len(one.claimed.claims) for one in texts))]
    if faults := sum(bool(text.claimed.fault) for text in texts):
        counts.append(("Texts whose claims could not all be extracted", faults))
    write_page(path, Document("Claims and verdicts", title, counts, [Heading("Sentences"), table]))


def _sentence_rows(sentence: JudgedSentence) -> Iterator[Row]:
    """Yield a row for each claim of a sentence, or one row if it has none."""
    cells: list[tuple[Cell, ...]] = [
        (" | ".join(claim.parts), Badge(found.label or _NO_VERDICT, _BADGES[found.label]), _evidence(found))
        for claim, found in sentence.claims
    ]
    for number, cell in enumerate(cells or [(sentence.without_claims, "", "")]):
        yield Row(["″" if number else sentence.sentence or "(the text as a whole)", sentence.text_id], cell)


def _evidence(verdict: ClaimVerdict) -> str:
    """Return the reason of a verdict, or the first of its facts, or its probability; empty if it has none of them."""
    if verdict.why or verdict.label is None:
        return verdict.why
    if verdict.facts:
        facts = "; ".join(" | ".join(fact.triplet) for fact in verdict.facts[:_MAX_FACTS])
        return f"the graph has {facts}" + " …" * (len(verdict.facts) > _MAX_FACTS)
    probability = (verdict.probabilities or {}).get(verdict.label)
    return "" if probability is None else f"probability {probability:.2f}"
