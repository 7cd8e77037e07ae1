"""The options of a question, and the right one."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe.errors import DataError
from factprobe.storage import Problems
from tests.inputs.one_record import ASKED, names, one, read


@pytest.mark.parametrize(
    ("given", "right"), [("B", "Lima"), ("b", "Lima"), ("lima", "Lima"), ("Lima", "Lima"), ("A", "Cusco"), ("C", "C")]
)
def test_option_is_right_by_its_text_or_letter(given: str, right: str) -> None:
    found = one({"choices": "Cusco|Lima|C", "answers": given})
    assert names(found) == [[right]]
    assert found.question.choices == ("Cusco", "Lima", "C")
    assert found.question.question_type == "multi_choices"


@pytest.mark.parametrize(
    "choices",
    [
        ["Cusco", "Lima"],
        {"A": "Cusco", "B": "Lima"},
        {"a": "Cusco", "b": "Lima"},
        {"label": ["A", "B"], "text": ["Cusco", "Lima"]},
    ],
)
@pytest.mark.parametrize("given", ["B", "Lima", 1, [1]])
def test_options_come_in_many_shapes(choices: Any, given: Any, caplog: pytest.LogCaptureFixture) -> None:
    record = {**ASKED, "choices": choices, "answers": given}
    found, _ = read(record, record, problems=Problems())
    assert (found.question.choices, names(found)) == (("Cusco", "Lima"), [["Lima"]])
    told = "record 1: numbers for right answers are taken for the places of options, counted from 0"
    assert caplog.messages == ([] if isinstance(given, str) else [told])


@pytest.mark.parametrize(
    ("choices", "given", "what"),
    [
        ({"1": "Cusco", "2": "Lima"}, "2", "'choices' holds 1, 2"),
        ({"B": "Cusco", "A": "Lima"}, "A", "'choices' holds B, A"),
        ({"A": "Cusco", "C": "Lima"}, "C", "'choices' holds A, C"),
        ({"label": ["A", "B"], "text": ["Cusco"]}, "A", "'choices' holds label, text"),
        (["a", "b"], 2, "'2' is none of the options"),
        (["a", "b"], -1, "'-1' is none of the options"),
        (["a", "b"], "1", "'1' is none of the options"),  # from 0 or from 1, who knows
        (["0", "4", "2", "1"], 1, "1 is the text of an option and the number of another"),
        (["a", "b"], True, "'true' is none of the options"),
    ],
)
def test_ambiguous_right_option_is_an_error(choices: Any, given: Any, what: str) -> None:
    with pytest.raises(DataError, match=what):
        read({**ASKED, "choices": choices, "answers": given})


@pytest.mark.parametrize(("given", "right"), [(1, "4"), (4, "4"), ("4", "4"), (0, "0")])
def test_number_is_the_text_of_an_option_or_its_place(given: Any, right: str) -> None:
    assert names(one({"choices": ["0", "4", "2"], "answers": given})) == [[right]]
