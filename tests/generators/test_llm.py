"""Questions in a model's words: the template generator's in all but the words, whatever the model says."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import factprobe
from factprobe.errors import ConfigError, NoAnswersError, UnknownNameError
from factprobe.generators.base import Fact
from factprobe.generators.phrasing.checks import default_faults
from factprobe.generators.questioner import NAMES_ANSWER, NO_LABEL, UNNAMED_ANSWER
from factprobe.models import Reply
from factprobe.records import (
    Message,
    NodeSummary,
    ObjectNode,
    Period,
    Question,
    Relation,
    RelationSummary,
    Request,
    Response,
    SubjectNode,
)
from tests.generators.graphs import BORN, PROMPTS, SETTINGS, Graph, Made, folded, graph, graphs
from tests.generators.graphs import make as by_template
from tests.generators.phrasers import ASKED, Told, make, phrasing

LIVES = graph([("Ada", "London"), ("Max", "Kiel"), ("Max", "Ulm")], replace(BORN, template="[X] lives in [Y]."))

LIVE = {"Ada": "London", "Max": "Kiel", "Eva": "Rome"}


def in_a_sentence(subject: str, object_: str, _: Request) -> str:
    return f"Now {subject} goes with {object_}, they say."


def in_a_question(known: str, _: str, __: Request) -> str:
    return f"Which one goes with {known}, would you say?"


def told_by_words(one: Made, other: Made) -> set[str]:
    """Questions that either of two wordings is refused for, because it names the answer."""
    return {name for made in (one, other) for name in made.report.refused.get(NAMES_ANSWER, ())}


def unworded(questions: Iterable[Question], left_out: Collection[str] = ()) -> list[Question]:
    return [
        replace(question, prompts=(), statement=None, bare="", giveaway="")
        for question in questions
        if question.question_id not in left_out
    ]


@given(graphs(), SETTINGS)
def test_sentences_change_the_words_alone(of: Graph, chosen: dict[str, Any]) -> None:
    usual, made = by_template(of, **chosen), make("llm_mask", of, in_a_sentence, **chosen)[0]
    told = told_by_words(made, usual)
    assert unworded(made.questions, told) == unworded(usual.questions, told)
    assert told or made.report == usual.report
    others = usual.by_id()
    for question in made.questions:
        other = others.get(question.question_id, question)
        assert question.statement is not None
        assert other.statement is not None
        for end in ("subject", "object"):
            assert question.statement.at(end) == other.statement.at(end)
        if question != other:
            ends = (question.statement.at("subject"), question.statement.at("object"))
            assert question.statement.text == "Now {} goes with {}, they say.".format(*ends)
            assert question.statement.text in question.prompts[0].content


@given(graphs(), SETTINGS)
def test_questions_change_the_words_alone(of: Graph, chosen: dict[str, Any]) -> None:
    types = [kind for kind in chosen["question_types"] if kind in ASKED] or ASKED
    chosen = {**chosen, "question_types": types}
    usual, made = by_template(of, **chosen), make("llm_question", of, in_a_question, **chosen)[0]
    told = told_by_words(made, usual)
    assert unworded(made.questions, told) == unworded(usual.questions, told)
    others = usual.by_id()
    for question in made.questions:
        if question == others.get(question.question_id):
            continue
        known = question.subject_uri if question.sought == "object" else question.object_uri
        label = normalize("NFC", folded(of.named(known).label))
        if not any(map(str.isalnum, label)):
            continue  # it cannot be told from the question's own marks
        assert (question.bare, question.statement) == (f"Which one goes with {label}, would you say?", None)
        assert question.prompts[0].content.startswith(f"{question.bare}\n")
        for answer in question.answers:
            assert not isinstance(answer, str)
            own_words = question.bare.replace(label, "\n")  # which is in no name
            assert not [name for name in answer.names() if re.search(r"\w", name) and whole_in(folded(name), own_words)]


def whole_in(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def test_by_hand() -> None:
    made, model = make("llm_mask", LIVES, lambda s, o, _: f"{o} is home to {s}.", question_types=["binary_answer"])
    texts = [question.statement.text for question in made.questions if question.statement]
    assert texts[0] == "London is home to Ada."
    assert {text.partition(" is home to ")[2] for text in texts} == {"Ada.", "Max."}
    assert [request.question_id for request in model.asked] == [
        "Ada:London:P19:phrase:sentence",
        "Max:Kiel:P19:phrase:sentence",
        "Max:Ulm:P19:phrase:sentence",
    ]
    made, model = make("llm_question", LIVES, lambda s, *_: f"Where does {s} live?", ask="both")
    [ada] = [question for question in made.of("ask_object") if question.subject_uri == "Ada"]
    assert (ada.bare, ada.statement, ada.prompts) == (
        "Where does Ada live?",
        None,
        (Message("user", "Where does Ada live?\n"),),
    )
    assert len(model.asked) == 6


@pytest.mark.parametrize(
    ("kind", "passages"),
    [
        ("relevance", {"Ada lives in London.", "Max lives in Kiel.", "Eva lives in Rome."}),
        ("irrelevance", {"Ada lives in London.", "Max lives in Kiel.", "Eva lives in Rome."}),
        ("antifactual", {f"{who} lives in {where}." for who in LIVE for where in LIVE.values() if LIVE[who] != where}),
    ],
)
def test_a_passage_is_in_the_words_of_the_template(kind: str, passages: set[str]) -> None:
    of = graph(LIVE.items(), LIVES.relation)
    wording = {"messages": [{"role": "user", "content": "{context}\n{question}"}]}
    chosen: dict[str, Any]
    chosen = {"context": kind, "prompts": {**PROMPTS, "context": wording}, "question_types": ["single_answer"]}
    made, _ = make("llm_mask", of, lambda s, o, _: f"It is {s} whom {o} knows best.", **chosen)
    assert len(made.questions) == 3
    for question in made.questions:
        assert question.context
        assert question.context.text in passages
        assert (question.context.text.partition(" ")[0] == question.subject_uri) is (kind != "irrelevance")
        assert question.statement
        assert question.statement.text == f"It is {question.subject_uri} whom ____ knows best."


def test_what_is_negated_is_the_models_sentence() -> None:
    says = {"Ada": "London is where Ada goes.", "Max": "Max was seen in Kiel.", "Eva": "?"}
    of = graph(LIVE.items(), LIVES.relation)
    made, _ = make("llm_mask", of, lambda s, *_: says[s], question_types=["binary_answer"], negated=True)
    told = {question.subject_uri: question for question in made.of("binary_negated_incorrect")}
    texts = {uri: (q.denied and q.denied.text, q.statement and q.statement.text) for uri, q in told.items()}
    assert texts == {
        "Ada": ("London is where Ada goes.", "London is not where Ada goes."),
        "Max": ("Max was seen in Kiel.", "Max was not seen in Kiel."),
        "Eva": ("Eva lives in Rome.", "Eva does not live in Rome."),
    }


def test_a_sentence_that_ends_with_a_name_that_has_a_full_stop_keeps_its_own() -> None:
    of = graph([("Ada", "Q1"), ("Max", "Q2")], Q1="Washington, D.C.", Q2="Kiel")
    made, _ = make("llm_mask", of, lambda s, o, _: f"{s} was born in {o}", question_types=["binary_answer"])
    texts = [question.statement.text for question in made.of("binary_obj_incorrect") if question.statement]
    assert texts == ["Ada was born in Kiel.", "Max was born in Washington, D.C."]


BREAKS: dict[str, tuple[str, str | Reply | None]] = {
    "empty": ("llm_mask", ""),
    "cut_off": ("llm_mask", Reply("Ada lives in London.", "length")),
    "no_subject": ("llm_mask", "She lives in London."),
    "no_object": ("llm_mask", "Ada lives there."),
    "subject_twice": ("llm_mask", "Ada is Ada of London."),
    "object_twice": ("llm_mask", "Ada lives in London, London."),
    "overlap": ("llm_mask", "They live in London town."),
    "denies": ("llm_mask", "Ada never lived in London."),
    "several_sentences": ("llm_mask", "Ada lives in London. It is fine."),
    "not_a_statement": ("llm_mask", "Ada lives in London?"),
    "placeholder": ("llm_mask", "Ada lives in London [MASK]."),
    "names_answer": ("llm_question", "Who lives in London and is called Ada?"),
    "not_a_question": ("llm_question", "Tell where Ada lives."),
    "yes_or_no": ("llm_question", "Is there a place where Ada lives?"),
}
"""A reply about Ada of London that breaks each rule."""


@pytest.mark.parametrize("rule", BREAKS)
def test_what_breaks_a_rule_is_asked_again_and_told_why(rule: str) -> None:
    name, broken = BREAKS[rule]
    good = "Ada is at home in London." if name == "llm_mask" else "Where is Ada at home?"
    aliases = {"overlap": "London town"}.get(rule, "")
    of = graph([("Ada", "Town")], Town="London") if not aliases else overlapping()

    def says(*told: Any) -> str | Reply | None:
        return good if "No: " in told[2].prompts[-1].content else broken

    made, model = make(name, of, says)
    assert len(model.asked) == 2
    assert default_faults()[rule].partition("{")[0] in model.asked[1].prompts[-1].content
    texts = {question.bare or (question.statement.text if question.statement else "") for question in made.questions}
    assert any("at home" in text for text in texts)


def test_the_wording_of_a_fault_can_be_changed() -> None:
    faults = {"no_subject": "{subject} is missing"}
    _, model = make("llm_mask", graph([("Ada", "London")]), lambda *_: "?", tries=2, faults=faults)
    assert model.asked[1].prompts[-1].content == "Ada\nLondon\nNo: Ada is missing."
    with pytest.raises(UnknownNameError, match="unknown rule 'no_subjekt'") as caught:
        make("llm_mask", LIVES, lambda *_: "?", faults={"no_subjekt": "it is missing"})
    assert caught.value.where == "generator.faults"


def overlapping() -> Graph:
    """The subject bears a name that holds the object's."""
    of = graph([("Ada", "Town")], Ada="London town", Town="London")
    return of._replace(entities={**of.entities, "Ada": replace(of.entities["Ada"], aliases=("Ada",))})


