"""LAMA's layout: every key of T-REx's and Google-RE's lines is kept, and `relations.jsonl` is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from factprobe.kgs import kgs
from factprobe.records import Evidence, Relation, Triplet
from tests.kgs.layouts import GOOGLE_RE, TREX, lines, open_graph, trex_fact


def test_trex_relations(tmp_path: Path) -> None:
    kg = TREX.build("trex", tmp_path)
    p19, p101, p530 = kg.load_relations()
    assert p19 == Relation("P19", "[X] was born in [Y] .", "place of birth", "the town", "N-1")
    assert p101 == Relation("P101", "[X] works in the field of [Y] .", "field of work", "", "N-M")
    assert p530 == Relation("P530", "[X] keeps ties with [Y] .")
    assert [kg.get_relation_type(relation) for relation in (p19, p101, p530)] == ["N-1", "N-M", None]
    assert kg.sources["P101"] == f"{tmp_path / 'relations.jsonl'}:2"
    assert kg.sources["P530"] == f"{tmp_path / 'relations.jsonl'}:5"


def test_trex_fact_keeps_aliases_and_evidences(tmp_path: Path) -> None:
    kg = TREX.build("trex", tmp_path)
    first, second, again = kg.triplets("P19")
    assert first == Triplet(
        "Ada Lovelace",
        "London",
        "Q84",
        "Q7259",
        next(iter(kg.load_relations())),
        subject_aliases=("Ada King",),
        object_aliases=("Londinium", "LDN"),
        evidences=(
            Evidence("Ada was born in [MASK].", subject_surface="Ada", object_surface="London"),
            Evidence("In [MASK] she was born.", subject_surface="she", object_surface="town"),
        ),
    )
    assert (second.evidences, second.subject_aliases) == ((), ())
    assert again.subject_aliases == ("Augusta Ada King",)


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ({"sub_uri": ""}, "sub_uri (or sub) is missing or empty"),
        ({"obj_uri": ""}, "obj_uri (or obj) is missing or empty"),
        ({"sub_uri": "", "obj_uri": ""}, "sub_uri (or sub) is missing or empty"),
    ],
)
def test_missing_uri_is_reported(tmp_path: Path, uri: dict[str, str], message: str) -> None:
    content = lines(trex_fact("Q1", "one", "Q2", "two") | uri)
    kg = open_graph("trex", tmp_path, TREX.files | {"P19.jsonl": content})
    assert list(kg.triplets("P19")) == []
    assert kg.problems.messages[-1] == f"{tmp_path / 'P19.jsonl'}:1: broken line: {message}"


def test_google_re_fact_keeps_aliases_passage_judgments_and_every_sentence(tmp_path: Path) -> None:
    kg = GOOGLE_RE.build("google_re", tmp_path)
    (fact,) = kg.triplets("place_of_birth")
    url, snippet = "http://en.wikipedia.org/wiki/Ada_Lovelace", "Ada was born in London. She was London's own."
    assert fact == Triplet(
        "Ada Lovelace",
        "London",
        "/m/04jpl",
        "/m/0cw4l",
        Relation("place_of_birth", "[X] was born in [Y] .", "place of birth", "", "N-1"),
        subject_aliases=("Ada King",),
        object_aliases=("LDN", "\U0001f1ec\U0001f1e7"),
        evidences=(
            Evidence("Ada was born in [MASK] .", "Ada was born in London .", "", "", snippet, url, ("yes", "no")),
            Evidence("She was [MASK] 's own .", "She was London's own .", "", "", snippet, url, ("yes", "no")),
        ),
    )


def test_google_re_with_more_masked_sentences_than_sentences(tmp_path: Path) -> None:
    line = {
        "sub": "/m/1",
        "sub_label": "a",
        "obj": "/m/2",
        "obj_label": "b",
        "masked_sentences": ["x [MASK]", "y [MASK]"],
    }
    passage = {"considered_sentences": ["x b"]}
    content = lines(line | {"evidences": [passage]}, line)
    kg = open_graph("google_re", tmp_path, GOOGLE_RE.files | {"place_of_birth_test.jsonl": content})
    one, none = kg.triplets("place_of_birth")
    assert one.evidences == (Evidence("x [MASK]", "x b"), Evidence("y [MASK]"))
    assert none.evidences == (Evidence("x [MASK]"), Evidence("y [MASK]"))


def test_relations_file_may_lie_in_the_folder_above(tmp_path: Path) -> None:
    files = {f"TREx/{name}" if name != "relations.jsonl" else name: content for name, content in TREX.files.items()}
    open_graph("trex", tmp_path, files)
    kg = kgs.get("trex")(tmp_path / "TREx", "trex")
    assert [relation.relation for relation in kg.load_relations()] == ["P19", "P101", "P530"]
    assert len(list(kg.triplets("P19"))) == 3
    assert kg.sources["P19"] == f"{tmp_path / 'relations.jsonl'}:1"


@pytest.mark.parametrize("folder", [".", "../TREx"])
def test_relations_file_above_a_folder_that_is_named_from_here(
    tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "TREx").mkdir()
    (tmp_path / "relations.jsonl").write_text(TREX.files["relations.jsonl"], encoding="utf-8")
    monkeypatch.chdir(tmp_path / "TREx")
    assert len(list(kgs.get("trex")(Path(folder), "trex").load_relations())) == 3


def test_own_relations_file_goes_before_the_one_above(tmp_path: Path) -> None:
    other = lines({"relation": "P36", "template": "[X] [Y]"})
    open_graph("trex", tmp_path, {"relations.jsonl": other, "TREx/relations.jsonl": TREX.files["relations.jsonl"]})
    kg = kgs.get("trex")(tmp_path / "TREx", "trex")
    assert [relation.relation for relation in kg.load_relations()] == ["P19", "P101", "P530"]
