"""Cues that are learned from the sentences of a graph."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.reader import ClaimReader
from factprobe.claims.by_graph.wordings import learn_cues
from factprobe.kgs.summaries import Facts
from factprobe.records import Entity, Evidence, Relation, RelationSummary, Triplet
from tests.claims.graphs import summary

TRAINED = Relation("R1", "[X] is trained at [Y].", "alma mater of choice", type="N-M")
PEOPLE = [Entity(f"P{i}", f"{name} Doe") for i, name in enumerate(("Ann", "Bob", "Cid", "Dan", "Eve", "Fay"))]
SCHOOLS = [Entity(f"S{i}", name) for i, name in enumerate(("Oxford", "Yale", "Delft", "Lund", "Graz", "Pisa"))]
PAIRS = list(zip(PEOPLE, SCHOOLS, strict=True))
SENTENCES = tuple(
    f"{one.label} enrolled in {other.label}, and {PEOPLE[5 - i].label} never saw {SCHOOLS[(i + 2) % 6].label}."
    for i, (one, other) in enumerate(PAIRS[:5])
)


def graph(sentences: tuple[str, ...]) -> GraphFacts:
    lived = summary(Relation("R2", "[X] dwells in [Y].", "dwelling"), [(PEOPLE[0], Entity("T", "Rome"))])
    return GraphFacts([replace(summary(TRAINED, PAIRS), sentences=sentences), lived])


def said(facts: GraphFacts, text: str) -> list[tuple[str, ...]]:
    return [claim.parts for claim in ClaimReader(facts, ()).claims(text, 0.3)]


def test_words_of_the_sentences_become_cues_of_the_relation() -> None:
    text = "Fay Doe enrolled in Graz in her youth."
    assert said(graph(()), text) == []
    assert said(graph(SENTENCES), text) == [("Fay Doe", TRAINED.label, "Graz")]


def test_words_around_other_pairs_of_the_sentences_are_no_cues() -> None:
    assert said(graph(SENTENCES), "Fay Doe never saw Graz.") == []


def test_what_two_sentences_say_is_no_cue() -> None:
    reader = ClaimReader(graph(()), ())
    found = learn_cues(reader.facts, [one for text in SENTENCES[:2] for one in reader.sentences(text)], ["R1"])
    assert [one.cues for one in found] == [()]


def test_evidences_of_a_source_are_the_sentences_of_a_summary() -> None:
    evidences = (
        Evidence("Ann saw [MASK].", object_surface="Rome", judgments=("no", "no")),
        Evidence("Ann is at [MASK].", object_surface="Oxford"),
    )
    fact = Triplet("Ann Doe", "Oxford", "S0", "P0", TRAINED, evidences=evidences)
    assert not evidences[1].is_doubted()
    assert [one.filled_sentence() for one in evidences] == [
        ("Ann saw Rome.", [(8, 12)]),
        ("Ann is at Oxford.", [(10, 16)]),
    ]
    assert isinstance(Facts([fact]).summary(TRAINED), RelationSummary)
