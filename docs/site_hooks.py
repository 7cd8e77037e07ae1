"""Hooks of mkdocs: pages made from files outside docs/, and a reference made from the docstrings."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Files outside docs/ that are pages, with their addresses."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made here."""
    for source, address in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, address, content=_with_links(text, (ROOT / source).parent)))
    files.append(File.generated(config, "reference.md", content=_reference()))
    return files


def on_page_markdown(markdown: str, page: object, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Rewrite the links of pages in docs/ to files outside it."""
    return _with_links(markdown, ROOT / "docs") if "](../" in markdown else markdown


def _with_links(text: str, folder: Path) -> str:
    """Return a page of a folder with links to other pages; a file that is no page is named without a link."""

    def rewritten(found: re.Match[str]) -> str:
        image, shown, target, anchor = found.groups()
        path = (folder / target).resolve().relative_to(ROOT).as_posix()
        address = PAGES.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)
        return f"{image}[{shown}]({address}{anchor or ''})" if address else shown

    return LINK.sub(rewritten, text)


def _reference() -> str:
    """Return the page of the public functions, one section each."""
    tree = ast.parse((ROOT / "factprobe/api/__init__.py").read_text(encoding="utf-8"))
    places = {alias.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    names = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
    )
    names.sort(key=lambda name: (name[0].isupper(), name))
    intro = "Each is `factprobe.<name>`; [Python](python.md) shows them at work."
    return "\n".join(["# Functions", "", intro, "", *(f"::: {places[name]}.{name}\n" for name in names)])
