"""The quality of questions, by hand."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.metrics.quality import QualityAccumulator, QuestionQuality, reference, self_bleu
from factprobe.metrics.statistics.reservoir import Reservoir
from factprobe.records import Answer, Message, NodeSummary, ObjectNode, Question, Relation, RelationSummary, SubjectNode
from factprobe.templating import Template
from tests.extras import needs
from tests.optional import not_none

pytestmark = needs("sacrebleu")

FROM = Relation("P138", "[X] takes its name from [Y].")
TEMPLATE = Template(FROM, "here")


def asked(subject: str, *answers: str, choices: tuple[str, ...] = (), bare: str = "") -> Question:
    """What a thing takes its name from; an answer's names are divided by a slash."""
    found = tuple(Answer(name, *_label_first(name)) for name in answers)
    statement = None if bare else TEMPLATE.fill(subject, "____", "object")
    name = f"{subject}:{answers[0]}:P138:single_answer:ask_object"
    return Question(
        name,
        "multi_choices" if choices else "single_answer",
        (Message("user", f"Complete: Paris {subject}"),),
        found,
        "P138",
        subject,
        answers[0],
        choices,
        statement=statement,
        bare=bare,
    )


def _label_first(names: str) -> tuple[str, tuple[str, ...]]:
    label, *others = names.split("/")
    return label, tuple(others)


def test_the_relations_own_sentence() -> None:
    nodes = NodeSummary({"o": ObjectNode("Cook", "o", ["s"])}, {"s": SubjectNode("Mount Cook", "s", ["o"])})
    summary = RelationSummary(FROM, nodes)
    bare = Question("s:o:P138:single_answer:ask_object", "single_answer", (), (), "P138", "s", "o", bare="Whose?")
    assert reference(bare, TEMPLATE, summary) == "Mount Cook takes its name from ____."
    assert reference(asked("Ulm", "y"), TEMPLATE, summary) == "Ulm takes its name from ____."


def test_self_bleu_tells_copies_from_strangers() -> None:
    assert self_bleu([]) is self_bleu(["one"]) is None
    same = "the cat sat on the mat today"
    assert self_bleu([same] * 3) == pytest.approx(1)
    different = ["alpha beta gamma delta", "one two three four", "red green blue white"]
    strangers, mixed = not_none(self_bleu(different)), not_none(self_bleu([*different, different[0]]))
    assert strangers < 0.1 < mixed < 0.6


def test_self_bleu_by_hand() -> None:
    """Of five words one differs: precisions 4/5, 3/4, 2/3, 1/2, their geometric mean, no penalty."""
    pair = ["a b c d e", "a b c d f"]
    assert self_bleu(pair) == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)


def row(questions: Sequence[Question]) -> QuestionQuality:
    gathered = QualityAccumulator(10, Random(0))
    for question in questions:
        gathered.add(question, "x takes its name from ____.")
    return gathered.row("kg", "g", "single_answer", lambda pairs: [float(one == other) for one, other in pairs])


def test_a_row_by_hand() -> None:
    found = row([asked("x", "y"), asked("X", "y"), asked("x", "z"), asked("Mount Cook", "Cook"), asked("x y z", "Q")])
    assert (found.questions, found.words, found.shortest, found.longest) == (5, 6, 6, 8)
    assert (found.repeated, found.ambiguous) == (2, 1)  # two more about x, one of them with another answer
    assert (found.leaks, found.leaks_by_subject) == (1, 1)
    assert found.similarity == 2 / 5
    assert found.self_bleu is not None


def test_options_tell_questions_apart_in_any_order() -> None:
    options = [
        asked("x", "a", choices=("a", "b")),
        asked("x", "a", choices=("b", "a")),
        asked("x", "a", choices=("a",)),
    ]
    assert row(options).repeated == 1


@given(st.integers(0, 8), st.lists(st.integers(), max_size=30))
def test_a_reservoir_keeps_some_of_what_it_is_given(size: int, things: list[int]) -> None:
    reservoir: Reservoir[int] = Reservoir(size, Random(1))
    for thing in things:
        before = [*reservoir.items]
        assert reservoir.add(thing) or reservoir.items == before
    assert reservoir.seen == len(things)
    assert len(reservoir.items) == min(size, len(things))
    assert all(reservoir.items.count(thing) <= things.count(thing) for thing in reservoir.items)
