"""Records of free-text checking: texts, their claims and the verdicts on these."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

ClaimLabel = Literal["Entailment", "Neutral", "Contradiction"]
"""Verdict on a claim: supported by the reference, neither, or contradicted."""
CLAIM_LABELS: tuple[ClaimLabel, ...] = get_args(ClaimLabel)
ResponseLabel = Literal["Entailment", "Neutral", "Contradiction", "Abstain"]
"""Verdict on a whole response; `Abstain` if it makes no claims."""
RESPONSE_LABELS: tuple[ResponseLabel, ...] = get_args(ResponseLabel)
ClaimFormat = Literal["triplet", "subsentence", "sentence"]
"""Form of a claim: (head, relation, tail), a self-contained statement, or a sentence of the response."""
Spans = tuple[tuple[int, int], ...]
"""Spans in a text: start and end of each, in characters."""


class Item(Struct, frozen=True, gc=False):
    """Text to check."""

    id: str
    """Id from the record, or the number of the record from 1."""
    response: str
    question: str = ""
    """Question that the response answers, if known."""
    references: tuple[str, ...] = ()
    """Passages to check against; empty if there are none."""
    retriever: str = ""
    """Retriever that found the references; empty if they came with the text."""


class Claim(Struct, frozen=True, omit_defaults=True, gc=False):
    """Claim that a response makes."""

    parts: tuple[str, ...]
    """Head, relation and tail of a triplet, or a single sentence."""
    spans: Spans = ()
    """Spans of the claim in the response, if known."""
    uris: tuple[str, ...] = ()
    """Head, relation and tail in a graph, if the claim was linked to one."""
    score: float | None = None
    """Probability that the response makes the claim, in [0, 1]; None for extractors without scores."""

    @property
    def text(self) -> str:
        """Text of the claim, in one line."""
        return " ".join(self.parts)


class ClaimedText(Struct, frozen=True, gc=False):
    """Text with its claims."""

    item: Item
    claims: tuple[Claim, ...] = ()
    fault: str = ""
    """Reason why claims are missing: a failed call, or a reply that cannot be read or is cut off."""


class GraphFact(Struct, frozen=True, gc=False):
    """Fact of a graph on which a verdict rests."""

    triplet: tuple[str, str, str]
    """Labels of subject, relation and object."""
    uris: tuple[str, str, str]


class ClaimVerdict(Struct, frozen=True, omit_defaults=True, gc=False):
    """Verdict of a checker on one claim."""

    label: ClaimLabel | None
    """Verdict; None if the checker could not decide, for the reason in `why`."""
    why: str = ""
    """Reason or error, in a few words."""
    probabilities: dict[ClaimLabel, float] | None = None
    """Probability of each label, in [0, 1]; None from checkers without probabilities."""
    facts: tuple[GraphFact, ...] = ()
    """Facts of a graph on which the verdict rests."""
    passage: int | None = None
    """Index of the reference that decided, from 0; None if none did."""


class Location(Struct, frozen=True, omit_defaults=True, gc=False):
    """Span whose text is similar to a claim or to a part of it."""

    start: int
    """Offset in characters."""
    end: int
    similarity: float
    """Cosine similarity of the embeddings of the span and of the claim or its part; at most 1."""
    reference: int | None = None
    """Index of the reference with the span, from 0; None for a span of the response."""
    part: int | None = None
    """Part of the claim to which the span is similar: head (0), relation (1) or tail (2); None for the whole claim."""


class CheckedText(Struct, frozen=True, gc=False):
    """Text with a verdict on each of its claims."""

    claimed: ClaimedText
    """Text and claims, with the references that were used."""
    verdicts: tuple[ClaimVerdict, ...] = ()
    """Verdict on each claim, in the order of the claims."""
    aggregate: ResponseLabel | dict[ResponseLabel, float] | None = None
    """Verdict on the whole response, or the share of each label; None if no claim could be extracted or decided."""
    locations: tuple[tuple[Location, ...], ...] = ()
    """Locations of each claim in the response and the references; empty unless requested."""

    @property
    def retriever(self) -> str:
        """Retriever that found the references; empty if they came with the text."""
        return self.claimed.item.retriever

    @property
    def labels(self) -> list[ClaimLabel]:
        """Labels of the claims that the checker could decide."""
        return [verdict.label for verdict in self.verdicts if verdict.label is not None]