def test_every_rule_is_broken_here_but_that_there_is_no_reply() -> None:
    assert BREAKS.keys() == default_faults().keys() - {"no_reply"}


def test_what_is_not_taken_is_put_by_the_template_in_the_end(caplog: pytest.LogCaptureFixture) -> None:
    def says(subject: str, object_: str, _: Request) -> str | None:
        return {"Kiel": "Nobody knows.", "Ulm": None}.get(object_, f"{subject} is a Londoner of {object_}.")

    made, model = make("llm_mask", LIVES, says, tries=4)
    assert [request.question_id.split(":")[1] for request in model.asked] == ["London", "Kiel", "Ulm", *["Kiel"] * 3]
    texts = {question.statement.text for question in made.of("binary_correct") if question.statement}
    assert texts == {"Ada is a Londoner of London.", "Max lives in Kiel.", "Max lives in Ulm."}
    assert "2 of 3 facts are phrased by the template" in caplog.text
    assert "no_subject (1), no_reply (1)" in caplog.text


def test_where_further_tries_fail_the_template_stands_in() -> None:
    made, model = make("llm_mask", LIVES, lambda *told: None if "No: " in told[2].prompts[-1].content else "?")
    assert len(model.asked) == 6
    assert made == by_template(LIVES)


def test_a_template_stands_in_for_a_question_with_its_own_wording() -> None:
    made, _ = make("llm_question", LIVES, lambda *_: "I don't know.", tries=1)
    assert made == by_template(LIVES, question_types=ASKED)


