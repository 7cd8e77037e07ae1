"""Files and folders whose names are not UTF-8, which JSON cannot hold."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

import factprobe as package
from factprobe.errors import DataError
from tests.command_line import CommandLine
from tests.extras import needs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")

TRIPLES = "".join(
    f"<http://x/{subject}> <http://x/capital> <http://x/{object_}> .\n"
    f'<http://x/{subject}> <http://www.w3.org/2000/01/rdf-schema#label> "{subject}" .\n'
    for subject, object_ in (("France", "Paris"), ("Peru", "Lima"))
)
FACTS = "subject,relation,object\nFrance,capital,Paris\nPeru,capital,Lima\n"
GRADES = json.dumps({"question_id": "1", "verdict": "correct"}) + "\n"


def odd(name: str) -> Path:
    """Return a path with a byte that no UTF-8 text has."""
    return Path(os.fsdecode(name.encode().replace(b"?", b"\xff")))


@pytest.mark.parametrize(
    ("name", "content", "arguments"),
    [
        pytest.param("g?.nt", TRIPLES, ["step=extract", "kg=rdf", "kg.source=g*.nt"], marks=needs("duckdb")),
        ("f?.csv", FACTS, ["step=extract", "kg=csv", "kg.source=f*.csv"]),
        ("folder/edges?.csv", FACTS, ["step=extract", "kg=csv", "kg.source=folder"]),
        ("a?.csv", "question,answers,response\nWhat?,Paris,Paris\n", ["step=grade", "input=a*.csv"]),
        ("folder/a?.jsonl", GRADES, ["step=agree", "labels={a: folder, b: folder}"]),
    ],
)
def test_a_file_with_such_a_name_is_one_line(
    factprobe: CommandLine, name: str, content: str, arguments: list[str]
) -> None:
    path = factprobe.folder / odd(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    assert "has a name that is not UTF-8" in factprobe.fails(*arguments)


def test_python_names_it_too(factprobe: CommandLine) -> None:
    (factprobe.folder / odd("a?.csv")).write_text("question,answers,response\nWhat?,Paris,Paris\n")
    with pytest.raises(DataError, match="not UTF-8"):
        package.grade_answers(str(odd("a?.csv")))


@pytest.mark.parametrize(
    ("name", "content", "arguments"),
    [
        pytest.param("g.nt", TRIPLES, ["kg=rdf", "kg.source=g.nt"], marks=needs("duckdb")),
        ("f.csv", FACTS, ["kg=csv", "kg.source=f.csv"]),
    ],
)
def test_such_a_folder_is_worked_in(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch, name: str, content: str, arguments: list[str]
) -> None:
    folder = factprobe.folder / odd("here?")
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path(name).write_text(content)
    assert factprobe("step=all", *arguments, "model=scripted").code == 0
