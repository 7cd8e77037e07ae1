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
@pytest.mark.parametrize("given", ["B", "Lima", 1, [1], 1.0])
def test_options_come_in_many_shapes(choices: Any, given: Any, caplog: pytest.LogCaptureFixture) -> None:
    record = {**ASKED, "choices": choices, "answers": given}
    found, _ = read(record, record, problems=Problems())
    assert (found.question.choices, names(found)) == (("Cusco", "Lima"), [["Lima"]])
    told = "record 1: numbers for right answers are taken for the places of options, counted from 0"
    assert caplog.messages == ([] if isinstance(given, str) else [told])


@pytest.mark.parametrize(
    ("choices", "given", "what"),
    [
        (
            {"A": "Cusco", "C": "Lima"},
            "C",
            "the labels A, C; labels must be A, B, C … or 0, 1, 2 … or 1, 2, 3 …",
        ),
        ({"label": ["F", "G"], "text": ["Cusco", "Lima"]}, "G", "the labels F, G; labels must be A, B"),
        ({"label": ["i", "ii"], "text": ["Cusco", "Lima"]}, "ii", "the labels i, ii; labels must be A, B"),
        (
            [{"label": 2, "text": "Cusco"}, {"label": 3, "text": "Lima"}],
            2,
            "the labels 2, 3; labels must be A, B",
        ),
        ({"B": "Cusco", "A": "Lima"}, 0, "'0' is none of the options"),  # first in the record, or first by its letter
        ({"text": "Cusco or Lima"}, "A", "columns.choices=choices.text"),
        ({"label": ["A", "B"], "text": ["Cusco"]}, "A", "'choices' holds label, text"),
        (["a", "b"], 2, "'2' is none of the options"),
        (["a", "b"], -1, "'-1' is none of the options"),
        (["a", "b"], "1", "'1' is none of the options"),  # from 0 or from 1, who knows
        (["0", "4", "2", "1"], 1, "1 is the text of an option and the number of another"),
        (["a", "b"], True, "'true' is none of the options"),
        (["O", "A", "B", "AB"], "A", "right answer A is the text of an option and the letter of another; write .* as"),
        (["n", "a"], "A", "A is the text of an option and the letter of another"),
        (["AA", "aa", "Ab"], "Aa", "right answer Aa is written like several options; write .* letter"),
    ],
)
def test_ambiguous_right_option_is_an_error(choices: Any, given: Any, what: str) -> None:
    with pytest.raises(DataError, match=what):
        read({**ASKED, "choices": choices, "answers": given})


@pytest.mark.parametrize(
    ("choices", "given"),
    [
        (["AA", "Aa", "aa"], "aa"),
        (["CO", "Co", "Ni"], "Co"),
        (["5 Mb", "5 MB"], "5 MB"),
        (["f(x)", "F(x)"], "F(x)"),
        (["n", "N"], "N"),
        (["Δ", "δ"], "δ"),
        (["Who", "WHO"], "WHO"),
    ],
)
def test_options_may_differ_in_case_alone(choices: list[str], given: str) -> None:
    assert names(one({"choices": choices, "answers": given})) == [[given]]


@pytest.mark.parametrize(("given", "right"), [("(A)", "O"), ("(B)", "A"), ("A.", "O"), ("AB", "AB"), (1, "A")])
def test_a_letter_in_brackets_is_no_text(given: str | int, right: str) -> None:
    assert names(one({"choices": ["O", "A", "B", "AB"], "answers": given})) == [[right]]


@pytest.mark.parametrize(("given_by", "right"), [("text", "A"), ("letter", "O")])
def test_reader_may_know_whether_answers_are_letters(given_by: str, right: str) -> None:
    record = {"choices": ["O", "A", "B", "AB"], "answers": "A", "given_by": given_by}
    assert names(one(record)) == [[right]]


@pytest.mark.parametrize(("given", "right"), [(1, "4"), (4, "4"), ("4", "4"), (0, "0")])
def test_number_is_the_text_of_an_option_or_its_place(given: Any, right: str) -> None:
    assert names(one({"choices": ["0", "4", "2"], "answers": given})) == [[right]]


@pytest.mark.parametrize(
    ("choices", "given", "right"),
    [
        ({"label": ["1", "2", "3"], "text": ["Cusco", "Lima", "Ica"]}, "2", "Lima"),
        ({"label": ["1", "2", "3"], "text": ["Cusco", "Lima", "Ica"]}, 2, "Lima"),
        ({"text": ["Cusco", "Lima", "Ica"], "label": ["0", "1", "2"]}, "2", "Ica"),
        ([{"label": "1", "text": "Cusco"}, {"label": "2", "text": "Lima"}], "2", "Lima"),
        ([{"text": "Cusco", "label": "A"}, {"text": "Lima", "label": "B"}], "B", "Lima"),
        ([{"text": "Cusco", "label": "A"}, {"text": "Lima", "label": "B"}], "Lima", "Lima"),
        ({"B": "Lima", "A": "Cusco"}, "B", "Lima"),
        ({"label": ["B", "A"], "text": ["Lima", "Cusco"]}, "B", "Lima"),
        ({"1": "Cusco", "2": "Lima"}, "2", "Lima"),
        ({"1": "Lima", "0": "Cusco"}, 1, "Lima"),
        ('{"label": ["A", "B"], "text": ["Cusco", "Lima"]}', "B", "Lima"),
        ("{'label': ['0', '1'], 'text': ['Cusco', 'Lima']}", "1", "Lima"),
        ('{"A": "Cusco", "B": "Lima"}', "B", "Lima"),
    ],
)
def test_an_option_is_right_by_the_label_that_it_is_shown_under(choices: Any, given: Any, right: str) -> None:
    found = one({"choices": choices, "answers": given})
    assert names(found) == [[right]]
    assert found.question.choices[:2] == ("Cusco", "Lima")


