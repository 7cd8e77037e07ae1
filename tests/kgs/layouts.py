"""A small graph in the layout of each registered adapter, with mistakes on purpose, and what is to be read from it.

Every graph has a relation with a few facts, one with several objects a subject, one that is described without data, and
`broken` lines that are to be skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factprobe.kgs import Graph, kgs
from factprobe.storage import Problems


@dataclass(frozen=True)
class Case:
    """The files of a small graph, and what is to be read from them."""

    files: dict[str, str]
    facts: dict[str, list[tuple[str, str]]]
    """Subject and object URI of the facts of each relation that has data, in order."""
    without_data: str
    """The relation that is described only."""
    broken: tuple[str, ...]
    """The broken lines, `file:line`."""

    def build(self, adapter: str, folder: Path, *, strict: bool = False) -> Graph:
        """Writes the files and opens them as a graph."""
        return open_graph(adapter, folder, self.files, strict=strict)

    @contextmanager
    def opened(self, adapter: str, folder: Path) -> Iterator[Graph]:
        """The graph for as long as the block goes on."""
        yield self.build(adapter, folder)


def open_graph(adapter: str, folder: Path, files: dict[str, str], *, strict: bool = False) -> Graph:
    """A graph of these files, by the name of its adapter."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    folder.mkdir(exist_ok=True)
    return kgs.get(adapter)(folder, adapter, Problems(strict))


def lines(*records: dict[str, Any] | str) -> str:
    """JSON Lines; what is a text already stays as it is."""
    return "".join((found if isinstance(found, str) else json.dumps(found)) + "\n" for found in records)


def trex_fact(subject: str, subject_label: str, object_: str, object_label: str, **more: Any) -> dict[str, Any]:
    """A line of T-REx."""
    uris = {"sub_uri": subject, "sub_label": subject_label, "obj_uri": object_, "obj_label": object_label}
    return {"uuid": "6a9d91c1", "predicate_id": "P19"} | uris | more


TREX = Case(
    files={
        "relations.jsonl": lines(
            {
                "relation": "P19",
                "template": "[X] was born in [Y] .",
                "label": "place of birth",
                "description": "the town",
                "type": "N-1",
            },
            {
                "relation": "P101",
                "template": "[X] works in the field of [Y] .",
                "label": "field of work",
                "type": "N-M",
            },
            "",
            {"relation": "P20", "template": "[X] died in [Y] .", "type": "many to one"},
            {"relation": "P530", "template": "[X] keeps ties with [Y] ."},
        ),
        "P19.jsonl": lines(
            trex_fact(
                "Q7259",
                "Ada Lovelace",
                "Q84",
                "London",
                sub_aliases=["Ada King"],
                obj_aliases=["Londinium", "LDN"],
                evidences=[
                    {"sub_surface": "Ada", "obj_surface": "London", "masked_sentence": "Ada was born in [MASK]."},
                    {"sub_surface": "she", "obj_surface": "town", "masked_sentence": "In [MASK] she was born."},
                ],
            ),
            trex_fact("Q7251", "Alan Turing", "Q84", "London"),
            '{"sub_uri": "Q1035", "sub_label": "Charles Dar',
            {"sub_uri": "Q1035", "sub_label": "Charles Darwin", "obj_label": "Shrewsbury"},
            trex_fact("", "Nobody", "Q84", "London"),
            trex_fact("Q7259", "Ada Lovelace", "Q84", "London", sub_aliases=["Augusta Ada King"]),
        ),
        "P101.jsonl": lines(
            trex_fact("Q7259", "Ada Lovelace", "Q395", "mathematics"),
            trex_fact("Q7259", "Ada Lovelace", "Q179310", "computing"),
            trex_fact("Q7251", "Alan Turing", "Q395", "mathematics"),
        ),
    },
    facts={
        "P19": [("Q7259", "Q84"), ("Q7251", "Q84"), ("Q7259", "Q84")],
        "P101": [("Q7259", "Q395"), ("Q7259", "Q179310"), ("Q7251", "Q395")],
    },
    without_data="P530",
    broken=("relations.jsonl:4", "P19.jsonl:3", "P19.jsonl:4", "P19.jsonl:5"),
)

