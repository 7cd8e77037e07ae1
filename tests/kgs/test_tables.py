"""Tables of facts: every header that is known, none at all, names beside, and whatever is broken."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import factprobe
from factprobe.errors import ConfigError, DataError
from factprobe.kgs.default_labels import local_name_words, relation_of
from factprobe.kgs.tables.column_names import ColumnNames
from factprobe.kgs.tables.table_graph import TableGraph, TableSettings
from factprobe.records import Triplet
from factprobe.storage import Problems
from factprobe.templating import Template
from tests.command_line import CommandLine
from tests.extras import needs


def opened(source: Path | str, strict: bool = False, **settings: Any) -> TableGraph:
    """The graph in a file, with these settings."""
    return TableGraph(None, "csv", Problems(strict), TableSettings(name="csv", source=str(source), **settings))


def every(kg: TableGraph) -> list[Triplet]:
    """All facts of all relations."""
    return [fact for relation in kg.load_relations() if kg.has_facts(relation) for fact in kg.facts(relation)]


def names(kg: TableGraph) -> list[tuple[str, str, str, str, str]]:
    """Relation, and id and label of both ends, of each fact."""
    return [
        (fact.relation_info.relation, fact.subject_uri, fact.subject_label, fact.object_uri, fact.object_label)
        for fact in every(kg)
    ]


FRANCE = ("capital", "France", "France", "Paris", "Paris")
WITH_IDS = ("P36", "Q142", "France", "Q90", "Paris")


@pytest.mark.parametrize(
    ("name", "text", "fact"),
    [
        ("f.csv", "subject,predicate,object\nFrance,capital,Paris\n", FRANCE),
        ("f.csv", "Head,Relation,Tail\nFrance,capital,Paris\n", FRANCE),
        ("f.csv", "s,p,o\nFrance,capital,Paris\n", FRANCE),
        ("f.csv", "object,subject,relation\nParis,France,capital\n", FRANCE),
        ("f.tsv", "source\tmetaedge\ttarget\nFrance\tcapital\tParis\n", FRANCE),
        ("f.csv", "France,capital,Paris\n", FRANCE),
        ("f.txt", "France\tcapital\tParis\n", FRANCE),
        ("f.csv", "\ufeffsubject;relation;object\r\nFrance;capital;Paris\r\n", FRANCE),
        ("f.csv", "\ufeffFrance,capital,Paris\r\n", FRANCE),
        ("capital.csv", "subject,object\nFrance,Paris\n", FRANCE),
        ("f.csv", "# of 2020\nsubject,relation,object\nFrance,capital,Paris\n", FRANCE),
        ("f.csv", "#\n# subject,relation,object\n#\nFrance,capital,Paris\n", FRANCE),
        ("f.jsonl", '{"head": "France", "relation": "capital", "tail": "Paris"}\n', FRANCE),
        ("f.csv", "subject_id,subject_label,relation,object_id,object_label\nQ142,France,P36,Q90,Paris\n", WITH_IDS),
        ("f.csv", "subject_id,subject,relation,object_id,object\nQ142,France,P36,Q90,Paris\n", WITH_IDS),
        ("f.csv", "sub_uri,sub_label,predicate_id,obj_uri,obj_label\nQ142,France,P36,Q90,Paris\n", WITH_IDS),
        ("f.csv", "item,itemLabel,property,value,valueLabel\nQ142,France,P36,Q90,Paris\n", WITH_IDS),
        ("f.csv", "relation,x_id,x_name,y_id,y_name\nP36,Q142,France,Q90,Paris\n", WITH_IDS),
        ("f.csv", "Source,Target,Label\nFrance,Paris,capital\n", FRANCE),
        ("f.csv", "Source,Target,Type,Id,Label\nFrance,Paris,Directed,0,capital\n", FRANCE),
        ("f.csv", ":START_ID,:TYPE,:END_ID\nFrance,capital,Paris\n", FRANCE),
        ("f.csv", "subj,pred,obj\nFrance,capital,Paris\n", FRANCE),
        ("f.csv", "src,rel,dst\nFrance,capital,Paris\n", FRANCE),
        ("f.csv", "entity1,relation,entity2\nFrance,capital,Paris\n", FRANCE),
        ("f.tsv", "arg1\trel\targ2\nFrance\tcapital\tParis\n", FRANCE),
        ("f.csv", "\n   \nsubject,relation,object\n\nFrance,capital,Paris\n", FRANCE),
    ],
)
def test_known_headers(tmp_path: Path, name: str, text: str, fact: tuple[str, ...]) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert names(opened(tmp_path / name)) == [fact]


@pytest.mark.parametrize(
    "head",
    [
        "entity,relation,value,source",
        "item,property,value,source",
        "source,entity,relation,value",
        "item,property,value,start,end",
        "item,property,value,end",
        "entity,relation,value,from,to",
        "subject,relation,object,source,target",
        "source,subject,relation,object",
        "source,relation,target,weight",
        "id,source,relation,target",
        "edge_id,from,relation,to,note",
        "start,relation,end",
        "label,source,target,type",
        "Unnamed: 0,source,relation,target",
        ",source,relation,target,value",
        "since:int,:START_ID,:TYPE,:END_ID",
        "name,_start,_end,_type",
        "source_id,relation,target_id,source_name,target_name",
        "relation,x_id,y_id,source",
    ],
)
def test_words_of_provenance_and_dates_are_ends_only_as_a_pair(tmp_path: Path, head: str) -> None:
    columns = head.split(",")
    subject = ("entity", "item", "subject", "x_id", "_start", ":START_ID", "source_id", "source", "from", "start")
    object_ = ("object", "y_id", "_end", ":END_ID", "target_id", "target", "value", "to", "end")
    first, last = (next(name for name in names if name in columns) for names in (subject, object_))
    cells = {first: "France", last: "Paris", "start": "2000", "end": "2005"} | {first: "France", last: "Paris"}
    relation = next((name for name in ("relation", "property", ":TYPE", "_type", "label") if name in columns), "")
    row = ",".join({**cells, relation: "capital"}.get(name, f"other {name}".replace(":", "")) for name in columns)
    (tmp_path / "f.csv").write_text(f"{head}\n{row}\n")
    [(_, subject_id, _, object_id, _)] = names(opened(tmp_path / "f.csv"))
    assert (subject_id, object_id) == ("France", "Paris")


@pytest.mark.parametrize(
    "head",
    [
        "name,relation,object,source",
        "name,relation,object,source_id",
        "name,relation,target,source",
        "name,relation,source,target",
        "person,relation,start,end",
        "relation,start,end,person",
        "person,relation,from,to",
        "source,relation,object",
        "item,source,target",
    ],
)
def test_a_column_that_may_be_no_subject_is_asked_for(tmp_path: Path, head: str) -> None:
    (tmp_path / "f.csv").write_text(f"{head}\n{','.join('abcd'[: head.count(',') + 1])}\n")
    with pytest.raises(DataError, match=r"kg\.columns\.(subject|object)="):
        every(opened(tmp_path / "f.csv"))
    rows = [dict(zip(head.split(","), "abcd", strict=False))]
    with pytest.raises(DataError, match="subject"):
        factprobe.load_kg(rows).by_name()
    if "object" in head and "name" in head:
        assert names(opened(tmp_path / "f.csv", columns=ColumnNames(subject="name"))) == [("b", "a", "a", "c", "c")]


def test_columns_from_settings(tmp_path: Path) -> None:
    """CTD's own CSV: its header is a comment, its relation stands in a column of its own."""
    (tmp_path / "CTD_chemicals_diseases.csv").write_text(
        "# Report created: today\n# Fields:\n# ChemicalName,ChemicalID,CasRN,DiseaseName,DiseaseID,DirectEvidence\n#\n"
        "aspirin,D001241,50-78-2,Headache,MESH:D006261,therapeutic\n"
        "aspirin,D001241,50-78-2,Asthma,MESH:D001249,\n"
    )
    chosen = ColumnNames(
        subject="ChemicalName",
        subject_id="ChemicalID",
        relation="DirectEvidence",
        object="DiseaseName",
        object_id="DiseaseID",
    )
    kg = opened(tmp_path / "*.csv", columns=chosen)
    assert names(kg) == [("therapeutic", "D001241", "aspirin", "MESH:D006261", "Headache")]
    [problem] = kg.problems.messages
    assert problem.endswith("CTD_chemicals_diseases.csv:6: broken fact: the relation is empty")