@pytest.mark.parametrize(
    ("record", "first"),
    [
        ({"choices": {"label": ["0", "1"], "text": ["Cusco", "Lima"]}}, 0),
        ({"choices": [{"label": 0, "text": "Cusco"}, {"label": 1, "text": "Lima"}]}, 0),
        ({"choices": {"label": ["1", "2"], "text": ["Cusco", "Lima"]}}, 1),
        ({"choices": {"A": "Cusco", "B": "Lima"}}, 1),
        ({"choices": ["Cusco", "Lima"], "question": "Capital?\n0) Cusco\n1) Lima"}, 0),
        ({"choices": ["Cusco", "Lima"], "prompt": "Capital? (0) Cusco (1) Lima. Answer:"}, 0),
        ({"choices": ["Cusco", "Lima"], "question": "Capital?\n1) Cusco\n2) Lima"}, 1),
        ({"choices": ["Cusco", "Lima"], "question": "Which comes next?\n0: 5\n1: 7"}, 1),
        ({"question": "Capital?\n0) Cusco\n1) Lima", "answers": "1"}, 0),
    ],
)
def test_numbers_of_options_start_where_the_question_shows_it(record: dict[str, Any], first: int) -> None:
    found = one({"answers": "Lima", **record})
    assert (found.question.choices, names(found)) == (("Cusco", "Lima"), [["Lima"]])
    assert found.question.first_number == first


def test_a_label_that_is_the_text_of_another_option_is_told() -> None:
    with pytest.raises(DataError, match="2 is the text of an option and the number of another"):
        read({**ASKED, "choices": {"label": ["1", "2"], "text": ["2", "4"]}, "answers": "2"})


LISTED = "Which is the capital of Peru?\nOptions:\n(A) Cusco\n(B) Lima\n(C) Ica"


@pytest.mark.parametrize("given", ["(B)", "B", "B.", ["(B)"], "Lima", "lima"])
def test_options_that_stand_in_the_question_alone_are_read_there(given: Any) -> None:
    found = one({"question": LISTED, "answers": given})
    assert (found.question.question_type, found.question.choices) == ("multi_choices", ("Cusco", "Lima", "Ica"))
    assert names(found) == [["Lima"]]


@pytest.mark.parametrize(
    ("lines", "given"),
    [
        *((lines, given) for lines in ("a) {}\nb) {}\nc) {}", "a. {}\nb. {}\nc. {}") for given in ("b", "B", "(b)")),
        *((lines, given) for lines in ("1. {}\n2. {}\n3. {}", "(1) {}\n(2) {}\n(3) {}") for given in ("2", 2)),
        *(
            (lines, "B")
            for lines in (
                "- A: {}\n- B: {}\n- C: {}",
                "A - {}\nB - {}\nC - {}",
                "**A.** {}\n**B.** {}\n**C.** {}",
                "**A** {}\n**B** {}\n**C** {}",
                "A、{}\nB、{}\nC、{}",
                "A){}\nB){}\nC){}",
                "A) {} B) {} C) {}",
                "(A) {}, (B) {}, (C) {}",
                "A. {}; B. {}; C. {}",
                "A) {}  B) {}\nC) {}",
                "1. It is old.\n2. It is large.\nA) {}\nB) {}\nC) {}",
                "A) one\nB) two\nC) three\nAnswer: A\nWhich is the capital of Peru?\nA) {}\nB) {}\nC) {}",
            )
        ),
    ],
)
def test_options_have_any_common_label(lines: str, given: str | int) -> None:
    question = f"Which is the capital of Peru?\n{lines.format('Cusco', 'Lima', 'Ica')}"
    found = one({"question": question, "answers": given})
    assert (found.question.choices, names(found)) == (("Cusco", "Lima", "Ica"), [["Lima"]])


def test_number_that_is_the_text_of_an_option_in_the_question_is_not_its_place() -> None:
    found = one({"question": "Which is even?\nA) 1\nB) 3\nC) 2\nD) 5", "answers": 2})
    assert (found.question.choices, names(found)) == (("1", "3", "2", "5"), [["2"]])


def test_two_options_within_a_line_follow_a_sentence() -> None:
    assert one({"question": "Capital of Peru? A) Cusco B) Lima", "answers": "B"}).question.choices == ("Cusco", "Lima")
    assert one({"question": "Is it A) Cusco or B) Lima?", "answers": "B"}).question.choices == ()


