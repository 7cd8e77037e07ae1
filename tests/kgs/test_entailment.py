"""What OWL declares of entities and relations: the same entity, and facts in the other direction."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

import factprobe
from factprobe.checkers.graph import GraphChecker, GraphCheckerSettings
from factprobe.extractors.triplets import TripletExtractor
from factprobe.kgs.rdf.rdf_graph import Rdf
from factprobe.kgs.summaries import summarise_relation
from factprobe.records import Claim, ClaimedText, Item, RelationSummary, Response
from factprobe.storage import Layout, read_json
from tests.kgs.test_rdf import every, names, opened

pyoxigraph = pytest.importorskip("pyoxigraph")
pytest.importorskip("duckdb")

PREFIXES = """
@prefix : <http://x/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""
SAME = """
:Urbs rdfs:label "Eternal City" ; owl:sameAs :Rome . :Roma skos:altLabel "Roma" ; owl:sameAs :Urbs , <http://y/Q220> .
:Rome rdfs:label "Rome" . :Paris rdfs:label "Paris" ; owl:sameAs :Old .
:Old owl:deprecated true ; rdfs:label "Lutetia" .
:A rdfs:label "Ann" ; :born :Rome . :B rdfs:label "Ben" ; :born :Urbs , :Rome . :C rdfs:label "Cy" ; :born :Roma .
:D rdfs:label "Di" ; :born :Paris . :Roma :lies_in :Italy . :Italy rdfs:label "Italy" .
"""


def graph(path: Path, text: str, ending: str = "ttl") -> Rdf:
    format_ = pyoxigraph.RdfFormat.from_extension(ending)
    quads = pyoxigraph.parse(PREFIXES + text, format=pyoxigraph.RdfFormat.TURTLE)
    pyoxigraph.serialize((quad.triple for quad in quads), str(path / f"g.{ending}"), format=format_)
    return opened(path / f"g.{ending}")


@pytest.mark.parametrize("ending", ["ttl", "nt"])
def test_equal_entities_are_one(tmp_path: Path, ending: str, caplog: pytest.LogCaptureFixture) -> None:
    facts = every(graph(tmp_path, SAME, ending))
    assert {fact.relation_info.relation for fact in facts} == {"born", "lies_in"}
    born = [(fact.subject_label, fact.object_uri, fact.object.names()) for fact in facts[:-1]]
    rome = ("http://x/Rome", ("Rome", "Eternal City", "Roma"))
    assert dict.fromkeys(born) == dict.fromkeys([("Ann", *rome), ("Ben", *rome), ("Cy", *rome), born[-1]])
    assert born[-1] == ("Di", "http://x/Paris", ("Paris",))  # an obsolete entity is not joined
    assert facts[-1].subject_uri == "http://x/Rome"
    assert "no label" not in caplog.text


@pytest.mark.parametrize("lang", ["*", ("*",), ()])
def test_equal_entities_keep_names_in_all_languages(tmp_path: Path, lang: str | tuple[str, ...]) -> None:
    text = """:a rdfs:label "Ann"@en ; :born :Rome . :Rome rdfs:label "Rome"@en , "Rom"@de ; owl:sameAs :Roma .
    :Roma rdfs:label "Roma"@it ; skos:altLabel "Urbe"@it ."""
    graph(tmp_path, text)
    [fact] = every(opened(tmp_path / "g.ttl", lang=lang))
    assert {*fact.object.names()} == {"Rome", "Rom", "Roma", "Urbe"}


def test_equal_relations_keep_their_names(tmp_path: Path) -> None:
    [fact] = every(
        graph(tmp_path, ':a rdfs:label "A" ; :p :b . :b rdfs:label "B" . :p rdfs:label "is" ; owl:sameAs :q .')
    )
    assert fact.relation_info.label == "is"


