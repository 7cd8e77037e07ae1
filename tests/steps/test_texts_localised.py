"""The steps that check texts: where claims stand, and searches that are paid once."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from factprobe.models.embedders import Embedder
from tests.checkers.parts import register
from tests.command_line import CommandLine
from tests.models.server import endpoint

TINY = ("step=extract_check", "input=in.json", "claim_extractor=tiny", "checker=tiny")
KEY = "not-a-real-key-0123456789"


@pytest.fixture(autouse=True)
def parts() -> None:
    register()


class WordCounts(Embedder):
    """Embeddings by the words of a text, in place of MiniLM's, which takes seconds to load."""

    def __init__(self, name: str) -> None:
        pass

    def embed(self, texts: Sequence[str]) -> Any:
        known = ["ada", "wrote", "notes", "poems", "nobody", "slept", "so"]
        found = [[re.findall(r"\w+", text.lower()).count(word) for word in known] for text in texts]
        vectors = np.array(found, np.float32).reshape(len(found), len(known))
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)


@pytest.mark.parametrize("has_vectors", [False, True])
def test_each_claim_tells_where_it_stands(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch, has_vectors: bool
) -> None:
    if not has_vectors:
        monkeypatch.setattr("factprobe.models.embedders.embedders._classes", {"wordllama": WordCounts})
    text = {"response": "Ada wrote notes. Ada wrote poems.", "reference": ["Nobody slept.", "So Ada wrote notes."]}
    (factprobe.folder / "in.json").write_text(json.dumps([text]))
    result = factprobe(*TINY, "localise=true", "localise_threshold=0.8")
    assert result.code == 0, result.err
    [found] = json.loads((factprobe.folder / "in.checked.json").read_text())
    notes = found["details"][0]["locations"]
    assert (notes[0]["start"], notes[0]["end"]) == (0, 16)
    assert notes[0]["similarity"] > 0.9
    assert {"start": 3, "end": 6, "similarity": 1.0, "reference": 1, "part": 0} in notes
    assert {"start": 10, "end": 15, "similarity": 1.0, "part": 2} in notes
    (factprobe.folder / "again.json").write_text(json.dumps([found]))
    assert factprobe("step=check", "input=again.json", "checker=tiny").code == 0
    assert "locations" not in (factprobe.folder / "again.checked.json").read_text()


def test_a_search_is_paid_once(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", KEY)
    (factprobe.folder / "in.json").write_text(json.dumps([{"response": "Ada wrote notes", "question": "Who?"}]))
    found = {"organic": [{"title": "Page", "snippet": "Ada wrote notes"}]}
    with endpoint(lambda body: (200, found)) as server:
        search = ("retriever=serper", f"retriever.base_url={server.base_url}")
        assert factprobe(*TINY, *search, "dry_run=true").code == 0
        assert server.requests == []
        for folder in ("one", "two"):
            result = factprobe(*TINY, *search, f"output_dir=outputs/{folder}", f"output={folder}.json")
            assert result.code == 0, result.err
    assert len(server.requests) == 1
    [first], [second] = (json.loads((factprobe.folder / f"{name}.json").read_text()) for name in ("one", "two"))
    assert first == second
    assert (first["reference"], first["retriever"], first["ys"]) == ("Page. Ada wrote notes", "serper", ["Entailment"])
    assert all(KEY not in path.read_text("utf-8", "replace") for path in factprobe.folder.rglob("*") if path.is_file())


def test_a_key_that_is_missing_is_said_before_anything_is_done(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SERPER_API_KEY", raising=False)
    (factprobe.folder / "in.json").write_text(json.dumps([{"response": "Ada wrote notes"}]))
    line = factprobe.fails(*TINY, "retriever=serper")
    assert line.endswith(
        "retriever: the environment variable SERPER_API_KEY is not set; export SERPER_API_KEY=..., or set "
        "retriever.api_key_env= to another variable"
    )
