"""What the tests of the step `answer` share: a small exam, and its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.command_line import CommandLine

EXAM = ["kg=trex", "relations=[P36]", "limit=5"]
"""20 questions."""

COUNT = 20


def settings(base_url: str, *changes: str) -> list[str]:
    """The exam, put to an endpoint that is not waited for."""
    return [*EXAM, "model=openai", "model.model=stub", f"model.base_url={base_url}", "model.retry_wait=0", *changes]


def prepare(factprobe: CommandLine, *changes: str) -> None:
    """Makes the questions."""
    for step in ("extract", "generate"):
        assert factprobe(f"step={step}", *EXAM, *changes).code == 0


def records(folder: Path) -> list[dict[str, Any]]:
    """Every record of the JSON Lines files under a folder."""
    return [json.loads(line) for path in sorted(folder.rglob("*.jsonl")) for line in path.read_text().splitlines()]


def manifest(root: Path) -> dict[str, Any]:
    """What the manifest says of the step `answer`."""
    found: dict[str, Any] = json.loads((root / "manifest.json").read_text())["answer"]
    return found


def complete(root: Path) -> bool:
    """Whether every question has exactly one response, and no failed one."""
    responses = records(root / "responses")
    asked = [question["question_id"] for question in records(root / "questions")]
    return [one["question_id"] for one in responses] == asked and all(one["error"] is None for one in responses)
