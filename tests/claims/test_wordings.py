"""The cues of a graph's relations in the words of a sentence."""

from __future__ import annotations

from factprobe.claims.by_graph.pairs import BETWEEN, RelationCues
from factprobe.claims.by_graph.sentence import tokens
from factprobe.claims.by_graph.wordings import LearnedCue, LearnedRelation, cues_of, shipped_model, wordings_of
from factprobe.records import Relation
from tests.claims.graphs import BORN, FACTS
from tests.tables import for_each_row

CUES = RelationCues(cue for relation in FACTS for cue in cues_of(relation, ()))


def found(text: str, index: RelationCues = CUES) -> set[str]:
    """Return the relations of the cues in a text in which each x is a mention."""
    matches = index.find(tuple(key if key != "x" else "@" for key, _, _ in tokens(text)))
    return {match.cue.relation for match in matches}


@for_each_row(
    ("text", "relation"),
    [("X was born in X", "P19"), ("X is the birthplace of X", "P19"), ("X borders X", "P47"), ("X wrote X", "P50")],
)
def test_wordings_are_found_by_their_words(text: str, relation: str) -> None:
    assert relation in found(text)


def test_a_relation_without_a_template_has_the_preposition_of_its_label() -> None:
    cues = cues_of(Relation("P157", "", "killed by"), ())
    assert {cue.preposition for cue in cues if cue.wording is None} == {"by"}


def test_common_wordings_are_of_a_label_in_any_case() -> None:
    said = {*wordings_of(Relation("own", "", "Place of Birth"))} - {*wordings_of(Relation("own", "", "xyz"))}
    assert "[X] was born in [Y]" in said


def test_other_words_are_no_cue() -> None:
    assert found("X saw X") == set()


def test_learned_cues_count_for_the_relation_of_their_id_or_label() -> None:
    cue = LearnedCue(("left",), BETWEEN, True)
    for one in (LearnedRelation("P19", "", (cue,)), LearnedRelation("other", "place of birth", (cue,))):
        assert found("X left X", RelationCues(cues_of(BORN, [one]))) == {"P19"}


def test_the_shipped_cues_are_of_well_known_relations() -> None:
    assert {"P19", "P27", "P159"} <= {one.id for one in shipped_model().relations}
