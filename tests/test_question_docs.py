"""docs/questions.md does what it says when it is pasted."""

from __future__ import annotations

import re

import pytest

from tests.command_line import ROOT, CommandLine
from tests.test_readme import blocks, commands

TEXT = (ROOT / "docs/questions.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_commands_in_their_order(factprobe: CommandLine) -> None:
    _, relation, facts = blocks(TEXT, "json")
    (factprobe.folder / "teams").mkdir()
    (factprobe.folder / "teams/relations.jsonl").write_text(relation, encoding="utf-8")
    (factprobe.folder / "teams/P54.jsonl").write_text(facts, encoding="utf-8")
    (factprobe.folder / "mine.yaml").write_text(blocks(TEXT, "yaml")[0], encoding="utf-8")
    asked = ""
    for command in commands(TEXT):
        if {"model=transformers", "step=paraphrase", "step=quality"} & {*command}:  # models of other tests, or of a hub
            continue
        fast = [part for part in command if not part.startswith(("model=", "generator.model"))]
        phrased = any(part.startswith("generator=llm_") for part in command)
        models = [] if "step=report" in command else ["model=scripted", *["generator.model=scripted"] * phrased]
        steps = ["step=extract", "step=generate"] if "step=all" in command and "-m" not in command else ["step=all"]
        for step in steps:  # what is shown are questions; other tests answer them
            result = factprobe(*(part.replace("step=all", step) for part in fast), *models)
            assert result.code == 0, f"{command}: {result.err}"
        asked += "".join(path.read_text() for path in factprobe.folder.glob("outputs/*/questions/**/*.jsonl"))
    own = TEXT.partition("\n## In several wordings\n")[2]  # what stands before is a model's
    shown = re.findall(r"^> (.+)", own, re.MULTILINE)
    assert len(shown) >= 7
    assert [words for words in shown if words not in asked] == []
