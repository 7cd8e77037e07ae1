"""Templates that a model proposes, of relations with any placeholders."""

from __future__ import annotations

import pytest

from factprobe.generators.phrasing.proposals import Proposals
from factprobe.records import Entity, Message, Relation, Response
from factprobe.templating import Template
from tests.claims.graphs import summary

REPLY = "[Y] is the author of [X].\n- The author of [X] is [Y]\nIt was written.\n[X] was written by [Y]."
SYMBOLS = pytest.mark.parametrize("symbols", [("[X]", "[Y]"), ("[Y]", "[X]"), ("<s>", "<o>"), ("?x", "?y")])


@SYMBOLS
def test_a_proposal_has_the_placeholders_of_its_relation(symbols: tuple[str, str]) -> None:
    subject, object_ = symbols
    relation = Relation("author", f"{subject} was written by {object_} .", "author", "", "N-1", subject, object_)
    facts = [(Entity("Emma", "Emma"), Entity("JA", "Jane Austen"))]
    proposals = Proposals([Message("user", "{template} {examples}")], 3)
    request = proposals.request(summary(relation, facts))
    assert request.prompts[0].content == "[X] was written by [Y]. Emma was written by Jane Austen."
    templates = proposals.accept(relation, Response("author", REPLY, "stop", None, None))
    texts = [Template(relation, "", text).fill("Emma", "Jane Austen").text for text in templates]
    assert texts == ["Jane Austen is the author of Emma.", "The author of Emma is Jane Austen."]
