"""What `--help` prints."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factprobe.config import known_names, resource

_HELP = """\
factprobe asks a language model what a knowledge graph knows, and grades the answers.

Usage: factprobe [SETTING=VALUE ...]      (in a checkout: python run.py [SETTING=VALUE ...])

Steps, each run after those above it:
  step=extract     triplets and relation summaries from a graph
  step=generate    questions from the triplets
  step=answer      a model's responses; goes on where it was stopped
  step=evaluate    grades of the responses
  step=report      the score table, scores.csv, scores.json and report.html
  step=all         all of them (the default)
  step=compare     two or more graded models on the same questions
  step=agree       graders, judges and human labels on the same items

Examples:
  factprobe step=all kg=trex model=smollm2 limit=5
  factprobe step=extract kg=umls kg.data_dir=/data/umls
  factprobe step=all kg=bear model=openai model.model=gpt-4o-mini relations=[P30,P36]
  factprobe -m step=all kg=trex,umls model=smollm2,scripted    runs each combination
  factprobe model=openai --help            shows the settings of that model
"""

CHOICE = re.compile(r"^\+{0,2}((kg|generator|model|evaluator)(?:@\w+)?)=([\w.,-]+)$")
"""The choice of a config group on the command line: group with package, group, names."""


def help_text(arguments: Sequence[str] = ()) -> str:
    """What `--help` prints: the steps, the groups, and the config files that apply, with their comments.

    Hydra's own help would load all of Hydra and drop the comments; `--hydra-help` still gives it.
    """
    chosen = {"kg": "trex", "generator": "template", "model": "smollm2", "evaluator": "rules"}
    chosen |= {"compat": "", "model@judge": ""}
    chosen.update((found[1], found[3]) for argument in arguments if (found := CHOICE.match(argument)))
    lines = [_HELP, "Groups, one of each; the one in use here is marked:"]
    for group, name in chosen.items():
        names = sorted({*known_names(group.partition("@")[0]), name} - {""})
        lines.append(f"  {group}=" + " | ".join(f"[{known}]" if known == name else known for known in names))
    for group, name in {"": "config", **chosen}.items():
        folder, _, package = group.partition("@")
        file = f"{folder}/{name}".lstrip("/")
        path = resource("conf") / f"{file}.yaml"
        if path.is_file():
            prefix = f"{package or folder}." if folder else ""
            lines += ["", f"Settings {prefix}* (conf/{file}.yaml):" if prefix else "Settings (conf/config.yaml):"]
            lines += [f"  {line}" for line in _settings_of(path.read_text(encoding="utf-8"))]
    return "\n".join(lines)


def _settings_of(text: str) -> list[str]:
    """The settings and comments of a config file, without what only Hydra reads."""
    blocks = re.split(r"\n(?=\S)", text.strip())
    return [
        line for block in blocks if not block.startswith(("defaults:", "hydra:")) for line in block.rstrip().split("\n")
    ]
