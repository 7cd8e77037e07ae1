"""What holds for any checker's verdicts, also those of somebody else's checker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from factprobe.checkers import Checker
from factprobe.checkers.text_checking import check_texts
from factprobe.components.base import PartSettings
from factprobe.errors import ConfigError
from factprobe.factories import build_component
from factprobe.records import Claim, ClaimedText, ClaimVerdict, Item
from factprobe.retrievers import Retriever
from tests.tables import for_each_row

TEXT = ClaimedText(Item("t", "x", references=("y",)), (Claim(("a",)), Claim(("b",))))


class Gives(Checker):
    """Gives what it was made with, whatever is asked."""

    def __init__(self, *verdicts: tuple[ClaimVerdict, ...]) -> None:
        super().__init__(PartSettings(name="odd"))
        self._verdicts = verdicts

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        return iter(self._verdicts)


@for_each_row(
    ("labels", "what"),
    [
        ([["Entailment", "neutral"]], "gives text t the label 'neutral'; a label is one of Entailment, Neutral, Contr"),
        ([["Entailment"]], "gives 1 verdict on the 2 claims of text t; its check"),
        ([["Entailment"] * 3], "gives 3 verdicts on the 2 claims of text t"),
        ([], "gives 0 verdicts on the 2 claims of text t"),
    ],
)
def test_a_checker_that_gives_something_else_is_named(labels: list[list[Any]], what: str) -> None:
    checker = Gives(*(tuple(map(ClaimVerdict, of_text)) for of_text in labels))
    with pytest.raises(ConfigError) as error:
        list(check_texts([TEXT], checker, build_component("aggregator", {"name": "soft"})))
    assert str(error.value).startswith(f"checker odd: {what}")


class Finds(Retriever):
    """Gives what it was made with, whatever is asked."""

    def __init__(self, *passages: tuple[str, ...]) -> None:
        super().__init__(PartSettings(name="odd"))
        self._passages = passages

    def retrieve(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[str, ...]]:
        return iter(self._passages)


@pytest.mark.parametrize("passages", [[], [("y",), ("y",)]])
def test_a_retriever_that_gives_too_few_or_too_many_passages_is_named(passages: list[tuple[str, ...]]) -> None:
    text = ClaimedText(Item("t", "x"), TEXT.claims)
    aggregator = build_component("aggregator", {"name": "soft"})
    with pytest.raises(ConfigError, match=rf"^retriever odd: gives passages for {len(passages)} of 1 text; its"):
        list(check_texts([text], Gives(), aggregator, Finds(*passages)))
