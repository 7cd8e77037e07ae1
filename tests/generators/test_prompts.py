"""Prompts and templates: where the names go, and what a wording must have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.errors import ConfigError, DataError
from factprobe.generators.prompts import Prompt
from factprobe.records import Message, Relation
from factprobe.templating import Template


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
def test_the_names_go_where_the_symbols_stand(template: str, expected: str) -> None:
    assert filled(template) == expected


@given(st.text(), st.text())
def test_names_go_in_as_they_are(subject: str, object_: str) -> None:
    assert filled("a [Y] b [X] .", subject, object_) == f"a {object_} b {subject}."


@pytest.mark.parametrize(("subject", "object_"), [("[X]", "[Y]"), ("[Y]", "[X]"), ("a .", " ,b")])
def test_a_name_that_looks_like_a_symbol_stays(subject: str, object_: str) -> None:
    assert filled("[X]-[Y]", subject, object_) == f"{subject}-{object_}"


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
def test_a_template_needs_each_symbol_once(template: str, said: str) -> None:
    with pytest.raises(DataError, match=rf"^here: .*P1.*{said}.*\[X\] and \[Y\] once each") as caught:
        filled(template)
    assert "\n" not in str(caught.value)


def test_a_prompt_is_filled_in_one_pass() -> None:
    prompt = Prompt("p", [Message("system", "Be {kind}."), Message("user", "{choices}|{statement}|{statement}")], [])
    messages = prompt.fill({"statement": "{choices}{statement}", "choices": "{statement}\\1"})
    assert messages == (
        Message("system", "Be {kind}."),
        Message("user", "{statement}\\1|{choices}{statement}|{choices}{statement}"),
    )


def test_a_placeholder_may_stand_in_any_message() -> None:
    prompt = Prompt("p", [Message("system", "{choices}"), Message("user", "{statement}")], ["statement", "choices"])
    assert [message.content for message in prompt.fill({"statement": "s", "choices": "c"})] == ["c", "s"]


@pytest.mark.parametrize("content", ["", "statement", "{ statement }", "{Statement}", "{choices}"])
def test_a_missing_placeholder_is_an_error_of_the_settings(content: str) -> None:
    with pytest.raises(ConfigError, match=r"^generator\.prompts\.p: .*no \{statement\}"):
        Prompt("p", [Message("user", content)], ["statement"])
