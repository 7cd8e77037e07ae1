"""Fixtures for pytest that check the accuracy of replies and the factuality of texts.

Example:
    def test_answers(assert_accuracy):
        assert_accuracy("answers.csv", at_least=0.8)

    def test_summary(assert_factual):
        assert_factual(summarise(article), reference=article, model=my_model)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from factprobe.api import AnswerGrades
    from factprobe.free_text import CheckedTexts

_MAX_SHOWN = 5
"""Maximum number of wrong replies in the message of a failure."""


@pytest.fixture
def assert_accuracy() -> Callable[..., AnswerGrades]:
    """Return a function that fails the test if the 95 % interval of an accuracy is wholly below `at_least`."""
    return _assert_accuracy


@pytest.fixture
def assert_factual() -> Callable[..., CheckedTexts]:
    """Return a function that fails the test if a claim of a text is contradicted, or none can be checked."""
    return _assert_factual


def _assert_accuracy(replies: Any, *, at_least: float, **settings: Any) -> AnswerGrades:
    """Grade replies, and fail if the 95 % interval of a system's accuracy is wholly below `at_least`, or unknown.

    Args:
        replies: File, records or data frame, in a form that `factprobe.grade_answers` reads.
        at_least: Required accuracy, in [0, 1].
        settings: Further arguments of `grade_answers`.

    Raises:
        AssertionError: The interval of a system is wholly below `at_least`, or most of its replies are missing.
        ConfigError: `at_least` lies outside [0, 1].
    """
    __tracebackhide__ = True
    from factprobe.api import grade_answers
    from factprobe.errors import ConfigError
    from factprobe.metrics.gate import has_mostly_failed
    from factprobe.text import format_count

    if not 0 <= at_least <= 1:
        raise ConfigError(f"{at_least:g} is not within 0 and 1", where="at_least", hint="80% is at_least=0.8")
    grades = grade_answers(replies, **settings)
    for row in grades.scores:
        if (row.level, row.average) != ("total", "micro"):
            continue
        if row.accuracy_high is None or has_mostly_failed(row.failed, row.questions):
            missing = "any" if row.failed == row.questions else f"{row.failed:,}"
            raise AssertionError(f"{row.model} has no reply to {missing} of {format_count(row.questions, 'question')}")
        if row.accuracy_high < at_least:
            interval = f"95% interval {row.accuracy_low:.3f} to {row.accuracy_high:.3f}"
            what = f"accuracy of {row.model} is {row.accuracy:.3f} ({interval}) on {row.questions} replies, "
            raise AssertionError(f"{what}surely below {at_least:g}\n{_list_wrong_replies(grades, row.model)}")
    return grades


def _list_wrong_replies(grades: AnswerGrades, system: str) -> str:
    """Return a text with the first wrong replies of a system, one in each line."""
    from factprobe.collection.replies import reply_cells

    wrong_replies = [
        (reply_cells(reply.question, reply.response), grade.verdict)
        for reply, grade in zip(grades.replies, grades, strict=True)
        if grade.verdict != "correct" and (grade.system or system) == system
    ]
    lines = [
        f"{text[0]!r} → {text[2]!r}, not {' or '.join(text[1])} ({verdict})"
        for text, verdict in wrong_replies[:_MAX_SHOWN]
    ]
    more = [f"and {len(wrong_replies) - _MAX_SHOWN} more"] if wrong_replies[_MAX_SHOWN:] else []
    return "\n".join([*lines, *more])


def _assert_factual(
    texts: str | Iterable[str] | Iterable[Mapping[str, Any]],
    *,
    reference: str | None = None,
    model: Any = None,
    **settings: Any,
) -> CheckedTexts:
    """Check the claims of texts, and fail if a claim is contradicted or none can be checked.

    Args:
        texts: Text, texts, or records with a `response`.
        reference: Reference against which `model` checks the texts; by default they are checked against the graph.
        model: Model or function that extracts and checks the claims.
        settings: Further arguments of `factprobe.check`.

    Raises:
        AssertionError: A claim is contradicted, or no text makes a claim that can be checked.
    """
    __tracebackhide__ = True
    from factprobe.free_text import check

    all_texts = [texts] if isinstance(texts, str | Mapping) else list(texts)
    records = [dict(text) if isinstance(text, Mapping) else {"response": text} for text in all_texts]
    if reference is not None:
        records = [{**record, "reference": reference} for record in records]
    components = {"checker": "llm", "claim_extractor": "llm"} if model is not None else {}
    checked = check(records, **{**components, **settings}, model=model)
    pairs = [pair for text in checked for pair in zip(text.claimed.claims, text.verdicts, strict=True)]
    wrong = [(claim, verdict) for claim, verdict in pairs if verdict.label == "Contradiction"]
    if wrong:
        lines = [f"{claim.text}{f' ({verdict.why})' if verdict.why else ''}" for claim, verdict in wrong]
        raise AssertionError("\n".join([f"{len(wrong)} of {len(pairs)} claims are contradicted:", *lines]))
    if not any(verdict.label for _, verdict in pairs):
        raise AssertionError("no claim could be checked; name another graph with kg=, or a model with model=")
    return checked