@pytest.mark.parametrize(
    ("answers", "replies", "told"),
    [
        (["B", "(b)"], ["Canberra", "It is Sydney."], "2 of 2 replies"),
        (["2", 1], ["Canberra", "It is Sydney."], "2 of 2 replies"),
        (["B", "B"], ["B) Canberra", "b"], ""),
        (["2", "2"], ["There are two.", "2"], ""),
        (["B", "Canberra", "C"], ["Canberra", "Canberra", "C"], ""),
    ],
)
def test_letters_of_options_that_are_nowhere_are_told(
    answers: list[Any], replies: list[str], told: str, caplog: pytest.LogCaptureFixture
) -> None:
    rows = zip(answers, replies, strict=True)
    read(*({**ASKED, "answers": answer, "response": reply} for answer, reply in rows), problems=Problems())
    assert [line for line in caplog.messages if "add a column 'choices'" in line and told in line] == caplog.messages
    assert bool(caplog.messages) == bool(told)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        (LISTED, "Cajamarca"),
        (LISTED, "Lima|Ica"),  # may ask for all
        ("How many are there?\n1. 4\n2. 7", "7"),
        ("Which?\n(B) Cusco\n(C) Lima", "B"),
        ("Which?\n(A) Cusco", "A"),
        ("Is (A) right, or (B)?", "(B)"),
        ("Who are George A. Smith and B. Jones?", "B"),
        ("How many are prime?\n1. 4\n2. 7", "1"),  # a count
        ("Which is it, 1.5 or 2.5?", "2"),
    ],
)
def test_other_questions_have_no_options(question: str, given: str) -> None:
    assert one({"question": question, "answers": given}).question.choices == ()


@pytest.mark.parametrize(
    "choices", [["Cusco", "", "Lima"], {"A": "Cusco", "B": None, "C": "Lima"}, "Cusco||Lima", [None, "Lima", "Cusco"]]
)
def test_an_empty_option_makes_letters_uncertain(choices: Any) -> None:
    with pytest.raises(DataError, match=r"option [12] of 3 is empty"):
        one({"choices": choices, "answers": "Lima"})


def test_empty_cells_after_the_last_option_are_none() -> None:
    assert one({"choices": ["Cusco", "Lima", "", None], "answers": "B"}).question.choices == ("Cusco", "Lima")


def test_two_options_with_the_text_of_the_right_one_are_told() -> None:
    with pytest.raises(DataError, match="several options have the text of the right answer, 'Lima'"):
        one({"choices": ["Lima", "Cusco", "Lima"], "answers": "A"})


def test_columns_of_letters_are_options_if_an_answer_names_one() -> None:
    columns = {"A": "Cusco", "B": "Lima", "C": "Quito"}
    [letter, text, open_answer] = read(
        {**ASKED, **columns, "answers": "B"},
        {**ASKED, **columns, "answers": "Lima"},
        {**ASKED, **columns, "answers": "Tacna"},
        problems=Problems(),
    )
    assert letter.question.choices == text.question.choices == ("Cusco", "Lima", "Quito")
    assert names(letter) == names(text) == [["Lima"]]
    assert open_answer.question.choices == ()


@pytest.mark.parametrize("name", ["OPTION {}", "option_{}", "Choice{}", "options-{}"])
@pytest.mark.parametrize("labels", ["ABC", "abc", "123", "012"])
def test_columns_of_options_are_options_whatever_the_answer(name: str, labels: str) -> None:
    columns = {name.format(label): text for label, text in zip(labels, ("Cusco", "Lima", ""), strict=True)}
    [label, text] = read({**ASKED, **columns, "answers": labels[1]}, {**ASKED, **columns, "answers": "Lima"})
    assert label.question.choices == text.question.choices == ("Cusco", "Lima")
    assert names(label) == names(text) == [["Lima"]]
    with pytest.raises(DataError, match="'Tacna' is none of the options"):
        read({**ASKED, **columns, "answers": "Tacna"})
    assert one({**dict.fromkeys(columns, ""), "answers": "Tacna"}).question.choices == ()


@pytest.mark.parametrize(
    ("columns", "given", "what"),
    [
        ({"A": "B", "B": "C", "C": "A"}, "A", "A is the text of an option and the letter of another"),
        ({"A": "2", "B": "4", "C": "3"}, "A,C", "'A,C' has several letters"),
        ({"A": "2", "B": "4", "C": "3"}, "D", "'D' is none of the options"),
        ({"A": "2", "B": "4", "C": "3"}, "(e)", "is none of the options"),
        ({"A": "2", "B": "4", "C": "3"}, "2|D", "'D' is none of the options"),
        ({"A": "2", "B": "4", "C": "3"}, "K", ""),  # columns A, B and C may hold anything
        ({"A": "2", "B": "4", "C": "3"}, "A and D", ""),
    ],
)
def test_letters_of_columns_that_name_no_one_option_are_told(columns: dict[str, str], given: str, what: str) -> None:
    if what:
        with pytest.raises(DataError, match=what):
            read({**ASKED, **columns, "answers": given})
    else:
        assert one({**columns, "answers": given}).question.choices == ()
