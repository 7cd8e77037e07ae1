"""What every question promises, over random graphs; the facts alone say what is right, never the generator's code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from hypothesis import example, given
from hypothesis import strategies as st

from factprobe.generators.questioner import NAMES_ANSWER, NO_CANDIDATE, NO_LABEL, UNNAMED_ANSWER
from factprobe.generators.wording.same_values import other_forms, value_names
from factprobe.question_types import NONE_OF_THESE, QUESTION_TYPES, End
from factprobe.records import Entity, Question
from tests.generators.graphs import NONE, SETTINGS, Graph, folded, graphs, make, norm
from tests.generators.graphs import graph as graph_of

FALSE = {"binary_obj_incorrect": "object", "binary_sub_incorrect": "subject"}
DEFAULTS = {"ask": "object", "options": 3, "negatives": "near", "none_of_these": False, "balanced": False}
ALIASED = Graph(
    {"Q1": Entity("Q1", "Ulm", ("OE",)), "Q2": Entity("Q2", "Ö"), "Q3": Entity("Q3", "Paris")},
    (("Q1", "Q1"), ("Q1", "Q2"), ("Q3", "Q3")),
)
OBJECT_FORMS = {"ask_object", "binary_correct", "binary_obj_incorrect", "multi_choices_obj"}


class Asked(NamedTuple):
    """What one question is about, by the facts."""

    known: str
    right: str
    answers: list[str]
    side: list[str]
    true: list[str]
    """The answers, those that hold for another entity of the same name or value, and those the other way round where
    most do."""
    namesakes: list[str]
    """The entity that is asked about, and every other of its side that bears its label, if only as an alias."""


def asked(graph: Graph, subject: str, object_: str, form: str) -> Asked:
    about_object = form in OBJECT_FORMS
    facts = graph.facts if about_object else tuple((o, s) for s, o in graph.facts)
    known, right = (subject, object_) if about_object else (object_, subject)
    key = norm(graph.named(known).label)
    pairs = [fact for fact in facts if fact[0] != fact[1]]
    both_ways = sum(pair[::-1] in pairs for pair in pairs)
    given = {asked_about for asked_about, _ in facts}
    reverse = [fact[::-1] for fact in facts if fact[1] in given]  # the others are at the other end alone
    told = facts if both_ways < 3 or 2 * both_ways < len(pairs) else (*facts, *reverse)
    side = list(dict.fromkeys(found for _, found in facts))
    namesake_values = [value_names(graph.named(one).label) for one in given if key in names(graph.named(one))]

    def may_be(one: str) -> bool:
        values = value_names(graph.named(one).label)
        return any(alike(values, others) for others in namesake_values)

    true = [one for known_, one in told if key in names(graph.named(known_)) or may_be(known_)]
    value = value_names(graph.named(known).label)[:1]
    answers = list(dict.fromkeys(found for one, found in told if one == known))
    for one, found in told:
        said = value_names(graph.named(one).label)
        if value and value[0] in (said[:1] if about_object else said) and found not in answers:
            answers.append(found)
    namesakes = [asked_about for asked_about, _ in facts if key in names(graph.named(asked_about))]
    return Asked(known, right, answers, side, true, namesakes)


def about(graph: Graph, question: Question) -> Asked:
    return asked(graph, question.subject_uri, question.object_uri, question.form)


def names(entity: Entity) -> set[str]:
    return {norm(entity.label), *(norm(alias) for alias in entity.aliases if alias.strip())}


def true_names(graph: Graph, uris: Iterable[str]) -> set[str]:
    return {name for uri in uris for name in names(graph.named(uri))}


def clash(first: Entity, second: Entity) -> bool:
    values = value_names(first.label), value_names(second.label)
    return norm(first.label) in names(second) or norm(second.label) in names(first) or alike(*values)


def alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return bool(one and other) and (one[0] in other or other[0] in one)


def spelt_alike(first: Entity, second: Entity) -> bool:
    """Return whether some spelling of a label equals another name or its spelling: Ö, OE."""
    one, other = ({norm(entity.label), *other_forms(entity.label)} for entity in (first, second))
    return not (one.isdisjoint(other | names(second)) and other.isdisjoint(names(first)))


def free_labels(graph: Graph, target: Asked, beside: Iterable[str] = ()) -> tuple[set[str], set[str]]:
    """Normalised labels that could stand as a false option: those free for certain, and those that may be.

    Of several entities with one label some may be free and some not; then either is a fair choice. So is a label that
    another spelling makes equal to one that is taken.
    """
    taken = [graph.named(uri) for uri in (*target.namesakes, *target.true, *beside)]
    bearers: dict[str, list[Entity]] = {}
    for uri in target.side:
        entity = graph.named(uri)
        if entity.label.strip():
            bearers.setdefault(norm(entity.label), []).append(entity)
    possible = {key for key, named in bearers.items() if not all(_clashes(entity, taken, clash) for entity in named)}
    certain = {key for key in possible if not any(_clashes(one, taken, clash, spelt_alike) for one in bearers[key])}
    return certain, possible


def _clashes(entity: Entity, taken: Iterable[Entity], *tests: Callable[[Entity, Entity], bool]) -> bool:
    return any(test(entity, other) for other in taken for test in tests)


def statement(graph: Graph, subject: str, object_: str) -> str:
    template = graph.relation.template.replace(" .", ".")
    before, _, after = template.partition("[X]")
    if "[Y]" in before:
        left, _, between = before.partition("[Y]")
        return left + object_ + behind(object_, between) + subject + behind(subject, after)
    between, _, right = after.partition("[Y]")
    return before + subject + behind(subject, between) + object_ + behind(object_, right)


def behind(name: str, rest: str) -> str:
    """One full stop is enough for a name that ends in one."""
    return rest.removeprefix(".") if name[-1:] == "." and name[-2:] != ".." else rest


def expected_ids(graph: Graph, ask: str, question_types: Iterable[str], **_: Any) -> Iterator[tuple[str, Asked]]:
    """The id of every question that the facts call for, made or not."""
    escape = str.maketrans({":": "%3A", "%": "%25"})
    relation = graph.relation.relation.translate(escape)
    seen: set[tuple[str, str]] = set()
    for subject, object_ in graph.facts:
        forms = [("binary_answer", "binary_correct")]
        for end, false, choices in (
            ("object", "binary_obj_incorrect", "multi_choices_obj"),
            ("subject", "binary_sub_incorrect", "multi_choices_sub"),
        ):
            if ask not in (end, "both"):
                continue
            forms += [("binary_answer", false), ("multi_choices", choices)]
            target = asked(graph, subject, object_, f"ask_{end}")
            if len(target.answers) == 1:
                forms.append(("single_answer", f"ask_{end}"))
            elif (end, target.known) not in seen:
                seen.add((end, target.known))
                forms.append(("multiple_answer", f"ask_{end}"))
        for kind, form in forms:
            if kind in question_types:
                ends = subject.translate(escape), object_.translate(escape)
                yield ":".join((*ends, relation, kind, form)), asked(graph, subject, object_, form)


@given(graphs(), SETTINGS)
def test_each_question_is_made_or_named_in_the_report_and_none_twice(graph: Graph, chosen: dict[str, Any]) -> None:
    questions, report = make(graph, **chosen)
    refused = [question_id for ids in report.refused.values() for question_id in ids]
    ids = [question.question_id for question in questions] + refused
    assert Counter(ids) == Counter(question_id for question_id, _ in expected_ids(graph, **chosen))
    assert max(Counter(ids).values(), default=1) == 1
    assert Counter(question.question_type for question in questions) == Counter(report.made)


@given(graphs(), SETTINGS)
def test_the_id_says_what_the_record_says(graph: Graph, chosen: dict[str, Any]) -> None:
    for question in make(graph, **chosen).questions:
        subject, object_, relation, kind, form = question.question_id.split(":")
        decoded = [part.replace("%3A", ":").replace("%25", "%") for part in (subject, object_, relation)]
        assert decoded == [question.subject_uri, question.object_uri, question.relation]
        assert (kind, form) == (question.question_type, question.form)
        assert (question.subject_uri, question.object_uri) in graph.facts


@given(graphs(), SETTINGS)
def test_a_question_is_refused_only_for_its_reason(graph: Graph, chosen: dict[str, Any]) -> None:
    made, report = make(graph, **chosen)
    refused = {question_id: reason for reason, ids in report.refused.items() for question_id in ids}
    for question_id, target in expected_ids(graph, **chosen):
        form = question_id.rpartition(":")[2]
        needs_candidate = form in FALSE or form.startswith("multi_choices")
        certain, possible = free_labels(graph, target)
        known, right = (graph.named(uri).label.strip() for uri in (target.known, target.right))
        answers = any(graph.named(uri).label.strip() for uri in target.answers)
        unlabelled = not known or not (answers if form.startswith("ask") else right or form in FALSE)
        is_incomplete = form.startswith("ask") and not all(graph.named(uri).label.strip() for uri in target.answers)
        reason = refused.get(question_id)
        if reason is None:
            assert not unlabelled
            assert not is_incomplete
            assert possible or not needs_candidate
        elif reason == NO_CANDIDATE:
            assert needs_candidate
            assert not certain
        elif reason == UNNAMED_ANSWER:
            assert is_incomplete
            assert not unlabelled
            assert len(target.answers) > 1
        elif reason == NAMES_ANSWER:
            assert form.startswith("ask")
            asked = norm(graph.relation.template.replace("[X]", " ").replace("[Y]", " "))
            names = {norm(name) for uri in (*target.answers, *target.true) for name in graph.named(uri).names()}
            assert any(name in asked or name in graph.relation.template for name in names)  # a name may be a full stop
        else:
            assert reason == NO_LABEL
            assert unlabelled
    assert {question.question_id for question in made}.isdisjoint(refused)


@given(graphs(), st.integers())
def test_a_false_statement_is_false(graph: Graph, seed: int) -> None:
    for question in make(graph, seed, ask="both", question_types=("binary_answer",)).questions:
        target = about(graph, question)
        shown = question.prompts[0].content.removeprefix("Right or wrong? ")
        labels = {uri: folded(graph.named(uri).label) for uri in (*target.side, target.known)}
        if question.form == "binary_correct":
            assert question.answers == "correct"
            assert shown == statement(graph, labels[target.known], labels[target.right])
            continue
        assert question.answers == "incorrect"
        about_object = FALSE[question.form] == "object"
        filled = [
            uri
            for uri in target.side
            if labels[uri]
            and shown
            == (
                statement(graph, labels[target.known], labels[uri])
                if about_object
                else statement(graph, labels[uri], labels[target.known])
            )
        ]
        assert filled, "the statement is about an entity of the relation, by its whole label"
        true = true_names(graph, (*target.true, *target.namesakes))
        assert all(norm(graph.named(uri).label) not in true for uri in filled)


@given(graphs(), SETTINGS, st.integers())
@example(graph_of([("Q1", "Q2"), ("Q3", "Q4"), ("Q5", "Q6")], Q2="Ö", Q4="OE", Q6="Ulm"), DEFAULTS, 0)
@example(ALIASED, DEFAULTS, 0)
def test_options_are_distinct_and_one_of_them_is_right(graph: Graph, chosen: dict[str, Any], seed: int) -> None:
    for question in make(graph, seed, **{**chosen, "question_types": ("multi_choices",)}).questions:
        target = about(graph, question)
        right = graph.named(target.right)
        assert not isinstance(question.answers, str)
        (answer,) = question.answers
        entities = question.choices[:-1] if question.none else question.choices
        is_there = answer.uri != NONE_OF_THESE
        if is_there:
            assert (answer.uri, answer.label, answer.aliases) == (right.uri, right.label, right.aliases)
        else:
            assert (answer.label, question.choices[-1]) == (question.none, NONE)
        assert bool(question.none) == chosen["none_of_these"]
        assert entities.count(right.label) == is_there
        assert 2 <= len(question.choices) <= chosen["options"] + chosen["none_of_these"]
        keys = [norm(choice) for choice in question.choices]
        assert len(set(keys)) == len(keys)
        true = true_names(graph, (*target.true, *target.namesakes))
        for choice, key in zip(entities, keys, strict=False):
            if choice != right.label:
                assert key not in true
                assert any(graph.named(uri).label == choice for uri in target.side)
        if len(entities) < chosen["options"] and not (question.none and is_there):
            shown = [uri for uri in target.side if norm(graph.named(uri).label) in keys]
            assert not free_labels(graph, target, shown)[0], "another false option was there to be shown"


@given(graphs(), st.sampled_from(["object", "subject", "both"]))
def test_short_answers_are_asked_for_one_by_one_or_all_together(graph: Graph, ask: str) -> None:
    made = make(graph, ask=ask, question_types=("single_answer", "multiple_answer"))
    together: Counter[tuple[str, str]] = Counter()
    for question in made.questions:
        target = about(graph, question)
        assert (question.question_type == "single_answer") == (len(target.answers) == 1)
        assert not isinstance(question.answers, str)
        assert all(graph.named(uri).label.strip() for uri in target.answers), "a list lacks no answer"
        given_ = [answer.uri for answer in question.answers]
        right = {*target.answers, *(target.true if question.question_type == "single_answer" else ())}
        assert set(target.answers) <= set(given_) <= right
        assert len(set(given_)) == len(given_)
        for answer in question.answers:
            entity = graph.named(answer.uri)
            assert (answer.label, answer.aliases) == (entity.label, entity.aliases)
        together[question.form, target.known] += 1
        label = folded(graph.named(target.known).label)
        ends = (label, "____") if question.form == "ask_object" else ("____", label)
        assert question.prompts[0].content.partition(": ")[2] == statement(graph, *ends)
    assert max(together.values(), default=1) == 1


@given(graphs())
def test_choices_are_shown_as_they_are_recorded(graph: Graph) -> None:
    for question in make(graph, ask="both", question_types=("multi_choices",), blank="{choices}").questions:
        target = about(graph, question)
        label = folded(graph.named(target.known).label)
        ends = (label, "{choices}") if question.form == "multi_choices_obj" else ("{choices}", label)
        lines = [f"{'ABCD'[i]}) {folded(choice)}" for i, choice in enumerate(question.choices)]
        assert question.prompts[0].content == "\n".join([f"Choose: {statement(graph, *ends)}", *lines])


@given(graphs(), SETTINGS)
def test_what_is_asked_stands_in_the_question_as_data(graph: Graph, chosen: dict[str, Any]) -> None:
    for question in make(graph, **chosen).questions:
        target, said = about(graph, question), question.statement
        assert said is not None
        assert said.text in question.prompts[0].content
        given: End = "subject" if question.sought == "object" else "object"
        assert said.at(given) == folded(graph.named(target.known).label)
        if question.question_type == "binary_answer":
            assert (said.blank, said.at(question.sought)) == ("", folded(graph.named(question.shown).label))
            assert (question.shown in target.answers) == (question.answers == "correct")
        else:
            assert (said.blank, said.at(question.sought), question.shown) == (question.sought, "____", "")


@given(graphs(), SETTINGS, SETTINGS, st.none() | st.integers(0, 30), st.integers(0, 9))
def test_a_question_does_not_depend_on_what_else_is_asked(
    graph: Graph, some: dict[str, Any], others: dict[str, Any], limit: int | None, seed: int
) -> None:
    drawing = {name: some[name] for name in ("options", "negatives", "none_of_these", "balanced")}
    others.update(drawing)
    first, second = make(graph, seed, **some).by_id(), make(graph, seed, limit, **others).by_id()
    for question_id in first.keys() & second.keys():
        assert first[question_id] == second[question_id]
    everything = make(graph, seed, ask="both", question_types=QUESTION_TYPES, **drawing).by_id()
    assert first.items() <= everything.items()


@given(graphs(), SETTINGS, st.integers(0, 30))
def test_limit_takes_the_first_triplets(graph: Graph, chosen: dict[str, Any], limit: int) -> None:
    everything, limited = make(graph, **chosen), make(graph, limit=limit, **chosen)
    first = set(graph.facts[:limit])
    wanted = [question for question in everything.questions if (question.subject_uri, question.object_uri) in first]
    assert limited.questions == wanted


@given(graphs(), st.integers())
def test_the_same_seed_makes_the_same_questions(graph: Graph, seed: int) -> None:
    assert make(graph, seed, ask="both") == make(graph, seed, ask="both")
