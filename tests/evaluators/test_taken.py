"""What of a reply was taken for the answer, and why, for true/false and for options."""

from __future__ import annotations

import pytest

from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, graded

FALSE = w.true_or_false(w.BORN, "Albert Einstein", "Munich")
OPTIONS = w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "Washington, D.C.")


@pytest.mark.parametrize(
    ("asked", "reply", "rule", "answer", "why"),
    [
        (FALSE, "Incorrect.", "label", "Incorrect.", "is a word for incorrect"),
        (FALSE, "He moved. That is wrong, I think.", "label", "That is wrong", "says that it is incorrect"),
        (FALSE, "✗ Ulm", "label", "✗ Ulm", "says that it is incorrect"),
        (FALSE, "He was born in Ulm.", "restated", "Ulm", "gives Ulm in the place of the shown name"),
        (FALSE, "He was born in Munich.", "restated", "He was born in Munich.", "is the statement with a pronoun"),
        (FALSE, "It was Max Born who was born in Berlin, not there.", "restated", None, None),
        (FALSE, "Right, so the answer: true and false", "both_labels", None, "takes both sides"),
        (FALSE, "Nice weather.", "no_label", "Nice weather.", "takes no side"),
        (
            OPTIONS,
            "It is B) Ulm, not A.",
            "choice_letter",
            "B) Ulm",
            "names B) Ulm by its letter; ruled out: A) Munich",
        ),
        (OPTIONS, "I'd say Ulm!", "choice_text", "Ulm", "names B) Ulm"),
        (OPTIONS, "The second option", "choice_place", "second option", "names B) Ulm by its place"),
        (OPTIONS, "Not A and not C.", "elimination", None, "leaves B) Ulm; ruled out: A) Munich, C) Washington, D.C."),
        (OPTIONS, "A or B", "several_choices", "A or B", "names A) Munich, B) Ulm"),
        (OPTIONS, "A) Ulm", "several_choices", "A) Ulm", "names A) Munich, B) Ulm: letter and text disagree"),
        (OPTIONS, "Neither A nor B nor C.", "no_option", None, "rules out A) Munich, B) Ulm, C) Washington, D.C."),
    ],
)
def test_the_words_and_the_reason_are_kept(
    asked: Asked, reply: str, rule: str, answer: str | None, why: str | None
) -> None:
    found = graded(asked, reply)
    assert found.rule == rule
    assert found.answer == (answer if answer is not None else found.answer)
    assert found.why.startswith(why or "")
    assert found.why
