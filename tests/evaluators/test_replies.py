"""Every reply of `replies/` gets the verdict that a careful person gives it."""

from __future__ import annotations

import pytest

from factprobe.records import Grade
from tests.evaluators.replies import Case, load
from tests.evaluators.test_rules import LADDERS
from tests.evaluators.worlds import graded, graded_older

CASES, LIMITS = load(), load(limits=True)
RULES = sorted({case.rule for case in CASES})


@pytest.mark.parametrize("rule", RULES)
def test_a_reply_gets_its_verdict(rule: str, subtests: pytest.Subtests) -> None:
    for case in CASES:
        if case.rule == rule:
            with subtests.test(case.name):
                found = check(case)
                assert found.rule == rule
                assert found.why
                assert graded_older(case.asked, case.reply) == found


@pytest.mark.xfail(strict=True, reason="what the rules are known to get wrong")
@pytest.mark.parametrize("case", LIMITS, ids=[case.name for case in LIMITS])
def test_a_known_limit(case: Case) -> None:
    check(case)


def check(case: Case) -> Grade:
    found = graded(case.asked, case.reply)
    assert found.verdict == case.verdict, case.why
    if case.named is not None:
        assert {uri.removeprefix("u/") for uri in found.matched} == case.named, case.why
        assert (found.true_positives, found.false_positives) == (len(case.named), case.wrong), case.why
    return found


def test_there_are_enough_of_them_with_all_verdicts() -> None:
    assert len(CASES) > 1_000
    assert {case.verdict for case in CASES} == {"correct", "incorrect", "abstained", "unparsed"}
    assert all(case.why for case in CASES)


def test_the_rules_that_decide_give_the_verdicts_that_they_declare() -> None:
    declared = {(one.name, verdict) for rules in LADDERS.values() for one in rules for verdict in one.verdicts}
    assert {(case.rule, case.verdict) for case in CASES} <= declared


def test_every_rule_on_replies_has_one() -> None:
    elsewhere = {
        "rank",
        "no_response",
        "refused",
        "filtered",
        "cut_off",
        "gist",
        "choice_words",
        "outdated",
        "nobody",
    }  # by the response, test_open.py, test_without_graph.py, test_as_of.py, test_placebo.py
    assert {one.name for rules in LADDERS.values() for one in rules} <= {case.rule for case in CASES} | elsewhere
