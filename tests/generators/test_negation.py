"""Templates that are negated, and the statements made of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from factprobe.generators.template import NO_NEGATION
from factprobe.generators.wording.negated_templates import negate
from factprobe.question_types import NEGATED
from factprobe.records import Relation
from factprobe.templating import Template
from tests.generators.graphs import SETTINGS, Graph, graph, graphs, make


def negation(template: str) -> str | None:
    found = negate(Template(Relation("P1", template), ""))
    return None if found is None else found.fill("[X]", "[Y]").text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("[X] was born in [Y] .", "[X] was not born in [Y]."),
        ("The capital of [X] is [Y].", "The capital of [X] is not [Y]."),
        ("[X] and [Y] are twin cities.", "[X] and [Y] are not twin cities."),
        ("[X] works for [Y].", "[X] does not work for [Y]."),
        ("[X] died in [Y].", "[X] did not die in [Y]."),
        ("[X] studied at [Y].", "[X] did not study at [Y]."),
        ("[Y] wrote the libretto for [X].", "[Y] did not write the libretto for [X]."),
        ("The [Y] series includes [X].", "The [Y] series does not include [X]."),
        ("The [X] passes through the [Y].", "The [X] does not pass through the [Y]."),
        ("[X] has the abnormal cell [Y].", "[X] does not have the abnormal cell [Y]."),
        ("[X] has represented [Y] in games.", "[X] has not represented [Y] in games."),
        ("[X] has been a member of [Y].", "[X] has not been a member of [Y]."),
        ("[X] used to work in [Y].", "[X] did not use to work in [Y]."),
        ("[X] can stem from [Y].", "[X] cannot stem from [Y]."),
        ("[X]'s works were written in [Y].", "[X]'s works were not written in [Y]."),
        ("[X] might treat [Y].", "It is not true that [X] might treat [Y]."),
        ("The disease [X] may have [Y].", "It is not true that the disease [X] may have [Y]."),
        ("[X] is where [Y] was.", "It is not true that [X] is where [Y] was."),
        ("[X] (born [Y]).", "It is not true that [X] (born [Y])."),
        ("[X] befriended [Y].", "It is not true that [X] befriended [Y]."),
        ("[X] was born in Z. Z is located in [Y].", None),
        ("[X] is not part of [Y].", "It is not true that [X] is not part of [Y]."),
        ("[X] has never won [Y].", "It is not true that [X] has never won [Y]."),
        ("No [X] is in [Y].", "It is not true that no [X] is in [Y]."),
        ("[X], born in [Y], is a poet.", "It is not true that [X], born in [Y], is a poet."),
        ("[X] does live in [Y].", "It is not true that [X] does live in [Y]."),
        ("In [X], [Y] is spoken.", "It is not true that in [X], [Y] is spoken."),
        ("Founded in [Y], [X] is a company.", "It is not true that founded in [Y], [X] is a company."),
        ("[X] has always been ruled by [Y].", "[X] has not always been ruled by [Y]."),
        ("[X] has recently joined [Y].", "[X] has not recently joined [Y]."),
        ("[X] has won [Y].", "[X] has not won [Y]."),
        ("[X] has had [Y].", "[X] has not had [Y]."),
        ("[X]'s works feature in [Y].", "It is not true that [X]'s works feature in [Y]."),
    ],
)
def test_the_negation_of_a_template(template: str, expected: str | None) -> None:
    assert negation(template) == expected


@pytest.mark.parametrize(
    "template",
    [
        *("Only [X] borders [Y].", "Some [X] are [Y].", "Every [X] contains [Y].", "All of [X] speak [Y]."),
        *("At least one [X] is in [Y].", "Both [X] and [Y] are cities.", "Anyone in [X] speaks [Y]."),
        *("[X] rarely meets [Y].", "[X] often plays with [Y].", "[X] is usually part of [Y]."),
        *("[X] still owns [Y].", "[X] also contains [Y].", "[X] has also worked for [Y].", "[X] can only treat [Y]."),
        *("[X] recently joined [Y].", "[X] once lived in [Y].", "[X] formerly was part of [Y]."),
        *("[X] both borders and trades with [Y].", "[X] borders and trades with [Y].", "[X] won [Y] and lost it."),
        *("[X] was founded in [Y] and moved later.", "[X] joined [Y] when it was founded.", "[X] who won [Y] died."),
        *("[X] seems to border [Y].", "[X] helps treat [Y].", "[X] must have met [Y].", "[X] cannot treat [Y]."),
        *("[X] has associated morphology [Y].", "[X] has thrice won [Y].", "[X] doesn't contain [Y]."),
    ],
)
def test_what_a_verb_would_not_deny(template: str) -> None:
    assert negation(template) == f"It is not true that {template[0].lower()}{template[1:]}"


def test_signs_for_names_that_look_like_words() -> None:
    found = negate(Template(Relation("P1", "is belongs to can", subject_symbol="is", object_symbol="can"), ""))
    assert found is not None
    assert found.fill("[X]", "[Y]").text == "[X] does not belong to [Y]"


@given(graphs(), SETTINGS)
def test_each_statement_has_its_negation_beside_it(of: Graph, chosen: dict[str, Any]) -> None:
    plain, both = make(of, **chosen), make(of, **chosen, negated=True)
    rest = [question for question in both.questions if question.denied is None]
    assert rest == plain.questions
    by_form = {(q.subject_uri, q.object_uri, q.form): q for q in rest if q.question_type == "binary_answer"}
    denying = [question for question in both.questions if question.denied is not None]
    assert len(denying) == len(by_form)
    for question in denying:
        form = next(plain for plain, form in NEGATED.items() if form == question.form)
        other = by_form[question.subject_uri, question.object_uri, form]
        assert {question.answers, other.answers} == {"correct", "incorrect"}
        assert question.form.endswith(f"_{question.answers}")
        assert (question.denied, question.shown, question.sought) == (other.statement, other.shown, other.sought)
        assert question.statement is not None
        assert other.statement is not None
        assert question.statement.text in question.prompts[-1].content
        for end in ("subject", "object"):
            assert question.statement.at(end) == other.statement.at(end)
        assert "not" in question.statement.with_ends("", "").text.split()


def test_a_text_of_several_sentences_has_none_and_that_is_told() -> None:
    two = Relation("P1", "[X] was born in Z. Z lies in [Y].")
    made = make(graph([("ann", "de"), ("bob", "it")], two), negated=True, question_types=["binary_answer"])
    assert len(made.questions) == 4
    assert all(question.denied is None for question in made.questions)
    assert len(made.report.refused[NO_NEGATION]) == 4