GOOGLE_RE = Case(
    files={
        "relations.jsonl": lines(
            {
                "relation": "place_of_birth",
                "template": "[X] was born in [Y] .",
                "label": "place of birth",
                "type": "N-1",
            },
            {"relation": "date_of_birth", "template": "[X] (born [Y]).", "label": "date of birth", "type": "N-1"},
            {"relation": "place_of_death", "template": "[X] died in [Y] ."},
        ),
        "place_of_birth_test.jsonl": lines(
            {
                "pred": "/people/person/place_of_birth",
                "sub": "/m/0cw4l",
                "obj": "/m/04jpl",
                "evidences": [
                    {
                        "url": "http://en.wikipedia.org/wiki/Ada_Lovelace",
                        "snippet": "Ada was born in London. She was London's own.",
                        "considered_sentences": ["Ada was born in London .", "She was London's own ."],
                    }
                ],
                "judgments": [{"rater": "1", "judgment": "yes"}, {"rater": "2", "judgment": "no"}],
                "sub_w": None,
                "sub_label": "Ada Lovelace",
                "sub_aliases": ["Ada King"],
                "obj_w": "Q84",
                "obj_label": "London",
                "obj_aliases": ["LDN", "\U0001f1ec\U0001f1e7"],
                "uuid": "9c68053f",
                "masked_sentences": ["Ada was born in [MASK] .", "She was [MASK] 's own ."],
            },
            {"sub": "/m/0n00", "sub_label": "Alan Turing", "obj": "", "obj_label": "London", "obj_w": "Q84"},
        ),
        "date_of_birth_test.jsonl": lines(
            {"sub": "/m/0n00", "sub_label": "Alan Turing", "obj": "1912-06-23", "obj_label": "1912", "obj_w": None},
            {"sub": "/m/0n00", "sub_label": "Alan Turing", "obj": "1912-06-24", "obj_label": 1912},
            {"sub": "/m/0n00", "sub_label": "Alan Turing", "obj": "1912-06-23", "obj_label": "1912"},
        ),
    },
    facts={
        "place_of_birth": [("/m/0cw4l", "/m/04jpl")],
        "date_of_birth": [("/m/0n00", "1912-06-23"), ("/m/0n00", "1912-06-23")],
    },
    without_data="place_of_death",
    broken=("place_of_birth_test.jsonl:2", "date_of_birth_test.jsonl:2"),
)

UMLS = Case(
    files={
        "prompts/manual.jsonl": lines(
            {"relation": "may_treat", "property": "may treat", "template": "[X] might treat [Y]."},
            {"relation": "occurs_after", "property": "occurs after", "template": "[X] occurs after [Y]."},
            {"property": "no relation", "template": "[X] and [Y]."},
        ),
        "triples_processed/may_treat/test.jsonl": lines(
            {
                "uuid": "f9b77fd8",
                "predicate_id": "may_treat",
                "sub_uri": "C0004057",
                "sub_label": "aspirin",
                "sub_aliases": ["acetylsalicylic acid"],
                "obj_uris": ["C0018681", "C0015967"],
                "obj_labels": ["Headache", "Fever"],
                "obj_aliases": [["Cephalalgia", "Head pain"], []],
            },
            {"sub_uri": "C0020740", "sub_label": "ibuprofen", "obj_uris": ["C0015967"], "obj_labels": ["Fever"]},
            {"sub_uri": "C1", "sub_label": "short labels", "obj_uris": ["C2", "C3"], "obj_labels": ["two"]},
            {"sub_uri": "C1", "sub_label": "long labels", "obj_uris": ["C2"], "obj_labels": ["two", "three"]},
            {"sub_uri": "C1", "sub_label": "short aliases", "obj_uris": ["C2", "C3"], "obj_labels": ["a", "b"]}
            | {"obj_aliases": [["x"]]},
            {"sub_uri": "", "sub_label": "no URI", "obj_uris": ["C2"], "obj_labels": ["two"]},
            {"sub_uri": "C1", "sub_label": "no object URI", "obj_uris": ["C2", ""], "obj_labels": ["two", "three"]},
            {"sub_uri": "C1", "sub_label": "no objects", "obj_uris": [], "obj_labels": []},
        ),
    },
    facts={"may_treat": [("C0004057", "C0018681"), ("C0004057", "C0015967"), ("C0020740", "C0015967")]},
    without_data="occurs_after",
    broken=(
        "prompts/manual.jsonl:3",
        *(f"triples_processed/may_treat/test.jsonl:{number}" for number in (3, 4, 5, 6, 7)),
    ),
)

