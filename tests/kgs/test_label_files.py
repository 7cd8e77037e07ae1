"""Files of names in the forms in which graphs are published, and those that do not belong to the facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from factprobe.errors import DataError
from factprobe.kgs.tables.column_names import ColumnNames
from tests.kgs.test_tables import every, opened

BARE = "Q142\tP36\tQ90\n"
NAMES = {
    "names.csv": "id,label\nQ142,France\nQ90,Paris\n",
    "entity2text.txt": "Q142\tFrance\nQ90\tParis\n",
    "definitions.txt": "Q142\tFrance\ta country of Europe\nQ90\tParis\tits seat of government\n",
    "names.json": json.dumps({"Q142": "France", "Q90": "Paris"}),
    "lists.json": json.dumps({"Q142": ["France"], "Q90": ["Paris"]}, indent=1),
    "entities.json": json.dumps({"Q142": {"label": "France", "wiki": None}, "Q90": {"label": "Paris"}}),
    "records.jsonl": '{"id": "Q142", "label": "France"}\n{"id": "Q90", "label": "Paris"}\n',
    "query.csv": (
        "item,itemLabel\nhttp://www.wikidata.org/entity/Q142,France\nhttp://www.wikidata.org/entity/Q90,Paris\n"
    ),
    "curies.tsv": "id\tname\nwd:Q142\tFrance\nwd:Q90\tParis\n",
    "nodes.csv": 'qid:ID(Place),name:string,population:int,:LABEL\nQ142,France,68,"Place;State"\nQ90,Paris,2,Place\n',
    "hetionet.tsv": "id\tname\tkind\nQ142\tFrance\tCountry\nQ90\tParis\tCity\n",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_as_graphs_are_published(tmp_path: Path, name: str) -> None:
    (tmp_path / "facts.txt").write_text(BARE)
    (tmp_path / name).write_text(NAMES[name])
    kg = opened(tmp_path / "facts.txt", labels=str(tmp_path / name))
    [fact] = every(kg)
    assert (fact.subject_label, fact.object_label) == ("France", "Paris")
    assert (fact.subject_aliases, fact.object_aliases) == ((), ())
    assert kg.problems.messages == []


def test_code_in_place_of_a_missing_label_is_no_name(tmp_path: Path) -> None:
    """Wikidata's query service gives the id as label where an entity has none, and joins other labels with commas."""
    (tmp_path / "facts.csv").write_text(
        "subject,subjectLabel,relation,object,objectLabel\nQ17,Japan,P36,Q1490,Tokyo\nQ419,Peru,P36,Q2868,Q2868\n"
    )
    text = 'item,itemLabel,itemAltLabel\nQ1490,Tokyo,"Edo, Tokyo Metropolis"\nQ2868,Q2868,\nQ419,Peru,\n'
    (tmp_path / "names.csv").write_text(text)
    found = every(opened(tmp_path / "facts.csv", labels=str(tmp_path / "names.csv")))
    assert [fact.object_label for fact in found] == ["Tokyo", ""]
    assert found[0].object_aliases == ("Edo", "Tokyo Metropolis")


def test_value_that_is_its_own_id_is_a_name(tmp_path: Path) -> None:
    day = "1879-03-14T00:00:00Z"
    rows = f"Q937,Einstein,P569,{day},{day}\nQ17,Japan,P1082,125,125\nG1,BRCA1,R,BRCA2,BRCA2\n"
    (tmp_path / "facts.csv").write_text(f"subject,subjectLabel,relation,object,objectLabel\n{rows}")
    labels = [fact.object_label for fact in every(opened(tmp_path / "facts.csv"))]
    assert len(labels) == 3
    assert all(labels)


def test_types_of_a_neo4j_export_are_apart(tmp_path: Path) -> None:
    (tmp_path / "facts.txt").write_text(BARE)
    (tmp_path / "nodes.csv").write_text(NAMES["nodes.csv"])
    [fact] = every(opened(tmp_path / "facts.txt", labels=str(tmp_path / "nodes.csv")))
    assert fact.subject_types == ("Place", "State")


def test_as_many_names_as_there_are(tmp_path: Path) -> None:
    """Wikidata5m has an id and any number of names in each line, and no header."""
    (tmp_path / "facts.txt").write_text(BARE)
    (tmp_path / "names.txt").write_text("Q142\tFrance\tFrench Republic\tla France\nQ90\tParis\nQ1\n")
    (tmp_path / "relations.txt").write_text("P36\tcapital\tseat of government\nP17\tcountry\n")
    kg = opened(
        tmp_path / "facts.txt", labels=str(tmp_path / "names.txt"), relation_labels=str(tmp_path / "relations.txt")
    )
    [fact] = every(kg)
    assert (fact.subject_label, fact.subject_aliases) == ("France", ("French Republic", "la France"))
    assert (fact.object_label, fact.relation_info.label) == ("Paris", "capital")
    assert kg.problems.messages == [f"{tmp_path}/names.txt:3: broken name: an id without a label"]


