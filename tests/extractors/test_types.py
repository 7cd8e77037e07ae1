"""One definition of a relation's type: by extraction in either way, by inspection, and for compositions."""

from __future__ import annotations

from pathlib import Path

import pytest

from factprobe.extractors.triplets import TripletExtractor
from factprobe.kgs.summaries import summarise_relation
from factprobe.kgs.tables.table_graph import TableGraph, TableSettings
from factprobe.metrics.graphs.inspection import inspect_relation
from factprobe.records import GraphSummary
from factprobe.storage import Layout, read_json
from tests.command_line import CommandLine
from tests.extractors.test_column_writer import both_ways, opened

SHARES = [(0, 0.95, "1-1"), (5, 0.95, "1-1"), (6, 0.95, "1-N"), (1, 1.0, "1-N"), (6, 0.9, "1-1")]


def pairs(several: int) -> list[tuple[str, str]]:
    """The capitals of a hundred countries, some of which have two."""
    return [(f"c{n}", f"t{n}") for n in range(100)] + [(f"c{n}", f"second{n}") for n in range(several)]


@pytest.mark.parametrize(("several", "share", "type_"), SHARES)
def test_extraction_and_inspection_agree(tmp_path: Path, several: int, share: float, type_: str) -> None:
    rows = [f"{subject},capital,{object_}\n" for subject, object_ in pairs(several)]
    (tmp_path / "f.csv").write_text("".join(["subject,relation,object\n", *rows]))
    kg = TableGraph(None, "csv", None, TableSettings(name="csv", source=str(tmp_path / "f.csv"), single_share=share))
    [relation] = kg.load_relations()
    extracted = TripletExtractor(kg).extract_relation(relation, None, Layout(tmp_path / "out"))
    summary = summarise_relation(kg, relation)
    row = inspect_relation("csv", summary, "", worded=False, single_share=share)
    assert (extracted.relation.type, summary.relation_info.type, row.type) == (type_,) * 3


@pytest.mark.parametrize(("several", "share", "type_"), SHARES)
def test_columns_agree_with_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, several: int, share: float, type_: str
) -> None:
    rows = [f"<a:/{subject}> <a:/capital> <a:/{object_}> .\n" for subject, object_ in pairs(several)]
    (tmp_path / "g.nt").write_text("".join(rows))
    made = both_ways(opened(tmp_path / "g.nt", single_share=share), tmp_path, monkeypatch)
    assert f'"type":"{type_}"'.encode() in made["capital.jsonl"]


def test_setting_is_one_of_every_graph(factprobe: CommandLine) -> None:
    rows = [f"{subject},capital,{object_}\n{object_},lies in,Earth\n" for subject, object_ in pairs(10)]
    Path("f.csv").write_text("".join(["subject,relation,object\n", *rows]))
    shown = "kg=csv", "kg.source=f.csv", "compose=[capital/lies in]"
    factprobe("step=extract", *shown, "kg.single_share=0.9")
    summary = read_json(Path("outputs/csv/triplets/summary.json"), GraphSummary)
    assert [relation.type for relation in summary.relations] == ["1-1", "N-1", "N-1"]
    factprobe("step=extract", *shown)
    summary = read_json(Path("outputs/csv/triplets/summary.json"), GraphSummary)
    assert [relation.type for relation in summary.relations] == ["1-N", "N-1", "N-1"]
