"""Question types, each with its prompt placeholders, forms, evaluator and chance level.

A new type needs an entry here (`register`), a wording and an evaluator; a generator makes its questions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from factprobe.errors import NameClashError, UnknownNameError

QuestionType: TypeAlias = str
"""Name of a question type in files, tables and settings."""

End = Literal["subject", "object"]
"""End of a fact."""
ENDS: tuple[End, End] = ("subject", "object")

Form: TypeAlias = str
"""Form of a question, such as `ask_object`; the last part of its id."""

NONE_OF_THESE = "none_of_these"
"""URI of the option "none of these"."""


class QuestionKind(Struct, frozen=True, kw_only=True):
    """Definition of a question type."""

    question_type: QuestionType
    """Name of the type in files, tables and settings."""
    placeholders: tuple[str, ...]
    """Placeholders that the prompt must have."""
    forms: dict[Form, End]
    """For each form, the end of the fact that it asks for; in a true/false statement, the one that may be wrong."""
    evaluator: str
    """Name of the registered evaluator, unless the settings name another one."""
    label: str = ""
    """Name of the type in reports and on the terminal; by default `question_type`."""
    options: int | None = 0
    """Number of answers among which one can guess; the chance level is its reciprocal.

    None stands for the number of options of each question; 0 means that there is no chance level.
    """
    has_named_answer: bool = False
    """True if the answer is a name; only then are there scores by number of right answers."""
    is_set: bool = False
    """True if the question asks for all right answers at once."""

    def count_options(self, listed_count: int) -> int:
        """Return the number of answers among which one can guess, given the number of options that a question lists."""
        return listed_count if self.options is None else self.options


KINDS: dict[str, QuestionKind] = {}
"""Question types by name, in the order in which tables list them."""

_SOUGHT: dict[Form, End] = {}


def register(kind: QuestionKind, name: str | None = None) -> QuestionKind:
    """Register a question type, by default under its own name.

    Raises:
        NameClashError: Another definition has the name, or uses one of its forms for the other end.
    """
    name = name or kind.question_type
    if KINDS.get(name, kind) != kind:
        raise NameClashError(f"two kinds of question are called {name!r}", hint="rename one")
    for form, end in kind.forms.items():
        if _SOUGHT.get(form, end) != end:
            raise NameClashError(f"the form {form!r} of {name} asks for the other end elsewhere", hint="rename one")
    KINDS[name] = kind
    _SOUGHT.update(kind.forms)
    sought_end_of_id.cache_clear()
    return kind


def question_types() -> list[QuestionType]:
    """Return the names of the question types, in the order in which tables list them."""
    return list(dict.fromkeys(kind.question_type for kind in KINDS.values()))


def get_kind(name: str) -> QuestionKind:
    """Return the question type with a name; raise an `UnknownNameError` if none is registered."""
    if name not in KINDS:
        raise UnknownNameError("question type", name, question_types())
    return KINDS[name]


def get_kind_or_default(name: str) -> QuestionKind:
    """Return the question type with a name; if its plugin is missing, a type without forms and evaluator."""
    return KINDS.get(name) or QuestionKind(question_type=name, placeholders=(), forms={}, evaluator="")


def type_label(name: str) -> str:
    """Return the name of a question type for readers, e.g. `True/false`."""
    return get_kind_or_default(name).label or name


def other_end(end: End) -> End:
    """Return the other end of a fact."""
    return "object" if end == "subject" else "subject"


def sought_end(form: Form) -> End:
    """Return the end of a fact that a form asks for; in a true/false statement, the one that may be wrong."""
    return _SOUGHT.get(form, "object")


@lru_cache(maxsize=1 << 10)
def sought_end_of_id(question_id: str) -> End:
    """Return the end of a fact that the question with an id asks for; cached, since it is often needed."""
    return sought_end(question_id.rpartition(":")[2])


_ASKS: dict[Form, End] = {"ask_object": "object", "ask_subject": "subject"}
_CHOOSES: dict[Form, End] = {"multi_choices_obj": "object", "multi_choices_sub": "subject"}

register(
    QuestionKind(
        question_type="binary_answer",
        placeholders=("statement",),
        forms={
            **{"binary_correct": "object", "binary_obj_incorrect": "object", "binary_sub_incorrect": "subject"},
            **{"binary_negated_incorrect": "object", "binary_negated_obj_correct": "object"},
            "binary_negated_sub_correct": "subject",
        },
        evaluator="binary_answer",
        label="True/false",
        options=2,
    )
)
NEGATED: dict[Form, Form] = {
    "binary_correct": "binary_negated_incorrect",
    "binary_obj_incorrect": "binary_negated_obj_correct",
    "binary_sub_incorrect": "binary_negated_sub_correct",
}
"""Form of the negated statement, by form of the statement; exactly one of the two is correct."""
register(
    QuestionKind(
        question_type="multi_choices",
        placeholders=("statement", "choices"),
        forms=_CHOOSES,
        evaluator="multi_choices",
        label="Multiple choice",
        options=None,
    )
)
register(
    QuestionKind(
        question_type="single_answer",
        placeholders=("statement",),
        forms=_ASKS,
        evaluator="single_answer",
        label="Short answer",
        has_named_answer=True,
    )
)
register(
    QuestionKind(
        question_type="multiple_answer",
        placeholders=("statement",),
        forms=_ASKS,
        evaluator="multiple_answer",
        label="List of answers",
        has_named_answer=True,
        is_set=True,
    )
)
register(
    QuestionKind(
        question_type="multi_choices",
        placeholders=(),
        forms=_CHOOSES,
        evaluator="ranked",
        label="Multiple choice",
        options=None,
    ),
    "ranked",  # a form of multiple choice in which the model scores the options
)

QUESTION_TYPES = tuple(question_types())
"""Question types of the template generator."""
