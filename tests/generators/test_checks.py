"""What of a model's words for a fact is taken: each rule broken in turn, and nothing lost of odd names."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.generators.phrasing import checks
from factprobe.generators.phrasing.checks import BrokenRuleError, NameIndex, read_question, read_statement
from factprobe.records import Entity
from factprobe.text import one_line
from tests.generators.graphs import LABELS

ADA = Entity("Q1", "Ada Lovelace", ("Countess of Lovelace", "A. A. L."))
LONDON = Entity("Q2", "London", ("City of London", "LDN"))
PARIS = Entity("Q3", "Paris")
CLUB = Entity("Q4", "Paris Saint-Germain", ("PSG",))

STATEMENTS = [
    ("", "empty"),
    ("  \n ", "empty"),
    ("She was born in London.", "no_subject"),
    ("I don't know.", "no_subject"),
    ("Ada Lovelaces was born in London.", "no_subject"),
    ("Ada Lovelace was born in Londonderry.", "no_object"),
    ("Ada Lovelace was born in the ldn.", "no_object"),
    ("Ada Lovelace, the Countess of Lovelace, was born in London.", "subject_twice"),
    ("Ada Lovelace was born in London, and London it was.", "object_twice"),
    ("Ada Lovelace was born in London. She was a mathematician.", "several_sentences"),
    ("Ada Lovelace was born in London\nShe was a mathematician", "several_sentences"),
    ("Was Ada Lovelace born in London?", "not_a_statement"),
    ("Ada Lovelace was born in London,", "not_a_statement"),
    ("Born in London: Ada Lovelace...", "not_a_statement"),
    ("Ada Lovelace was born in London in [MASK].", "placeholder"),
    ("Ada Lovelace was born in London in ____.", "placeholder"),
    ("{Ada Lovelace} was born in London.", "placeholder"),
    ("Ada Lovelace was not born in London.", "denies"),
    ("It is false that Ada Lovelace was born in London.", "denies"),
    ("London is no home of Ada Lovelace.", "denies"),
    ("Ada Lovelace was born in London and lived in Paris.", "names_answer"),
]
QUESTIONS = [
    ("", "empty"),
    ("Where was she born?", "no_subject"),
    ("Was Ada Lovelace born in the city of london?", "names_answer"),
    ("In which city, London or Rome, was Ada Lovelace born?", "names_answer"),
    ("Which city beside Paris was home to Ada Lovelace?", "names_answer"),
    ("Who was Ada Lovelace? Where was she born?", "several_sentences"),
    ("Ada Lovelace was born in a city.", "not_a_question"),
    ("Ada Lovelace?", "not_a_question"),
    ("Was Ada Lovelace born in a city?", "yes_or_no"),
    ("Ada Lovelace was born in ____?", "placeholder"),
]


@pytest.mark.parametrize(("reply", "rule"), STATEMENTS)
def test_a_sentence_that_breaks_a_rule_is_not_taken(reply: str, rule: str) -> None:
    with pytest.raises(BrokenRuleError) as caught:
        read_statement(reply, ADA, LONDON, [NameIndex([LONDON, PARIS])])
    assert caught.value.args == (rule,)


@pytest.mark.parametrize(("reply", "rule"), QUESTIONS)
def test_a_question_that_breaks_a_rule_is_not_taken(reply: str, rule: str) -> None:
    with pytest.raises(BrokenRuleError) as caught:
        read_question(reply, ADA, NameIndex([LONDON, PARIS]), known_is_subject=True)
    assert caught.value.args == (rule,)


@pytest.mark.parametrize(
    ("reply", "subject", "is_taken"),
    [
        ("Washington, D.C. Its mayor was born in London.", "Washington, D.C.", False),
        ("The mayor of London lives in Washington, D.C. He likes it.", "Washington, D.C.", False),
        ("Washington, D.C. is larger than London.", "Washington, D.C.", True),
        ("London is smaller than Washington, D.C.", "Washington, D.C.", True),
        ("Apple Inc. CEO Tim Cook came to London.", "Apple Inc.", True),
        ("Dr. No. Martin was born in London.", "Dr. No. Martin", True),
    ],
)
def test_full_stop_of_a_name_may_end_a_sentence(reply: str, subject: str, is_taken: bool) -> None:
    with nullcontext() if is_taken else pytest.raises(BrokenRuleError, match="several_sentences"):
        read_statement(reply, Entity("Q6", subject), LONDON)


def test_of_two_names_within_each_other_neither_is_told() -> None:
    for reply in ("Paris Saint-Germain plays at home.", "Paris plays at home."):
        with pytest.raises(BrokenRuleError):
            read_statement(reply, CLUB, PARIS)
    with pytest.raises(BrokenRuleError, match="overlap"):
        read_statement("Paris Saint-Germain plays at home.", PARIS, CLUB)
    with pytest.raises(BrokenRuleError, match="overlap"):
        read_statement("Paris plays at home.", PARIS, Entity("Q5", "paris"))


def test_every_rule_is_broken_here_or_by_no_whole_reply() -> None:
    rules = checks.default_faults().keys()
    assert {rule for _, rule in (*STATEMENTS, *QUESTIONS)} == rules - {"no_reply", "cut_off", "overlap"}


@pytest.mark.parametrize(
    ("reply", "text", "subject", "object_"),
    [
        ("Ada Lovelace was born in London.", None, "Ada Lovelace", "London"),
        ("In LDN the countess of Lovelace was born!", None, "countess of Lovelace", "LDN"),
        ("Ada Lovelace was born in London", "Ada Lovelace was born in London.", "Ada Lovelace", "London"),
        ("London’s own Ada Lovelace wrote notes.", None, "Ada Lovelace", "London"),
        ("Dr. A. A. L. of St. James came to London.", None, "A. A. L.", "London"),
        ('"Ada Lovelace was born in London."', "Ada Lovelace was born in London.", "Ada Lovelace", "London"),
        ("**Ada Lovelace** was born in **London**.", "Ada Lovelace was born in London.", None, None),
        ("*Ada Lovelace was born in London.*", "Ada Lovelace was born in London.", None, None),
        (
            "Sure! Here is a sentence:\n\nAda Lovelace was born in London.",
            "Ada Lovelace was born in London.",
            None,
            None,
        ),
        ('Here it is: "Ada Lovelace was born in London."', "Ada Lovelace was born in London.", None, None),
        ("<think>London? Yes.</think>Ada Lovelace was born in London.", "Ada Lovelace was born in London.", None, None),
    ],
)
def test_a_sentence_is_taken_with_the_spans_of_its_names(
    reply: str, text: str | None, subject: str | None, object_: str | None
) -> None:
    said = read_statement(reply, ADA, LONDON)
    assert said.text == (text or reply)
    assert (said.at("subject"), said.at("object")) == (subject or "Ada Lovelace", object_ or "London")
    assert said.blank == ""


def test_a_name_within_a_longer_name_is_no_mention() -> None:
    said = read_statement("Paris Saint-Germain is at home in Paris.", CLUB, PARIS)
    assert (said.at("subject"), said.subject[0], said.at("object"), said.object[0]) == (CLUB.label, 0, "Paris", 34)


def test_a_colon_within_a_name_begins_no_sentence() -> None:
    film = Entity("Q6", "2001: A Space Odyssey")
    said = read_statement("2001: A Space Odyssey was made by Kubrick.", film, Entity("Q7", "Kubrick"))
    assert said.at("subject") == film.label


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("Where was Ada Lovelace born?", "Where was Ada Lovelace born?"),
        ("Question: Where was Ada Lovelace born?", "Where was Ada Lovelace born?"),
        ("Who is meant by the name: Ada Lovelace?", "Who is meant by the name: Ada Lovelace?"),
        ('Sure! Here is one:\n"Where was Ada Lovelace born?"', "Where was Ada Lovelace born?"),
    ],
)
def test_a_question_is_taken(reply: str, question: str) -> None:
    assert read_question(reply, ADA, NameIndex([LONDON]), known_is_subject=True) == question


def test_a_question_may_have_the_answer_within_the_name_that_it_asks_about() -> None:
    text = "Where does Paris Saint-Germain play?"
    assert read_question(text, CLUB, NameIndex([PARIS]), known_is_subject=True) == text
    with pytest.raises(BrokenRuleError, match="names_answer"):
        read_question(
            "Who plays in Paris, if not Paris Saint-Germain?", PARIS, NameIndex([CLUB]), known_is_subject=False
        )
    with pytest.raises(BrokenRuleError, match="no_object"):
        read_question("Who plays?", PARIS, NameIndex([CLUB]), known_is_subject=False)


NAMES = st.sampled_from([label for label in LABELS if label.strip()])


@given(NAMES, NAMES)
def test_names_of_any_kind_are_found_whole_or_the_sentence_is_not_taken(subject: str, object_: str) -> None:
    ends = [normalize("NFC", one_line(name)) for name in (subject, object_)]
    reply = f"We say that {ends[0]} lies near {ends[1]} now."
    try:
        said = read_statement(reply, Entity("s", subject), Entity("o", object_))
    except BrokenRuleError:
        return
    assert (said.at("subject").casefold(), said.at("object").casefold()) == (ends[0].casefold(), ends[1].casefold())
    assert said.text == reply


@given(st.lists(NAMES, min_size=1), st.data())
def test_an_index_finds_every_name_that_a_text_holds(names: list[str], data: st.DataObject) -> None:
    index = NameIndex(Entity(str(at), name) for at, name in enumerate(names))
    name = data.draw(st.sampled_from(names))
    shown = normalize("NFC", one_line(name))
    found = {*index.maybe_in(f"Is it {shown}, or what?")}
    assert name in found
    assert found <= {*names}
    with pytest.raises(BrokenRuleError, match="names_answer"):
        read_question(f"Ada Lovelace, if not {shown}, or what?", ADA, index, known_is_subject=True)


def test_an_answers_names_may_overlap_each_other() -> None:
    son = Entity("Q8", "John Smith", ("Smith Jr.",))
    assert read_statement("John Smith Jr. knew Ada Lovelace.", son, ADA, [NameIndex([son])])


ODD = ["[MASK]", "{statement}", "{}", "a\nb", "Washington, D.C.", 'The "Rock"', "C++", "<b>"]


@pytest.mark.parametrize("label", ODD)
def test_odd_names_are_no_fault(label: str) -> None:
    said = read_statement(f"We know that {one_line(label)} lies in Peru.", Entity("s", label), Entity("o", "Peru"))
    assert said.at("subject") == one_line(label)


@given(st.text(), st.text(min_size=1), st.text(min_size=1))
def test_any_reply_is_taken_or_breaks_a_rule(reply: str, subject: str, object_: str) -> None:
    ends = Entity("s", f"x{subject}"), Entity("o", f"y{object_}")
    with suppress(BrokenRuleError):
        assert read_statement(reply, *ends)
    with suppress(BrokenRuleError):
        assert read_question(reply, ends[0], NameIndex([ends[1]]), known_is_subject=True)
