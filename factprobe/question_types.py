"""The question types: what each needs of its wording, how its ids end, who grades it, and what guessing gets.

A type of one's own is an entry here (`register`), its wording, and its evaluator; a generator makes its questions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from factprobe.errors import NameClashError, UnknownNameError

QuestionType: TypeAlias = str
"""The name of a question type in files, tables and settings."""

End = Literal["subject", "object"]
"""One end of a fact."""

Form: TypeAlias = str
"""How a question asks for its fact: the last part of its id."""

NONE_OF_THESE = "none_of_these"
"""What stands for the URI where the right answer is that none of the options is."""


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
    options: int | None = 0
    """Among how many answers one can guess, so that the chance level is one in as many: None for those that a question
    lists, 0 where there is no guessing."""
    named: bool = False
    """Whether the answer is put in words, and how many right ones there are makes a stratum."""
    is_set: bool = False
    """Whether all right answers are asked for at once."""

    def guessed_among(self, listed: int) -> int:
        """Among how many answers one can guess where a question lists so many."""
        return listed if self.options is None else self.options


KINDS: dict[str, QuestionKind] = {}
"""By name, in the order of tables."""

_SOUGHT: dict[Form, End] = {}


def register(kind: QuestionKind, name: str | None = None) -> QuestionKind:
    """Enters a kind of question.

    Args:
        kind: the entry.
        name: by default that of its type.

    Raises:
        NameClashError: another kind has the name, or one of its forms for the other end.
    """
    name = name or kind.question_type
    if KINDS.get(name, kind) != kind:
        raise NameClashError(f"two kinds of question are called {name!r}", hint="rename one")
    for form, end in kind.forms.items():
        if _SOUGHT.get(form, end) != end:
            raise NameClashError(f"the form {form!r} of {name} asks for the other end elsewhere", hint="rename one")
    KINDS[name] = kind
    _SOUGHT.update(kind.forms)
    sought_by_id.cache_clear()
    return kind


def question_types() -> list[QuestionType]:
    """The names of the question types, in the order of tables."""
    return list(dict.fromkeys(kind.question_type for kind in KINDS.values()))


def kind_named(name: str) -> QuestionKind:
    """The kind of a name.

    Raises:
        UnknownNameError: nothing is registered under it.
    """
    if name not in KINDS:
        raise UnknownNameError("question type", name, question_types())
    return KINDS[name]


def kind_or_plain(name: str) -> QuestionKind:
    """The kind of a name; of one that is not known, as in the files of a plugin that is not there, one with nothing
    particular to it."""
    return KINDS.get(name) or QuestionKind(question_type=name, placeholders=(), forms={}, evaluator="")


def sought_by(form: Form) -> End:
    """The end of a fact that a form asks for, or that a true/false statement in this form may have wrong."""
    return _SOUGHT.get(form, "object")


@lru_cache(maxsize=1 << 10)
def sought_by_id(question_id: str) -> End:
    """The same by a question's id, of which the form is the last part; it is asked for many times of one question."""
    return sought_by(question_id.rpartition(":")[2])


_ASKS: dict[Form, End] = {"ask_object": "object", "ask_subject": "subject"}
_CHOOSES: dict[Form, End] = {"multi_choices_obj": "object", "multi_choices_sub": "subject"}

BINARY = register(
    QuestionKind(
        question_type="binary_answer",
        placeholders=("statement",),
        forms={
            **{"binary_correct": "object", "binary_obj_incorrect": "object", "binary_sub_incorrect": "subject"},
            **{"binary_negated_incorrect": "object", "binary_negated_obj_correct": "object"},
            "binary_negated_sub_correct": "subject",
        },
        evaluator="binary_answer",
        options=2,
    )
)
NEGATED: dict[Form, Form] = {
    "binary_correct": "binary_negated_incorrect",
    "binary_obj_incorrect": "binary_negated_obj_correct",
    "binary_sub_incorrect": "binary_negated_sub_correct",
}
"""The form of each statement's negation, which is correct where the statement is not."""
CHOICES = register(
    QuestionKind(
        question_type="multi_choices",
        placeholders=("statement", "choices"),
        forms=_CHOOSES,
        evaluator="multi_choices",
        options=None,
    )
)
SINGLE = register(
    QuestionKind(
        question_type="single_answer", placeholders=("statement",), forms=_ASKS, evaluator="single_answer", named=True
    )
)
MULTIPLE = register(
    QuestionKind(
        question_type="multiple_answer",
        placeholders=("statement",),
        forms=_ASKS,
        evaluator="multiple_answer",
        named=True,
        is_set=True,
    )
)
RANKED = register(
    QuestionKind(
        question_type="multi_choices",
        placeholders=(),
        forms=_CHOOSES,
        evaluator="ranked",
        options=None,
    ),
    "ranked",
)
"""Filed among the questions of multiple choice, since it offers choices as they do."""

QUESTION_TYPES = tuple(question_types())
"""Those that the template generator makes."""