ROLES = ("user", "assistant")


def test_examples_take_turns() -> None:
    pairs = [(f"{name}?", f"{name}!") for name in "abc"]
    chat = [{"role": role, "content": text} for pair in pairs for role, text in zip(ROLES, pair, strict=True)]
    last = {"role": "user", "content": "{subject}\n{object}"}
    wording = {"messages": [{"role": "system", "content": "s\ns"}, *chat, last], "again": "No: {fault}"}
    _, model = make("llm_mask", graph([("Ada", "London")]), lambda *_: "?", phrasing=wording)
    orders = ["".join(m.content[0] for m in request.prompts if m.role == "assistant") for request in model.asked]
    assert orders == ["abc", "bca", "cab"]
    assert [request.prompts[-1].content for request in model.asked] == [
        "Ada\nLondon",
        *["Ada\nLondon\nNo: it does not name Ada"] * 2,
    ]


def test_an_entity_without_a_name_is_not_asked_about() -> None:
    of = graph([("Ada", "Q1"), ("Max", "Kiel")], Q1=" ")
    made, model = make("llm_mask", of, in_a_sentence)
    assert [request.question_id for request in model.asked] == ["Max:Kiel:P19:phrase:sentence"]
    assert made.report == by_template(of).report


SHORT = [kind for kind in ASKED if kind != "multi_choices"]


