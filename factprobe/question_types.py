"""The question types: what each needs of its wording, how its ids end, who grades it, and what guessing gets.

A type of one's own is an entry here, its wording in `conf/prompts/<name>.yaml`, and its evaluator; a generator makes
its questions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

if TYPE_CHECKING:
    from factprobe.records import Question

QuestionType = Literal["binary_answer", "multi_choices", "single_answer", "multiple_answer"]
QUESTION_TYPES: tuple[QuestionType, ...] = get_args(QuestionType)

End = Literal["subject", "object"]
"""One end of a fact."""

Form = Literal[
    "ask_object",
    "ask_subject",
    "binary_correct",
    "binary_obj_incorrect",
    "binary_sub_incorrect",
    "multi_choices_obj",
    "multi_choices_sub",
]
"""How a question asks for its fact: the last part of its id."""


class QuestionKind(Struct, frozen=True, kw_only=True):
    """All that is particular to one type of question."""

    question_type: QuestionType
    """Its name in files, tables and settings."""
    placeholders: tuple[str, ...]
    """What its wording must have a place for."""
    forms: dict[Form, End]
    """The forms that it is asked in, each with the end of the fact that is sought or may be wrong."""
    evaluator: str
    """The registered evaluator that grades it, unless the settings name another."""
    options: Callable[[Question | None], int] = lambda _: 0
    """Among how many answers one can guess, so that the chance level is one in as many; 0 where there is no guessing.
    Of a question that is not there any more what can be told without it."""
    named: bool = False
    """Whether the answer is put in words, and how many right ones there are makes a stratum."""
    is_set: bool = False
    """Whether all right answers are asked for at once."""


def _listed(question: Question | None) -> int:
    return len(question.choices) if question else 0


_ASKS: dict[Form, End] = {"ask_object": "object", "ask_subject": "subject"}
_CHOOSES: dict[Form, End] = {"multi_choices_obj": "object", "multi_choices_sub": "subject"}

KINDS: dict[str, QuestionKind] = {
    "binary_answer": QuestionKind(
        question_type="binary_answer",
        placeholders=("statement",),
        forms={"binary_correct": "object", "binary_obj_incorrect": "object", "binary_sub_incorrect": "subject"},
        evaluator="binary_answer",
        options=lambda _: 2,
    ),
    "multi_choices": QuestionKind(
        question_type="multi_choices",
        placeholders=("statement", "choices"),
        forms=_CHOOSES,
        evaluator="multi_choices",
        options=_listed,
    ),
    "single_answer": QuestionKind(
        question_type="single_answer", placeholders=("statement",), forms=_ASKS, evaluator="single_answer", named=True
    ),
    "multiple_answer": QuestionKind(
        question_type="multiple_answer",
        placeholders=("statement",),
        forms=_ASKS,
        evaluator="multiple_answer",
        named=True,
        is_set=True,
    ),
    "ranked": QuestionKind(
        question_type="multi_choices", placeholders=(), forms=_CHOOSES, evaluator="ranked", options=_listed
    ),
}
"""By name; a ranked question is filed among those of multiple choice, since it offers choices as they do."""

SOUGHT: dict[str, End] = {form: end for kind in KINDS.values() for form, end in kind.forms.items()}
"""For each form the end of the fact that is sought, or that a true/false statement may have wrong."""


def kind_of(question: Question) -> QuestionKind:
    """What kind of question it is: of those whose choices are ranked, the one that says so."""
    return KINDS["ranked" if question.cloze is not None else question.question_type]
