"""A plugin: a model, a claim extractor and a checker whose words are markup; a text with "slow" takes its time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from factprobe.checkers import Checker, checkers
from factprobe.claims import ClaimExtractor, claim_extractors
from factprobe.errors import ModelError
from factprobe.models import Model, Reply, models
from factprobe.records import Claim, ClaimedText, ClaimFormat, ClaimVerdict, GraphFact, Item, Request
from tests.app.markup import MARKUP


@models.register("hostile")
class HostileModel(Model):
    """Replies with markup."""

    async def reply(self, request: Request) -> Reply:
        return Reply(f"Paris {MARKUP}", "stop")


@claim_extractors.register("hostile")
class HostileClaims(ClaimExtractor):
    """Takes every text for a claim of markup."""

    def extract(self, items: Sequence[Item], claim_format: ClaimFormat = "triplet") -> Iterator[ClaimedText]:
        for item in items:
            if "no model" in item.response:
                raise ModelError(f"cannot be loaded: {MARKUP}", where="model hostile", hint="name another one")
            if "slow" in item.response:
                Path(item.response).touch()
                time.sleep(600)
            if "pause" in item.response:
                time.sleep(2)
            if "broken" in item.response:
                raise ZeroDivisionError(MARKUP)
            yield ClaimedText(item, (Claim((item.response, MARKUP, "Paris")), Claim(("Bonn", "is", MARKUP))))


@checkers.register("hostile")
class HostileChecker(Checker):
    """Says of every claim what a reference has, with markup for a reason."""

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        fact = GraphFact((MARKUP, MARKUP, MARKUP), (MARKUP, MARKUP, MARKUP))
        for text in texts:
            yield (
                ClaimVerdict("Neutral", MARKUP, facts=(fact,)),
                *(ClaimVerdict(None, MARKUP) for _ in text.claims[1:]),
            )
