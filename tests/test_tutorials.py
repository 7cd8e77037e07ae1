"""The tutorials in the docs do what they say when they are pasted, and print what they show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command_line import ROOT, CommandLine
from tests.models.server import completion, endpoint
from tests.test_readme import commands

PAGES = sorted((ROOT / "docs/tutorials").glob("*.md"))
SAVED = re.compile(r"`(\w+\.(?:csv|jsonl?|yaml))`(?:[^\n]|\n(?!\n))*\n\n```\w+\n(.*?)^```", re.DOTALL | re.MULTILINE)
"""A file that the reader saves: its name in the paragraph before its text."""
SHOWN = re.compile(r"^```text\n(.*?)^```", re.DOTALL | re.MULTILINE)
SERVER = "http://127.0.0.1:8000/v1"


def has_person(command: list[str]) -> bool:
    """Whether a command needs the labels of a person."""
    return command[0] == "step=label" or "labels=outputs/answers/labels.jsonl" in command


def reply(body: dict[str, object]) -> str:
    """What the server's model says: no claims, no spans, or else that it does not know."""
    return "[]" if "span" in str(body) or "triplet" in str(body) else "I don't know"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial(page: Path, factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    text = page.read_text(encoding="utf-8")
    for name, content in SAVED.findall(text):
        (factprobe.folder / name).write_text(content, encoding="utf-8")
    printed = ""
    with endpoint(lambda body: (200, completion(reply(body)))) as server:
        asked = [command for command in commands(text) if not has_person(command)]
        for command in asked:
            ended = factprobe(*(part.replace(SERVER, server.base_url) for part in command))
            assert ended.code == 0, f"{command}: {ended.err}"
            printed += ended.out
    assert len(asked) >= 2
    lines = {line.strip() for line in printed.splitlines()}
    shown = [line.strip() for block in SHOWN.findall(text) for line in block.splitlines()]
    assert [line for line in shown if line not in lines] == []


def test_there_is_one_for_each_use() -> None:
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert len(PAGES) == 5
    assert [page.name for page in PAGES if f"tutorials/{page.name}" not in site] == []