BORDERS = """
:borders a owl:SymmetricProperty . :a rdfs:label "A" ; :borders :b . :b rdfs:label "B" ; :borders :c , :b , :a .
:c rdfs:label "C" ; :likes :a .
"""
PARENTS = """
:parent owl:inverseOf :child . :child owl:inverseOf :parent , :unknown .
:a rdfs:label "A" ; :parent :b . :b rdfs:label "B" ; :child :a , :c . :c rdfs:label "C" .
"""
HELD = [
    (BORDERS, "borders AB BC BB BA CB likes CA"),
    (BORDERS.replace("owl:Symmetric", ":Symmetric"), "borders AB BC BB BA likes CA"),
    (PARENTS, "parent AB CB child BA BC"),
    (PARENTS.replace("owl:inverseOf", "owl:equivalentProperty"), "parent AB BA BC child BA BC AB"),
    (f"{PARENTS} :parent a owl:SymmetricProperty .", "parent AB BA CB BC child BA BC AB CB"),
    (BORDERS + ":likes rdfs:subPropertyOf :borders .", "borders AB BC BB BA CB CA AC likes CA"),
]


@pytest.mark.parametrize(("text", "held"), HELD)
def test_declared_relations_hold_in_the_other_direction(tmp_path: Path, text: str, held: str) -> None:
    found: dict[str, list[str]] = {}
    for relation, subject, object_ in names(graph(tmp_path, text)):
        found.setdefault(relation, []).append(subject + object_)
    assert " ".join(word for relation, pairs in found.items() for word in (relation, *pairs)) == held


TRANSITIVE = """
:a rdfs:label "A" ; rdfs:subClassOf :b ; skos:broader :b ; :in :b ; :near :b ; :at :b ; :within :b .
:b rdfs:label "B" ; :holds :a ; :has :a . :in a owl:TransitiveProperty ; rdfs:subPropertyOf :near .
:holds owl:inverseOf :in ; owl:equivalentProperty :has . :at owl:inverseOf :has .
"""


def test_declared_transitive_relations(tmp_path: Path) -> None:
    found = {relation.relation: relation.transitive for relation in graph(tmp_path, TRANSITIVE).load_relations()}
    names = ("subClassOf", "broader", "in", "holds", "has", "at")
    assert found == {**dict.fromkeys(names, True), "near": UNSET, "within": UNSET}


SCHEMA = """
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
:in a owl:ObjectProperty ; rdfs:label "in" ; owl:inverseOf :has ; rdfs:domain :Place ; :like :at ; :creator :a .
:has rdfs:label "has" . :at rdfs:label "at" ; a rdf:Property . :Place rdfs:label "place" ; a owl:Class ; :like :in .
owl:Class rdfs:label "class" . :a rdfs:label "A" ; :in :b ; a :Place ; rdfs:seeAlso :b ; :like :b ; :size 3 .
:b rdfs:label "B" . :Town rdfs:label "town" ; rdfs:subClassOf :Place , owl:Thing ; owl:disjointWith :Thing .
:Thing rdfs:label "thing" . :in rdf:value 1 .
"""


