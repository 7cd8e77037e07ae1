"""docs/scale.md does what it says when it is pasted."""

from __future__ import annotations

import pytest

from tests.cli.test_sweeps import results
from tests.command_line import ROOT, CommandLine
from tests.test_readme import commands

PAGE = commands((ROOT / "docs/scale.md").read_text(encoding="utf-8"))
SMALL = ["model=scripted", "relations=[P36]", "limit=3"]


def shortened(command: list[str]) -> list[str]:
    """A command of the page about a few questions, which this process answers by rule."""
    return [*(part for part in command if not part.startswith(("model", "hydra"))), *SMALL]


@pytest.mark.slow
def test_the_parts_make_the_files_of_one_run(factprobe: CommandLine) -> None:
    by_launcher = [command for command in PAGE if "-m" in command]
    assert len(by_launcher) == 3  # of this machine, Ray and Slurm
    assert len({tuple(part for part in command if not part.startswith("hydra")) for command in by_launcher}) == 1
    for command in PAGE[:6]:
        result = factprobe(*shortened(command))
        assert result.code == 0, f"{command}: {result.err}"
    assert factprobe("step=all", "kg=trex", "cache=off", "output_dir=whole", *SMALL).code == 0
    assert results(factprobe.folder / "outputs/trex") == results(factprobe.folder / "whole")
