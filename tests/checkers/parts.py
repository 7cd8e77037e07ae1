"""Small claim extractors, checkers and retrievers, for tests of what stands around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from factprobe.checkers import Checker, checkers
from factprobe.claims import ClaimExtractor, claim_extractors
from factprobe.components.base import PartSettings
from factprobe.records import (
    Claim,
    ClaimedText,
    ClaimFormat,
    ClaimLabel,
    ClaimVerdict,
    GraphFact,
    Item,
    Message,
    PlainRequest,
    Response,
)
from factprobe.retrievers import Retriever, retrievers

LABELS: dict[str, ClaimLabel] = {"yes": "Entailment", "no": "Contradiction", "maybe": "Neutral"}


class AskingSettings(PartSettings, frozen=True, kw_only=True):
    """The settings of a part that asks a model."""

    model: dict[str, Any]
    """Who is asked."""


class Sentences(ClaimExtractor):
    """A claim for each sentence, a triplet where it has three words."""

    formats: ClassVar[tuple[ClaimFormat, ...]] = ("triplet", "sentence")

    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "triplet") -> Iterator[ClaimedText]:
        for item in items:
            if item.response == "broken":
                yield ClaimedText(item, fault="cannot be read")
                continue
            sentences = [part.strip() for part in item.response.split(".") if part.strip()]
            parts = [tuple(one.split(" ", 2)) if claim_format == "triplet" else (one,) for one in sentences]
            yield ClaimedText(
                item, tuple(Claim(one, ((0, len(item.response)),)) for one in parts if len(one) in (1, 3))
            )


class Within(Checker):
    """Entailment where a reference has the claim's words, Contradiction where it has them behind a `not`."""

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        for text in texts:
            yield tuple(_verdict(claim.text, text.item.references) for claim in text.claims)


def _verdict(claim: str, references: Sequence[str]) -> ClaimVerdict:
    for number, passage in enumerate(references):
        if f"not {claim}" in passage:
            return ClaimVerdict("Contradiction", "denied", {"Contradiction": 0.75}, passage=number)
        if claim in passage:
            return ClaimVerdict("Entailment", "said", passage=number)
    return ClaimVerdict(None, "garbled") if "???" in claim else ClaimVerdict("Neutral")


class Known(Checker):
    """Entailment where the graph has a relation of the claim's words; it has no use for references."""

    wants_references: ClassVar[bool] = False
    wants_graph: ClassVar[bool] = True

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        assert self.graph is not None
        known = {summary.relation_info.relation for summary in self.graph()}
        for text in texts:
            yield tuple(_of_graph(claim, known) for claim in text.claims)


def _of_graph(claim: Claim, known: set[str]) -> ClaimVerdict:
    relation = claim.parts[1]
    if relation not in known:
        return ClaimVerdict("Neutral")
    fact = GraphFact(("a", relation, "b"), ("A", relation, "B"))
    return ClaimVerdict("Entailment", facts=(fact,))


class AskingExtractor(ClaimExtractor):
    """Each line of a model's reply is a triplet."""

    settings_type: ClassVar[type[PartSettings]] = AskingSettings

    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "triplet") -> Iterator[ClaimedText]:
        requests = [PlainRequest(item.id, (Message("user", f"Take apart: {item.response}"),)) for item in items]
        for item, said in zip(items, self.ask("claims", requests), strict=True):
            if said.failed:
                yield ClaimedText(item, fault=said.fault)
            else:
                lines = (said.response or "").splitlines()
                yield ClaimedText(item, tuple(Claim(tuple(line.split("|"))) for line in lines))


class AskingChecker(Checker):
    """Asks a model about each claim; what it says that is no label is asked once more."""

    settings_type: ClassVar[type[PartSettings]] = AskingSettings

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        found: dict[str, Response] = {}
        for what in ("check", "check-1"):
            requests = [
                PlainRequest(f"{text.item.id}:{at}", (Message("user", f"{what}: {claim.text}?"),))
                for text in texts
                for at, claim in enumerate(text.claims)
                if (found.get(f"{text.item.id}:{at}") is None or _said(found[f"{text.item.id}:{at}"]) is None)
            ]
            found |= {said.question_id: said for said in self.ask(what, requests)}
        for text in texts:
            replies = [found[f"{text.item.id}:{at}"] for at in range(len(text.claims))]
            yield tuple(ClaimVerdict(_said(one), one.fault if one.failed else "") for one in replies)


def _said(response: Response) -> ClaimLabel | None:
    return LABELS.get(response.response or "")


class Shelf(Retriever):
    """Has one passage for those who ask about Ada."""

    def retrieve(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[str, ...]]:
        for text in texts:
            yield ("Ada wrote notes.", "not Ada wrote poems") if "Ada" in text.item.response else ()


def register() -> None:
    """Enters them into the registries, which forget them behind the test."""
    claim_extractors.register("tiny")(Sentences)
    claim_extractors.register("asking")(AskingExtractor)
    checkers.register("tiny")(Within)
    checkers.register("known")(Known)
    checkers.register("asking")(AskingChecker)
    retrievers.register("shelf")(Shelf)
