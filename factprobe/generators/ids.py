"""The ids of questions: what they are about, in parts."""

from __future__ import annotations

from factprobe.question_types import Form, QuestionType


def question_id(subject_uri: str, object_uri: str, relation: str, question_type: QuestionType, form: Form) -> str:
    """The id of a question; a colon or a percent sign in one of its parts is percent-encoded."""
    return f"{escaped(subject_uri)}:{escaped(object_uri)}:{escaped(relation)}:{question_type}:{form}"


def escaped(part: str) -> str:
    """A part as it stands in an id."""
    return part.replace("%", "%25").replace(":", "%3A")


def parts_of_id(name: str) -> list[str]:
    """The parts of a question's id as they were."""
    return [part.replace("%3A", ":").replace("%25", "%") for part in name.split(":")]