def test_schema_is_not_asked_about(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kg = graph(tmp_path, SCHEMA)
    assert names(kg) == [("in", "A", "B"), ("like", "A", "B"), ("subClassOf", "town", "place")]
    [dropped] = [line for line in caplog.messages if "facts about properties" in line]
    assert dropped.endswith("inverseOf (1), domain (1), like (2), creator (1), subClassOf (1), value (1)")
    [skipped] = [line for line in caplog.messages if "kg.predicates" in line]
    assert "seeAlso (1 facts), disjointWith (1 facts)" in skipped
    assert "no label" not in caplog.text
    chosen = opened(tmp_path / "g.ttl", predicates=("rdf:type", "owl:disjointWith"))
    assert names(chosen) == [("type", "A", "place"), ("disjointWith", "town", "thing")]


KINDS = """
:dog rdfs:label "dog" ; rdfs:subClassOf :mammal , :pet . :mammal rdfs:label "mammal" ; rdfs:subClassOf :animal .
:pet rdfs:label "pet" . :animal rdfs:label "animal" . :cat rdfs:label "cat" ; rdfs:subClassOf :mammal .
:snake rdfs:label "snake" ; rdfs:subClassOf :animal . :rock rdfs:label "rock" ; rdfs:subClassOf :thing .
:thing rdfs:label "thing" . :Rex rdfs:label "Rex" ; a :cat . :Tom rdfs:label "Tom" ; a :mammal .
:Kaa rdfs:label "Kaa" ; a :snake . :Peter rdfs:label "Peter" ; a :rock , :thing . :Ayers rdfs:label "Ayers" ; a :rock .
"""


def graded(path: Path, predicate: str, replies: dict[str, str]) -> list[tuple[str, int, int]]:
    """The grades of replies by statement, in their order."""
    graph(path, KINDS)
    kg = factprobe.load_kg("rdf", source=str(path / "g.ttl"), store=str(path / "sorted"), predicates=(predicate,))
    asked = factprobe.make_questions(kg, question_types=["single_answer", "multiple_answer"], ask="both")
    chosen = [question for question in asked if question.statement and question.statement.text in replies]
    assert {one.statement.text for one in chosen if one.statement} == replies.keys()
    told = [Response(one.question_id, replies[one.statement.text], None, None, None) for one in chosen if one.statement]
    grades = factprobe.grade_responses(kg, chosen, told)
    found = {one.statement.text: grade for one, grade in zip(chosen, grades, strict=True) if one.statement}
    return [(grade.verdict, grade.false_positives, grade.false_negatives) for grade in map(found.get, replies) if grade]


def test_classes_above_a_class_are_right_but_not_asked_for(tmp_path: Path) -> None:
    replies = {
        "cat, sub class of: ____.": "animal",
        "snake, sub class of: ____.": "mammal",
        "dog, sub class of: ____.": "mammal, pet, animal",
        "____, sub class of: mammal.": "dog, cat, snake",
        "____, sub class of: animal.": "snake, mammal, cat",
    }
    assert graded(tmp_path, "rdfs:subClassOf", replies) == [
        ("correct", 0, 0),
        ("incorrect", 1, 1),
        ("correct", 0, 0),
        ("incorrect", 1, 0),
        ("correct", 0, 0),
    ]
    replies = {
        "Rex, type: ____.": "An animal.",
        "Kaa, type: ____.": "mammal",
        "____, type: mammal.": "Rex",
        "Peter, type: ____.": "rock, thing, animal",
        "____, type: rock.": "Peter, Ayers",
        "____, type: thing.": "Ayers",
    }
    assert graded(tmp_path, "rdf:type", replies) == [
        ("correct", 0, 0),
        ("incorrect", 1, 1),
        ("correct", 0, 0),
        ("incorrect", 1, 0),
        ("correct", 0, 0),
        ("correct", 0, 0),
    ]


@pytest.mark.parametrize("columns", [True, False])
def test_classes_above_a_class_are_no_wrong_answers(
    tmp_path: Path, columns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph(tmp_path, KINDS)
    kg = opened(tmp_path / "g.ttl", predicates="rdf:type")
    if not columns:
        monkeypatch.setattr(Rdf, "columns", lambda *_: None)
    [relation] = kg.load_relations()
    layout = Layout(tmp_path / "out")
    TripletExtractor(kg).extract_relation(relation, None, layout)
    summary = read_json(layout.summary("type"), RelationSummary)
    assert summary == replace(summarise_relation(kg, relation), relation_info=summary.relation_info)
    names = [f"http://x/{name}" for name in ("cat", "mammal", "animal")]
    assert summary.entailed("http://x/Rex", "subject") == names
    assert summary.entailed("http://x/mammal", "object") == ["http://x/Tom", "http://x/Rex"]
    made = factprobe.make_questions(kg, ask="both", question_types=["multi_choices", "binary_answer"])
    pairs = {("Rex", "mammal"), ("Tom", "animal"), ("Kaa", "animal"), ("Ayers", "thing")}
    for question in made:
        assert question.statement is not None
        if question.answers == "incorrect":
            assert not any(question.statement.text == f"{one}, type: {kind}." for one, kind in pairs)
        for one, kind in pairs:
            assert not (question.statement.text == f"{one}, type: ____." and kind in question.choices)
            assert not (question.statement.text == f"____, type: {kind}." and one in question.choices)
    assert made


def test_what_facts_lead_to_is_entailed(tmp_path: Path) -> None:
    graph(tmp_path, KINDS)
    kg = opened(tmp_path / "g.ttl", predicates=("rdf:type", "rdfs:subClassOf"))
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    checker.graph = lambda: [summarise_relation(kg, relation) for relation in kg.load_relations()]
    claims = tuple(Claim(parts) for parts in (("Rex", "type", "animal"), ("cat", "subClassOf", "animal")))
    [verdicts] = checker.check([ClaimedText(Item("1", ""), claims)])
    assert [verdict.label for verdict in verdicts] == ["Entailment", "Entailment"]