@given(graphs(), st.sampled_from(["object", "subject", "both"]), st.sampled_from(["llm_mask", "llm_question"]))
def test_no_more_is_asked_than_the_questions_have_words_of(of: Graph, ask: str, name: str) -> None:
    says = in_a_question if name == "llm_question" else in_a_sentence
    whole, all_asked = make(name, of, says, ask=ask, question_types=ASKED, tries=1)
    for kind in SHORT:
        part, model = make(name, of, says, ask=ask, question_types=[kind], tries=1)
        assert part.questions == [question for question in whole.questions if question.question_type == kind]
        ids = [request.question_id for request in model.asked]
        assert {*ids} <= {request.question_id for request in all_asked.asked}
        refused = [
            name for reason in (NO_LABEL, UNNAMED_ANSWER, NAMES_ANSWER) for name in part.report.refused.get(reason, [])
        ]
        assert len({*ids}) <= len(part.questions) + len(refused)


def test_a_set_is_asked_for_in_the_words_of_its_first_fact_which_alone_are_paid() -> None:
    hub = graph([("Ada", "Rome"), *(("hub", f"o{at}") for at in range(50))])
    for kind, first in (("multiple_answer", "hub:o0"), ("single_answer", "Ada:Rome")):
        made, model = make("llm_question", hub, lambda s, *_: f"Where is {s} at home?", question_types=[kind])
        assert len(made.questions) == 1
        assert [request.question_id for request in model.asked] == [f"{first}:P19:phrase:ask_object"]
        assert made.questions[0].bare.endswith("at home?")


def club(uri: str) -> ObjectNode:
    return ObjectNode(uri, uri, ["Bob"])


def test_what_is_not_so_on_the_day_is_not_phrased_and_given_away_as_little() -> None:
    periods: dict[str, tuple[Period, ...]]
    periods = {"Porto": (Period("2010", "2012"),), "Celtic": (Period("2020", ""),)}
    bob = SubjectNode("Bob", "Bob", ["Porto", "Celtic"], periods=periods)
    nodes = NodeSummary({uri: club(uri) for uri in periods}, {"Bob": bob})
    summary = RelationSummary(Relation("P54", "[X] plays for [Y]."), nodes)
    facts = [Fact("Bob", "Porto"), Fact("Bob", "Celtic")]
    taken, stand_in = "Whom does Bob play for?", "Bob plays for ____."
    for said, put in ((taken, taken), ("Whom does Bob play for after Porto?", stand_in)):
        generator, model = phrasing("llm_question", lambda *_, said=said: said, as_of="2024-01-01", tries=1)
        found = list(generator.questions(summary, facts))
        assert {request.question_id for request in model.asked} == {"Bob:Celtic:P54:phrase:ask_object"}
        [question] = [question for question in found if question.question_type == "single_answer"]
        assert question.bare == f"As of 1 January 2024: {put}"