@pytest.mark.parametrize("head", ["country,relation,capital", "drug,predicate,disease", "Subject,was,thing"])
def test_partly_known_header_is_not_a_fact(tmp_path: Path, head: str) -> None:
    (tmp_path / "f.csv").write_text(f"{head}\nFrance,capital,Paris\n")
    with pytest.raises(DataError, match=r"kg\.columns\.object=.*kg\.columns\.subject=1"):
        every(opened(tmp_path / "f.csv"))


@pytest.mark.parametrize("row", ["A,r,B", "A,type,B", "Iran,head,B", "A,subject,B"])
def test_fact_row_is_not_a_header(tmp_path: Path, row: str) -> None:
    (tmp_path / "f.csv").write_text(f"{row}\n")
    assert len(every(opened(tmp_path / "f.csv"))) == 1


WIDE = "country,capital,population\nFrance,Paris,68\nPeru,Lima,34\n"


@pytest.mark.parametrize(("name", "text"), [("wide.csv", WIDE), ("wide.tsv", WIDE.replace(",", "\t"))])
def test_table_of_items_is_not_a_fact_table(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=r"3 relations; .*kg\.columns\.subject=country kg\.columns\.object=capital "):
        every(opened(tmp_path / name))
    assert names(opened(tmp_path / name, columns=ColumnNames(subject="country", object="capital"))) == [
        ("wide", "France", "France", "Paris", "Paris"),
        ("wide", "Peru", "Peru", "Lima", "Lima"),
    ]
    assert len(every(opened(tmp_path / name, columns=ColumnNames(subject=1, relation=2, object=3)))) == 3