@pytest.mark.parametrize(
    ("fact", "name"),
    [
        ("http://www.wikidata.org/entity/Q142", "Q142"),
        ("http://purl.obolibrary.org/obo/HP_0000118", "HP:0000118"),
        ("HP:0000118", "http://purl.obolibrary.org/obo/HP_0000118"),
        ("wd:Q142", "http://www.wikidata.org/entity/Q142"),
    ],
)
def test_ids_in_another_notation(tmp_path: Path, fact: str, name: str) -> None:
    (tmp_path / "f.csv").write_text(f"subject,relation,object\n{fact},r,{fact}\n")
    (tmp_path / "n.csv").write_text(f"id,label\n{name},a name\n")
    [found] = every(opened(tmp_path / "f.csv", labels=str(tmp_path / "n.csv")))
    assert (found.subject_uri, found.subject_label, found.object_label) == (fact, "a name", "a name")


@pytest.mark.parametrize("names", ["http://a/Q1,A\nhttp://b/Q1,B\nQ2,C\n", "http://a/5,A\nQ2,C\n"])
def test_id_that_several_names_may_mean_has_none(tmp_path: Path, names: str) -> None:
    """Two namespaces have it, or it is a number, which in another namespace is something else."""
    uri = "Q1" if "Q1" in names else "5"
    (tmp_path / "f.csv").write_text(f"subject,relation,object\nQ2,r,{uri}\n")
    (tmp_path / "n.csv").write_text(f"id,label\n{names}")
    [fact] = every(opened(tmp_path / "f.csv", labels=str(tmp_path / "n.csv")))
    assert fact.subject_label == "C"
    assert fact.object_label not in ("A", "B")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("n.csv", "id,label\nx1,France\n"),
        ("n.csv", "id,label\n"),
        ("n.txt", "France\tQ142\nParis\tQ90\n"),
        ("n.json", '{"x1": "France"}'),
        ("entity2text.txt", "x1\tFrance\n"),
    ],
)
def test_labels_of_other_facts_are_an_error(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / "facts.txt").write_text(BARE)
    (tmp_path / name).write_text(content)
    labels: dict[str, Any] = {} if name == "entity2text.txt" else {"labels": str(tmp_path / name)}
    with pytest.raises(DataError) as error:
        every(opened(tmp_path / "facts.txt", **labels))
    expected = f"{tmp_path / name}: has no id of the facts; set the file that belongs to the facts: "
    assert str(error.value) == f"{expected}kg.labels=FILE"


def test_labels_of_other_relations_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "facts.txt").write_text(BARE)
    (tmp_path / "r.txt").write_text("P17\tcountry\n")
    with pytest.raises(DataError, match=r"r\.txt: has no id of the facts; .* kg\.relation_labels=FILE"):
        every(opened(tmp_path / "facts.txt", relation_labels=str(tmp_path / "r.txt")))


@pytest.mark.parametrize(
    ("head", "settings"),
    [
        (":START_ID,:TYPE,:END_ID", {}),
        (":START_ID(Place),:TYPE,:END_ID(Place)", {}),
        (":START_ID,:TYPE,:END_ID", {"subject": ":START_ID", "object": ":END_ID"}),
        (":START_ID,:TYPE,:END_ID", {"subject": ":START_ID"}),
        ("head_id,relation,tail_id", {"subject": "head_id", "object": "tail_id"}),
    ],
)
def test_id_column_set_as_subject(tmp_path: Path, head: str, settings: dict[str, str]) -> None:
    """It is read once, as what the settings say; guessed for the id too, it kept the names away."""
    (tmp_path / "f.csv").write_text(f"{head}\nQ142,capital,Q90\n")
    (tmp_path / "n.csv").write_text(NAMES["nodes.csv"])
    kg = opened(tmp_path / "f.csv", labels=str(tmp_path / "n.csv"), columns=ColumnNames(**settings))
    [fact] = every(kg)
    assert (fact.relation_info.relation, fact.subject_label, fact.object_label) == ("capital", "France", "Paris")
    assert fact.object_types == ("Place",)


def test_ids_as_names_give_no_skip_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "f.csv").write_text("subject,relation,object\nQ142,P36,Q90\n")
    (tmp_path / "n.csv").write_text("id,label\nP36,capital\n")
    [fact] = every(opened(tmp_path / "f.csv", labels=str(tmp_path / "n.csv")))
    assert (fact.subject_label, fact.relation_info.label) == ("Q142", "capital")
    assert "2 entities have no label, and no fact has labels; ids serve as names" in caplog.text
    assert "are skipped" not in caplog.text


@pytest.mark.parametrize("column", ["deprecated", "is_obsolete", "deprecated:boolean"])
def test_obsolete_entities_are_left_out(tmp_path: Path, column: str, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "g_edges.tsv").write_text("subject\tpredicate\tobject\nA:1\tpart of\tA:2\nA:1\tpart of\tA:3\n")
    (tmp_path / "g_nodes.tsv").write_text(f"id\tname\t{column}\nA:1\tknee\tfalse\nA:2\tleg\t\nA:3\told leg\tTrue\n")
    assert [fact.object_label for fact in every(opened(tmp_path))] == ["leg"]
    assert "1 fact about obsolete entities skipped" in caplog.text
