"""Data sets write null for what they do not know: nothing of the line is lost by it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from factprobe.kgs.readers import BearLine, BioLamaLine, LamaLine, read_facts
from factprobe.records import Evidence, Relation
from factprobe.storage import Problems

RELATION = Relation("P19", "[X] was born in [Y].")
LAMA = {
    "sub_uri": "Q1",
    "sub_label": "Ada",
    "obj_uri": "Q2",
    "obj_label": None,
    "sub_aliases": None,
    "obj_aliases": None,
    "evidences": None,
    "masked_sentences": None,
    "judgments": None,
}
BIOLAMA = {
    "sub_uri": "Q1",
    "sub_label": "Ada",
    "sub_aliases": None,
    "sub_type": None,
    "obj_uris": ["Q2"],
    "obj_labels": [None],
    "obj_aliases": [None],
    "obj_types": [None],
}
BEAR = {"sub_id": "Q1", "sub_label": "Ada", "sub_aliases": None, "obj_id": "Q2", "obj_label": None}


@pytest.mark.parametrize(
    ("kind", "line"),
    [(LamaLine, LAMA), (BioLamaLine, BIOLAMA), (BearLine, BEAR)],
    ids=["lama", "biolama", "bear"],
)
def test_null_is_empty(
    write: Callable[[str, str | bytes], Path],
    kind: type[LamaLine | BioLamaLine | BearLine],
    line: dict[str, Any],
) -> None:
    [fact] = read_facts(write("P19.jsonl", json.dumps(line)), kind, RELATION, Problems(strict=True))
    assert (fact.subject_uri, fact.subject_label, fact.subject_aliases) == ("Q1", "Ada", ())
    assert (fact.object_uri, fact.object_label, fact.object_aliases) == ("Q2", "", ())
    assert (fact.subject_types, fact.object_types, fact.evidences) == ((), (), ())


def test_several_types_and_one(write: Callable[[str, str | bytes], Path]) -> None:
    path = write("P19/test.jsonl", json.dumps({**BIOLAMA, "sub_type": ["T1", "T2"], "obj_types": ["T3"]}))
    [fact] = read_facts(path, BioLamaLine, RELATION, Problems(strict=True))
    assert (fact.subject_types, fact.object_types) == (("T1", "T2"), ("T3",))


def test_every_passage_of_google_re_is_kept(write: Callable[[str, str | bytes], Path]) -> None:
    line = {
        **LAMA,
        "evidences": [{"snippet": "one", "considered_sentences": ["Ada, of Ulm."]}, {"snippet": "two"}],
        "masked_sentences": ["Ada, of [MASK]."],
        "judgments": [{"judgment": "yes"}, {"judgment": "no"}],
    }
    [fact] = read_facts(write("P19.jsonl", json.dumps(line)), LamaLine, RELATION, Problems(strict=True))
    said = ("yes", "no")
    assert fact.evidences == (
        Evidence("Ada, of [MASK].", "Ada, of Ulm.", snippet="one", judgments=said),
        Evidence(snippet="two", judgments=said),
    )