@pytest.mark.parametrize(
    "text",
    [
        "A,r,B\nC,s,D\n",
        "A,r,B\nC,s,D\nE,r,F\n",
        "A,r,B\nC,s,A\nD,t,E\n",
        "A,r,B\nA,s,C\nA,t,D\n",
        "".join(f"A{row},r{row % 300},B{row}\n" for row in range(1000)),
    ],
)
def test_facts_without_a_header(tmp_path: Path, text: str) -> None:
    (tmp_path / "f.csv").write_text(text)
    assert len(every(opened(tmp_path / "f.csv"))) == text.count("\n")


@pytest.mark.parametrize(("second", "is_told"), [("continent", True), ("Europe", False)])
def test_first_row_that_may_be_a_header_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, second: str, is_told: bool
) -> None:
    rows = ["France,Europe,Paris", "Spain,Europe,Madrid", "Peru,South America,Lima", "Chile,South America,Santiago"]
    (tmp_path / "f.csv").write_text("\n".join([f"country,{second},capital", *rows, ""]))
    assert len(every(opened(tmp_path / "f.csv"))) == 5
    assert ("no cell of the first row occurs again" in caplog.text) == is_told


@pytest.mark.parametrize(
    "rows", [["Alien,Scott,1979", "Gladiator,Scott,2000", "Jaws,Spielberg,1975"], ["A,X,1", "B,X,2"]]
)
def test_header_above_repeated_properties_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, rows: list[str]
) -> None:
    (tmp_path / "f.csv").write_text("\n".join(["film,director,year", *rows, ""]))
    assert len(every(opened(tmp_path / "f.csv"))) == len(rows) + 1
    assert "kg.columns.subject=film kg.columns.object=director" in caplog.text


def test_parts_of_a_graph_belong_together(tmp_path: Path) -> None:
    """A small part has too few rows to tell by; the relations of the part before tell."""
    (tmp_path / "train.txt").write_text("".join(f"A{row}\tr{row % 5}\tB{row}\n" for row in range(20)))
    (tmp_path / "test.txt").write_text("K\tr1\tL\nV\tr2\tW\nM\tr3\tN\n")
    assert len(every(opened(tmp_path))) == 23
    (tmp_path / "valid.txt").write_text(WIDE.replace(",", "\t"))
    with pytest.raises(DataError, match=r"valid\.txt: seems not to be a table of facts"):
        every(opened(tmp_path))


def test_insufficient_column_settings(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("country,what,city\nFrance,capital,Paris\n")
    with pytest.raises(DataError, match="no known header"):
        every(opened(tmp_path / "f.csv", columns=ColumnNames(subject="country")))


@pytest.mark.parametrize("row", ["1,2", "a,2", "subject,object", "# a,b\nsubject,object"])
def test_two_columns_without_a_header(tmp_path: Path, row: str) -> None:
    (tmp_path / "capital.csv").write_text(f"{row}\nFrance,Paris\n")
    kg = opened(tmp_path / "capital.csv", columns=ColumnNames(subject=1, object=2))
    first = row.rpartition("\n")[2].split(",")
    assert [[fact.subject_uri, fact.object_uri] for fact in every(kg)] == [first, ["France", "Paris"]]
    assert names(kg)[1] == FRANCE


def test_numbers_of_columns(factprobe: CommandLine) -> None:
    (factprobe.folder / "f.csv").write_text("0,Paris,capital,France\n")
    given = ["step=extract", "kg=csv", "kg.source=f.csv", "kg.columns.object=2", "kg.columns.relation=3"]
    assert factprobe(*given, "kg.columns.subject=4").code == 0
    assert "France" in (factprobe.folder / "outputs/csv/triplets/capital.jsonl").read_text()
    assert "mixes numbers and names" in factprobe.fails(*given, "kg.columns.subject=Paris")
    assert "has no column 5" in factprobe.fails(*given, "kg.columns.subject=5")


@pytest.mark.parametrize("columns", [["subject=object", "object=object"], ["subject=1", "object=1"]])
def test_one_column_for_both_ends_is_an_error(factprobe: CommandLine, columns: list[str]) -> None:
    (factprobe.folder / "f.csv").write_text("subject,relation,object\nFrance,capital,Paris\n")
    given = ["step=extract", "kg=csv", "kg.source=f.csv", *(f"kg.columns.{column}" for column in columns)]
    assert "for subject and object" in factprobe.fails(*given)
    assert factprobe(*given[:3], "kg.columns.subject=object", "kg.columns.object=subject").code == 0


def test_duplicate_column_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("subject,relation,object,object\nFrance,capital,Paris,Lyon\n")
    with pytest.raises(DataError, match="has 2 columns 'object'; rename one"):
        every(opened(tmp_path / "f.csv"))


def test_aliases_types_dates_and_labels_of_relations(tmp_path: Path) -> None:
    head = "subject_id,subject,subject_aliases,subject_type,relation,relation_label,object_id,object,start,end"
    (tmp_path / "f.csv").write_text(
        f"{head}\nQ1,Ada,Ada King| Lady,human,P39,office held,Q2,Countess,1838,1852-11-27\n"
    )
    [fact] = every(opened(tmp_path / "f.csv"))
    assert fact.subject_aliases == ("Ada King", "Lady")
    assert fact.subject_types == ("human",)
    assert (fact.start, fact.end) == ("1838", "1852-11-27")
    assert fact.relation_info.label == "office held"
    assert fact.relation_info.template == "[X], office held: [Y]."


def test_broken_rows_are_reported(tmp_path: Path) -> None:
    text = (
        "subject,relation,object,start,end\nA,r,B,03/04/2015,\nA,r,C,1999,\nA,r\n,r,B,,\nA,,B,,\nA,r,,,\n"
        "A,r,B,2020,2019-05\nA,r,B,,soon\n"
    )
    (tmp_path / "f.csv").write_text(text)
    kg = opened(tmp_path / "f.csv")
    assert [fact.object_uri for fact in every(kg)] == ["C"]
    assert [message.rpartition("f.csv:")[2] for message in kg.problems.messages] == [
        "2: broken fact: start '03/04/2015' is not an ISO date, month or year",
        "4: 2 columns, where the first line has 5",
        "5: broken fact: the subject or the object is empty",
        "6: broken fact: the relation is empty",
        "7: broken fact: the subject or the object is empty",
        "8: broken fact: start '2020' is after end '2019-05'",
        "9: broken fact: end 'soon' is not an ISO date, month or year",
    ]
    with pytest.raises(DataError, match=r"f\.csv:2: .*strict=true"):
        every(opened(tmp_path / "f.csv", strict=True))


def test_keys_of_late_records_are_found(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"subject": f"s{n}", "object": "o"} for n in range(150)]
    rows.append({"subject": "late", "object": "o", "relation": "r", "end": "1999", "subject_aliases": ["L"]})
    lines = [json.dumps(row) for row in rows]
    (tmp_path / "f.jsonl").write_text("\n".join([*lines, "{", ""]))
    kg = opened(tmp_path / "f.jsonl")
    [fact] = every(kg)
    assert (fact.relation_info.relation, fact.end, fact.subject_aliases) == ("r", "1999", ("L",))
    assert len(kg.problems.messages) == 1 + 150  # what is broken is told once
    assert kg.problems.messages[1].endswith("f.jsonl:1: broken fact: the relation is empty")


