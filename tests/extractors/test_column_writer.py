"""What is written from columns, against what is written record by record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from factprobe.extractors.column_writer import drop_duplicates
from factprobe.extractors.triplets import TripletExtractor
from factprobe.kgs.base import Graph
from factprobe.kgs.on_disk import bulk_load, fact_columns
from factprobe.kgs.rdf.rdf_graph import Rdf, RdfSettings
from factprobe.storage import Layout, Problems

pytest.importorskip("pyoxigraph")
pytest.importorskip("duckdb")

P = "http://x/p"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
ALIAS = "<http://www.w3.org/2004/02/skos/core#altLabel>"
CLASS = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
ODD = r"""
<http://x/a> <http://x/p> <http://x/b> .
<http://x/a> <http://x/p> <http://x/c_%20d> .
<http://x/a> <http://x/p> <http://x/b> .
<http://x/e> <http://x/p> <http://x/b> .
<http://x/a> <http://x/p> "two  words\n\"\u0001\u007F\u2028\\ \u00a0" .
<http://x/e> <http://x/p> "12"^^<http://www.w3.org/2001/XMLSchema#integer> .
<http://x/é> <http://x/p> "  " .
<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> "A\u0002 \"\\/\n [X]"@en .
<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> "  A  a\u3000b\u0085c\u001fd "@en-GB .
<http://x/a> <http://www.w3.org/2004/02/skos/core#altLabel> "a alias" .
<http://x/a> <http://www.w3.org/2004/02/skos/core#altLabel> "   " .
<http://x/b> <http://www.w3.org/2000/01/rdf-schema#label> "B" .
<http://x/b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x/Class> .
<http://x/b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x/Other> .
<http://x/e> <http://www.w3.org/2004/02/skos/core#altLabel> "only an alias" .
"""


def opened(path: Path, **settings: Any) -> Rdf:
    folder = str(path.parent / "sorted")
    return Rdf(None, "rdf", Problems(), RdfSettings(name="rdf", source=str(path), store=folder, **settings))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def both_ways(kg: Rdf, folder: Path, monkeypatch: pytest.MonkeyPatch, limit: int | None = None) -> dict[str, bytes]:
    """What is written of a graph, which is the same either way."""
    made = {}
    for way in ("columns", "records"):
        out = Layout(folder / way)
        with monkeypatch.context() as patch:
            if way == "records":
                patch.setattr(Rdf, "columns", Graph.columns)
            extractor = TripletExtractor(kg, limit)
            extracted = [extractor.extract_relation(relation, None, out) for relation in kg.load_relations()]
        made[way] = files(out.root), extracted
    assert made["columns"] == made["records"]
    return made["columns"][0]


@pytest.mark.parametrize("limit", [None, 2])
def test_odd_names_and_literals(tmp_path: Path, limit: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "g.nt"
    path.write_text(ODD, encoding="utf-8")
    kg = opened(path, predicates=("p",))
    [relation] = kg.load_relations()
    assert drop_duplicates(kg.columns(relation)) is not None
    written = both_ways(kg, tmp_path, monkeypatch, limit)
    assert written["p.jsonl"].count(b"\n") == (limit or 6)
    assert b'"subject_aliases":["A a b c d","a alias"]' in written["p.summary.json"]


def test_one_text_with_two_data_types_is_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "g.nt"
    integer = "<http://www.w3.org/2001/XMLSchema#integer>"
    path.write_text(f'<a:/x> <a:/p> "1" .\n<a:/x> <a:/p> "1"^^{integer} .\n<a:/y> <a:/p> <a:/z> .\n')
    written = both_ways(opened(path, predicates=("p",)), tmp_path, monkeypatch)
    assert written["p.jsonl"].count(b"\n") == 2


def test_many_terms_lie_in_several_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (fact_columns, bulk_load):
        monkeypatch.setattr(module, "TERMS_PER_BATCH", 2048, raising=False)
    monkeypatch.setattr("factprobe.kgs.on_disk.store.TERMS_PER_BATCH", 2048)
    monkeypatch.setattr("factprobe.extractors.column_writer._CHUNK_SIZE", 500)
    path = tmp_path / "g.nt"
    with path.open("w") as file:
        for number in range(5000):
            file.write(f'<http://x/{number}> {LABEL} "Number {number}" .\n')
            file.write(f"<http://x/{number * 37 % 5000}> <{P}> <http://x/{number * number % 1000}> .\n")
    written = both_ways(opened(path), tmp_path, monkeypatch)
    assert written["p.jsonl"].count(b"\n") == 5000
    assert b'{"subject_label":"Number 37","object_label":"Number 1",' in written["p.jsonl"]
