"""No strategy that knows no answer scores above chance; `benchmarks/gaming.py` tries them on more questions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from factprobe.records import Answer, Message, Question
from tests.evaluators.gaming import STRATEGIES, Asked, chance, exam, graded, rate

RELATIONS = ("P36", "P103", "P47", "P19")
PEOPLE = {
    "who painted the mona lisa": "Leonardo da Vinci",
    "when did the titanic sink": "1912",
    "where are red blood cells made": "in the bone marrow",
    "what is the capital of australia": "Canberra",
    "who wrote emma": "Jane Austen",
    "when did world war ii end": "September 2, 1945",
    "how many moons does mars have": "two",
    "what gas do plants take in": "carbon dioxide",
    "which planet is closest to the sun": "Mercury",
    "who discovered penicillin": "Alexander Fleming",
}


@cache
def asked_of(kind: str, *, with_graph: bool) -> tuple[Asked, ...]:
    """Return the questions of a type, or those that people ask."""
    if kind == "people":
        names = tuple(PEOPLE.values())
        rows = enumerate(PEOPLE.items())
        return tuple(
            Asked(
                Question(text, "single_answer", (Message("user", text),), (Answer("", right),), "p", "", "", bare=text),
                (*names[at % 3 :], *names[: at % 3]),
            )
            for at, (text, right) in rows
        )
    found = exam("trex", 8, RELATIONS)[kind]
    return tuple(found if with_graph else [one._replace(summary=None) for one in found])


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("kind", "with_graph"),
    [
        *((kind, True) for kind in ("binary_answer", "multi_choices", "single_answer", "multiple_answer")),
        *((kind, False) for kind in ("binary_answer", "multi_choices", "single_answer", "multiple_answer", "people")),
    ],
)
def test_it_scores_no_more_than_chance(kind: str, strategy: str, *, with_graph: bool) -> None:
    asked = asked_of(kind, with_graph=with_graph)
    assert rate(asked, STRATEGIES[strategy]).low <= chance(asked)


@pytest.mark.parametrize("kind", ["binary_answer", "multi_choices", "single_answer", "multiple_answer"])
def test_the_right_answers_score_more(kind: str) -> None:
    def right(question: Question, _: object) -> str:
        labels = question.answers
        return labels if isinstance(labels, str) else ", ".join(answer.label for answer in labels)

    asked = asked_of(kind, with_graph=True)
    assert rate(asked, right).estimate == 1 > chance(asked)


@pytest.mark.parametrize("with_graph", [True, False])
def test_a_right_member_before_all_names_in_brackets_is_no_exact_set(*, with_graph: bool) -> None:
    def bracketed(question: Question, names: Sequence[str]) -> str:
        first = question.answers[0]
        assert isinstance(first, Answer)
        return f"{first.label} ({', '.join(name for name in names if name != first.label)})"

    assert rate(asked_of("multiple_answer", with_graph=with_graph), bracketed).estimate == 0


def test_a_list_is_named_as_such() -> None:
    some = asked_of("single_answer", with_graph=True)[:1]
    [found] = graded(some, lambda *_: "It might be Rome, Paris, Oslo, Kiel or Bern.")
    assert found.rule == "response.lists_candidates"
    assert found.why == "lists 5 candidates"
    [found] = graded(some, lambda *_: "Rome, also known as Paris, Oslo, Kiel, Bern.")
    assert found.why == "lists 5 candidates"
    [found] = graded(some, lambda *_: "Rome, Lazio, Italy")
    assert found.rule != "response.lists_candidates"
    sentence = asked_of("people", with_graph=False)[:1]
    [found] = graded(
        sentence, lambda *_: "Leonardo da Vinci painted it in Florence, Italy, between 1503 and 1506, in oil."
    )
    assert found.verdict == "correct"