@pytest.mark.parametrize("columns", [ColumnNames(), ColumnNames(subject=1, relation=2, object=3)], ids=["", "numbers"])
def test_row_like_a_comment_is_warned_of(tmp_path: Path, columns: ColumnNames) -> None:
    (tmp_path / "f.csv").write_text("# from a, b\n# Flat note,is,a note\n# Sharp note,is,a note\nA,is,B\n")
    kg = opened(tmp_path / "f.csv", columns=columns)
    assert names(kg) == [("is", "A", "A", "B", "B")]
    assert [message.rpartition("f.csv:")[2].partition(";")[0] for message in kg.problems.messages] == [
        f"{number}: read as a comment, but has as many columns as a fact" for number in (2, 3)
    ]
    (tmp_path / "f.csv").write_text("# Head,Relation,Tail\nA,is,B\n")
    assert names(opened(tmp_path / "f.csv", strict=True, columns=columns)) == [("is", "A", "A", "B", "B")]
    (tmp_path / "f.csv").write_text("subject,relation,object\n# Sharp note,is,a note\n")
    assert [name for _, name, *_ in names(opened(tmp_path / "f.csv", strict=True))] == ["# Sharp note"]


def test_unused_columns_are_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "f.csv").write_text("drug,use,illness,since,until\nA,r,B,2001,2002\n")
    every(opened(tmp_path / "f.csv", columns=ColumnNames(subject="drug", relation="use", object="illness")))
    assert caplog.messages == [f"{tmp_path}/f.csv: columns not used: since, until"]
    caplog.clear()
    dated = ColumnNames(subject="drug", relation="use", object="illness", start="since", end="until")
    every(opened(tmp_path / "f.csv", columns=dated))
    assert caplog.messages == []
    every(opened(tmp_path / "f.csv", columns=ColumnNames(subject=1, object=3)))
    assert caplog.messages == [f"{tmp_path}/f.csv: columns not used: 2, 4, 5"]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (("Sucre|La Paz", "Lima"), "1 name such as 'Sucre|La Paz'"),
        (("La Paz; Sucre", "Sucre", "La Paz"), "1 name such as 'La Paz; Sucre'"),
        (("La Paz; Sucre", "Sucre"), ""),
        (("Gone; Baby", "Lima"), ""),
    ],
)
def test_several_names_in_one_cell_are_warned_of(
    tmp_path: Path, cells: tuple[str, ...], found: str, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [f"c{number},capital,{cell}" for number, cell in enumerate(cells)]
    (tmp_path / "f.csv").write_text("\n".join(["subject,relation,object", *rows, *rows]))
    assert len(every(opened(tmp_path / "f.csv"))) >= len(cells)
    told = [f"{tmp_path / 'f.csv'}: {found} may be several; if so, give each fact a row of its own"]
    assert caplog.messages == (told if found else [])


def test_parquet(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    table = {"subject": ["Ada", "Bob"], "relation": ["born", "born"], "object": [1815.0, None]}
    pandas.DataFrame(table).to_parquet(tmp_path / "f.parquet")
    kg = opened(tmp_path / "f.parquet")
    assert names(kg) == [("born", "Ada", "Ada", "1815", "1815")]
    assert len(kg.problems.messages) == 1


def test_kgx_nodes_and_edges(tmp_path: Path) -> None:
    (tmp_path / "g_nodes.tsv").write_text(
        "id\tcategory\tname\tsynonym\nA:1\tbiolink:Drug\taspirin\tASA|acetyl\nB:2\t\tpain\t\n"
    )
    (tmp_path / "g_edges.tsv").write_text(
        "id\tsubject\tpredicate\tobject\ne1\tA:1\tbiolink:treats\tB:2\ne2\tA:1\tbiolink:treats\tC:3\n"
    )
    for source in (tmp_path, tmp_path / "g_edges.tsv"):
        kg = opened(source)
        first, second = every(kg)
        assert (first.subject_label, first.subject_aliases, first.subject_types) == (
            "aspirin",
            ("ASA", "acetyl"),
            ("biolink:Drug",),
        )
        assert second.object_label == ""  # a code is no name beside others
        assert [path.name for path in kg.inputs(first.relation_info)] == ["g_edges.tsv", "g_nodes.tsv"]


def test_layout_of_embeddings(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "train.txt").write_text("/m/1\t/people/born_in\t/m/2\n/m/1\t/people/born_in\t/m/3\n")
    (tmp_path / "test.txt").write_text("/m/2\t/people/born_in\t/m/1\n")
    (tmp_path / "entity2text.txt").write_text('/m/1\t"Weird Al" Yankovic\n/m/2\tDowney\n')
    (tmp_path / "relation2text.txt").write_text("/people/born_in\tborn in\n")
    facts = every(opened(tmp_path))
    assert [(fact.subject_label, fact.object_label) for fact in facts] == [
        ('"Weird Al" Yankovic', "Downey"),
        ('"Weird Al" Yankovic', ""),
        ("Downey", '"Weird Al" Yankovic'),
    ]
    assert facts[0].relation_info.label == "born in"
    assert "1 entities have no label" in caplog.text


def test_unlabelled_iris_use_their_last_part(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "f.csv").write_text("http://x/New_York%21,http://x/p#lies_in,http://x/\n")
    [fact] = every(opened(tmp_path / "f.csv"))
    assert (fact.subject_label, fact.object_label, fact.relation_info.label) == ("New York!", "x", "lies in")
    assert fact.relation_info.relation == "http://x/p#lies_in"
    assert "2 entities have no label" in caplog.text


def test_missing_label_comes_from_another_row(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("subject_id,subject,relation,object_id,object\nQ1,,r,Q2,B\nQ1,A,r,Q3,C\n")
    from factprobe.kgs.summaries import summarise_relation

    kg = opened(tmp_path / "f.csv")
    [relation] = kg.load_relations()
    assert [entity.label for entity in summarise_relation(kg, relation).entities("subject")] == ["A"]
    assert [fact.subject_label for fact in kg.facts(relation)] == ["A", "A"]


@pytest.mark.parametrize("name", ["a\nb  c", "[X]", "[Y] and [MASK]", "= 1+1", "x" * 500])
def test_odd_names_make_questions(factprobe: CommandLine, name: str) -> None:
    rows = [{"subject": name, "relation": "likes", "object": other} for other in ("B", "C", "[X]")]
    (factprobe.folder / "f.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    result = factprobe("step=all", "kg=csv", "kg.source=f.jsonl", "model=scripted")
    assert result.code == 0, result.err
    asked = (factprobe.folder / "outputs/csv/questions/template/likes.jsonl").read_text()
    assert json.dumps(" ".join(name.split()))[1:-1] in asked


def test_megabyte_name_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text(f"A,r,{'x' * (1 << 20)}\nA,r,B\n")
    kg = opened(tmp_path / "f.csv")
    assert len(every(kg)) == 1
    assert "1,048,576 characters" in kg.problems.messages[0]


def test_megabyte_relation_is_rejected(tmp_path: Path) -> None:
    """Its words would take minutes to find."""
    rows = (f"A,{'R' * (1 << 20)},x,B", f"A,r,{'R' * (1 << 20)},B", "A,r,x,B")
    (tmp_path / "f.csv").write_text("\n".join(["subject,relation,relation_label,object", *rows]))
    kg = opened(tmp_path / "f.csv")
    assert len(every(kg)) == 1
    assert ["a relation has 1,048,576 characters" in line for line in kg.problems.messages] == [True, True]


def test_look_alikes_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("A,r,\u00e9\nA,r,e\u0301\nA,r,\u0435\nA,r,e\n", encoding="utf-8")
    assert len({fact.object_uri for fact in every(opened(tmp_path / "f.csv"))}) == 4


@pytest.mark.parametrize("relation", ["../../etc/passwd", "http://x/y#z", "a/b", ".", "r" * 400])
def test_hostile_relations_stay_in_the_folder(factprobe: CommandLine, relation: str) -> None:
    (factprobe.folder / "f.csv").write_text(f"A,{relation},B\nC,{relation},D\n")
    before = sorted(path.name for path in factprobe.folder.parent.iterdir())
    result = factprobe("step=extract", "kg=csv", "kg.source=f.csv")
    assert result.code == 0, result.err
    [summary] = (factprobe.folder / "outputs/csv/triplets").glob("*.summary.json")
    assert json.loads(summary.read_text())["relation_info"]["relation"] == relation
    assert sorted(path.name for path in factprobe.folder.parent.iterdir()) == before


TEXT = b"subject,relation,object\nFrance,capital,Paris\n" * 40


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("f.csv", TEXT[:24], "has no readable fact"),
        ("f.csv", "subject,relation,object\n".encode("utf-16"), "UTF-16"),
        ("f.csv", b"A,r,\xff\n", "is not UTF-8"),
        ("f.csv", b'A,r,"B\n', "no readable line"),
        ("f.csv", b"country,city\nFrance,Paris\n", "kg.columns.subject=country kg.columns.object=city"),
        ("f.csv.gz", TEXT, "is not a .gz file"),
        ("f.csv.bz2", TEXT, "is not a .bz2 file"),
        ("f.csv.gz", gzip.compress(TEXT, mtime=0)[:-12], "is cut off"),
        ("f.csv.bz2", bz2.compress(TEXT)[:-12], "is cut off"),
        ("f.xlsx", TEXT, "has no known ending of a table"),
        ("f.parquet", TEXT, "cannot be read"),
        ("d/f.doc", b"", "has no known ending of a table"),
    ],
)
def test_unreadable_files(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=r"f\.") as error:
        every(opened(tmp_path / name))
    assert said in str(error.value)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_compressed(tmp_path: Path, pack: Any) -> None:
    path = tmp_path / ("f.csv.gz" if pack is gzip.compress else "f.csv.bz2")
    path.write_bytes(pack(TEXT))
    assert FRANCE in names(opened(path))


def test_invalid_settings(factprobe: CommandLine) -> None:
    (factprobe.folder / "f.csv").write_text("subject,relation,object\nFrance,capital,Paris\n")
    unset = "kg.source: is not set; name its {0}: kg={1} kg.source={2}"
    assert unset.format("file", "csv", "FILE") in factprobe.fails("step=extract", "kg=csv")
    assert unset.format("folder", "umls_rrf", "META") in factprobe.fails("step=extract", "kg=umls_rrf")
    line = factprobe.fails("step=extract", "kg=csv", "kg.source=f.csv", "kg.columns.subject=country")
    assert "has no column 'country'; set kg.columns.subject= to one of subject, relation, object" in line
    assert "kg=csv and kg=rdf" in factprobe.fails("step=extract", "kg=trex", "kg.source=f.csv")
    assert "kg.columns" in factprobe.fails("step=extract", "kg=csv", "kg.source=f.csv", "kg.columns.topic=x")
    assert "no file has a name like that" in factprobe.fails("step=extract", "kg=csv", "kg.source=*.tsv")
    with pytest.raises(ConfigError, match=r"kg\.source"):
        TableGraph(None, "csv").by_name()


def test_hints_name_the_source(factprobe: CommandLine) -> None:
    (factprobe.folder / "f.csv").write_text("a,b,c\nFrance,capital,Paris\n")
    given = ["kg=csv", "kg.source=f.csv", "kg.columns.subject=a", "kg.columns.relation=b", "kg.columns.object=c"]
    line = factprobe.fails("step=generate", *given)
    assert all(setting in line for setting in given)


def test_a_file_may_have_several_templates_for_a_relation(factprobe: CommandLine) -> None:
    (factprobe.folder / "f.csv").write_text("subject,relation,object\nFrance,capital,Paris\nPeru,capital,Lima\n")
    own = ("kg=csv", "kg.source=f.csv", "kg.templates=t.yaml")
    (factprobe.folder / "t.yaml").write_text('capital: ["The capital of [X] is [Y].", "[Y] governs [X]."]\n')
    assert factprobe("step=extract", *own).code == 0
    assert factprobe("step=generate", *own, "generator.template=all").code == 0
    first, second = (
        (factprobe.folder / f"outputs/csv/questions/{name}/capital.jsonl").read_text()
        for name in ("template", "template-1")
    )
    assert "The capital of France is" in first
    assert "governs France" in second
    (factprobe.folder / "t.yaml").write_text('capital: ["The capital of [X] is [Y].", "no sentence"]\n')
    assert "'no sentence' with 0 [X]" in factprobe.fails("step=extract", *own)


def test_custom_template(factprobe: CommandLine) -> None:
    (factprobe.folder / "f.csv").write_text("France,capital,Paris\n")
    chosen = 'kg.templates={capital: "The capital of [X] is [Y].", other: "[X] [Y]"}'
    assert factprobe("step=extract", "kg=csv", "kg.source=f.csv", chosen).code == 0
    assert "The capital of [X] is [Y]." in (factprobe.folder / "outputs/csv/triplets/capital.jsonl").read_text()
    line = factprobe.fails("step=extract", "kg=csv", "kg.source=f.csv", "kg.templates={capital: nothing}")
    assert "has the template 'nothing' with 0 [X]" in line


@given(st.text(min_size=1))
def test_any_relation_has_a_template(name: str) -> None:
    relation = relation_of(name, name, {})
    Template(relation, "here").fill("A", "B")


@given(st.text())
def test_last_part_of_any_text(uri: str) -> None:
    assert local_name_words(uri) or not uri


cell = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8).filter(
    lambda text: text == " ".join(text.split()) and "://" not in text
)


@given(st.lists(st.tuples(cell, cell, cell), min_size=1, max_size=5))
def test_table_gives_its_rows(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]) -> None:
    import csv

    path = tmp_path_factory.mktemp("t") / "f.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("subject", "relation", "object"), *rows])
    kg = opened(path)
    got = [(fact.subject_uri, fact.relation_info.relation, fact.object_uri) for fact in every(kg)]
    assert sorted(got) == sorted(rows)


