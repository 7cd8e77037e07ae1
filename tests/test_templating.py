"""Templates: where the names go, where they then stand, and what a template must hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.errors import DataError
from factprobe.records import Relation, Statement
from factprobe.templating import Template, templates_of


def filled(template: str, subject: str = "S", object_: str = "O") -> str:
    return Template(Relation("P1", template), "here").fill(subject, object_).text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("[X] was born in [Y].", "S was born in O."),
        ("[X] was born in [Y] .", "S was born in O."),
        ("[Y] is where [X] was born .", "O is where S was born."),
        ("[Y][X]", "OS"),
        ("[X] , born in [Y] , is known ; is that right ?", "S, born in O, is known; is that right?"),
        ("  [X]  and  [Y]", "  S  and  O"),
        ("\\1 %s {0} [Z] [X] [MASK] [Y]", "\\1 %s {0} [Z] S [MASK] O"),
    ],
)
def test_names_replace_the_symbols(template: str, expected: str) -> None:
    assert filled(template) == expected


@given(st.text(), st.text())
def test_names_go_in_as_they_are(subject: str, object_: str) -> None:
    assert filled("a [Y] b [X] !", subject, object_) == f"a {object_} b {subject}!"


@pytest.mark.parametrize(
    ("subject", "object_", "sentence"),
    [
        ("Ellington", "Washington, D.C.", "Ellington was born in Washington, D.C."),
        ("Martin Luther King Jr.", "Atlanta", "Martin Luther King Jr. was born in Atlanta."),
        ("Ada", "...", "Ada was born in ...."),
        ("Ada", "Oh!", "Ada was born in Oh!."),
    ],
)
def test_full_stop_of_a_name_ends_the_sentence(subject: str, object_: str, sentence: str) -> None:
    assert filled("[X] was born in [Y].", subject, object_) == sentence


@given(st.sampled_from(["[X] was born in [Y].", "[Y] [X]", "[Y]. [X]. x", "[X][Y]"]), st.text(), st.text())
def test_spans_are_those_of_the_names(template: str, subject: str, object_: str) -> None:
    statement = Template(Relation("P1", template), "here").fill(subject, object_)
    assert (statement.at("subject"), statement.at("object")) == (subject, object_)
    symbols = statement.with_ends("[X]", "[Y]")
    assert (symbols.at("subject"), symbols.at("object")) == ("[X]", "[Y]")
    assert symbols.with_ends(subject, object_) == statement


def test_blank_is_distinguished_from_a_name() -> None:
    template = Template(Relation("P1", "[X] was born in [Y]."), "here")
    statement = template.fill("Ada", "____", "object")
    assert statement == Statement("Ada was born in ____.", (0, 3), (16, 20), "object")
    assert template.fill("Ada", "London").blank == ""


@pytest.mark.parametrize(("subject", "object_"), [("[X]", "[Y]"), ("[Y]", "[X]"), ("a .", " ,b")])
def test_name_that_looks_like_a_symbol_stays(subject: str, object_: str) -> None:
    assert filled("[X]-[Y]", subject, object_) == f"{subject}-{object_}"


@pytest.mark.parametrize(
    ("template", "subject", "object_", "expected"),
    [
        ("[Y] was born in [X].", "[Y]", "[X]", "[X] was born in [Y]."),
        ("<s> [X] in <o>", "<s>", "<o>", ""),
        ("\\1(s) in \\1(o)", "\\1(s)", "\\1(o)", "[X] in [Y]"),
        ("[Y] in [X]", "[X]", "[Y]", "[Y] in [X]"),
    ],
)
def test_templates_with_other_symbols_get_the_usual_ones(
    template: str, subject: str, object_: str, expected: str
) -> None:
    relation = Relation("P1", template, subject_symbol=subject, object_symbol=object_)
    assert [*templates_of(relation)] == [expected] * (expected != "")


def test_other_symbols_than_the_usual_ones() -> None:
    relation = Relation("P1", "<o> of <s> [X] [X]", subject_symbol="<s>", object_symbol="<o>")
    assert Template(relation, "here").fill("S", "O").text == "O of S [X] [X]"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("", "no template"),
        ("[X] was born.", r"0 \[Y\]"),
        ("[Y] bore.", r"0 \[X\]"),
        ("[X] [X] [Y]", r"2 \[X\]"),
        ("[X] [Y] [Y] [Y]", r"3 \[Y\]"),
        ("[x] was born in [y].", r"0 \[X\]"),
    ],
)
def test_template_needs_each_symbol_once(template: str, said: str) -> None:
    with pytest.raises(DataError, match=rf"^here: .*P1.*{said}.*\[X\] and \[Y\] once each") as caught:
        filled(template)
    assert "\n" not in str(caught.value)
