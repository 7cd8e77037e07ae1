"""Imports point one way, and starting up does not load what only some commands need."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import factprobe

PACKAGE = Path(factprobe.__file__).parent

DESIGN = PACKAGE.parent / "docs" / "design.md"
ROW = re.compile(r"^\|[^|`]*\|([^|]+)\|", re.MULTILINE)


def packages() -> list[str]:
    """Return the packages and single modules in the order of the table in docs/design.md."""
    table = DESIGN.read_text(encoding="utf-8").partition("## Where to change what")[0]
    return [name for row in ROW.findall(table) for name in re.findall(r"`(\w+)(?:/|\.py)`", row)]


PACKAGES = [*packages(), "__init__", "__main__"]
PLACE_OF = {package: place for place, package in enumerate(PACKAGES)}
SEPARATE = {"evaluators", "checkers"}
"""Packages that may not import each other."""
HEAVY = (
    "hydra",
    "omegaconf",
    "openai",
    "httpx2",
    "aiohttp",
    "duckdb",
    "jinja2",
    "rich",
    "networkx",
    "numpy",
    "scipy",
    "xllamacpp",
    "factprobe.pipeline",
    "factprobe.inputs",
    "factprobe.reading.tokenisation.tokens",
)


def part_of(module: str) -> str:
    """Return the package or single module that a module belongs to: `kgs` for `factprobe.kgs.lama`."""
    return [*module.split("."), "__init__"][1]


def imports(source: str, module: str, is_package: bool = False) -> Iterator[str]:
    """Yield every part of factprobe that a module's code imports, wherever in it and under TYPE_CHECKING too."""
    for node in ast.walk(ast.parse(source)):
        found: list[str] = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: (None if is_package else -1)]
            base = [*above[: len(above) - node.level + 1]] if node.level else []
            base += node.module.split(".") if node.module else []
            found = [".".join([*base, alias.name]) for alias in node.names]
        yield from (part_of(name) for name in found if name.split(".")[0] == "factprobe")


def is_allowed(importer: str, imported: str) -> bool:
    """Return whether one package may import another."""
    if importer == imported:
        return True
    if imported == "__init__":  # the version, and the functions of the API
        return importer in ("cli", "__main__")
    return PLACE_OF[imported] < PLACE_OF[importer] and not {importer, imported} <= SEPARATE


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(("factprobe", *path.relative_to(PACKAGE).with_suffix("").parts))
        yield name.removesuffix(".__init__"), path


MODULES = dict(modules())


def test_imports_point_one_way() -> None:
    wrong = {}
    for module, path in MODULES.items():
        found = set(imports(path.read_text(encoding="utf-8"), module, path.name == "__init__.py"))
        known = {part if part in PLACE_OF else "__init__" for part in found}
        wrong[module] = sorted(part for part in known if not is_allowed(part_of(module), part))
    assert {module: parts for module, parts in wrong.items() if parts} == {}


def test_every_package_is_in_the_table() -> None:
    assert sorted({part_of(module) for module in MODULES}) == sorted(PACKAGES)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import factprobe.kgs.lama", ["kgs"]),
        ("from factprobe import kgs, text", ["kgs", "text"]),
        ("from factprobe.kgs import kgs as graphs", ["kgs"]),
        ("def f():\n    from factprobe.models.base import Model", ["models"]),
        ("if TYPE_CHECKING:\n    from factprobe.reports import collect", ["reports"]),
        ("try:\n    import factprobe.api\nexcept ImportError:\n    pass", ["api"]),
        ("from . import bear", ["kgs"]),
        ("from .base import kgs", ["kgs"]),
        ("from .. import text", ["text"]),
        ("from ..models.base import Model", ["models"]),
        ("import json, factprobe", ["__init__"]),
        ("from json import loads", []),
        ("import factprobes.kgs", []),
    ],
)
def test_an_import_is_seen_in_every_form(code: str, found: list[str]) -> None:
    assert list(imports(code, "factprobe.kgs.lama")) == found


def test_a_package_imports_relative_to_itself() -> None:
    assert list(imports("from .base import kgs\nfrom .. import text", "factprobe.kgs", is_package=True)) == [
        "kgs",
        "text",
    ]


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("storage", "errors", True),
        ("kgs", "storage", True),
        ("storage", "kgs", False),
        ("text", "pipeline", False),
        ("extractors", "kgs", True),
        ("kgs", "extractors", False),
        ("generators", "models", True),
        ("models", "generators", False),
        ("checkers", "evaluators", False),
        ("detectors", "models", True),
        ("reports", "evaluators", True),
        ("evaluators", "reports", False),
        ("asking", "models", True),
        ("models", "asking", False),
        ("generators", "asking", True),
        ("asking", "steps", False),
        ("steps", "app", True),
        ("app", "steps", False),
        ("app", "factories", True),
        ("cli", "pipeline", True),
        ("reports", "pipeline", False),
        ("kgs", "__init__", False),
        ("cli", "__init__", True),
    ],
)
def test_the_rule(importer: str, imported: str, allowed: bool) -> None:
    assert is_allowed(importer, imported) is allowed


@pytest.mark.parametrize(
    "module",
    [
        *("factprobe", "factprobe.cli.main", "factprobe.kgs", "factprobe.kgs.sparql.sparql_graph", "factprobe.models"),
        *("factprobe.generators.template", "factprobe.steps.probing.extract", "factprobe.steps.probing.generate"),
    ],
)
def test_importing_does_not_load_what_only_some_commands_need(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(set({HEAVY}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("name", factprobe.__all__)
def test_every_name_of_the_package_is_there(name: str) -> None:
    assert getattr(factprobe, name)


def test_a_name_that_the_package_lacks() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        factprobe.nonsense  # noqa: B018


def test_hydra_internals_are_imported_in_one_module() -> None:
    importing = {module for module, path in MODULES.items() if "hydra._internal" in path.read_text(encoding="utf-8")}
    assert importing == {"factprobe.config.hydra_internals"}
