"""Claims that several checkers vote on."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import ClassVar

import pytest

from factprobe.checkers import Checker, checkers
from factprobe.checkers.majority import MajorityChecker
from factprobe.components.base import PartSettings
from factprobe.config import convert
from factprobe.errors import ConfigError, CostLimitError, NoAnswersError
from factprobe.records import Claim, ClaimedText, ClaimLabel, ClaimVerdict, GraphFact, Item
from tests.checkers import test_llm
from tests.claims.asking import in_turn
from tests.tables import for_each_row

LABELS: dict[str, ClaimLabel | None] = {"E": "Entailment", "C": "Contradiction", "N": "Neutral", "?": None}
FACT = GraphFact(("Ulm", "lies in", "Germany"), ("Q1", "P1", "Q2"))
TEXTS = [
    ClaimedText(Item("1", "…", "", ("Rome.",)), (Claim(("a", "b", "c")), Claim(("d", "e", "f")))),
    ClaimedText(Item("2", "…"), ()),
    ClaimedText(Item("3", "…", "", ("Rome.",)), (Claim(("g", "h", "i")),)),
]


class Says(Checker):
    """Gives these verdicts, claim by claim."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(PartSettings(name=name))
        self._said = said

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        verdicts = iter(self._said)
        for text in texts:
            yield tuple(self._verdict(next(verdicts)) for _ in text.claims)

    def _verdict(self, said: str) -> ClaimVerdict:
        label = LABELS[said]
        return ClaimVerdict(label, "unclear", facts=(FACT,), passage=3) if label else ClaimVerdict(None, "unclear")


class Fails(Says):
    """Fails behind the first text."""

    error: ClassVar[type[Exception]] = NoAnswersError

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        yield from super().check(texts[:1])
        raise self.error("no call succeeds")


class KnowsItself(Says):
    """Goes by no references."""

    wants_references: ClassVar[bool] = False


def majority(*parts: Checker, **settings: object) -> MajorityChecker:
    cls = checkers.get("majority")
    chosen = {"name": "majority", "checkers": [part.settings.name for part in parts] or ["a"], **settings}
    made = cls(convert(chosen, cls.settings_type, "checker"))
    assert isinstance(made, MajorityChecker)
    made.parts = parts
    return made


def labels(made: MajorityChecker) -> list[list[str | None]]:
    return [[verdict.label for verdict in found] for found in made.check(TEXTS)]


def test_the_most_votes() -> None:
    made = majority(Says("a", "ECN"), Says("b", "ENN"), Says("c", "CNC"))
    assert labels(made) == [["Entailment", "Neutral"], [], ["Neutral"]]
    assert made.left_out == {}


def test_a_verdict_has_its_votes_and_what_those_rest_on_who_gave_it() -> None:
    made = majority(Says("a", "ECN"), Says("b", "EEE"), Says("c", "N?N"))
    [first, _], _, _ = made.check(TEXTS)
    assert first == ClaimVerdict("Entailment", "a: Entailment, b: Entailment, c: Neutral", facts=(FACT,), passage=3)


@for_each_row(("tie", "label"), [(None, None), ("Neutral", "Neutral"), ("Contradiction", "Contradiction")])
def test_a_tie_is_none_unless_a_setting_says_otherwise(tie: str | None, label: str | None) -> None:
    [_, second], _, _ = majority(Says("a", "EEE"), Says("b", "ECE"), tie=tie).check(TEXTS)
    assert (second.label, second.why) == (label, "a tie: a: Entailment, b: Contradiction")
    assert bool(second.facts) is (tie == "Contradiction")


def test_one_without_a_verdict_is_left_out_and_counted() -> None:
    made = majority(Says("a", "?E?"), Says("b", "CE?"), Says("c", "?NN"))
    assert labels(made) == [["Contradiction", "Entailment"], [], ["Neutral"]]
    assert made.left_out == {"a": 2, "b": 1, "c": 1}
    [*made.check(TEXTS[:1])]
    assert made.left_out == {"a": 1, "c": 1}, "of the last check"
    [first, _], _, _ = majority(Says("a", "???"), Says("b", "???"), tie="Neutral").check(TEXTS)
    assert first == ClaimVerdict(None, "nobody has a verdict: a: none (unclear), b: none (unclear)")


def test_one_that_cannot_be_asked_has_no_vote(caplog: pytest.LogCaptureFixture) -> None:
    made = majority(Says("a", "ECN"), Fails("b", "CCC"), Says("c", "ECN"))
    with caplog.at_level(logging.WARNING):
        assert labels(made) == [["Entailment", "Contradiction"], [], ["Neutral"]]
    assert made.left_out == {"b": 3}
    assert "b has no vote: no call succeeds" in caplog.text


def test_nobody_can_be_asked() -> None:
    with pytest.raises(NoAnswersError):
        labels(majority(Fails("a", "EEE"), Fails("b", "EEE")))


def test_a_limit_of_the_cost_is_one_for_all() -> None:
    class Costs(Fails):
        error = CostLimitError

    with pytest.raises(CostLimitError):
        labels(majority(Says("a", "EEE"), Costs("b", "EEE")))


def test_references_are_wanted_where_nobody_can_vote_without() -> None:
    assert majority(Says("a", ""), Says("b", "")).wants_references
    assert not majority(Says("a", ""), KnowsItself("b", "")).wants_references


@for_each_row(("first", "left_out"), [("Entailment", {"llm1": 3}), (None, {"llm0": 3, "llm1": 3})])
def test_models_that_fail(first: str | None, left_out: dict[str, int]) -> None:
    replies = (first, "I cannot tell.", "Entailment")
    made = majority(*(test_llm.checker(in_turn(said), name=f"llm{i}")[0] for i, said in enumerate(replies)))
    assert labels(made) == [["Entailment", "Entailment"], [], ["Entailment"]]
    assert made.left_out == left_out


def test_somebody_votes() -> None:
    with pytest.raises(ConfigError, match="checkers"):
        majority(checkers=[])
    assert majority(checkers=["graph", {"name": "other", "method": "llm"}]).settings.tie is None