def test_broken_quote_does_not_end_the_table(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text(
        'subject,relation,object\nFrance,capital,Paris\nPeru,"capital,Lima\nItaly,capital,Rome\n'
    )
    kg = opened(tmp_path / "f.csv")
    assert [fact.subject_label for fact in every(kg)] == ["France", "Italy"]
    [problem] = kg.problems.messages
    assert "f.csv:3: broken row" in problem


def test_row_in_other_encoding_is_reported_among_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    rows = ["subject,relation,object", "Île,r,Paris", "Köln,r,Rhein", "Ulm,r,Donau"]
    path.write_bytes("\n".join(rows).encode().replace("ö".encode(), b"\xf6"))
    kg = opened(path)
    assert [fact.subject_label for fact in every(kg)] == ["Île", "Ulm"]
    assert kg.problems.messages == [f"{path}:3: broken row: it is not UTF-8"]
    with pytest.raises(DataError, match=r"f\.csv:3: broken row: it is not UTF-8"):
        every(opened(path, strict=True))
    path.write_bytes("\n".join(rows).encode("latin-1"))
    with pytest.raises(DataError, match=r"f\.csv:2: is not UTF-8; save it as UTF-8, or .*: iconv -f CP1252"):
        every(opened(path))


def test_start_and_end_dates(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text("subject,relation,object,start time,end time\nBonn,capital of,West Germany,1949-05-23,1990\n")
    [fact] = every(opened(path))
    assert (fact.start, fact.end) == ("1949-05-23", "1990")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("f.tsv", '"subject"\t"relation"\t"object"\n"France"\t"capital"\t"Paris"\n'),
        ("f.csv", "sep=;\nsubject;relation;object\nFrance;capital;Paris\n"),
    ],
)
def test_tables_of_spreadsheets(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert names(opened(tmp_path / name)) == [FRANCE]


@pytest.mark.parametrize(
    ("id_", "label"), [("relation_id", "relation"), ("relation_id", "relation_label"), ("pred_uri", "pred_label")]
)
def test_relation_ids_with_labels(tmp_path: Path, id_: str, label: str) -> None:
    (tmp_path / "f.csv").write_text(f"subject,{id_},{label},object\nFrance,P36,capital,Paris\n")
    [fact] = every(opened(tmp_path / "f.csv"))
    assert (fact.relation_info.relation, fact.relation_info.label) == ("P36", "capital")


def test_second_label_becomes_alias(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("subject,relation,object\nQ7,P131,Q9\n")
    (tmp_path / "names.csv").write_text(
        "id,label,aliases\nQ7,Verona,\nQ9,Veneto,Region\nQ9,Venetia,Region|Veneto\nP131,in,\n"
    )
    [fact] = every(opened(tmp_path / "f.csv", labels=str(tmp_path / "names.csv")))
    assert (fact.object_label, fact.object_aliases) == ("Veneto", ("Region", "Venetia"))


def test_labels_may_name_relations_too(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("subject,relation,object\nQ142,P36,Q90\n")
    (tmp_path / "names.csv").write_text("id,label\nQ142,France\nQ90,Paris\nP36,capital\n")
    [fact] = every(opened(tmp_path / "f.csv", labels=str(tmp_path / "names.csv")))
    assert (fact.subject_label, fact.relation_info.label, fact.object_label) == ("France", "capital", "Paris")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("f.csv", "", "is empty; put a fact on each line: subject,relation,object"),
        ("f.csv", "\n\n", "is empty"),
        ("f.jsonl", "", "is empty"),
        ("f.jsonl", '["France", "capital", "Paris"]\n["Peru", "capital", "Lima"]\n', "has lists, not objects"),
        ("f.json", '[["France", "capital", "Paris"]]', "has lists, not objects"),
        ("none/f.csv", None, "does not exist; correct kg.source"),
        ("none", None, "does not exist; correct kg.source"),
        ("none/", None, "does not exist; correct kg.source"),
    ],
)
def test_error_messages(tmp_path: Path, name: str, content: str | None, said: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(DataError) as error:
        every(opened(f"{tmp_path}/{name}"))
    assert said in str(error.value)
    assert name.rstrip("/") in str(error.value)


@pytest.mark.parametrize("denied", ["negated", "deprecated", "isObsolete"])
def test_facts_that_do_not_hold_are_left_out_and_counted(
    tmp_path: Path, denied: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "f.csv").write_text(f"subject,predicate,object,{denied}\nA,r,B,False\nC,r,D,\nE,r,F,True\nG,r,H,true\n")
    assert [name for _, name, *_ in names(opened(tmp_path / "f.csv"))] == ["A", "C"]
    assert len(caplog.messages) == 1
    assert "2 facts" in caplog.messages[0]


@pytest.mark.parametrize("columns", [("negated", "deprecated"), ("deprecated", "obsolete"), ("obsolete", "is_negated")])
def test_a_fact_that_any_column_denies_is_left_out(tmp_path: Path, columns: tuple[str, str]) -> None:
    rows = [{"subject": name, "relation": "r", "object": "o"} for name in "ABC"]
    for row, cells in zip(rows, [("", ""), ("true", ""), ("", "true")], strict=True):
        row.update(zip(columns, cells, strict=True))
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    (tmp_path / "f.csv").write_text("\n".join(lines) + "\n")
    tables: list[Any] = [opened(tmp_path / "f.csv"), factprobe.load_kg(rows)]
    for kg in tables:
        assert [fact.subject_label for fact in every(kg)] == ["A"]
    (tmp_path / "g.csv").write_text("subject,relation,object,no,never\nA,r,o,,\nB,r,o,1,\nC,r,o,,1\n")
    for chosen in ("no", ("no", "never")):
        kept = names(opened(tmp_path / "g.csv", columns=ColumnNames(denied=chosen)))
        assert [name for _, name, *_ in kept] == (["A", "C"] if chosen == "no" else ["A"])


@pytest.mark.parametrize(
    ("value", "is_kept"),
    [
        *((value, False) for value in ("true", "TRUE", "T", "yes", "Y", "1", "1.0", "1.00")),
        *((value, True) for value in ("false", "F", "No", "n", "0", "0.0", "", " ", "-", "n/a", "NaN", "null", "?")),
        *((value, None) for value in ("x", "2", "0.5", "2020-01-01", "replaced by Q5", "✓")),
    ],
)
def test_a_fact_is_negated_if_its_column_says_yes(tmp_path: Path, value: str, is_kept: bool | None) -> None:
    (tmp_path / "f.csv").write_text(f"subject,relation,object,negated\nA,r,o,{value}\nB,r,o,\n")
    rows = [
        {"subject": name, "relation": "r", "object": "o", "negated": text} for name, text in (("A", value), ("B", ""))
    ]
    tables: list[Any] = [opened(tmp_path / "f.csv"), factprobe.load_kg(rows)]
    for kg in tables:
        assert [fact.subject_label for fact in every(kg)] == ["A"] * bool(is_kept) + ["B"]
        assert ["neither yes nor no" in message for message in kg.problems.messages] == [True] * (is_kept is None)


def test_an_entity_that_any_column_marks_is_obsolete(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("subject,relation,object\nA,r,o\nB,r,o\nC,r,o\n")
    (tmp_path / "n.csv").write_text("id,name,deprecated,obsolete\nA,a,,\nB,b,true,\nC,c,false,true\no,o,,\n")
    kept = names(opened(tmp_path / "f.csv", labels=str(tmp_path / "n.csv")))
    assert [name for _, name, *_ in kept] == ["A"]


def test_columns_of_names_that_are_not_used_are_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "f.csv").write_text("subject,relation,object\nQ1,r,Q2\n")
    (tmp_path / "n.csv").write_text("id,label,aliases,lang\nQ1,Allemagne,,fr\nQ1,Germany,,en\nQ2,Ulm,,en\n")
    every(opened(tmp_path / "f.csv", labels=str(tmp_path / "n.csv")))
    assert caplog.messages == [f"{tmp_path}/n.csv: columns not used: lang"]


@needs("pyarrow", "pandas")
@pytest.mark.parametrize("kind", ["parquet", "arrow", "pandas"])
def test_numbers_of_single_precision_are_short_and_finite(tmp_path: Path, kind: str) -> None:
    import pyarrow
    from pyarrow import parquet

    numbers = [0.1, 3.5, 2.0, None, float("inf"), float("-inf"), float("nan"), 1e-7, 16777216.0]
    columns = {"subject": [f"s{n}" for n in range(len(numbers))], "object": pyarrow.array(numbers, pyarrow.float32())}
    table = pyarrow.table(columns)
    if kind == "parquet":
        parquet.write_table(table, tmp_path / "f.parquet")
        kg: Any = opened(tmp_path / "f.parquet")
    else:
        kg = factprobe.load_kg(table if kind == "arrow" else table.to_pandas())
    assert [fact.object_label for fact in every(kg)] == ["0.1", "3.5", "2", "1e-07", "16777216"]
    assert sum("object is infinite" in message for message in kg.problems.messages) == 2
