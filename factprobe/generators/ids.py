"""Ids of questions and their parts."""

from __future__ import annotations

from factprobe.question_types import Form, QuestionType


def question_id(subject_uri: str, object_uri: str, relation: str, question_type: QuestionType, form: Form) -> str:
    """Return the id of a question; colons and percent signs in its parts are percent-encoded."""
    return f"{escape_part(subject_uri)}:{escape_part(object_uri)}:{escape_part(relation)}:{question_type}:{form}"


def escape_part(part: str) -> str:
    """Percent-encode colons and percent signs in a part of an id."""
    return part.replace("%", "%25").replace(":", "%3A")


def parts_of_id(name: str) -> list[str]:
    """Return the decoded parts of a question's id."""
    return [part.replace("%3A", ":").replace("%25", "%") for part in name.split(":")]
