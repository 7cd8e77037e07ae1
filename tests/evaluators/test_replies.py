"""Grades of the replies in `replies/`, each with the verdict that a careful person gives it."""

from __future__ import annotations

import pytest

from factprobe.records import Grade, Question
from tests.evaluators.replies import Case, load
from tests.evaluators.test_rules import LADDERS
from tests.evaluators.worlds import graded
from tests.tables import check_rows

CASES, LIMITS = load(), load(limits=True)
FILES = sorted({case.file for case in CASES})
KNOWN_RULES = {one.name for rules in LADDERS.values() for one in rules}
DECLARED = {(one.name, verdict) for rules in LADDERS.values() for one in rules for verdict in one.verdicts}


LEAST = 0.95
"""Share of a question type's replies that must get their verdict: models decide, and no odd wording needs a rule."""


@pytest.mark.parametrize("kind", sorted({case.asked.question.question_type for case in CASES}))
def test_most_replies_get_their_verdict(kind: str) -> None:
    cases = [case for case in CASES if case.asked.question.question_type == kind]
    missed = [f"{case.name}: {case.why}" for case in cases if not is_right(case)]
    share = 1 - len(missed) / len(cases)
    assert share >= LEAST, f"{share:.3f} of {len(cases)}; missed:\n" + "\n".join(missed)


@pytest.mark.parametrize("file", FILES)
def test_grades_agree_with_themselves(file: str) -> None:
    cases = {case.name: case for case in CASES if case.file == file}
    check_rows(([name] for name in cases), lambda name: check(cases[name]))


def is_right(case: Case) -> bool:
    try:
        check_verdict(case)
    except AssertionError:
        return False
    return True


def check(case: Case) -> None:
    """Check that the counts of a grade agree with its verdict."""
    found = graded(case.asked, case.reply)
    check_counts(case.asked.question, found)
    assert found.why
    assert (found.rule, found.verdict) in DECLARED


def check_verdict(case: Case) -> Grade:
    """Check the verdict of a reply and the right and wrong answers in it."""
    found = graded(case.asked, case.reply)
    assert found.verdict in case.verdicts, case.why
    assert found.why.startswith(case.rationale), case.why
    assert found.answer == (found.answer if case.answer is None else case.answer), case.why
    if case.named is not None:
        assert {uri.removeprefix("u/") for uri in found.matched} == case.named, case.why
        assert (found.true_positives, found.false_positives) == (len(case.named), case.wrong), case.why
    return found


def check_counts(question: Question, found: Grade) -> None:
    """Check that the counts of a grade agree with its verdict."""
    right = set() if isinstance(question.answers, str) else {answer.uri for answer in question.answers}
    total = len(right) or 1
    counts = (found.true_positives, found.false_positives, found.false_negatives)
    assert found.true_positives + found.false_negatives == total
    assert len(set(found.matched)) == len(found.matched)
    if found.verdict == "correct":
        assert (set(found.matched), counts) == (right, (total, 0, 0))
    elif found.verdict in ("abstained", "unparsed"):
        assert (found.matched, found.true_positives) == ((), 0)
        assert found.verdict == "unparsed" or not found.false_positives
    elif question.question_type != "multiple_answer":
        assert found.false_positives >= 1


def test_no_reply_is_listed_twice() -> None:
    seen: dict[tuple[object, ...], str] = {}
    repeats = []
    for case in CASES:
        question = case.asked.question
        options = (question.shown, question.choices, question.none)
        key = (repr(case.asked.world), question.question_id, *options, case.reply)
        first = seen.setdefault(key, case.name)
        if first != case.name:
            repeats.append((first, case.name))
    assert repeats == []


def test_there_are_enough_of_them_with_all_verdicts() -> None:
    assert len(CASES) > 1_000
    assert set().union(*(case.verdicts for case in CASES)) == {"correct", "incorrect", "abstained", "unparsed"}
    assert all(case.why for case in CASES)


def test_every_rule_on_replies_decides_on_one() -> None:
    elsewhere = {
        "ranked.rank",
        "response.failed",
        "response.refused",
        "response.filtered",
        "response.cut_off",
        "single.outdated",
        "set.outdated",
        "response.no_such_entity",
        "single.negated",
        "options.cut_in_list",
        "response.lists_candidates",
    }  # by the response, test_choices.py, test_gaming.py, test_without_graph.py, test_as_of.py, test_placebo.py
    with_graph = {rule for rule in KNOWN_RULES if not rule.startswith("reference.")}  # those: test_reference.py
    assert {graded(case.asked, case.reply).rule for case in CASES} | elsewhere >= with_graph