def test_no_reply_at_all_ends_it() -> None:
    with pytest.raises(NoAnswersError):
        make("llm_mask", LIVES, lambda *_: None)


def test_a_question_is_graded_by_its_own_words() -> None:
    """To repeat the question says nothing, though it is no statement of a template."""
    kg = factprobe.load_kg("trex")
    [asked] = factprobe.make_questions(kg, ["P36"], limit=1, question_types=["single_answer"])
    question = replace(asked, statement=None, bare="Which city does France call its capital?")
    for reply, verdict in [
        ("France calls Paris its capital.", "correct"),
        ("Which city does France call its capital? Paris", "correct"),
        ("France calls Lyon its capital.", "incorrect"),
        ("I do not know which city France calls its capital.", "abstained"),
    ]:
        response = Response(question.question_id, reply, "stop", None, None)
        [grade] = factprobe.grade_responses(kg, [question], [response])
        assert grade.verdict == verdict, reply


@pytest.mark.parametrize("name", ["llm_mask", "llm_question"])
def test_from_python_with_the_name_the_settings_or_the_model_of_who_phrases(name: str) -> None:
    kg = factprobe.load_kg("trex")
    usual = {question.question_id for question in factprobe.make_questions(kg, "P36", limit=1)}
    for model in ("scripted", factprobe.load_model("scripted")):
        found = factprobe.make_questions(kg, ["P36"], limit=1, generator=name, model=model, tries=1)
        assert found
        assert {question.question_id for question in found} <= usual
    with pytest.raises(ConfigError, match=r"generator\.model\.path"):
        factprobe.make_questions(kg, ["P36"], limit=1, generator=name, model="llama_cpp")
    with pytest.raises(ConfigError, match=r"generator\.model\.max_tokens"):
        factprobe.make_questions(kg, ["P36"], limit=1, generator=name, model={"max_tokens": 0})


def test_a_question_is_neither_true_nor_false() -> None:
    with pytest.raises(UnknownNameError, match="binary_answer"):
        make("llm_question", LIVES, in_a_question, question_types=["binary_answer"])


def test_what_is_said_to_another_try_must_have_a_place_for_the_reason() -> None:
    wording = {"messages": [{"role": "user", "content": "{given}"}], "again": "Again!"}
    with pytest.raises(ConfigError, match=r"^generator\.phrasing\.again: .*{fault}"):
        make("llm_question", LIVES, in_a_question, phrasing=wording)


def obedient(_: str, __: str, request: Request) -> str:
    """What a good model says to the prompts that come with factprobe."""
    fields = dict(line.split(": ", 1) for line in request.prompts[-1].content.split("\n"))
    if "Names" in fields:
        subject, object_ = fields["Names"].split("; ")
        return f"It is known of {subject} that it goes with {object_}."
    return f"Who or what is it that {fields['Sentence'].rstrip('.').replace('____', 'something')}?"


@pytest.mark.parametrize("kg", ["trex", "google_re", "umls", "bear"])
@pytest.mark.parametrize("name", ["llm_mask", "llm_question"])
def test_every_bundled_graph_can_be_phrased(kg: str, name: str) -> None:
    graph, model = factprobe.load_kg(kg), Told(obedient)
    usual = factprobe.make_questions(graph, limit=2, ask="both")
    made = factprobe.make_questions(graph, limit=2, ask="both", generator=name, model=model)
    by_id = {
        question.question_id: question for question in usual if name == "llm_mask" or "binary" not in question.form
    }
    assert unworded(made) == unworded(by_id.values())
    phrased = [question for question in made if question != by_id[question.question_id]]
    assert len(phrased) > 0.6 * len(made)
    for question in phrased:
        if name == "llm_mask":
            assert question.statement
            assert question.statement.text.startswith("It is known of ")
        else:
            assert question.statement is None
            assert question.bare.startswith("Who or what is it that ")
