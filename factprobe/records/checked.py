"""The records of the free-text lane: a text, the claims that were taken from it, and what a checker says of each."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

ClaimLabel = Literal["Entailment", "Neutral", "Contradiction"]
"""What references say of a claim."""
CLAIM_LABELS: tuple[ClaimLabel, ...] = get_args(ClaimLabel)
ResponseLabel = Literal["Entailment", "Neutral", "Contradiction", "Abstain"]
"""What they say of a whole response; `Abstain` of one without claims."""
RESPONSE_LABELS: tuple[ResponseLabel, ...] = get_args(ResponseLabel)
ClaimFormat = Literal["triplet", "subsentence", "sentence"]
"""What a claim is: (head, relation, tail), a statement that stands by itself, or a sentence of the response."""
Spans = tuple[tuple[int, int], ...]
"""Where something stands in a text: start and end, in characters."""


class Item(Struct, frozen=True, gc=False):
    """A text that is checked."""

    id: str
    """As its record has it, or its number from 1."""
    response: str
    question: str = ""
    """What it replies to, where that is known."""
    references: tuple[str, ...] = ()
    """The passages that it is checked against; empty where there are none."""
    retriever: str = ""
    """Who found them, where they did not come with the text."""


class Claim(Struct, frozen=True, omit_defaults=True, gc=False):
    """One thing that a response says."""

    parts: tuple[str, ...]
    """Head, relation and tail of a triplet; or a sentence alone."""
    spans: Spans = ()
    """Where it stands in the response, as far as that is known."""
    uris: tuple[str, ...] = ()
    """Head, relation and tail in a graph, where they were found there; empty else."""
    score: float | None = None
    """How likely the response says it, in [0, 1]; None of an extractor without scores."""

    @property
    def text(self) -> str:
        """The claim in one line."""
        return " ".join(self.parts)


class Claimed(Struct, frozen=True, gc=False):
    """A text with its claims."""

    item: Item
    claims: tuple[Claim, ...] = ()
    fault: str = ""
    """Why they are missing, or some of them: a failed call, a reply that cannot be read, or that is cut off."""


class GraphFact(Struct, frozen=True, gc=False):
    """A fact of a graph that a verdict rests on."""

    triplet: tuple[str, str, str]
    """Labels of subject, relation and object."""
    uris: tuple[str, str, str]


class ClaimVerdict(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a checker says of one claim."""

    label: ClaimLabel | None
    """None where there is no clean verdict; `why` says why."""
    why: str = ""
    """The reason, or what is wrong, in a few words."""
    probabilities: dict[ClaimLabel, float] | None = None
    """Of a checker that has them, in [0, 1]."""
    facts: tuple[GraphFact, ...] = ()
    """What it rests on in a graph."""
    passage: int | None = None
    """The number of the reference that decided, from 0, where one did."""


class Location(Struct, frozen=True, omit_defaults=True, gc=False):
    """A span of a text that a claim rests on."""

    start: int
    """In characters."""
    end: int
    similarity: float
    """The cosine of its embedding with the claim's, or with that of the part; at most 1."""
    reference: int | None = None
    """The number of the reference that it is in, from 0; None in the response."""
    part: int | None = None
    """The part of the claim that it says, 0 to 2; None of a sentence that says the whole claim."""


class Checked(Struct, frozen=True, gc=False):
    """A text with a verdict on each of its claims."""

    claimed: Claimed
    """With the references that it was checked against."""
    verdicts: tuple[ClaimVerdict, ...] = ()
    """As many as it has claims."""
    aggregate: ResponseLabel | dict[ResponseLabel, float] | None = None
    """What they say of the whole response; None where no claim could be taken or none has a clean verdict."""
    locations: tuple[tuple[Location, ...], ...] = ()
    """Where each claim stands in the response and the references, where that was asked for."""

    @property
    def retriever(self) -> str:
        """Who found the references, where they did not come with the text."""
        return self.claimed.item.retriever

    @property
    def labels(self) -> list[ClaimLabel]:
        """The clean verdicts."""
        return [verdict.label for verdict in self.verdicts if verdict.label is not None]
