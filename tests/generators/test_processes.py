"""The same seed writes the same bytes, whatever the process and its hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from factprobe.records import Entity, Relation
from tests.generators.graphs import PROMPTS, Graph

SCRIPT = """
import json, sys
from pathlib import Path
from factprobe.factories import build_generator
settings, seed, triplets, summary, output = sys.argv[1:]
maker = build_generator(json.loads(settings), int(seed))
maker.generate_questions(Path(triplets), Path(summary), Path(output))
"""


@pytest.mark.parametrize("more", [{}, {"negatives": "near", "none_of_these": True}], ids=["plain", "near"])
def test_same_bytes_in_every_process(
    more: dict[str, Any], write: Callable[[str, str | bytes], Path], tmp_path: Path
) -> None:
    uris = [f"Q{i}" for i in range(60)]
    entities = {uri: Entity(uri, f"Name {i % 50}", (f"alias {i % 45}", "é")) for i, uri in enumerate(uris)}
    facts = dict.fromkeys((uris[i * 7 % 60], uris[i * i % 60]) for i in range(150))
    graph = Graph(entities, tuple(facts), Relation("P1", "[X] knows [Y]."))
    triplets = write("t.jsonl", b"\n".join(msgspec.json.encode(pair) for pair in graph.pairs()))
    summary = write("s.json", msgspec.json.encode(graph.summary()))
    settings = msgspec.json.encode({"name": "template", "prompts": PROMPTS, "ask": "both", **more}).decode()

    def run(name: str, seed: str, hash_seed: str) -> subprocess.Popen[bytes]:
        arguments = [settings, seed, str(triplets), str(summary), str(tmp_path / name)]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        return subprocess.Popen([sys.executable, "-c", SCRIPT, *arguments], env=environment)

    running = [run("first", "7", "1"), run("second", "7", "4242"), run("other", "8", "1")]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    first, second, other = ((tmp_path / name).read_bytes() for name in ("first", "second", "other"))
    assert first.count(b"\n") > 300
    assert first == second
    assert first != other
