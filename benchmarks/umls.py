"""Extraction from UMLS as its licensees have it, on made files, against DuckDB's bare reading of the same."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from figures import record_ratio
from rdf import Ran, ran

RELATIONS = ("may_treat", "may_be_treated_by", "isa", "inverse_isa", "finding_site_of", "has_finding_site", "part_of")
VOCABULARIES = ("SNOMEDCT_US", "MED-RT", "NCI", "MSH")
TYPES = ("Disease or Syndrome", "Pharmacologic Substance", "Body Part, Organ, or Organ Component")
READ = """
import sys, duckdb
for path in sys.argv[1:]:
    rows = f"read_csv('{path}', all_varchar=true, header=false, delim='|', quote='', escape='')"
    duckdb.sql(f"create or replace temporary table rows as from {rows}")
"""


def make_files(folder: Path, rows: int) -> list[Path]:
    """MRREL of so many rows between a fifth as many concepts, whose degrees follow a power law; a fifth of the rows has
    no RELA. Each concept has two English names and a Spanish one in MRCONSO, and a type in MRSTY."""
    import numpy as np

    rng = np.random.default_rng(0)
    concepts = max(rows // 5, 2)
    ends = (concepts * rng.random((2, rows)) ** 2).astype(int).tolist()
    chosen = rng.integers(0, len(RELATIONS), rows).tolist()

    def related() -> Iterator[str]:
        for number, (first, second, which) in enumerate(zip(*ends, chosen, strict=True)):
            rela, sab = ("" if number % 5 == 4 else RELATIONS[which]), VOCABULARIES[which % len(VOCABULARIES)]
            ids = f"C{first:07}|A{first:07}|AUI|RO|C{second:07}|A{second:07}|AUI"
            yield f"{ids}|{rela}|R{number}||{sab}|{sab}|||N||"

    def named() -> Iterator[str]:
        for number in range(concepts):
            for at, (lat, status, text) in enumerate(
                (("ENG", "P|L1|PF", "Concept"), ("ENG", "S|L2|PF", "Also"), ("SPA", "P|L3|PF", "Concepto"))
            ):
                ts, lui, stt = status.split("|")
                aui = f"A{number:06}{at}"
                yield f"C{number:07}|{lat}|{ts}|{lui}|{stt}|S{at}|Y|{aui}||||MSH|PT|D{number}|{text} no. {number}|0|N||"

    typed = (f"C{number:07}|T047|B2|{TYPES[number % len(TYPES)]}|AT{number}||" for number in range(concepts))
    paths = []
    for name, lines in (("MRREL", related()), ("MRCONSO", named()), ("MRSTY", typed)):
        paths.append(folder / f"{name}.RRF")
        with paths[-1].open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
    return paths


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="of MRREL")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = make_files(Path(folder), options.rows)
        settings = ["step=extract", "kg=umls_rrf", f"kg.source={folder}"]
        took: dict[str, list[Ran]] = {"DuckDB alone": [], "extract": [], "extract again": [], "one relation": []}
        for number in range(options.runs):
            store = f"kg.store={folder}/{number}"
            extract = [sys.executable, "run.py", *settings, store, f"output_dir={folder}/out{number}"]
            took["DuckDB alone"].append(ran([sys.executable, "-c", READ, *map(str, files)]))
            took["extract"].append(ran(extract))
            took["extract again"].append(ran(extract))
            took["one relation"].append(ran([*extract, "relations=[may_treat]"]))
        size = sum(file.stat().st_size for file in files) / 1e6
    print(
        f"{options.rows:,} rows of MRREL, {size:,.0f} MB in three files, median of {options.runs} runs that take turns"
    )
    bare = statistics.median(one.processor for one in took["DuckDB alone"])
    for name, every in took.items():
        processor, peak = (statistics.median(getattr(one, field) for one in every) for field in ("processor", "peak"))
        print(f"  {name:14}{processor:7.1f} s of the processor   ratio {processor / bare:5.1f}   {peak:6,.0f} MB")
        if name != "DuckDB alone":
            record_ratio(f"UMLS, {options.rows:,} rows, {name}, to DuckDB's reading alone, processor", processor / bare)


if __name__ == "__main__":
    main()