WIKI_BIO = Case(
    files={
        "prompts/manual.jsonl": lines(
            {
                "relation": "P2176",
                "label": "drug used for treatment",
                "template": "The standard treatment for [X] is [Y].",
            },
            {"relation": "P780", "label": "symptoms", "template": "[X] has symptoms such as [Y]."},
        ),
        "triples_processed/P2176/dev.jsonl": lines(
            {
                "uuid": "1fd7c1d4",
                "predicate_id": "P2176",
                "sub_uri": "Q86",
                "sub_label": "headache",
                "sub_type": "Q169872",
                "sub_aliases": ["cephalalgia"],
                "obj_uris": ["Q18216", "Q57055"],
                "obj_labels": ["aspirin", "paracetamol"],
                "obj_types": ["Q12140", "Q12140"],
                "obj_aliases": [["acetylsalicylic acid", "ASA"], ["acetaminophen"]],
            }
        ),
        "triples_processed/P2176/test.jsonl": lines(
            {"sub_uri": "Q38933", "sub_label": "fever", "obj_uris": ["Q57055"], "obj_labels": ["paracetamol"]},
            {"sub_uri": "Q1", "sub_label": "x", "obj_uris": ["Q2"], "obj_labels": ["y"], "obj_types": ["Q3", "Q4"]},
        ),
        "triples_processed/P2176/train.jsonl": lines(
            {"sub_uri": "Q38933", "sub_label": "fever", "obj_uris": ["Q186969"], "obj_labels": ["ibuprofen"]},
        ),
        "triples_processed/P2176/README.txt": "no data",
    },
    facts={"P2176": [("Q86", "Q18216"), ("Q86", "Q57055"), ("Q38933", "Q57055"), ("Q38933", "Q186969")]},
    without_data="P780",
    broken=("triples_processed/P2176/test.jsonl:2",),
)

CTD = Case(
    files={
        "prompts/manual.jsonl": lines(
            {"relation": "CD1", "property": "therapeutic", "template": "[X] treats diseases such as [Y]."},
            {
                "relation": "CG17",
                "property": "decreases expression",
                "template": "[X] decreases the expression of [Y].",
            },
        ),
        "triples_processed/CD1/train.jsonl": lines(
            {
                "uuid": "CTD-CD1-0",
                "predicate_id": "CD1",
                "sub_uri": "MESH:D001241",
                "sub_label": "Aspirin",
                "sub_type": "chemical",
                "sub_aliases": ["2-(Acetyloxy)benzoic Acid"],
                "obj_uris": ["MESH:D006261", "MESH:D005334"],
                "obj_labels": ["Headache", "Fever"],
                "obj_types": ["disease", "disease"],
                "obj_aliases": [["Cranial Pain"], []],
            },
            "not a line",
        ),
    },
    facts={"CD1": [("MESH:D001241", "MESH:D006261"), ("MESH:D001241", "MESH:D005334")]},
    without_data="CG17",
    broken=("triples_processed/CD1/train.jsonl:2",),
)

BEAR = Case(
    files={
        "metadata_relations.json": json.dumps(
            {
                "P30": {
                    "templates": ["[X] is located in [Y].", "[X] is a part of [Y].", "[X] belongs to [Y]."],
                    "answer_space_labels": ["Africa", "Europe"],
                    "answer_space_ids": ["Q15", "Q46"],
                    "label": "continent",
                    "description": "where it lies",
                },
                "P47": {"templates": ["[X] borders [Y]."]},
                "P36": {"templates": []},
            }
        ),
        "P30.jsonl": lines(
            {"sub_id": "Q1030", "sub_label": "Namibia", "sub_aliases": ["South West Africa"], "obj_id": "Q15"}
            | {"obj_label": "Africa", "answer_idx": 0},
            {"sub_id": "Q33", "sub_label": "Finland", "sub_aliases": [], "obj_id": "Q46", "obj_label": "Europe"},
            {"sub_id": "Q34", "sub_label": "Sweden", "obj_label": "Europe", "answer_idx": 1},
            {"sub_id": "Q34", "sub_label": "Sweden", "obj_id": "", "obj_label": "Europe"},
        ),
        "P47.jsonl": lines(
            {
                "sub_id": "Q33",
                "sub_label": "Finland",
                "obj_id": "Q34",
                "obj_label": "Sweden",
                "obj_aliases": ["Sverige"],
            },
            {"sub_id": "Q33", "sub_label": "Finland", "obj_id": "Q20", "obj_label": "Norway"},
        ),
    },
    facts={"P30": [("Q1030", "Q15"), ("Q33", "Q46")], "P47": [("Q33", "Q34"), ("Q33", "Q20")]},
    without_data="P36",
    broken=("P30.jsonl:3", "P30.jsonl:4"),
)

CASES = {"trex": TREX, "google_re": GOOGLE_RE, "umls": UMLS, "wiki_bio": WIKI_BIO, "ctd": CTD, "bear": BEAR}
