"""The cues of a graph's relations in the words of a sentence."""

from __future__ import annotations

from factprobe.claims.sentence import tokens
from factprobe.claims.wordings import BETWEEN, LearnedCue, LearnedRelation, RelationCues, shipped_model
from tests.claims.graphs import BORN, FACTS
from tests.tables import for_each_row

WORDINGS = RelationCues(FACTS)


def keys(text: str) -> tuple[str, ...]:
    return tuple(key if key != "x" else "@" for key, _, _ in tokens(text))


@for_each_row(
    ("text", "relation"),
    [("X was born in X", "P19"), ("X is the birthplace of X", "P19"), ("X borders X", "P47"), ("X wrote X", "P50")],
)
def test_wordings_are_found_by_their_words(text: str, relation: str) -> None:
    assert relation in WORDINGS.find(keys(text)).relations


def test_other_words_are_no_cue() -> None:
    assert WORDINGS.find(keys("X saw X")).relations == ()


def test_learned_cues_count_for_the_relation_of_their_id_or_label() -> None:
    cue = LearnedCue(("left",), BETWEEN, True)
    for one in (LearnedRelation("P19", "", (cue,)), LearnedRelation("other", "place of birth", (cue,))):
        found = RelationCues([BORN], [one]).find(keys("X left X"))
        assert found.relations == ("P19",)


def test_relations_are_called_by_id_and_label() -> None:
    assert WORDINGS.called("Place of Birth") == WORDINGS.called("P19") == ["P19"]


def test_the_shipped_cues_are_of_well_known_relations() -> None:
    assert {"P19", "P27", "P159"} <= {one.id for one in shipped_model().relations}
