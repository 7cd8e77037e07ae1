"""Hooks of mkdocs: pages from files outside docs/, and references from docstrings, settings and registries."""

from __future__ import annotations

import ast
import os.path
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

    from factprobe.registry import Registry

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Files outside docs/ that are pages, with their addresses."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")
GROUPS = {
    "kg": "graphs",
    "generator": "question generators",
    "model": "models",
    "evaluator": "evaluators",
    "claim_extractor": "claim extractors",
    "checker": "checkers",
    "aggregator": "aggregators",
    "retriever": "retrievers",
    "detector": "detectors",
}
"""Groups whose choices the reference lists."""
_PARTS_INTRO = """[Statistics](statistics.md#the-metrics-of-the-score-table) has the metrics,
and [extending](extending.md) shows how to add a part of your own."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made here."""
    from mkdocs.structure.files import File

    for source, address in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, address, content=_with_links(text, (ROOT / source).parent, address)))
    for address, content in {"reference.md": functions, "steps.md": steps, "parts.md": parts}.items():
        files.append(File.generated(config, address, content=content()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Rewrite the links of pages in docs/ to files outside it."""
    if "](../" not in markdown or page.file.src_uri in PAGES.values():
        return markdown
    return _with_links(markdown, (ROOT / "docs" / page.file.src_uri).parent, page.file.src_uri)


def _with_links(text: str, folder: Path, address: str) -> str:
    """Return a page of a folder with links to other pages; a file that is no page is named without a link."""

    def rewritten(found: re.Match[str]) -> str:
        image, shown, target, anchor = found.groups()
        path = (folder / target).resolve().relative_to(ROOT).as_posix()
        other = PAGES.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)
        link = os.path.relpath(other, Path(address).parent) if other else ""
        return f"{image}[{shown}]({link}{anchor or ''})" if other else shown

    return LINK.sub(rewritten, text)


def functions() -> str:
    """Return the page of the public functions, one section each."""
    tree = ast.parse((ROOT / "factprobe/api/__init__.py").read_text(encoding="utf-8"))
    places = {alias.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    names = sorted(places, key=lambda name: (name[0].isupper(), name))
    intro = "Each is `factprobe.<name>`; [Python](python.md) shows them at work."
    return "\n".join(["# Functions", "", intro, "", *(f"::: {places[name]}.{name}\n" for name in names)])


def steps() -> str:
    """Return the page of the steps, each with its settings."""
    from factprobe.cli.help import COMMON_SETTINGS, first_paragraph, step_settings
    from factprobe.step_table import STEPS
    from factprobe.steps.base import load_step

    every = f"Every step also has {_code(COMMON_SETTINGS)}."
    lines = ["# Steps and their settings", "", f"`factprobe step=NAME --help` prints the same. {every}"]
    for name in STEPS:
        step = load_step(name)
        files = (*step.elsewhere, *step.makes)
        makes = f"Makes {_code(files)}." if files else ""
        lines += [
            "",
            f"## {name}",
            "",
            f"{first_paragraph(step.run)} Needs {_code(step.needs) or 'no other step'}. {makes}",
        ]
        lines += ["", *_settings(step_settings(name))]
    return "\n".join([*lines, ""])


def parts() -> str:
    """Return the page of question types, formats, and the choices of each group with their settings."""
    from factprobe.cli.help import choice_settings
    from factprobe.config import known_names
    from factprobe.generators.negatives.base import negatives
    from factprobe.inputs.base import inputs
    from factprobe.question_types import KINDS

    lines = ["# Question types, formats and parts", "", _PARTS_INTRO, "", "## Question types", ""]
    kinds = [(f"`{name}`", kind.label, _code(kind.placeholders), _code(kind.forms)) for name, kind in KINDS.items()]
    lines += _table(("setting", "name", "placeholders of the prompt", "forms"), kinds)
    lines += ["", "## Formats of replies: `input_format`", "", *_registered(inputs)]
    lines += ["", "## Wrong answers: `generator.negatives`", "", *_registered(negatives)]
    for group, title in GROUPS.items():
        found = {name: choice_settings(group, name) for name in known_names(group)}
        known = {name: choice for name, choice in found.items() if choice}
        lines += ["", f"## {title.capitalize()}: `{group}`", ""]
        lines += _table(("choice", "what it is"), [(f"`{group}={name}`", what) for name, (what, _) in known.items()])
        for name, (_, settings) in known.items():
            if settings:
                lines += ["", f"### {group}={name}", "", *_settings(settings)]
    return "\n".join([*lines, ""])


def _settings(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    pairs = [(*setting.partition("=")[::2], text) for setting, text in rows]
    return _table(
        ("setting", "default", "what it does"), [(f"`{name}`", f"`{value}`", text) for name, value, text in pairs]
    )


def _registered(registry: Registry[object]) -> Iterator[str]:
    from factprobe.cli.help import first_paragraph

    return _table(
        ("name", "what it is"), [(f"`{name}`", first_paragraph(registry.get(name))) for name in registry.names()]
    )


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(_escaped(cell) for cell in row)} |"


def _escaped(cell: str) -> str:
    return re.sub(r"<(?=\w)", "&lt;", cell.replace("|", r"\|")) if "`" not in cell else cell.replace("|", r"\|")
