"""Records of any shape as what is graded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from factprobe.config import Columns
from factprobe.inputs import AnsweredQuestion, Match, as_records, read_answered
from factprobe.storage import Problems

ASKED = {"question": "Who wrote Emma?", "answers": ["Jane Austen"], "response": "She did."}


def read(
    *records: Mapping[str, Any], match: Match = "any", problems: Problems | None = None, **columns: str
) -> list[AnsweredQuestion]:
    placed = as_records(records)
    return list(read_answered(placed, Columns(**columns), match, problems or Problems(strict=True), "the records"))


def one(record: Mapping[str, Any], match: Match = "any") -> AnsweredQuestion:
    [found] = read({**ASKED, **record}, match=match)
    return found


def names(found: AnsweredQuestion) -> list[list[str]]:
    """The names of each right answer."""
    assert not isinstance(found.question.answers, str)
    return [list(answer.names()) for answer in found.question.answers]
